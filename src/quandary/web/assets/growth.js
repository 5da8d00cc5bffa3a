// The list of a run grows while it is looked at.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const { run, size } = document.getElementById("matches").dataset;
  let known = size; // of the records, as the page was made

  events.listen(`r.${run}`, (version) => {
    if (version === known) return;
    known = version || known; // none if the page was hidden and may have missed something
    quandary.renew();
  });
});

// Filters the library; the filters are part of the address.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const FILTERS = ["group", "seats", "suite", "language"];
  const search = document.getElementById("search");
  const field = (name) => document.getElementById(`filter-${name}`);
  const cards = [...document.querySelectorAll("#cards .card")];
  const asked = new URLSearchParams(location.search);

  function choose() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const card of cards) {
      const fits =
        words.every((word) => card.dataset.words.includes(word)) &&
        FILTERS.every((name) => !field(name).value || card.dataset[name].split(" ").includes(field(name).value));
      card.hidden = !fits;
      found += fits;
    }
    document.getElementById("found").textContent = `${found} of ${cards.length} puzzles`;
    const link = new URLSearchParams();
    if (search.value) link.set("search", search.value);
    for (const name of FILTERS) if (field(name).value) link.set(name, field(name).value);
    history.replaceState(null, "", [...link].length ? `?${link}` : location.pathname);
  }

  search.value = asked.get("search") ?? "";
  for (const name of FILTERS) {
    const wanted = asked.get(name) ?? "";
    if ([...field(name).options].some((option) => option.value === wanted)) field(name).value = wanted;
    field(name).addEventListener("change", choose);
  }
  search.addEventListener("input", choose);
  document.getElementById("filters").addEventListener("submit", (event) => event.preventDefault());
  choose();
});

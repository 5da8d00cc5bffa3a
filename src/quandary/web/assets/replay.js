// Shows one match of a run, or two side by side: /runs/RUN/N#3 is its third step.
"use strict";

document.addEventListener("DOMContentLoaded", async () => {
  const box = document.getElementById("replay");
  const sources = box.dataset.sources.split(" ");
  const load = async (path) => {
    const answer = await fetch(path);
    const found = await answer.json();
    if (!answer.ok) throw new Error(found.error);
    return found;
  };
  const placeOf = () => stage.placeIn(location.hash.slice(1));

  let matches;
  try {
    matches = await Promise.all(sources.map((source) => load(`${source}.json`)));
  } catch (reason) {
    box.replaceChildren(stage.element("p", { className: "warning", role: "alert" }, String(reason.message || reason)));
    return;
  }
  // Its own words are those of the matches, if they have one language.
  const languages = new Set(matches.flatMap((match) => match.languages));
  if (languages.size === 1) {
    [box.lang] = languages;
    stage.speak(words.inLanguage(box.lang));
  }
  const moved = (to) => history.replaceState(null, "", `#${stage.written(to, matches[0])}`);
  const shown = stage.open(box, matches, { place: placeOf(), moved, actions: downloads(matches) });
  window.addEventListener("hashchange", () => shown.go(placeOf()));

  // What moves cost takes longer to compute.
  await Promise.all(
    sources.map(async (source, number) => {
      const costs = await load(`${source}/costs.json`).catch(() => []);
      stage.addCosts(matches[number], costs);
    })
  );
  shown.renew();

  function downloads(all) {
    return all.map((match) => {
      const save = (name, text, type) => {
        const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
        const anchor = stage.element("a", { href: address, download: name });
        document.body.append(anchor);
        anchor.click();
        anchor.remove();
        setTimeout(() => URL.revokeObjectURL(address), 10_000);
      };
      const name = match.name.replace(/[^a-z0-9]+/gi, "_");
      const say = words.inLanguage(box.lang);
      return stage.button(say("Download transcript"), say("Download transcript of {name}", { name: match.name }), () =>
        save(`${name}.txt`, stage.transcript(match), "text/plain")
      );
    });
  }
});

// The page of a report: sorts its tables, lists its matches, and opens them on the stage.  Lists and
// transcripts are loaded as scripts, because browsers let a page from a file load nothing else.
//
// Links: #match-1-5/3?seat=1 is the third step of match 5 of the first run, seen by seat 1;
// #match-1-5,1-9/3 shows two matches side by side; #list?puzzle=...&search=... is the list with
// filters and a search.
"use strict";

const quandary = (() => {
  const { element, button, visible, counted, scrollBox } = stage;
  const PER_PAGE = 15;
  const OF_FILE = 32; // numbers of records, as in side_files.py
  const AT_ONCE = 6; // files that are loaded at the same time by a search
  const OTHERS = 200; // matches that are offered for comparison

  // Tables.

  function sortable(table) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      head.querySelector("button").addEventListener("click", () => {
        const isNumber = head.classList.contains("number");
        const before = head.getAttribute("aria-sort");
        const down = before ? before === "ascending" : isNumber;
        heads.forEach((each) => each.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        sort(table.tBodies[0], column, isNumber, down ? -1 : 1);
      });
    });
  }

  function sort(body, column, isNumber, sign) {
    const key = (row) => {
      const cell = row.cells[column];
      if (!isNumber) return cell.textContent;
      return cell.dataset.sort ? Number(cell.dataset.sort) : NaN;
    };
    const rows = [...body.rows].map((row) => [key(row), row]);
    rows.sort(([one], [other]) => {
      if (!isNumber) return sign * one.localeCompare(other, "en", { numeric: true });
      if (Number.isNaN(one) || Number.isNaN(other)) return Number.isNaN(one) - Number.isNaN(other);
      return sign * (one - other);
    });
    body.append(...rows.map(([, row]) => row));
  }

  // A box that hides a part at the right says so by fading there.
  function fading(box) {
    const mark = () => box.classList.toggle("more", box.scrollWidth - box.clientWidth - box.scrollLeft > 1);
    box.addEventListener("scroll", mark, { passive: true });
    new ResizeObserver(mark).observe(box);
    return box;
  }

  // Groups of a table that fold; those that would make it long are folded at first.

  const PHONE = "(max-width: 48rem)";
  const WHOLE = () => (matchMedia(PHONE).matches ? 5 : 24); // rows of a table that are shown at first

  function foldable(table) {
    let rows = 0;
    for (const body of table.tBodies) {
      const fold = body.querySelector("th.group button");
      const show = (isOpen) => {
        body.classList.toggle("folded", !isOpen);
        fold.setAttribute("aria-expanded", String(isOpen));
      };
      rows += body.rows.length - 1;
      show(rows <= WHOLE() || body === table.tBodies[0]);
      fold.addEventListener("click", () => show(body.classList.contains("folded")));
    }
  }

  // Side files.

  const LIST = "list";
  const waiting = new Map();
  const loaded = new Map();

  function load(file, key) {
    if (loaded.has(key)) return Promise.resolve(loaded.get(key));
    return new Promise((then) => {
      if (waiting.has(key)) return waiting.get(key).push(then);
      waiting.set(key, [then]);
      const script = element("script", { src: file, charset: "utf-8" });
      script.addEventListener("error", () => arrived(key, null));
      script.addEventListener("load", () => script.remove());
      return document.head.append(script);
    });
  }

  function arrived(key, data) {
    if (data) loaded.set(key, data);
    const then = waiting.get(key) || [];
    waiting.delete(key);
    then.forEach((each) => each(data));
  }

  // Transcripts come as base64 of a zlib stream, several in a file.
  async function unpacked(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  }

  const fileOf = (key) => key.replace(/\d+$/, (match) => Math.floor(Number(match) / OF_FILE));
  const loadFile = (file) => load(`matches/${file}.js`, file);

  async function loadMatch(key) {
    const found = await loadFile(fileOf(key));
    return found ? found[key] ?? null : null;
  }

  // The list of matches.

  const FILTERS = ["suite", "puzzle", "level", "player", "language", "ending", "status"];
  const SEVERAL = { player: "players", language: "languages", status: "statuses" }; // columns with several values
  const NAMED = ["", "", "", "score", "moves", "same instance"]; // columns whose cells say what they are where there is no head above them
  const HEADS = { match: "match", players: "players", result: "result", score: "score", moves: "moves", "": "" };
  let list = null;
  let shown = [];
  let page = 0;
  let order = { column: "", down: false };
  let instance = ""; // the only one that is listed
  let search = { text: "", found: null };
  let listLink = "#matches";
  let ofInstance = null; // how many matches each has

  let listed = null;
  const listReady = () => (listed ??= load("matches/list.js", LIST).then(showList));

  const field = (name) => document.getElementById(name);
  const filterOf = (name) => field(`filter-${name}`);

  function showList(data) {
    if (!data) {
      field("match-list").replaceChildren("The list of matches (matches/list.js) is missing.");
      return;
    }
    fill(data);
    for (const name of FILTERS) filterOf(name).addEventListener("change", changed);
    for (const name of ["least", "most"]) filterOf(name).addEventListener("input", changed);
    field("search").addEventListener("submit", (event) => {
      event.preventDefault();
      find(field("search-text").value).then(settled);
    });
    followList() || choose();
  }

  // What filters offer follows from the list; what is chosen stays.
  function fill(data) {
    const chosen = new Map(FILTERS.map((name) => [name, list?.texts[Number(filterOf(name).value || NaN)]]));
    list = data;
    const { columns, texts } = list;
    ofInstance = new Map();
    for (const spec of columns.spec) ofInstance.set(spec, (ofInstance.get(spec) ?? 0) + 1);
    for (const name of FILTERS) {
      const numbers = new Set((columns[SEVERAL[name] ?? name] || []).flat());
      if (name === "player") for (const each of (columns.pooled || []).flat()) numbers.add(each);
      const words = (number) => (name === "status" ? stage.STATUS[texts[number]] ?? texts[number] : texts[number]);
      const options = [...numbers].sort((one, other) => words(one).localeCompare(words(other), "en", { numeric: true }));
      const select = filterOf(name);
      select.length = 1; // all
      select.append(...options.map((each) => element("option", { value: String(each) }, visible(words(each)))));
      if (chosen.get(name) !== undefined) select.value = String(texts.indexOf(chosen.get(name)));
    }
  }

  // The run has grown: the list is read again, and what the reader has chosen stays.
  async function renew() {
    if (!list) return;
    loaded.clear();
    const data = await load(`matches/list.js?at=${Date.now()}`, LIST);
    if (!data) return;
    const before = page;
    fill(data);
    choose();
    turnTo(before);
  }

  // What was found is about the matches that the filters left before.
  function changed() {
    if (search.text) return find(search.text).then(settled);
    return settled();
  }

  function settled() {
    choose();
    link();
  }

  // Filters and search are part of the link.
  function link() {
    const parameters = new URLSearchParams();
    for (const name of FILTERS) if (filterOf(name).value !== "") parameters.set(name, list.texts[Number(filterOf(name).value)]);
    for (const name of ["least", "most"]) if (filterOf(name).value !== "") parameters.set(name, filterOf(name).value);
    if (instance) parameters.set("spec", instance);
    if (search.text) parameters.set("search", search.text);
    if (order.column) parameters.set("sort", `${order.down ? "-" : ""}${order.column}`);
    listLink = [...parameters].length ? `#list?${parameters}` : "#matches";
    history.replaceState(null, "", listLink);
  }

  const isNarrowed = () => Boolean(instance || search.text || [...FILTERS, "least", "most"].some((name) => filterOf(name).value !== ""));

  function clear() {
    for (const name of [...FILTERS, "least", "most"]) filterOf(name).value = "";
    field("search-text").value = "";
    instance = "";
    find("").then(settled);
  }

  function followList() {
    if (!list || !location.hash.startsWith("#list?")) return false;
    const wanted = new URLSearchParams(location.hash.slice("#list?".length));
    for (const name of FILTERS) {
      const number = String(list.texts.indexOf(wanted.get(name) ?? ""));
      const select = filterOf(name);
      select.value = [...select.options].some((each) => each.value === number) ? number : "";
    }
    for (const name of ["least", "most"]) filterOf(name).value = wanted.get(name) ?? "";
    instance = wanted.get("spec") ?? "";
    const sorted = wanted.get("sort") ?? "";
    order = { column: sorted.replace(/^-/, ""), down: sorted.startsWith("-") };
    if (!(order.column in HEADS)) order = { column: "", down: false };
    listLink = location.hash;
    field("search-text").value = wanted.get("search") ?? "";
    choose();
    find(wanted.get("search") ?? "").then(choose);
    field("matches").scrollIntoView();
    return true;
  }

  function choose() {
    const { columns, texts } = list;
    const wanted = FILTERS.filter((name) => name !== "player" && filterOf(name).value !== "").map((name) => [
      columns[SEVERAL[name] ?? name], Number(filterOf(name).value), name in SEVERAL,
    ]);
    const bounds = ["least", "most"].map((name) => filterOf(name).value);
    const [least, most] = [bounds[0] === "" ? -Infinity : Number(bounds[0]), bounds[1] === "" ? Infinity : Number(bounds[1])];
    const player = filterOf("player").value === "" ? null : Number(filterOf("player").value);
    const spec = instance ? texts.indexOf(instance) : null;
    shown = [];
    for (let at = 0; at < columns.key.length; at++) {
      if (spec !== null && columns.spec[at] !== spec) continue;
      if (player !== null && !columns.players[at].some((_, seat) => sits(player, at, seat))) continue;
      if (!wanted.every(([column, value, isSeveral]) => (isSeveral ? column[at].includes(value) : column[at] === value))) continue;
      if (bounds.some((each) => each !== "") && !inRange(at, player, least, most)) continue;
      if (search.found && !search.found.has(columns.key[at])) continue;
      shown.push(at);
    }
    arrange();
    turnTo(0);
  }

  // A player is also meant by the name under which its scores are counted: people are "human".
  function sits(player, at, seat) {
    const { players, pooled } = list.columns;
    return players[at][seat] === player || pooled?.[at][seat] === player;
  }

  // The score of the chosen player, or of any.
  function inRange(at, player, least, most) {
    return list.columns.scores[at].some(
      (score, seat) => score !== null && score >= least && score <= most && (player === null || sits(player, at, seat))
    );
  }

  function arrange() {
    const { columns, texts } = list;
    const keys = {
      match: (at) => texts[columns.spec[at]],
      players: (at) => columns.players[at].map((each) => texts[each]).join(" – "),
      result: (at) => texts[columns.outcome[at]],
      score: (at) => columns.scores[at][0] ?? -1,
      moves: (at) => columns.moves[at],
    };
    const key = keys[order.column];
    if (!key) return;
    const sign = order.down ? -1 : 1;
    const collator = new Intl.Collator("en", { numeric: true });
    const pairs = shown.map((at) => [key(at), at]);
    pairs.sort(([one, first], [other, second]) => (sign * (typeof one === "number" ? one - other : collator.compare(one, other))) || first - second);
    shown = pairs.map(([, at]) => at);
  }

  function turnTo(number) {
    const pages = Math.max(1, Math.ceil(shown.length / PER_PAGE));
    page = Math.min(Math.max(number, 0), pages - 1);
    const rows = shown.slice(page * PER_PAGE, (page + 1) * PER_PAGE).map(row);
    const heads = Object.entries(HEADS).map(([column, title]) => head(column, title));
    const table = element("table", { className: "listed" }, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows));
    const box = fading(scrollBox("List of matches", table));
    const turn = (words, to, enabled) => {
      const made = element("button", { type: "button", className: "plain", disabled: !enabled }, words);
      made.addEventListener("click", () => turnTo(to));
      return made;
    };
    const pager = element(
      "div", { className: "pager" },
      turn("First", 0, page > 0),
      turn("Previous", page - 1, page > 0),
      `page ${page + 1} of ${pages.toLocaleString("en")} (${shown.length.toLocaleString("en")} ${shown.length === 1 ? "match" : "matches"})`,
      turn("Next", page + 1, page + 1 < pages),
      turn("Last", pages - 1, page + 1 < pages),
      ...(isNarrowed() ? [button("Clear filters", "Clear filters", clear)] : [])
    );
    const parts = [pager, box];
    if (instance) {
      const all = element("button", { type: "button", className: "plain" }, "List all instances");
      all.addEventListener("click", () => {
        instance = "";
        changed();
      });
      parts.unshift(element("p", {}, `Only matches of ${visible(instance)}. `, all));
    }
    field("match-list").replaceChildren(...parts);
  }

  function head(column, title) {
    if (!column) return element("th", { scope: "col" }, "same instance");
    const made = element("button", { type: "button" }, title);
    made.addEventListener("click", () => {
      const isNumber = column === "score" || column === "moves";
      order = { column, down: order.column === column ? !order.down : isNumber };
      changed();
    });
    const cell = element("th", { scope: "col" }, made);
    if (order.column === column) cell.setAttribute("aria-sort", order.down ? "descending" : "ascending");
    return cell;
  }

  function row(at) {
    const { columns, texts } = list;
    const spec = texts[columns.spec[at]];
    const players = columns.players[at].map((each) => visible(texts[each])).join(" – ");
    const scores = columns.scores[at].map((score) => (score === null ? "–" : Number(score.toPrecision(3)))).join(" : ");
    const open = element("a", { href: `#match-${columns.key[at]}/${search.found?.get(columns.key[at]) ?? 1}` }, visible(spec));
    const others = ofInstance.get(columns.spec[at]) - 1;
    const same = others && !instance ? element("a", { href: `#list?${new URLSearchParams({ spec })}` }, counted(others, "other")) : "";
    const cells = [open, players, visible(texts[columns.outcome[at]]), scores, columns.moves[at].toLocaleString("en"), same];
    return element("tr", {}, ...cells.map((each, column) => element("td", { className: column < 3 ? "words prose" : "number", ...(NAMED[column] ? { "data-name": NAMED[column] } : {}) }, each)));
  }

  // Text search: all transcripts that the filters leave are read, some files at a time.

  let searching = 0;

  async function find(text) {
    const own = ++searching;
    const progress = field("search-progress");
    search = { text: text.trim(), found: null };
    progress.textContent = "";
    if (!search.text) return;
    choose();
    const files = new Map();
    for (const at of shown) {
      const key = list.columns.key[at];
      const file = fileOf(key);
      if (!files.has(file)) files.set(file, []);
      files.get(file).push(key);
    }
    const wanted = search.text.toLowerCase();
    const found = new Map(); // match -> the first step that has the text
    const waitingFiles = [...files];
    let read = 0;
    const total = shown.length;
    const work = async () => {
      while (waitingFiles.length && own === searching) {
        const [file, keys] = waitingFiles.shift();
        const wasLoaded = loaded.has(file);
        const matches = await loadFile(file);
        for (const key of keys) {
          const step = matches?.[key] ? stepThatSays(matches[key], wanted) : 0;
          if (step) found.set(key, step);
        }
        if (!wasLoaded) loaded.delete(file); // all of them would fill the memory
        read += keys.length;
        if (own === searching) progress.textContent = `${read.toLocaleString("en")} of ${total.toLocaleString("en")} read, ${found.size.toLocaleString("en")} found`;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (own === searching) search = { text: search.text, found };
  }

  const holds = (text, wanted) => Boolean(text) && text.toLowerCase().includes(wanted);

  // From 1; 0 if no step has it.
  function stepThatSays(match, wanted) {
    return 1 + match.steps.findIndex((step) =>
      (step.replies || []).some(
        (reply) =>
          holds(reply.text, wanted) || holds(reply.thought, wanted) || holds(reply.failure, wanted) ||
          (reply.sent || []).some(([, text]) => holds(text, wanted)) ||
          (reply.branches || []).some((each) => holds(each.text, wanted) || holds(each.thought, wanted))
      )
    );
  }

  // The box with one match, or two.

  let opened = null; // the stage that is shown, and of which matches
  let asked = 0;

  async function open(keys, place) {
    const own = ++asked;
    const dialog = field("viewer");
    if (opened && dialog.open && opened.keys.join() === keys.join()) return opened.shown.go(place);
    const [matches] = await Promise.all([Promise.all(keys.map(loadMatch)), listReady()]);
    if (own !== asked) return null; // the reader has gone on
    shut();
    const box = dialog.querySelector(".viewer");
    const close = button("Close", "Close", leave);
    if (matches.includes(null)) {
      const isKnown = keys.every((key) => list?.columns.key.includes(key));
      const title = element("h2", {}, isKnown ? "No transcript" : "No such match");
      const why = isKnown
        ? "This report has no transcript of this match."
        : "The link names a match that is not in this report. The list has all matches.";
      box.replaceChildren(element("div", { className: "stage" }, element("header", {}, element("div", {}, title, element("p", {}, why)), close)));
      if (!dialog.open) dialog.showModal();
      return null;
    }
    if (!dialog.open) dialog.showModal();
    const moved = (to) => history.replaceState(null, "", `#match-${keys.join()}/${stage.written(to, matches[0])}`);
    const actions = [comparison(keys, matches), ...matches.map((match, at) => downloads(match, keys[at])), close];
    opened = { keys, shown: stage.open(box, matches, { place, moved, actions, hit: search.text }) };
    return null;
  }

  function shut() {
    opened?.shown.close();
    opened = null;
  }

  // The event "close" comes later, when another match may have been asked for.
  function leave() {
    const dialog = field("viewer");
    asked++;
    shut();
    if (dialog.open) dialog.close();
    if (location.hash.startsWith("#match-")) history.replaceState(null, "", listLink);
  }

  // Other matches of the same instance.
  function comparison(keys, matches) {
    if (!list) return "";
    const { columns, texts } = list;
    const first = columns.key.indexOf(keys[0]);
    if (first < 0) return "";
    const others = [];
    for (let at = 0; at < columns.key.length && others.length < OTHERS; at++) {
      if (columns.spec[at] === columns.spec[first] && at !== first) others.push(at);
    }
    if (!others.length) return "";
    const isOneRun = others.every((at) => columns.key[at].split("-")[0] === keys[0].split("-")[0]);
    const select = element("select", { "aria-label": "Compare with another match of this instance" });
    select.append(element("option", { value: "" }, keys.length > 1 ? "this match alone" : "compare with …"));
    for (const at of others) {
      const players = columns.players[at].map((each) => visible(texts[each])).join(" – ");
      const [run, number] = columns.key[at].split("-");
      const name = isOneRun ? `match ${number}` : `run ${run}, match ${number}`;
      select.append(element("option", { value: columns.key[at] }, `${players}: ${visible(texts[columns.outcome[at]])} (${name})`));
    }
    select.value = keys[1] ?? "";
    select.addEventListener("change", () => {
      const both = [keys[0], ...(select.value ? [select.value] : [])];
      location.hash = `#match-${both.join()}/${stage.written(opened.shown.place(), matches[0])}`;
    });
    return select;
  }

  function downloads(match, key) {
    const name = `${match.name}_match_${key}`.replace(/[^a-z0-9]+/gi, "_");
    const files = {
      Record: () => [`${name}.json`, match.record || "", "application/json"],
      Transcript: () => [`${name}.txt`, stage.transcript(match), "text/plain"],
      Picture: () => [`${name}.svg`, opened.shown.picture(), "image/svg+xml"],
    };
    const select = element("select", { "aria-label": `Download ${match.name}` }, element("option", { value: "" }, "download …"));
    for (const each of Object.keys(files)) select.append(element("option", { value: each }, each));
    select.addEventListener("change", () => {
      if (select.value) save(...files[select.value]());
      select.value = "";
    });
    return select;
  }

  function save(name, text, type) {
    const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
    const anchor = element("a", { href: address, download: name });
    document.body.append(anchor);
    anchor.click();
    anchor.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  // Links.

  const MATCH = /^#match-(\d+-\d+)(?:,(\d+-\d+))?(?:\/(.*))?$/;

  function follow() {
    const found = MATCH.exec(location.hash);
    const dialog = field("viewer");
    if (found) {
      const [, first, second, place] = found;
      open(second ? [first, second] : [first], stage.placeIn(place));
      return;
    }
    leave();
    unfold();
    followList();
  }

  // What is linked to may be folded.
  function unfold() {
    const target = document.getElementById(location.hash.slice(1));
    if (!target) return;
    for (let box = target; box; box = box.parentElement) if (box.tagName === "DETAILS") box.open = true;
    target.scrollIntoView();
  }

  function start() {
    document.querySelectorAll("table.sortable").forEach(sortable);
    document.querySelectorAll("table.puzzles").forEach(foldable);
    document.querySelectorAll(".scroll").forEach(fading);
    const dialog = field("viewer");
    if (!dialog) return;
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      leave();
    });
    dialog.addEventListener("close", () => {
      if (opened && !dialog.open) leave();
    });
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) leave();
    });
    window.addEventListener("hashchange", follow);
    follow();
    setTimeout(listReady); // after the page is there
  }

  document.addEventListener("DOMContentLoaded", start);
  return {
    renew,
    list: (data) => arrived(LIST, data),
    transcripts: (file, text) => unpacked(text).then((data) => arrived(file, data), () => arrived(file, null)),
  };
})();

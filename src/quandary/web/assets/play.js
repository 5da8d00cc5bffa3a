// One seat of a match, or the place of those who watch it.  The board, the steps and their links are
// the stage's; this script adds what a player can do.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const { element, button, visible, scrollBox } = stage;
  const root = document.getElementById("match");
  const { id, seat } = root.dataset;
  const say = words.inLanguage(root.lang);
  stage.speak(say);
  const base = `/m/${id}`;
  const own = `${base}/${seat}`;
  const isSeat = seat !== "";
  const MOST_BUTTONS = 60; // legal moves that are shown as buttons
  const CLAIM_DELAY = 500; // milliseconds after which the server agrees that it may be claimed
  const MOST_KEYS = 40; // values of a field that are shown as keys

  let shown = null; // the stage
  let match = null; // its data
  let view = null; // what the server said last
  let picked = {}; // fields of the move that are chosen so far
  let clicked = []; // the shapes that were clicked for it, and the fields that each has filled in
  let typed = {}; // what stands in the form, so that nothing typed is lost
  let isOver = false;
  let place = ""; // the shape on the board that was used last, by its name
  let lastUsed = null; // what had the focus before it was gone, by its name and label
  let lastInput = ""; // how the last reply was asked for
  let claiming = null; // the timer until the match may be claimed

  const status = element("p", { role: "status", className: "status" });
  const advice = element("p", { role: "status", className: "advice" });
  const input = element("div", { className: "input" });
  const doing = element("div", { className: "doing" });
  const panel = element("section", { className: "panel", "aria-label": say("Your turn") }, status, input, doing, advice);

  // What the server says.

  async function ask(path, body) {
    const options = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    try {
      const answer = await fetch(path, options);
      const found = await answer.json();
      return { code: answer.status, found };
    } catch {
      return { code: 0, found: { error: say("There is no connection to the server; what you typed is kept. Try again.") } };
    }
  }

  const counts = () => ({
    epoch: view?.epoch ?? 0,
    steps: match?.steps.length ?? 0,
    frames: match?.frames.length ?? 0,
    pieces: match?.pieces.length ?? 0,
  });

  // One after the other: each answer has only what is new since the one before it.
  let last = Promise.resolve();
  const inTurn = (work) => (last = last.then(work, work));

  const look = (version) =>
    inTurn(async () => {
      if (version && version === view?.version) return;
      const { code, found } = isSeat ? await ask(`${own}/view?${new URLSearchParams(counts())}`) : await ask(`${base}/view`);
      if (code === 200) receive(found);
      else fail(found.error);
    });

  function fail(reason) {
    status.textContent = reason || say("This did not work; try again.");
    status.classList.add("bad");
    if (!shown) root.replaceChildren(element("p", { className: "warning", role: "alert" }, status.textContent));
  }

  function receive(found) {
    if (!isSeat) return watch(found);
    return keepingFocus(() => show(found));
  }

  // What had the focus may be gone: its successor gets it, at the latest in the next turn.
  function keepingFocus(work) {
    const before = document.activeElement;
    if (root.contains(before) && !before.classList.contains("body")) {
      lastUsed = { name: before.name, label: before.getAttribute("aria-label") };
    }
    const result = work();
    const now = document.activeElement;
    if (!lastUsed || isOver || (root.contains(now) && !now.classList.contains("body"))) return result;
    const next = successor(lastUsed);
    (next ?? root.querySelector(".body"))?.focus({ preventScroll: true });
    if (next) lastUsed = null;
    return result;
  }

  function successor({ name, label }) {
    const every = [...root.querySelectorAll(".choosable, .panel button, .panel input, .panel textarea, .panel select")];
    const possible = every.filter((one) => !one.disabled && one.type !== "hidden" && (one.offsetParent || one.ownerSVGElement));
    const named = possible.find((one) => name && one.name === name);
    const called = (wanted) => possible.find((one) => wanted && one.getAttribute("aria-label") === wanted);
    return named ?? called(place) ?? called(label) ?? possible.find((one) => one.matches(".choosable, .input *"));
  }

  function show(found) {
    const isNew = !shown || found.epoch !== view.epoch || found.update.first > match.steps.length;
    const isNextTurn = !view || found.turn !== view.turn || found.epoch !== view.epoch;
    const about = {
      players: found.players,
      models: found.models,
      question: found.question,
      languages: [found.language],
      name: found.name,
      awaits: found.turn !== null,
      isLive: true,
      result: say("under way"),
      news: news(found.news, found.players),
      opensText: Boolean(found.task), // the task is told there
    };
    const wasJudged = view?.judging && !found.judging && !found.refused;
    view = found;
    if (wasJudged) forget();
    clearTimeout(claiming);
    if (found.claim_in > 0) claiming = setTimeout(() => look(""), 1000 * found.claim_in + CLAIM_DELAY);
    if (found.over) return end();
    if (isNew) {
      match = { ...about, judged: [], left_out: 0, ...found.update };
      openStage({ only: Number(seat), place: { step: match.steps.length } });
    } else {
      shown.append({ ...about, ...found.update });
    }
    if (isNextTurn) {
      unpick();
      drawInput();
    }
    tell();
    drawActions();
    return null;
  }

  function openStage(more) {
    shown?.close();
    const moved = ({ step }) => {
      const isLast = step >= match.steps.length;
      history.replaceState(null, "", isLast && !isOver ? location.pathname : `#${step}`);
    };
    const fields = view.input?.fields || [];
    const names = Object.fromEntries(fields.map((field) => [field.name, field.label]));
    shown = stage.open(root, [match], { moved, panel, pick, names, ...more });
  }

  function watch(found) {
    const before = view;
    view = found;
    for (const form of document.querySelectorAll("form.take")) form.hidden = !found.open.includes(Number(form.dataset.seat));
    if (!found.match) {
      const why = found.open.length ? say("A seat is open.") : say("The match is under way. It hides something, so it can be watched after its end.");
      root.replaceChildren(element("p", {}, found.players.join(" – ")), element("p", { role: "status" }, why));
      return;
    }
    const place = shown?.place();
    const wasLast = !place || place.step >= match.steps.length;
    match = { ...found.match, rules: "", isLive: !found.over };
    isOver = found.over;
    const moved = match.steps.findLast((step) => step.moves)?.moves;
    status.textContent = [news(moved, found.players), found.over ? visible(match.result) : say("You are watching.")].filter(Boolean).join(". ");
    input.replaceChildren();
    openStage({ place: wasLast ? { step: match.steps.length } : place });
    if (found.over && !before?.over) judge();
  }

  // Moves in words, for those who do not see the board.
  function news(moves, players) {
    const named = (mover) => (players.length > 1 ? say("{who} (seat {seat})", { who: players[mover], seat: mover }) : players[mover]);
    return (moves || []).map(({ seat: mover, move }) => say("{who} plays {move}", { who: named(mover), move })).join("; ");
  }

  async function end() {
    if (isOver) return drawActions(); // perhaps there is a match after this one
    isOver = true;
    const { code, found } = await ask(`${base}/whole`);
    if (code !== 200) return fail(found.error);
    match = { ...found, rules: "" }; // which stand on the page already
    openStage({ place: { step: match.steps.length, seat: Number(seat) } });
    tell();
    input.replaceChildren();
    drawActions();
    judge();
  }

  async function judge() {
    const { code, found } = await ask(`${base}/costs`);
    if (code !== 200) return;
    stage.addCosts(match, found);
    shown.renew();
  }

  // What the player is told.

  function tell() {
    const sentences = [view.refused, view.feedback].filter(Boolean);
    if (view.over) sentences.push(view.result);
    else if (view.paused) sentences.push(view.paused);
    else if (view.judging) sentences.push(say("Your answer is being judged."));
    else if (view.open.length) sentences.push(say("Waiting for another player: send the link below."));
    else sentences.push(view.turn === null ? say("Waiting for the other player.") : say("It is your turn."));
    status.textContent = sentences.map(visible).join(" ");
    status.classList.toggle("bad", Boolean(view.refused));
    advice.textContent = "";
    document.title = `${view.turn === null ? "" : "● "}${view.name} – quandary`;
  }

  // What the player can do besides replying.

  const ACTIONS = {
    hint: say("Hint"), cost: say("What my last move cost"), solution: say("Solution"), undo: say("Take back"), claim: say("Claim the match"), resign: say("Give up"),
  };

  function drawActions() {
    const made = view.may.map((what) => button(ACTIONS[what], ACTIONS[what], (event) => act(what, event.target)));
    if (view.open.length) made.unshift(link());
    if ((view.over && view.study) || view.paused) made.push(element("a", { href: "/study", className: "main" }, say("Continue the study")));
    if (view.rematch) made.push(element("a", { href: view.rematch, className: "main" }, say("To the match after this one")));
    else if (view.over && !view.study) made.push(button(say("Play again"), say("Play again"), rematch));
    if (view.over && !view.study) made.push(button(say("Share"), say("Share"), share));
    doing.replaceChildren(...made);
  }

  function link() {
    const address = `${location.origin}${view.link}`;
    const field = element("input", { readOnly: true, value: address, className: "link", "aria-label": say("Link for the other player") });
    field.addEventListener("focus", () => field.select());
    return element("label", {}, say("Link for the other player"), " ", field);
  }

  function act(what, clicked) {
    if (what === "resign" && clicked.dataset.sure !== "yes") {
      const relabel = (words, sure) => {
        clicked.dataset.sure = sure;
        clicked.textContent = clicked.title = words;
        clicked.setAttribute("aria-label", words);
      };
      relabel(say("Really give up?"), "yes");
      setTimeout(() => relabel(ACTIONS.resign, ""), 5000);
      return null;
    }
    return inTurn(async () => {
      const { code, found } = await ask(`${own}/${what}`, counts());
      if (code !== 200) fail(found.error);
      else if (found.advice !== undefined) advice.textContent = visible(found.advice);
      else receive(found);
    });
  }

  async function rematch() {
    const { code, found } = await ask(`${own}/rematch`, {});
    if (code === 200) location.assign(found.to);
    else fail(found.error);
  }

  async function share() {
    const text = `${match.name}: ${match.result}. ${location.origin}${base}`;
    try {
      await navigator.clipboard.writeText(text);
      advice.textContent = say("Copied: {text}", { text });
    } catch {
      advice.textContent = text;
    }
  }

  // Replies.

  function send(body) {
    const { turn } = view;
    return inTurn(async () => {
      const { code, found } = await ask(`${own}/reply`, { ...body, turn, ...counts() });
      if (code === 200 || (code === 409 && found.update)) {
        if (code === 200 && !found.judging) forget();
        receive(found);
        if (code === 409) fail(found.error);
      } else {
        unpick();
        fail(found.error);
        keepingFocus(drawKeys);
      }
    });
  }

  // What was typed has been heard; the parts of an answer are changed rather than written anew.
  function forget() {
    if (lastInput !== "answer") typed = {};
  }

  // A shape on the board fills in a part of the move, perhaps all of it.
  function pick(fields, shape) {
    place = shape.getAttribute("aria-label");
    const filled = {};
    for (const [name, value] of Object.entries(fields)) filled[free(name, value)] = value;
    Object.assign(picked, filled);
    clicked.push({ shape, filled });
    mark();
    advance();
  }

  // The last click on a field counts, so only its shape is marked.
  function mark() {
    for (const { shape, filled } of clicked) {
      const isStill = Object.entries(filled).every(([name, value]) => picked[name] === value);
      shape.classList.toggle("chosen", isStill);
    }
  }

  function unpick() {
    picked = {};
    mark();
    clicked = [];
  }

  // Where the order does not matter, a second shape of a kind fills in the next field.
  function free(name, value) {
    const { unordered, fields } = view.input;
    if (!unordered || !(name in picked) || picked[name] === value) return name;
    return fields.find((field) => !(field.name in picked))?.name ?? name;
  }

  function advance() {
    const fields = view.input?.fields || [];
    const missing = fields.filter((field) => !field.optional && !(field.name in picked));
    const isOpen = fields.some((field) => field.optional && !(field.name in picked));
    if (!missing.length && !isOpen) return send({ values: picked });
    fillForm();
    return drawKeys();
  }

  const keys = element("div", { className: "keys" });

  // Keys for what no click has filled in.
  function drawKeys() {
    keys.replaceChildren();
    const fields = view.input?.fields || [];
    if (!Object.keys(picked).length) return;
    const missing = fields.filter((field) => !field.optional && !(field.name in picked));
    for (const field of missing.slice(0, 1)) keys.append(...keysOf(field));
    if (missing.length) {
      keys.querySelector("button:not(:disabled)")?.focus();
      return;
    }
    keys.append(button(say("Send"), say("Send this move"), () => send({ values: picked })));
    for (const field of fields.filter((each) => each.optional && !(each.name in picked))) keys.append(...keysOf(field));
    keys.querySelector("button")?.focus();
  }

  function valuesOf(field) {
    if (field.kind === "number" && field.high - field.low < MOST_KEYS) {
      return Array.from({ length: field.high - field.low + 1 }, (_, at) => [String(field.low + at), String(field.low + at)]);
    }
    if (field.kind === "choice" && field.choices.length <= MOST_KEYS) return field.choices;
    return field.kind === "flag" ? [["true", field.label]] : [];
  }

  function keysOf(field) {
    const values = valuesOf(field);
    if (!values.length) return [];
    const { legal } = view.input;
    const isPossible = (value) =>
      !legal || legal.some((one) => one.fields && Object.entries({ ...picked, [field.name]: value }).every(([name, each]) => one.fields[name] === each));
    const made = values.map(([value, label]) => {
      const key = button(visible(label), `${field.label} ${label}`, () => {
        picked[field.name] = value;
        advance();
      });
      key.disabled = !isPossible(value);
      return key;
    });
    return [element("div", { className: "keypad", role: "group", "aria-label": field.label }, element("span", {}, `${field.label}: `), ...made)];
  }

  // The form.

  function drawInput() {
    const { input: how } = view;
    keys.replaceChildren();
    if (!how || view.over) return input.replaceChildren();
    lastInput = how.kind;
    const parts = [];
    if (how.kind === "text" && how.legal?.length) parts.push(legalButtons(how.legal));
    if (how.kind === "answer") parts.push(answerForm(how));
    else parts.push(keys, typeForm(how), ...fieldForm(how));
    return input.replaceChildren(...parts);
  }

  // `first` finds a field that must be filled in before anything is sent.
  function form(label, fields, note, values, first = () => null) {
    const submit = element("button", { type: "submit", className: "main" }, say("Send"));
    const made = element("form", { className: "reply", "aria-label": label }, ...fields, ...(note ? [element("p", { className: "note" }, ...coded(note))] : []), submit);
    made.addEventListener("submit", (event) => {
      event.preventDefault();
      const empty = first();
      if (!empty) return send(values());
      fail(say("Some cells are still empty; fill them in first."));
      empty.focus();
      return null;
    });
    made.addEventListener("input", ({ target }) => {
      if (target.name) typed[target.name] = target.type === "checkbox" ? target.checked : target.value;
    });
    return made;
  }

  // Words with what is typed between backticks.
  function coded(text) {
    const parts = visible(text).split("`");
    return parts.length % 2 ? parts.map((part, at) => (at % 2 ? element("code", {}, part) : part)) : [parts.join("`")];
  }

  // Typing works everywhere.
  function typeForm(how) {
    const field = how.lines
      ? element("textarea", { name: "text", rows: 4, value: typed.text ?? "" })
      : element("input", { name: "text", autocomplete: "off", value: typed.text ?? "", maxLength: 20000 });
    const label = element("label", {}, how.kind === "text" ? say("Your answer") : say("Your move"), field);
    return form(say("Reply in words"), [label], how.how, () => ({ text: field.value }));
  }

  // A field per part of a move, folded where the board can be clicked.
  function fieldForm(how) {
    if (how.kind !== "move") return [];
    const made = form(say("Reply in parts"), how.fields.map(fieldBox), "", () => ({ values: valuesIn(made) }));
    made.classList.add("fields");
    const isClicked = Boolean(root.querySelector(".choosable"));
    return [element("details", { open: !isClicked && how.fields.length > 1 }, element("summary", {}, say("Put it together from its parts")), made)];
  }

  function fillForm() {
    for (const [name, value] of Object.entries(picked)) {
      const field = input.querySelector(`.fields [name="${name}"]`);
      if (!field) continue;
      if (field.type === "checkbox") field.checked = value === "true";
      else field.value = value;
    }
  }

  function valuesIn(made) {
    const values = {};
    for (const field of made.elements) {
      if (field.name) values[field.name] = field.type === "checkbox" ? (field.checked ? "true" : "") : field.value;
    }
    return values;
  }

  function fieldInput(field) {
    const before = typed[field.name] ?? field.given ?? "";
    const { name } = field;
    if (field.kind === "choice") {
      const options = field.choices.map(([value, label]) => element("option", { value }, visible(label)));
      const made = element("select", { name }, element("option", { value: "" }, "–"), ...options);
      made.value = before;
      return made;
    }
    if (field.kind === "flag") return element("input", { name, type: "checkbox", checked: Boolean(before) });
    if (["area", "table", "tables"].includes(field.kind)) return element("textarea", { name, rows: 4, value: before });
    const made = element("input", { name, autocomplete: "off", value: before });
    if (field.kind === "number") made.inputMode = field.low < 0 ? "text" : "numeric";
    if (field.longest) made.maxLength = field.longest;
    return made;
  }

  const NOTES = {
    list: say("entries with spaces between them"),
    table: say("one row per line, with spaces between its parts; nothing if there are none"),
    tables: say("one row per line, with an empty line between entries"),
    area: say("one entry per line, or JSON"),
  };

  function fieldBox(field) {
    const range = field.kind === "number" && field.high !== undefined ? say("{low} to {high}", { low: field.low ?? "", high: field.high }) : NOTES[field.kind];
    return element("label", { className: field.kind }, named(field), ...(range ? [element("span", { className: "note" }, ` (${range})`)] : []), fieldInput(field));
  }

  const PARTS = { answer: say("answer"), process: say("process") };

  // answer.process.2 is entry 2 of the process.
  function named(field) {
    const parts = field.name.split(".").slice(1);
    return parts.length ? parts.map((part) => PARTS[part] ?? part).join(" ") : PARTS[field.label] ?? field.label.replaceAll("_", " ");
  }

  const CELL = /^(.*)\.(\d+)\.(\d+)$/;

  // Cells of a grid are filled in on a grid.
  function answerForm(how) {
    const groups = new Map();
    for (const field of how.fields) {
      const cell = field.longest === 1 && CELL.exec(field.name);
      const name = cell ? cell[1] : field.name;
      if (!groups.has(name)) groups.set(name, { name, cells: [], fields: [] });
      if (cell) groups.get(name).cells.push({ field, row: Number(cell[2]), column: Number(cell[3]) });
      else groups.get(name).fields.push(field);
    }
    const boxes = [...groups.values()].map((group) => (group.cells.length ? grid(group) : boardBox(group.fields[0], how) ?? fieldBox(group.fields[0])));
    const made = form(say("Answer in parts"), boxes, how.how, () => ({ values: valuesIn(made) }), () => emptyCell(made));
    const text = element("textarea", { name: "text", rows: 4 });
    const raw = form(say("Answer as text"), [element("label", {}, say("The whole answer as text"), text)], "", () => ({ text: text.value }));
    return element("div", {}, made, element("details", {}, element("summary", {}, say("Type it as text")), raw));
  }

  const EMPTY = "*"; // stands for an empty cell of a board

  const emptyCell = (made) => [...made.querySelectorAll(".cells input")].find(({ value }) => ["", EMPTY].includes(value.trim()));

  // A table whose first values are a board is filled in on the board; what is sent is its text.
  function boardBox(field, how) {
    const given = field.kind === "table" ? rowsOf(field.given ?? "") : [];
    if (given.length < 2 || given.some((row) => row.length !== given[0].length)) return null;
    const before = rowsOf(typed[field.name] ?? field.given);
    const label = named(field);
    const sent = element("input", { type: "hidden", name: field.name, value: before.map((row) => row.join(" ")).join("\n") });
    const table = element("table", { className: "cells" }, element("caption", {}, label));
    given.forEach((row, at) => {
      const boxes = row.map((value, place) =>
        element("td", {}, element("input", {
          value: before[at]?.[place] ?? value, autocomplete: "off", autocapitalize: "off",
          "aria-label": say("row {row}, column {column}", { row: at + 1, column: place + 1 }),
        }))
      );
      table.append(element("tr", {}, ...boxes));
    });
    const collect = () => {
      const rows = [...table.rows].map((row) => [...row.querySelectorAll("input")].map(({ value }) => value.trim() || EMPTY));
      typed[field.name] = sent.value = rows.map((row) => row.join(" ")).join("\n");
    };
    table.addEventListener("keydown", walk);
    table.addEventListener("input", collect);
    table.addEventListener("focusin", ({ target }) => target.select());
    const scroll = scrollBox(label, table);
    const twin = how.fields.find((each) => each !== field && each.given === field.given);
    const isCopy = twin && how.fields.indexOf(twin) < how.fields.indexOf(field);
    const copy = isCopy
      ? [button(say("Copy the answer"), say("Copy the answer"), () => {
          const values = rowsOf(typed[twin.name] ?? twin.given).flat();
          table.querySelectorAll("input").forEach((cell, at) => (cell.value = values[at]));
          collect();
        })]
      : [];
    return element("div", {}, scroll, ...copy, sent);
  }

  const rowsOf = (text) => text.split("\n").filter((line) => line.trim()).map((line) => line.trim().split(/\s+/));

  function grid({ name, cells }) {
    const label = named({ name, label: "answer" });
    const rows = Math.max(...cells.map(({ row }) => row));
    const table = element("table", { className: "cells" }, element("caption", {}, label));
    for (let row = 1; row <= rows; row++) {
      const line = element("tr", {});
      for (const cell of cells.filter((each) => each.row === row)) line.append(element("td", {}, cellInput(cell)));
      table.append(line);
    }
    table.addEventListener("keydown", walk);
    table.addEventListener("input", ({ target }) => {
      if (target.value && target.maxLength === 1) step(target, 0, 1);
    });
    return scrollBox(label, table);
  }

  function cellInput({ field, row, column }) {
    const symbols = (field.choices || []).map(([value]) => value).join("");
    const before = field.given ?? typed[field.name] ?? "";
    return element("input", {
      name: field.name, value: before, maxLength: 1, autocomplete: "off", autocapitalize: "off", readOnly: Boolean(field.given),
      className: field.given ? "given" : "", "aria-label": say("row {row}, column {column}", { row, column }), inputMode: /^\d+$/.test(symbols) ? "numeric" : "text",
      ...(symbols ? { title: say("one of {symbols}", { symbols }) } : {}),
    });
  }

  const WAYS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

  function walk(event) {
    const way = WAYS[event.key];
    if (!way) return;
    event.preventDefault();
    step(event.target, ...way);
  }

  function step(from, down, across) {
    const cell = from.closest("td");
    const rows = [...cell.closest("table").rows];
    const row = rows[rows.indexOf(cell.parentNode) + down];
    const next = row?.cells[cell.cellIndex + across]?.querySelector("input");
    next?.focus();
    next?.select();
  }

  function legalButtons(legal) {
    const box = element("div", { className: "keypad", role: "group", "aria-label": say("Legal moves") });
    for (const { move, shown: label } of legal.slice(0, MOST_BUTTONS)) {
      box.append(button(visible(label), label, () => send({ text: move })));
    }
    if (legal.length > MOST_BUTTONS) box.append(element("span", { className: "note" }, say("and {count} more, which can be typed", { count: legal.length - MOST_BUTTONS })));
    return box;
  }

  // News.

  events.listen(isSeat ? `m.${id}.${seat}` : `m.${id}`, look);
  look("");
});

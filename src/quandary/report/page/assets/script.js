// Sorts tables, and shows the list of matches and their transcripts, which it loads as scripts.
// Every text of a player becomes a text node: nothing that a model says is ever read as HTML.
"use strict";

const quandary = (() => {
  const PER_PAGE = 25;
  const TURNS = 20; // that the viewer shows at once
  const STATUS = {
    answered: "legal move",
    illegal: "against the rules",
    unreadable: "no move could be read",
    ambiguous: "several moves could be read",
    malformed: "the JSON does not parse",
    refused: "the model refused",
    truncated: "cut off before the answer",
    empty: "empty reply",
    timeout: "out of time",
    infrastructure: "no reply came",
  };

  const KIND = { right: "good", wrong: "bad", "partly right": "", valued: "", "no key": "" };

  function element(name, properties = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(properties)) {
      if (key.includes("-")) made.setAttribute(key, value);
      else made[key] = value;
    }
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
  }

  // Control characters and marks that turn the direction of writing are shown, not obeyed.
  const COMMANDS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
  const visible = (text) =>
    text.replace(COMMANDS, (mark) => {
      const code = mark.charCodeAt(0);
      return code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16)}`;
    });
  const block = (text, kind = "") => element("pre", { className: kind }, visible(text));

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

  // Side files.

  const waiting = new Map();
  const loaded = new Map();

  function load(file, key, then) {
    if (loaded.has(key)) return then(loaded.get(key));
    if (waiting.has(key)) return waiting.get(key).push(then);
    waiting.set(key, [then]);
    const script = element("script", { src: file, charset: "utf-8" });
    script.addEventListener("error", () => arrived(key, null));
    document.head.append(script);
  }

  function arrived(key, data) {
    if (data) loaded.set(key, data);
    const then = waiting.get(key) || [];
    waiting.delete(key);
    then.forEach((each) => each(data));
  }

  // The list of matches.

  const LIST = "list";
  let list = null;
  let shown = [];
  let page = 0;

  function showList(data) {
    const box = document.getElementById("match-list");
    if (!data) {
      box.replaceChildren("The list of matches (matches/list.js) is missing.");
      return;
    }
    list = data;
    const { columns, texts } = list;
    fill("filter-puzzle", new Set(columns.puzzle), texts);
    fill("filter-player", new Set(columns.players.flat()), texts);
    fill("filter-cause", new Set(columns.cause), texts);
    for (const filter of document.querySelectorAll(".filters select")) {
      filter.addEventListener("change", choose);
    }
    choose();
  }

  function fill(id, numbers, texts) {
    const select = document.getElementById(id);
    const options = [...numbers].sort((one, other) => texts[one].localeCompare(texts[other], "en"));
    select.append(...options.map((each) => element("option", { value: String(each) }, texts[each])));
  }

  function choose() {
    const [puzzle, player, cause] = ["filter-puzzle", "filter-player", "filter-cause"].map((id) => {
      const value = document.getElementById(id).value;
      return value === "" ? null : Number(value);
    });
    const { columns } = list;
    shown = [];
    for (let at = 0; at < columns.key.length; at++) {
      if (puzzle !== null && columns.puzzle[at] !== puzzle) continue;
      if (player !== null && !columns.players[at].includes(player)) continue;
      if (cause !== null && columns.cause[at] !== cause) continue;
      shown.push(at);
    }
    turnTo(0);
  }

  function turnTo(number) {
    const pages = Math.max(1, Math.ceil(shown.length / PER_PAGE));
    page = Math.min(Math.max(number, 0), pages - 1);
    const rows = shown.slice(page * PER_PAGE, (page + 1) * PER_PAGE).map(row);
    const head = ["match", "players", "scores", "ended by"].map((name) =>
      element("th", { scope: "col" }, name)
    );
    const table = element(
      "table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows)
    );
    const box = element("div", { className: "scroll", tabIndex: 0 }, table);
    const button = (words, to, enabled) => {
      const made = element("button", { type: "button", className: "plain", disabled: !enabled }, words);
      made.addEventListener("click", () => turnTo(to));
      return made;
    };
    const pager = element(
      "div", { className: "pager" },
      button("First", 0, page > 0),
      button("Previous", page - 1, page > 0),
      `page ${page + 1} of ${pages.toLocaleString("en")} (${shown.length.toLocaleString("en")} matches)`,
      button("Next", page + 1, page + 1 < pages),
      button("Last", pages - 1, page + 1 < pages)
    );
    document.getElementById("match-list").replaceChildren(pager, box);
  }

  function row(at) {
    const { columns, texts } = list;
    const players = columns.players[at].map((each) => texts[each]).join(" – ");
    const link = element("a", { href: `#match-${columns.key[at]}` }, texts[columns.spec[at]]);
    const cells = [link, players, texts[columns.scores[at]], texts[columns.cause[at]]];
    return element("tr", {}, ...cells.map((each) => element("td", { className: "words" }, each)));
  }

  // The viewer of one match.

  function open(key) {
    load(`matches/${key}.js`, key, (match) => {
      if (location.hash !== `#match-${key}`) return; // the reader has gone on
      const dialog = document.getElementById("viewer");
      dialog.querySelector(".viewer").replaceChildren(...viewer(match));
      if (!dialog.open) dialog.showModal();
      dialog.querySelector(".body").scrollTop = 0;
      dialog.querySelector(".body").focus();
    });
  }

  function viewer(match) {
    const close = element("button", { type: "button", className: "plain" }, "Close");
    close.addEventListener("click", () => document.getElementById("viewer").close());
    const body = element("div", { className: "body", tabIndex: 0 });
    if (!match) {
      body.append(element("p", {}, "This report has no transcript of this match."));
      return [element("header", {}, element("div", {}, element("h2", {}, "No transcript")), close), body];
    }
    const players = match.players.map((player, seat) =>
      match.players.length > 1 ? `${player} (seat ${seat})` : player
    );
    const title = element(
      "div", {},
      element("h2", { id: "viewer-title" }, match.name),
      element("p", { className: "note" }, `${visible(players.join(" against "))}; ${match.result}`)
    );
    if (match.problem) body.append(element("p", { className: "warning" }, match.problem));
    showTurns(match, body, 0);
    return [element("header", {}, title, close), body];
  }

  function showTurns(match, body, from) {
    const upTo = Math.min(from + TURNS, match.turns.length);
    for (let at = from; at < upTo; at++) body.append(turn(match, match.turns[at], at));
    const left = match.turns.length - upTo;
    if (left > 0) {
      const more = element("button", { type: "button", className: "plain" }, `Show ${Math.min(left, TURNS)} of ${left} more`);
      const place = element("p", {}, more);
      more.addEventListener("click", () => {
        place.remove();
        showTurns(match, body, upTo);
      });
      body.append(place);
    } else if (match.end !== undefined) {
      if (match.left_out) body.append(element("p", { className: "note" }, `${match.left_out} more replies are not in this report; see quandary replay.`));
      const text = element("div", {}, element("h3", {}, "The end"), element("p", {}, match.result));
      if (match.solution) text.append(element("h3", {}, "A right answer"), block(match.solution));
      body.append(element("section", { className: "turn" }, picture(match, match.end), text));
    }
  }

  function turn(match, told, at) {
    if (told.chance !== undefined) {
      return element("div", { className: "chance" }, "Chance: ", visible(told.chance));
    }
    const list = element("dl");
    const add = (name, ...content) =>
      list.append(element("div", {}, element("dt", {}, name), element("dd", {}, ...content)));
    for (const call of told.calls || []) {
      for (const [role, text] of call.sent) {
        const summary = `${role}, ${text.length.toLocaleString("en")} characters`;
        add("sent", element("details", {}, element("summary", {}, summary), block(text, "box")));
      }
      if (told.calls.length > 1) {
        if (call.thought) add(`thought (call ${call.step})`, long(call.thought, "thought"));
        add(`said (call ${call.step})`, long(call.said || "(nothing)", "said"));
      }
    }
    const calls = told.calls || [];
    const thought = calls.length === 1 ? calls[0].thought || told.thought : told.thought;
    if (thought && calls.length < 2) add("thought", long(thought, "thought"));
    if (told.failure) add("failed", long(told.failure, "said"));
    else if (calls.length < 2) add("reply", long(told.said || "(nothing)", "said"));
    if (told.answer) add("read from it", block(told.answer));
    if (told.move && told.move !== told.said) add("read as the move", block(told.move));
    if (!told.failure) add("verdict", ...verdict(told));
    if (told.regret !== undefined) add("worth of the move", worth(told));
    else if (told.move && !told.checked && match.models[told.seat]) add("worth of the move", "not judged");
    const spent = [];
    if (told.tokens) spent.push(`${told.tokens.toLocaleString("en")} tokens written`);
    if (told.seconds >= 0.05) spent.push(`${told.seconds.toFixed(1)} s`);
    if (spent.length) add("took", spent.join(", "));
    const player = visible(match.players[told.seat]);
    const heading = match.players.length > 1 ? `${at + 1}. ${player} (seat ${told.seat})` : `${at + 1}. ${player}`;
    return element("section", { className: "turn" }, picture(match, told.frame), element("div", {}, element("h3", {}, heading), list));
  }

  // A move is legal or not; an answer to a question is right or wrong.
  function verdict(told) {
    const checked = told.checked;
    const kind = checked ? KIND[checked.judgement] : told.status === "answered" ? "good" : "bad";
    const words = checked ? judgement(checked) : STATUS[told.status] || told.status;
    const why = checked ? checked.sentence : told.why;
    return [element("span", { className: `verdict ${kind}` }, words), why ? `: ${visible(why)}` : ""];
  }

  function judgement(checked) {
    if (checked.judgement === "valued") return `value ${checked.value}, score ${shortened(checked.score)}`;
    if (checked.judgement === "partly right") return `partly right, score ${shortened(checked.score)}`;
    return checked.judgement === "no key" ? "not checked: there is no key" : checked.judgement;
  }

  const shortened = (score) => String(Number(score.toPrecision(3)));

  function worth(told) {
    const lost = told.regret;
    const kind = lost >= 0.5 ? "bad" : lost > 0.005 ? "" : "good";
    const words = lost > 0.005 ? `lost ${lost.toFixed(2)}` : "nothing lost";
    const before = `; best play from here is worth ${told.worth.toFixed(2)}`;
    return element("span", {}, element("span", { className: kind }, words), before);
  }

  function long(text, kind) {
    if (text.length < 1500) return block(text, kind);
    const start = element("summary", {}, `${text.length.toLocaleString("en")} characters`);
    return element("details", {}, start, block(text, kind));
  }

  // An image cannot run scripts, whatever is in it.
  function picture(match, number) {
    const frame = match.frames[number];
    const svg = `${frame.map((each) => match.pieces[each]).join("")}</svg>`;
    const text = match.texts[number];
    const image = element("img", {
      src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`,
      alt: visible(text),
      loading: "lazy",
    });
    const words = element("details", {}, element("summary", { className: "note" }, "Position as text"), block(text, "box"));
    return element("div", {}, image, words);
  }

  function follow() {
    const key = /^#match-(\d+-\d+)$/.exec(location.hash);
    const dialog = document.getElementById("viewer");
    if (key) open(key[1]);
    else if (dialog.open) dialog.close();
  }

  function start() {
    document.querySelectorAll("table.sortable").forEach(sortable);
    const dialog = document.getElementById("viewer");
    if (!dialog) return;
    dialog.addEventListener("close", () => {
      if (location.hash.startsWith("#match-")) history.replaceState(null, "", "#matches");
    });
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
    window.addEventListener("hashchange", follow);
    follow();
    setTimeout(() => load("matches/list.js", LIST, showList)); // after the page is there
  }

  document.addEventListener("DOMContentLoaded", start);
  return {
    list: (data) => arrived(LIST, data),
    transcript: (key, data) => arrived(key, data),
  };
})();

// Sorts tables, and shows the list of matches and their transcripts, which it loads as scripts.
// Every text of a player becomes a text node: nothing that a model says is ever read as HTML.
"use strict";

const quandary = (() => {
  const PER_PAGE = 15;
  const TURNS = 20; // that the viewer shows at once
  const STATUS = {
    answered: "allowed by the rules",
    illegal: "against the rules",
    unreadable: "no answer could be read",
    ambiguous: "several answers could be read",
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
  // A box scrolls, so that it must be reached by the keyboard.
  const block = (text, kind = "") =>
    element("pre", { className: kind, ...(kind === "box" ? { tabIndex: 0 } : {}) }, visible(text));

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

  // Transcripts come as base64 of a zlib stream, several in a file.
  async function unpacked(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  }

  const OF_FILE = 32; // numbers of records, as in side_files.py
  const fileOf = (key) => key.replace(/\d+$/, (match) => Math.floor(Number(match) / OF_FILE));

  function loadMatch(key, then) {
    const file = fileOf(key);
    load(`matches/${file}.js`, file, (found) => then(found ? found[key] : null));
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
    fill("filter-outcome", new Set(columns.outcome), texts);
    for (const filter of document.querySelectorAll(".filters select")) {
      filter.addEventListener("change", choose);
    }
    followList() || choose();
  }

  // Lists of a puzzle and a player can be linked to.
  function followList() {
    if (!list || !location.hash.startsWith("#list?")) return false;
    const wanted = new URLSearchParams(location.hash.slice("#list?".length));
    for (const name of ["puzzle", "player", "outcome"]) {
      const number = list.texts.indexOf(wanted.get(name) ?? "");
      const select = document.getElementById(`filter-${name}`);
      select.value = [...select.options].some((each) => each.value === String(number)) ? String(number) : "";
    }
    choose();
    document.getElementById("matches").scrollIntoView();
    return true;
  }

  function fill(id, numbers, texts) {
    const select = document.getElementById(id);
    const options = [...numbers].sort((one, other) => texts[one].localeCompare(texts[other], "en"));
    select.append(...options.map((each) => element("option", { value: String(each) }, texts[each])));
  }

  function choose() {
    const [puzzle, player, outcome] = ["filter-puzzle", "filter-player", "filter-outcome"].map((id) => {
      const value = document.getElementById(id).value;
      return value === "" ? null : Number(value);
    });
    const { columns } = list;
    shown = [];
    for (let at = 0; at < columns.key.length; at++) {
      if (puzzle !== null && columns.puzzle[at] !== puzzle) continue;
      if (player !== null && !columns.players[at].includes(player)) continue;
      if (outcome !== null && columns.outcome[at] !== outcome) continue;
      shown.push(at);
    }
    turnTo(0);
  }

  function turnTo(number) {
    const pages = Math.max(1, Math.ceil(shown.length / PER_PAGE));
    page = Math.min(Math.max(number, 0), pages - 1);
    const rows = shown.slice(page * PER_PAGE, (page + 1) * PER_PAGE).map(row);
    const head = ["match", "players", "result"].map((name) =>
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
    const cells = [link, players, texts[columns.outcome[at]]];
    return element("tr", {}, ...cells.map((each) => element("td", { className: "words prose" }, each)));
  }

  // The viewer of one match.

  function open(key) {
    loadMatch(key, (match) => {
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
      element("p", { className: "note" }, visible(`${players.join(" against ")}; ${match.result}`))
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
      const text = element("div", {}, element("h3", {}, "The end"), element("p", {}, visible(match.result)));
      if (match.solution) text.append(solution(match));
      text.append(source(match));
      body.append(element("section", { className: "turn" }, picture(match, match.end), text));
    }
  }

  function solution(match) {
    if (match.label) return element("p", {}, `The right label of the position: ${visible(match.solution)}.`);
    return element("details", {}, element("summary", {}, "A right answer"), block(match.solution, "box"));
  }

  // How to see the same match elsewhere.
  function source(match) {
    return element(
      "details", {},
      element("summary", {}, "Raw record and command"),
      element("p", { className: "note" }, "In the folder that holds the run:"),
      block(match.replay || "", "box"),
      block(match.record || "", "box")
    );
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
    if (told.move && told.move !== told.said) add(match.question ? "read as the answer" : "read as the move", long(told.move, "", 400));
    if (!told.failure) add("verdict", ...verdict(match, told));
    if (told.process) add("process", process(told.process));
    if (told.regret !== undefined) add("worth of the move", worth(match, told));
    const spent = [];
    if (told.tokens) spent.push(`${told.tokens.toLocaleString("en")} tokens written`);
    if (told.seconds >= 0.05) spent.push(`${told.seconds.toFixed(1)} s`);
    if (spent.length) add("took", spent.join(", "));
    const player = visible(match.players[told.seat]);
    const heading = match.players.length > 1 ? `${at + 1}. ${player} (seat ${told.seat})` : `${at + 1}. ${player}`;
    return element("section", { className: "turn" }, picture(match, told.frame), element("div", {}, element("h3", {}, heading), list));
  }

  // A move is legal or not; an answer to a question is right or wrong.
  function verdict(match, told) {
    const checked = told.checked;
    const kind = checked ? KIND[checked.judgement] : told.status === "answered" ? "good" : "bad";
    const words = checked ? judgement(checked) : status(match, told);
    const why = checked ? checked.sentence : told.why;
    return [element("span", { className: `verdict ${kind}` }, words), why ? `: ${visible(why)}` : ""];
  }

  function status(match, told) {
    const words = STATUS[told.status] || told.status;
    return match.question ? words : words.replace("answer could", "move could").replace("answers could", "moves could");
  }

  function judgement(checked) {
    if (checked.judgement === "valued") return `value ${checked.value}, score ${shortened(checked.score)}`;
    if (checked.judgement === "partly right") return `partly right, score ${shortened(checked.score)}`;
    return checked.judgement === "no key" ? "not checked: there is no key" : checked.judgement;
  }

  const shortened = (score) => String(Number(score.toPrecision(3)));

  function worth(match, told) {
    const { worth: best, regret: lost } = told;
    if (best <= 0.005) {
      const words = match.players.length > 1 ? "already lost" : "already beyond reach";
      return element("span", {}, `${words}: best play from here is worth 0`);
    }
    const kind = lost >= 0.5 ? "bad" : lost > 0.005 ? "" : "good";
    const words = lost > 0.005 ? `gave away ${lost.toFixed(2)}` : "as good as best play";
    const before = `; best play from here is worth ${best.toFixed(2)}`;
    return element("span", {}, element("span", { className: kind }, words), before);
  }

  // The entries of a process, of which the first wrong one is marked.
  function process(told) {
    const right = told.right ? element("div", { className: "good" }, "It should be:\n", visible(told.right)) : "";
    const entries = told.given.map((entry, at) => {
      const isWrong = at + 1 === told.wrong;
      return element(
        "li", { className: isWrong ? "bad" : at + 1 < told.wrong ? "good" : "" },
        visible(entry), ...(isWrong ? [element("b", {}, " ← the first wrong entry"), right] : [])
      );
    });
    if (told.wrong > told.given.length) {
      entries.push(element("li", { className: "bad" }, `entry ${told.wrong} is missing`, right));
    }
    return element("ol", { className: "process", tabIndex: 0 }, ...entries);
  }

  function long(text, kind, most = 1500) {
    if (text.length < most) return block(text, kind);
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
    else {
      if (dialog.open) dialog.close();
      unfold();
      followList();
    }
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
    transcripts: (file, text) => unpacked(text).then((data) => arrived(file, data), () => arrived(file, null)),
  };
})();

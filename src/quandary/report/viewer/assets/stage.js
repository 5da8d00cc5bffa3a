// The stage: shows a match, or two side by side, move by move.
//
// stage.open(box, matches, options) fills a box with one or two matches and returns
//   go(place)        to a place: {step: 3, seat: 0}, where seat may be "all"
//   append(update, at) more of a match that is being played: update.steps from the step update.first
//                    on, and more frames and pieces; the other keys of the match are replaced
//   renew()          shows again what has changed in the data
//   place()          where the reader is
//   picture()        the board that is shown, as the text of an SVG file
//   close()          stops it
// stage.speak(say) lets it say its own words otherwise: say(phrase, values) returns a phrase.
// options: place, where to begin; moved(place), called when the reader has moved; actions, nodes
// that stand beside the title; hit, a text that is marked where it was said; panel, a node beside the board of the first match; only, a seat
// whose view alone is shown; pick(fields, shape), called when a shape of the last board is chosen,
// if match.awaits is set; names, the fields by what they are called.
//
// A match is data as `transcripts.py` writes it: steps, each with a number of a frame per seat, so
// that what a seat must not see need not be there (null).  Every text of a player becomes a text
// node, and pictures are made of four elements: nothing that a player says is read as HTML.
"use strict";

const stage = (() => {
  const SPEEDS = { slow: 2400, normal: 1200, fast: 400 }; // milliseconds per step
  const UNIT = 44; // pixels of a cell of a board, if there is room
  const WIDEST = 620; // pixels of a picture that need not be wider
  const TARGET = 24; // pixels of the smallest thing that can be clicked
  const LETTER = 9; // pixels of the smallest letters
  const LONG = 1500; // characters from which a text is folded
  const SWIPE = 45; // pixels
  const LOST = 0.005; // the worth of a position from which nothing is to be expected
  const SVG = "http://www.w3.org/2000/svg";
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
  const PLAIN = new Set(["malformed", "refused", "truncated", "empty", "timeout", "infrastructure"]); // statuses that say why
  const BRANCHES = { proposal: "proposals", vote: "votes", "": "replies" }; // of a tree of thoughts

  // How the stage says its own words: in English, unless a page speaks another language.
  let say = (phrase, values = {}) => phrase.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  const speak = (other) => (say = other);

  const KIND = { right: "good", wrong: "bad", "partly right": "", valued: "", "no key": "" };

  // A place in a match, as every link has it: 3 is the third step, 3?seat=1 as seat 1 sees it (or all).

  const PLACE = /^(\d+)(?:\?seat=(\d+|all))?$/;

  function placeIn(text) {
    const [, step, seat] = PLACE.exec(text || "") || [];
    return { step: step ? Number(step) : 1, ...(seat ? { seat } : {}) };
  }

  const written = ({ step, seat }, match) => `${step}${isAlone(match) ? "" : `?seat=${seat}`}`;

  // Elements.

  function element(name, properties = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(properties)) {
      if (key.includes("-") || key === "role") made.setAttribute(key, value);
      else made[key] = value;
    }
    made.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
    return made;
  }

  function button(words, label, act) {
    const made = element("button", { type: "button", className: "plain", "aria-label": label, title: label }, words);
    made.addEventListener("click", act);
    return made;
  }

  // Control characters and marks that turn the direction of writing are shown, not obeyed.
  const COMMANDS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
  const visible = (text) =>
    String(text).replace(COMMANDS, (mark) => {
      const code = mark.charCodeAt(0);
      return code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16)}`;
    });
  const counted = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
  const shortened = (score) => String(Number(score.toPrecision(3)));
  // A box scrolls, so that it must be reached by the keyboard.
  const block = (text, kind = "") =>
    element("pre", { className: kind, ...(/^box\b/.test(kind) ? { tabIndex: 0 } : {}) }, visible(text));
  // What is too wide for the page scrolls in its own box.
  const scrollBox = (label, ...content) => element("div", { className: "scroll", tabIndex: 0, role: "group", "aria-label": label }, ...content);
  const folded = (title, ...inside) => element("details", {}, element("summary", {}, title), ...inside);

  function long(text, kind, most = LONG) {
    return text.length < most ? block(text, kind) : folded(counted(text.length, "character"), block(text, kind));
  }

  // Pictures.

  function drawing(name, attributes) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  }

  // A piece as elements of SVG; their colours are classes, so that they suit dark pages.
  function drawn(piece) {
    const [kind] = piece;
    if (kind === "rect") {
      const [, x, y, width, height, fill] = piece;
      return drawing("rect", { x, y, width, height, class: `piece f-${fill}` });
    }
    if (kind === "circle") {
      const [, cx, cy, r, fill] = piece;
      return drawing("circle", { cx, cy, r, class: `piece f-${fill}` });
    }
    if (kind === "line") {
      const [, points, colour, width] = piece;
      return drawing("polyline", { points: points.join(" "), "stroke-width": width, class: `way s-${colour}` });
    }
    if (kind === "text") {
      const [, x, y, words, size, colour, anchor, isMono] = piece;
      const made = drawing("text", {
        x: x.join(" "), y, "font-size": size, "text-anchor": anchor, class: `t-${colour}${isMono ? " mono" : ""}`,
      });
      made.textContent = visible(words);
      return made;
    }
    throw new Error(`no piece of a picture: ${kind}`);
  }

  // The outline of a piece that belongs to the move.
  function outline(piece, kind) {
    const [name, x, y] = piece;
    if (name === "circle") return drawing("circle", { cx: x, cy: y, r: piece[3], class: kind });
    return drawing("rect", { x, y, width: piece[3], height: piece[4], rx: 0.08, class: kind });
  }

  function fieldsAt(piece) {
    return piece[0] === "rect" ? 6 : piece[0] === "circle" ? 5 : Infinity;
  }

  // How many pixels a unit needs, so that letters are legible and targets can be hit.
  function leastUnit(pieces) {
    let least = 0;
    for (const piece of pieces) {
      if (piece[0] === "text") least = Math.max(least, LETTER / piece[4]);
      else if (piece.length > fieldsAt(piece)) {
        const size = piece[0] === "rect" ? Math.min(piece[3], piece[4]) : 2 * piece[3];
        least = Math.max(least, TARGET / size);
      }
    }
    return least;
  }

  function fieldsOf(piece) {
    const found = {};
    for (let at = fieldsAt(piece); at + 1 < piece.length; at += 2) found[piece[at]] = piece[at + 1];
    return found;
  }

  // A shape that fills in a part of a move.
  function choosable(shape, fields, pick, names) {
    const label = Object.entries(fields).map(([name, value]) => `${names[name] ?? name.replaceAll("_", " ")} ${value}`).join(", ");
    for (const [key, value] of Object.entries({ tabindex: "0", role: "button", "aria-label": label })) shape.setAttribute(key, value);
    shape.classList.add("choosable");
    shape.addEventListener("click", () => pick(fields, shape));
    shape.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      pick(fields, shape);
    });
  }

  function board(match, frame, marks, pick, names) {
    const [x, y, width, height] = frame.box;
    const pieces = frame.pieces.map((number) => match.pieces[number]);
    const svg = drawing("svg", {
      viewBox: `${x} ${y} ${width} ${height}`, role: pick ? "group" : "img", "aria-label": visible(frame.text), class: "board",
    });
    svg.append(drawing("rect", { x, y, width, height, class: "ground f-paper" }));
    const shapes = pieces.map(drawn);
    if (pick) pieces.forEach((piece, at) => piece.length > fieldsAt(piece) && choosable(shapes[at], fieldsOf(piece), pick, names));
    svg.append(...shapes);
    const marked = marks.map((number) => match.pieces[number]);
    for (const kind of ["halo", "marked"]) svg.append(...marked.map((piece) => outline(piece, kind)));
    const natural = Math.min(WIDEST, width * UNIT);
    const least = Math.ceil(leastUnit(pieces) * width);
    svg.style.width = `min(100%, ${Math.max(natural, least)}px)`;
    svg.style.minWidth = `${Math.min(least, 4000)}px`;
    return element("div", { className: "picture", tabIndex: 0, role: "group", "aria-label": say("Board") }, svg);
  }

  const words = (lines) =>
    lines?.length
      ? [element("div", { className: "words" }, ...lines.map(([text, colour]) => element("p", { className: `w-${colour}` }, visible(text))))]
      : [];

  let isTextOpen = null; // as the reader left it at the step before

  // A position as a seat sees it.
  function position(match, step, seat, pick, names) {
    const frame = match.frames[step.frames[seat]];
    if (!frame) return element("p", { className: "note" }, say("This position is hidden."));
    const text = folded(say("Position as text"), block(frame.text, "box"));
    text.open = isTextOpen ?? Boolean(match.opensText);
    text.addEventListener("toggle", () => (isTextOpen = text.open));
    if (!frame.pieces) {
      if (!frame.above?.length) return element("div", {}, block(frame.text, "box position"));
      return element("div", {}, ...words(frame.above), text);
    }
    const marks = step.marks?.[seat] || [];
    return element("div", {}, ...words(frame.above), board(match, frame, marks, pick, names), ...words(frame.below), text);
  }

  // Words about players, moves and replies.

  const isAlone = (match) => match.players.length === 1;
  const named = (match, seat) => visible(isAlone(match) ? match.players[seat] : say("{who} (seat {seat})", { who: match.players[seat], seat }));

  const opponents = (match) => match.players.map((_, seat) => named(match, seat)).join(` ${say("against")} `);

  function cost(match, move) {
    const { worth, regret } = move;
    if (regret === undefined) return { mark: "?", kind: "", words: say("not judged") };
    if (worth <= LOST) {
      const lost = isAlone(match) ? say("already beyond reach: best play from here is worth 0") : say("already lost: best play from here is worth 0");
      return { mark: "L", kind: "", words: lost };
    }
    const best = say("; best play from here is worth {worth}", { worth: worth.toFixed(2) });
    if (regret <= LOST) return { mark: "0", kind: "good", words: say("as good as best play") + best };
    const mark = `−${regret.toFixed(2).replace(/^0/, "")}`;
    const better = move.best ? say("; better was {move}", { move: visible(move.best) }) : "";
    return { mark, kind: regret >= 0.5 ? "bad" : "", words: say("gave away {regret}", { regret: regret.toFixed(2) }) + better + best };
  }

  const isForbidden = (step, move) => (step.replies || []).some((each) => each.seat === move.seat && each.status === "illegal" && each.move);

  // What a move came to, in words.
  function worthIn(step, match, move) {
    return isForbidden(step, move) ? say("which the rules forbid") : cost(match, move).words;
  }

  function judgement(checked) {
    if (checked.judgement === "valued") return say("value {value}, score {score}", { value: checked.value, score: shortened(checked.score) });
    if (checked.judgement === "partly right") return say("partly right, score {score}", { score: shortened(checked.score) });
    if (checked.is_possible === false) return say("wrong (not one of the possible answers)");
    if (checked.right_part === "answer") return say("wrong (the answer is right, the process is not)");
    if (checked.right_part === "process") return say("wrong (the process is right, the answer is not)");
    return checked.judgement === "no key" ? say("not checked: there is no key") : say(checked.judgement);
  }

  function status(match, reply) {
    if (reply.status === "refused" && !match.models[reply.seat]) return say("gave up");
    const phrase = STATUS[reply.status] || reply.status;
    return say(match.question ? phrase : phrase.replace("answer could", "move could").replace("answers could", "moves could"));
  }

  // A move is legal or not; an answer to a question is right or wrong.
  function verdict(match, reply) {
    const { checked } = reply;
    if (checked) return { kind: KIND[checked.judgement] ?? "", words: judgement(checked), why: checked.sentence };
    return { kind: reply.status === "answered" ? "" : "bad", words: status(match, reply), why: reply.why }; // a legal move may be a blunder
  }

  // What stands over the move that was read from a reply.
  function taken(match, reply) {
    if (!match.question) return say("read as the move");
    return reply.checked?.is_possible === false ? say("what stands for an answer") : say("read as the answer");
  }

  const SIGN = { good: "✓", bad: "✗" };

  // What a step comes to, in one line.
  function summary(match, step) {
    const parts = [];
    if (step.chance) parts.push(say("chance: {moves}", { moves: step.chance.map(visible).join(", ") }));
    for (const reply of step.replies || []) {
      const who = named(match, reply.seat);
      if (reply.failure) parts.push(reply.status === "infrastructure" ? say("{who}: no reply came", { who }) : say("{who} failed", { who }));
      else if (match.question || !reply.move) parts.push(`${who}: ${verdict(match, reply).words}`);
    }
    for (const move of match.question ? [] : step.moves || []) {
      const worth = match.isLive ? "" : `, ${worthIn(step, match, move)}`;
      parts.push(say("{who} plays {move}", { who: named(match, move.seat), move: visible(move.move) }) + worth);
    }
    if (!step.replies) parts.push(match.isLive ? visible(match.news || say("now")) : say("the end: {result}", { result: visible(match.result) }));
    return parts.join("; ");
  }

  // Bubbles.

  function bubble(match, step, reply) {
    const box = element("article", { className: `bubble seat${reply.seat % 2}` });
    const add = (name, ...content) => box.append(element("div", { className: "part" }, element("h4", {}, name), ...content));
    box.append(element("h3", {}, named(match, reply.seat)));
    if (reply.branches) for (const [kind, title] of Object.entries(BRANCHES)) {
      const own = reply.branches.filter((each) => each.kind === kind);
      own.sort((one, other) => one.number - other.number || one.attempt - other.attempt);
      if (own.length) add(`${title} (${own.length})`, ...own.map(branch));
    }
    if (reply.thought && !reply.branches) add("thinking", long(reply.thought, "thought"));
    if (reply.failure) add(reply.status === "infrastructure" ? say("no reply came") : say("failed"), long(reply.failure, "text"));
    else add(!reply.branches ? say("reply") : reply.move ? say("chosen of these") : say("none of these, so this one counts"), long(reply.text || say("(nothing)"), "text"));
    if (reply.answer) add(say("read from it"), block(reply.answer));
    const move = (step.moves || []).find((each) => each.seat === reply.seat && reply.move);
    if (move && move.move !== reply.text) add(taken(match, reply), long(move.move, "", 400));
    if (reply.strictly) add(say("read strictly"), element("p", {}, element("span", { className: "verdict bad" }, say("rejected")), `: ${visible(reply.strictly)}`));
    if (!reply.failure) {
      const found = verdict(match, reply);
      const sign = SIGN[found.kind] ? `${SIGN[found.kind]} ` : "";
      const why = found.why && reply.checked ? `: ${visible(found.why)}` : "";
      add(say("verdict"), element("p", {}, element("span", { className: `verdict ${found.kind}` }, element("span", { "aria-hidden": "true" }, sign), found.words), why));
      if (found.why && !reply.checked && !PLAIN.has(reply.status)) add(say("why"), block(found.why));
    }
    if (move?.process) add(say("process"), process(move.process));
    const spent = [];
    if (reply.tokens) spent.push(`${counted(reply.tokens, "token")} written`);
    if (reply.seconds >= 0.05) spent.push(say("{seconds} s", { seconds: reply.seconds.toFixed(1) }));
    if (spent.length) add(say("took"), element("p", {}, spent.join(", ")));
    for (const [role, text] of reply.sent || []) box.append(folded(`sent: ${role}, ${counted(text.length, "character")}`, block(text, "box")));
    const code = match.programs?.[match.players[reply.seat]];
    if (code) box.append(program(code, reply.line));
    return box;
  }

  const branchName = ({ kind, number, attempt }) => `${kind || "reply"} ${number}${attempt > 1 ? `, try ${attempt}` : ""}`;

  // A proposal or a vote of a tree of thoughts; its last line names the move.
  function branch(reply) {
    const lines = reply.text.split("\n").filter((line) => /[^`\s]/.test(line));
    const end = lines.length ? lines[lines.length - 1].trim() : "(nothing)";
    return folded(
      `${branchName(reply)}: ${visible(end.length > 90 ? `… ${end.slice(-90)}` : end)}`,
      ...(reply.thought ? [block(reply.thought, "thought")] : []),
      block(reply.text || "(nothing)", "text")
    );
  }

  // The code of a program, with the line in which it failed.
  function program(code, line) {
    const rows = code.split("\n").map((text, at) =>
      element("li", { className: at + 1 === line ? "bad" : "" }, visible(text) || " ", at + 1 === line ? element("b", {}, " ← it failed here") : "")
    );
    const title = line ? `The program, which failed in line ${line}` : "The program";
    return folded(title, element("ol", { className: "code", tabIndex: 0 }, ...rows));
  }

  // The entries of a process, of which the first wrong one is marked.
  function process(checked) {
    const right = checked.right ? element("div", { className: "good" }, say("It should be:") + "\n", visible(checked.right)) : "";
    const entries = checked.given.map((entry, at) => {
      const isWrong = at + 1 === checked.wrong;
      return element(
        "li", { className: isWrong ? "bad" : at + 1 < checked.wrong ? "good" : "" },
        ...(isWrong ? differing(entry, checked.right) : [visible(entry)]),
        ...(isWrong ? [element("b", {}, say(" ← the first wrong entry")), right] : [])
      );
    });
    if (checked.wrong > checked.given.length) {
      entries.push(element("li", { className: "bad" }, say("entry {number} is missing", { number: checked.wrong }), right));
    }
    return element("ol", { className: "process", tabIndex: 0, "aria-label": say("The process, entry by entry") }, ...entries);
  }

  // The words of an entry that are not those of the right one, if both have as many.
  function differing(entry, right) {
    const [words, wanted] = [entry, right || ""].map((text) => text.split(/(\s+)/));
    if (words.length !== wanted.length) return [visible(entry)];
    return words.map((word, at) => (word === wanted[at] ? visible(word) : element("mark", {}, visible(word))));
  }

  function solution(match) {
    if (!match.solution) return "";
    if (match.label) return element("p", {}, say("The right label of the position: {label}.", { label: visible(match.solution) }));
    return folded(say("A right answer"), ...sections(match.solution).map((each) => block(each, "box")));
  }

  // JSON with boards is easier to compare row by row.
  function sections(text) {
    let data;
    try {
      data = JSON.parse(text);
    } catch {
      return [text];
    }
    if (data === null || typeof data !== "object" || Array.isArray(data)) return [text];
    return Object.entries(data).map(([name, value]) => `${name}:\n${rows(value)}`);
  }

  function rows(value) {
    if (!Array.isArray(value)) return String(value);
    if (value.every((each) => !Array.isArray(each))) return value.join(" ");
    const isDeep = value.some((each) => Array.isArray(each) && each.some(Array.isArray));
    return value.map((each, at) => (isDeep ? `${at + 1}.\n${rows(each)}` : rows(each))).join("\n");
  }

  // The strip below the board: a button per step, which says what its move cost.
  function strip(match, go) {
    const marks = [];
    const sides = new Set();
    const made = match.steps.map((step, at) => {
      const { mark, kind } = entry(match, step);
      marks.push(mark);
      const title = summary(match, step);
      const label = say("{mark}, step {step}: {title}", { mark, step: at + 1, title });
      const seats = (step.moves || step.replies || []).map((each) => each.seat);
      const whose = !isAlone(match) && new Set(seats).size === 1 ? `of${seats[0] % 2}` : "";
      sides.add(whose);
      const one = element("button", { type: "button", className: `cost ${kind} ${whose}`, "aria-label": label, title }, mark);
      one.addEventListener("click", () => go(at + 1));
      return one;
    });
    return { box: element("div", { className: "strip" }, ...made), buttons: made, legend: legendOf(match, marks, sides) };
  }

  // What the marks of the strip mean, of those that it has; `sides` are the seats with a thick edge.
  function legendOf(match, marks, sides) {
    const moves = match.steps.flatMap((step) => step.moves || []);
    const isJudged = moves.some((move) => move.regret !== undefined);
    const meanings = match.question
      ? { "✓": say("✓ right"), "✗": say("✗ wrong or not read"), "·": say("· neither") }
      : {
          "0": say("0 nothing"), "?": isJudged ? say("? not judged (best play from there is not known)") : say("? a move"),
          L: say("L already lost"), "✗": say("✗ no move or a forbidden one"), "·": say("· your moves"),
        };
    const used = Object.entries(meanings).filter(([sign]) => marks.some((mark) => mark.replace("!", "") === sign));
    const items = used.map(([, words]) => words);
    if (marks.some((mark) => mark.endsWith("!"))) items.push(say("! after a reply without a move"));
    items.push(match.isLive ? say("● now") : say("■ the end"));
    const edges = { 0: say("a thick edge on the left: seat 0"), 1: say("a thick edge on the right: seat 1") };
    items.push(...Object.keys(edges).filter((seat) => sides.has(`of${seat}`)).map((seat) => edges[seat]));
    const listed = items.join(say(", "));
    if (match.question || match.isLive) return listed;
    if (isJudged) return say("What each move gave away: {signs}", { signs: listed });
    if (!moves.length) return say("No move was made: {signs}", { signs: listed });
    return say("No move is judged here, because best play is not known or was not asked for: {signs}", { signs: listed });
  }

  function entry(match, step) {
    if (!step.replies) return { mark: match.isLive ? "●" : "■", kind: "" };
    const moves = step.moves || [];
    if (match.question || !moves.length) {
      const { kind } = verdict(match, step.replies[step.replies.length - 1]);
      return { mark: SIGN[kind] || "·", kind };
    }
    if (match.isLive) return { mark: "·", kind: "" };
    const costs = moves.map((move) => (isForbidden(step, move) ? [2, { mark: SIGN.bad, kind: "bad" }] : [move.regret ?? -1, cost(match, move)]));
    costs.sort(([one], [other]) => other - one);
    const [[, worst]] = costs;
    const isRepeated = (step.replies || []).some((reply) => !reply.move);
    return isRepeated ? { ...worst, mark: `${worst.mark}!` } : worst;
  }

  // What the colours of the pictures mean.
  function colours(match) {
    const known = Object.entries(Object.fromEntries(match.legend || []));
    if (!match.pieces?.length) return null;
    const items = known.map(([name, words]) => element("li", {}, swatch(`f-${name}`), visible(words)));
    if (match.steps.some((step) => step.marks)) items.push(element("li", {}, swatch("outlined"), say("the move of this step")));
    return items.length ? element("ul", { className: "legend" }, ...items) : null;
  }

  function swatch(kind) {
    const svg = drawing("svg", { viewBox: "0 0 10 10", "aria-hidden": "true", class: "swatch" });
    svg.append(drawing("rect", { x: 1, y: 1, width: 8, height: 8, class: kind }));
    return svg;
  }

  // Every place where a text was said, also what is folded; the first one is scrolled to.
  function markHits(box, wanted) {
    const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
    const found = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.data.toLowerCase();
      if (text.length === node.data.length && text.includes(wanted)) found.push(node);
    }
    for (const node of found) {
      for (let rest = node; ; ) {
        const at = rest.data.toLowerCase().indexOf(wanted);
        if (at < 0) break;
        const hit = rest.splitText(at);
        rest = hit.splitText(wanted.length);
        const mark = element("mark", { className: "hit" });
        hit.replaceWith(mark);
        mark.append(hit);
      }
      for (let each = node.parentElement; each && each !== box; each = each.parentElement) if (each.tagName === "DETAILS") each.open = true;
    }
    if (found.length) requestAnimationFrame(() => box.querySelector(".hit")?.scrollIntoView({ block: "nearest" }));
  }

  // One match on the stage.

  function part(match, number, go, { panel, pick, names, isOneOfTwo, hit }) {
    const boards = element("div", { className: "boards" });
    const details = element("div", { className: "details" });
    const cells = { ...strip(match, go) };
    const legend = element("p", { className: "note" }, cells.legend);
    const about = [colours(match), match.rules ? folded(say("Rules"), block(match.rules, "box rules")) : null];
    const box = element(
      "section", { className: "match", "aria-label": say("Match {number}: {name}", { number: number + 1, name: match.name }) },
      element("div", { className: "seen" }, ...(isOneOfTwo ? [element("p", { className: "who" }, opponents(match)), element("p", { className: "note both" }, number ? say("The position is the same as in match 1.") : say("The position is the same in both matches."))] : []), boards, cells.box, legend, ...about.filter(Boolean)),
      // The panel stays where it is, so that what is typed in it keeps the focus.
      element("div", { className: "beside" }, ...(panel ? [panel] : []), details)
    );
    let shown = null;

    const seen = (step, seat) => (seat === "all" ? step.frames.map((_, each) => each) : [Math.min(Number(seat), step.frames.length - 1)]);

    // What is seen at a step, as a text: that of another match is equal where its positions are; "" where something is hidden.
    function look(at, seat) {
      const step = match.steps[Math.min(at, match.steps.length) - 1];
      const frames = step ? seen(step, seat).map((each) => match.frames[step.frames[each]]) : [];
      if (!frames.length || frames.some((frame) => !frame)) return "";
      return JSON.stringify(frames.map((frame) => [frame.above, frame.text, frame.below, frame.box, frame.pieces?.map((each) => match.pieces[each])]));
    }

    function show(at, seat) {
      const isLive = match.awaits && at >= match.steps.length;
      const number = Math.min(at, match.steps.length);
      const step = match.steps[number - 1];
      if (!step) return "";
      const seats = seen(step, seat);
      boards.replaceChildren(
        ...seats.map((each) =>
          element("figure", {}, ...(isAlone(match) ? [] : [element("figcaption", {}, say("as {who} sees it", { who: named(match, each) }))]), position(match, step, each, isLive ? pick : undefined, names))
        )
      );
      const parts = [];
      if (step.chance) parts.push(element("p", { className: "chance" }, say("Chance: {moves}", { moves: step.chance.map(visible).join(", ") })));
      if (!match.question && step.moves) {
        const made = step.moves.map((move) => {
          const worth = match.isLive ? "" : ` (${worthIn(step, match, move)})`;
          return element("li", {}, `${say("{who} plays", { who: named(match, move.seat) })} `, element("b", { className: "played" }, visible(move.move)), worth);
        });
        parts.push(element("ul", { className: "moves" }, ...made));
      }
      parts.push(...(step.replies || []).map((reply) => bubble(match, step, reply)));
      if (!step.replies && !match.isLive) parts.push(theEnd(match, go));
      else if (match.question) parts.push(solution(match));
      details.replaceChildren(...parts.filter(Boolean));
      if (hit) markHits(details, hit.toLowerCase());
      for (const box of details.querySelectorAll(".process")) {
        const wrong = box.querySelector(".bad");
        if (wrong) box.scrollTop = wrong.offsetTop - box.offsetTop - 40;
      }
      if (shown !== null) cells.buttons[shown]?.removeAttribute("aria-current");
      shown = number - 1;
      const current = cells.buttons[shown];
      if (current) {
        current.setAttribute("aria-current", "step");
        cells.box.scrollTop = current.offsetTop - cells.box.clientHeight / 2;
      }
      return summary(match, step);
    }

    function renew() {
      const made = strip(match, go);
      cells.box.replaceChildren(...made.buttons);
      cells.buttons = made.buttons;
      legend.textContent = made.legend;
    }

    return { box, show, look, renew, match };
  }

  // The move that gave away most, as far as moves are judged, and a button that leads to it.
  function costliest(match, go) {
    const judged = match.steps.flatMap((step, at) => (step.moves || []).map((move) => ({ at, move })));
    const costs = judged.filter(({ move }) => move.regret > LOST);
    if (!costs.length) return "";
    const { at, move } = costs.reduce((worst, each) => (each.move.regret >= worst.move.regret ? each : worst)); // of equal ones the last decides
    const sentence = say("The costliest move was {move} of {player} in step {step}: it gave away {regret}.", {
      move: visible(move.move), player: named(match, move.seat), step: at + 1, regret: move.regret.toFixed(2),
    });
    const label = say("step {step}", { step: at + 1 });
    return element("p", {}, sentence, " ", button(label, label, () => go(at + 1)));
  }

  function theEnd(match, go) {
    const left = match.left_out ? element("p", { className: "note" }, say("{count} more replies are not in this report; see quandary replay.", { count: match.left_out })) : "";
    const source = folded(
      say("Raw record and command"),
      element("p", { className: "note" }, say("In the folder that holds the run:")),
      block(match.replay || "", "box"),
      block(match.record || "", "box")
    );
    return element(
      "article", { className: "bubble" },
      element("h3", {}, say("The end")), element("p", {}, visible(match.result)), costliest(match, go), left, solution(match), source
    );
  }

  // The stage as a whole.

  function open(box, matches, { place = {}, moved = () => {}, actions = [], panel = null, only = null, pick, names = {}, hit = "" } = {}) {
    const last = () => Math.max(1, ...matches.map((match) => match.steps.length));
    const seats = only === null ? Math.max(...matches.map((match) => match.players.length)) : 1;
    const usual = only ?? Math.max(0, matches[0].models.indexOf(true));
    let step = 1;
    let seat = seats > 1 || only !== null ? usual : 0;
    let timer = null;

    const parts = matches.map((match, number) => part(match, number, (to) => go({ step: to }), { panel: number ? null : panel, pick, names, hit, isOneOfTwo: matches.length > 1 }));
    const slider = element("input", { type: "range", min: 1, max: last(), value: 1, className: "slider", "aria-label": say("Step") });
    const counter = element("span", { className: "counter" });
    const live = element("p", { className: "live", role: "status" });
    const speed = element("select", { "aria-label": say("Speed") }, ...Object.keys(SPEEDS).map((each) => element("option", { value: each }, say(each))));
    speed.value = "normal";
    const play = button(say("▶ Play"), say("Play (space)"), toggle);
    const view = element("select", { "aria-label": say("Seen by") });
    for (let each = 0; each < seats; each++) view.append(element("option", { value: String(each) }, say("seat {seat}", { seat: each })));
    view.append(element("option", { value: "all" }, say("all seats")));
    const controls = element(
      "div", { className: "controls" },
      button("|◀", say("First step (Home)"), () => go({ step: 1 })),
      button("◀", say("Back (left arrow)"), () => go({ step: step - 1 })),
      play,
      button("▶", say("On (right arrow)"), () => go({ step: step + 1 })),
      button("▶|", say("Last step (End)"), () => go({ step: last() })),
      slider, counter, speed, ...(seats > 1 ? [view] : [])
    );
    const body = element("div", { className: "body", tabIndex: 0, role: "region", "aria-label": say("The match") }, ...parts.map((each) => each.box));
    let top = head(matches, actions);
    const root = element("div", { className: `stage${matches.length > 1 ? " several" : ""}` }, top, controls, body, live);

    function go(to) {
      if (to.seat !== undefined && only === null) seat = to.seat === "all" && seats > 1 ? "all" : Math.min(Math.max(0, Number(to.seat) || 0), seats - 1);
      step = Math.min(Math.max(1, Math.floor(to.step ?? step) || 1), last());
      slider.max = last();
      slider.value = step;
      slider.setAttribute("aria-valuetext", say("step {step} of {last}", { step, last: last() }));
      counter.textContent = say("{step} of {last}", { step, last: last() });
      view.value = String(seat);
      const hadFocus = root.contains(document.activeElement);
      live.textContent = parts.map((each) => each.show(step, seat)).join(". ");
      // Equal positions are shown once, so that the replies stand beside them.
      const [look, other] = parts.map((each) => each.look(step, seat));
      root.classList.toggle("same", Boolean(look) && look === other);
      // What was focused may be gone, and keys must still be heard.
      if (hadFocus && !root.contains(document.activeElement)) body.focus({ preventScroll: true });
      moved({ step, seat });
    }

    function stop() {
      clearInterval(timer);
      timer = null;
      label(say("▶ Play"), say("Play (space)"));
    }

    function label(words, meaning) {
      play.replaceChildren(words);
      play.setAttribute("aria-label", meaning);
      play.title = meaning;
    }

    function toggle() {
      if (timer) return stop();
      if (step >= last()) go({ step: 1 });
      label(say("⏸ Pause"), say("Pause (space)"));
      timer = setInterval(() => {
        if (step >= last()) stop();
        else go({ step: step + 1 });
      }, SPEEDS[speed.value]);
      return null;
    }

    function press(event) {
      const { target, key } = event;
      if (event.ctrlKey || event.metaKey || event.altKey || /^(SELECT|TEXTAREA)$/.test(target.tagName)) return;
      const isSlider = target === slider;
      if (target.tagName === "INPUT" && !isSlider) return;
      if (target.classList.contains("picture") && target.scrollWidth > target.clientWidth && key.startsWith("Arrow")) return;
      const to = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 1, End: last() }[key];
      if (to !== undefined) go({ step: to });
      else if (key === " " && !/^(BUTTON|SUMMARY|A)$/.test(target.tagName) && target.getAttribute("role") !== "button") toggle();
      else return;
      event.preventDefault();
    }

    // A swipe over a board that does not scroll itself.
    let began = null;
    body.addEventListener("touchstart", (event) => {
      const wide = event.target.closest(".picture, pre");
      began = wide && wide.scrollWidth > wide.clientWidth + 1 ? null : event.touches[0];
    }, { passive: true });
    body.addEventListener("touchend", (event) => {
      if (!began) return;
      const [ended] = event.changedTouches;
      const across = ended.clientX - began.clientX;
      const down = ended.clientY - began.clientY;
      began = null;
      if (Math.abs(across) > SWIPE && Math.abs(across) > 2 * Math.abs(down)) go({ step: step + (across < 0 ? 1 : -1) });
    }, { passive: true });

    slider.addEventListener("input", () => go({ step: Number(slider.value) }));
    speed.addEventListener("change", () => {
      if (!timer) return;
      stop();
      toggle();
    });
    view.addEventListener("change", () => go({ seat: view.value }));
    root.addEventListener("keydown", press);
    box.replaceChildren(root);
    go({ step: place.step ?? 1, seat: place.seat ?? seat });
    body.focus({ preventScroll: true });

    // Whoever has gone back stays there.
    function append({ first, steps, frames = [], pieces = [], ...others }, at = 0) {
      const { match } = parts[at];
      const wasLast = step >= last();
      match.steps.splice(first, match.steps.length, ...steps);
      match.frames.push(...frames);
      match.pieces.push(...pieces);
      Object.assign(match, others);
      step = wasLast ? last() : Math.min(step, last());
      const renewed = head(matches, actions); // the players may be others
      top.replaceWith(renewed);
      top = renewed;
      renew();
    }

    function renew() {
      parts.forEach((each) => each.renew());
      go({ step });
    }

    return { go, append, renew, close: stop, place: () => ({ step, seat }), picture: () => inlined(body.querySelector("svg.board")) };
  }

  function head(matches, actions) {
    const titles = matches.map((match) =>
      element(
        "div", {},
        element("h2", {}, match.name),
        element("p", { className: "note" }, `${opponents(match)}; ${visible(match.result)}`),
        ...(match.problem ? [element("p", { className: "warning" }, match.problem)] : [])
      )
    );
    return element("header", {}, ...titles, element("div", { className: "actions" }, ...actions));
  }

  // A picture as a file of its own, in the colours that are shown.
  function inlined(svg) {
    if (!svg) return "";
    const copy = svg.cloneNode(true);
    const originals = svg.querySelectorAll("*");
    copy.querySelectorAll("*").forEach((made, at) => {
      const look = getComputedStyle(originals[at]);
      for (const name of ["fill", "stroke", "stroke-width", "font-family"]) made.setAttribute(name, look.getPropertyValue(name));
      made.removeAttribute("class");
    });
    copy.removeAttribute("style");
    copy.removeAttribute("class");
    const { width, height } = svg.viewBox.baseVal;
    copy.setAttribute("width", Math.round(width * UNIT));
    copy.setAttribute("height", Math.round(height * UNIT));
    return new XMLSerializer().serializeToString(copy);
  }

  // Worth and regret of each move of the log, which are computed later than the rest.
  function addCosts(match, costs) {
    for (const step of match.steps) {
      (step.moves || []).forEach((move, at) => {
        const found = costs[step.ply + at];
        if (!found) return;
        [move.worth, move.regret] = found;
        if (move.regret > LOST) [, , move.best] = found;
      });
    }
  }

  // A match as plain text.
  function transcript(match) {
    const lines = [match.name, opponents(match), visible(match.result), ""];
    match.steps.forEach((step, at) => {
      const frame = match.frames[step.frames[0]];
      lines.push(`== ${at + 1} of ${match.steps.length}`, frame ? visible(frame.text) : "", "");
      for (const reply of step.replies || []) {
        lines.push(`-- ${named(match, reply.seat)}`);
        for (const [role, text] of reply.sent || []) lines.push(`[sent, ${role}]`, visible(text));
        for (const each of reply.branches || []) {
          if (each.thought) lines.push(`[thinking, ${branchName(each)}]`, visible(each.thought));
          lines.push(`[${branchName(each)}]`, visible(each.text || "(nothing)"));
        }
        if (reply.thought) lines.push("[thinking]", visible(reply.thought));
        lines.push(reply.failure ? `[failed] ${visible(reply.failure)}` : `[reply]\n${visible(reply.text || "(nothing)")}`);
      }
      lines.push(summary(match, step), "");
    });
    return `${lines.join("\n")}\n`;
  }

  return { open, speak, placeIn, written, element, button, visible, counted, scrollBox, transcript, addCosts, STATUS };
})();

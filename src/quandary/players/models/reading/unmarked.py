"""How an answer is committed without the marker that was asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .objects import closing_brace, first_object, last_object
from .shapes import BULLET, COLONS, PAIRS, Fence, Form, Reading, fence_at, found, missing, parsed, tidied, undressed, whole

ANSWER_TAG = re.compile(r"<(/?)answer>", re.I)
LATEX_TABLE = re.compile(r"\\(?:begin|end)\{[a-z*]{1,20}\}(?:\{[^{}]{0,40}\})?|\\hline")
LATEX_SIGN = re.compile(r"\\([{}_#$%&])")
SPOKEN = re.compile(
    r"""\b(?:the|my|a|an|one|this|another)\ (?:[a-z0-9-]{1,15}\ ){0,3}?
    (?:answer|move|operation|solution|guess|word|password|substring|string|text)
    (?:(?:\ (?:that|which|of|with|for|from|formed)\b[^.:;,"\n]{0,80}?)?\ (?:is|would\ be|could\ be|will\ be)\b:?|:)
    |^[^\w\n]{0,9}(?:guess|word|password|substring|string|text)[*_]{0,3}[:：]
    |(?<![\w"'`])(?:final\ )?answer(?:\ is|:)|答案(?:是|为|[:：])""",
    re.I | re.M | re.X,
)
AFTER_SPOKEN = re.compile(r"\s{0,9}(?:$|[.,;:!)。，]|(?:because|since|which|as|with|for)\b)", re.I)
NO_ANSWERS = {"correct", "incorrect", "right", "wrong", "valid", "invalid", "unique", "unknown"}
STRESSED = re.compile(r"(?:^|[:：] {0,3}|\b(?:is|be|are) )[-*> \t]{0,9}\*\*([^*\n]{1,5000})\*\*[.。!]?[ \t]{0,99}$", re.I | re.M)
REFUSED = re.compile(
    r"""\W{0,9}(?P<sorry>(?:i\ am|i['’]m|we['’]re)?\ ?(?:very\ |really\ |so\ )?sorry|i\ apologi[sz]e|抱歉|很抱歉|非常抱歉|对不起)?
    [,.，。！]?\ ?(?:but\ |但是?)?
    (?:(?:i|we)\ (?:can(?:not|\ not|['’]t)|(?:am|are)\ (?:unable|not\ able)\ to|won['’]t|will\ not|must\ decline\ to)
    \ (?P<what>[a-z]{1,20})|i['’]m\ (?:unable|not\ able)\ to\ (?P<thing>[a-z]{1,20})|我(?:无法|不能|不会))""",
    re.I | re.X,
)
SERVICES = {"assist", "help", "comply", "provide", "answer", "fulfill", "fulfil", "play", "continue", "participate", "engage", "do"}
ANNOUNCED = re.compile(
    r"""\b(?:answers?|solution|solved|sudoku|crossword|puzzle|grid|board|map|arrangement|list|order|ordered|sorted|words?|final
    |completed?|filled|result|output|string|substring|text|password|attempt|try|instead)\b|答案|结果""",
    re.I | re.X,
)
ASIDE = r"(?:explanation|reasoning|rationale|justification|notes?|steps|analysis|breakdown|verification|here['’]s\ (?:why|how))"
EXPLAINED = re.compile(
    rf"""\s{{0,20}}(?:\#{{1,6}}\s{{0,9}}[*_]{{0,3}}{ASIDE}\b|[*_(]{{0,3}}{ASIDE}\b[^:：\n]{{0,40}}[:：]
    |\*\*(?=(?-i:[A-Z])){ASIDE}\*\*\s{{0,99}}$|解释[:：])""",
    re.I | re.X,
)


def unmarked(said: str, form: Form, cut: bool) -> Reading:
    """What was committed in any other way, the clearest first."""
    answer = enclosed(said, form, cut) or (spoken(said, cut) if form == "line" else None) or _fenced(said, form, cut)
    if form == "json" and not answer and (last := last_object(said)) is not None:
        answer = parsed(last, cut)
    if not answer and not cut and _refuses(said):
        return Reading("refused")
    if form == "line":
        answer = answer or _stressed(said)
    if form != "json":
        answer = answer or _bare(said, form, cut)
    return answer or missing(cut)


def enclosed(text: str, form: Form, cut: bool) -> Reading | None:
    """The last box, or else what stands between the last answer tags."""
    return _boxed(text, form, cut) or _tagged(text, form, cut)


def _boxed(text: str, form: Form, cut: bool) -> Reading | None:
    brace = text.rfind("\\boxed{") + len("\\boxed")
    if brace < len("\\boxed"):
        return None
    end = closing_brace(text, brace)
    if end < 0:
        return missing(cut)
    inner = text[brace + 1 : end]
    if form == "block" and "\\\\" in inner:
        inner = LATEX_TABLE.sub("", inner.replace("&", " ")).replace("\\\\", "\n")
    reading = whole(inner, form)
    return reading if form == "json" else reading._replace(answer=LATEX_SIGN.sub(r"\1", reading.answer))


def _tagged(text: str, form: Form, cut: bool) -> Reading | None:
    start, pair = -1, (-1, -1)
    for tag in ANSWER_TAG.finditer(text):
        if not tag[1]:
            start = tag.end()
        elif start >= 0:
            start, pair = -1, (start, tag.start())
    if cut and start >= 0:
        return missing(cut)
    return whole(text[slice(*pair)], form) if pair[1] >= 0 else None


def spoken(text: str, cut: bool) -> Reading | None:
    """What a sentence says the answer is: dressed words, or a single one."""
    at = -1
    for said in SPOKEN.finditer(text):
        at = said.end()
    if at < 0:
        return None
    line, end, _ = text[at:].partition("\n")
    line = line.strip()
    for left, right in PAIRS:
        close = line.find(right, len(left)) if line.startswith(left) else -1
        if close > 0 and AFTER_SPOKEN.match(line, close + len(right)):
            return found(undressed(line[: close + len(right)]))
    word = undressed(line)
    if len(word.split()) != 1 or word.lower() in NO_ANSWERS or word.endswith(COLONS) or not any(map(str.isalnum, word)):
        return None
    return missing(cut) if cut and not end else found(word)


def _fenced(said: str, form: Form, cut: bool) -> Reading | None:
    """What the last fence holds."""
    lines, at = said.split("\n"), 0
    last: Fence | None = None
    while at < len(lines):
        fence = fence_at(lines, at)
        last, at = (fence, fence.end + 1) if fence else (last, at + 1)
    if not last:
        return None
    if cut and not last.closed:
        return missing(cut)
    inner = "\n".join(last.rows)
    if form == "json":
        return parsed(first_object(inner), cut=False) if inner.lstrip().startswith("{") else None
    reading = whole(inner, form)
    return None if form == "line" and reading.status != "answered" else reading


def _refuses(said: str) -> bool:
    words = REFUSED.match(said.lstrip())
    if not words:
        return False
    service = words["what"] or words["thing"]
    return bool(words["sorry"]) or service is None or service.lower() in SERVICES


def _stressed(said: str) -> Reading | None:
    """The one thing that is set in bold at the end of a line."""
    things = {bold[1].strip() for bold in STRESSED.finditer(said)}
    things = {thing for thing in things if not thing.endswith(COLONS) and not EXPLAINED.match(f"**{thing}**")}
    return found(undressed(things.pop())) if len(things) == 1 else None


def _bare(said: str, form: Form, cut: bool) -> Reading | None:
    """A reply that is nothing but an answer, apart from sentences around it."""
    lines = said.split("\n")
    start = _after_announcement(lines)
    stretch = _only_stretch(lines, start)
    if not stretch:
        return None
    first, end, alone = stretch
    rows = lines[first:end]
    if (form == "line" and len(rows) > 1) or (not alone and all(map(_is_wordy, rows))):
        return None
    if cut and end >= len(lines) - (form == "block"):
        return missing(cut)
    if form == "block":
        return found(tidied(rows))
    bullet = BULLET.match(rows[0])
    return found(undressed(rows[0][bullet.end() if bullet else 0 :]))


def _only_stretch(lines: list[str], start: int) -> tuple[int, int, bool] | None:
    """The one paragraph that is not made of sentences, or the only one there is; and whether it is all that was said."""
    count, kept = 0, list[tuple[int, int]]()
    for first, end in _paragraphs(lines, start):
        count += 1
        if count == 1 or not all(map(_is_sentence, lines[first:end])):
            kept.append((first, end))
        if count == 2 and all(map(_is_sentence, lines[slice(*kept[0])])):
            kept.pop(0)
        if len(kept) > 1:
            return None
    return (*kept[0], count == 1 and start == 0) if kept else None


def _after_announcement(lines: list[str]) -> int:
    """The line after the last one that says an answer comes now; 0 where nothing comes."""
    start = filled = 0
    for at, line in enumerate(lines):
        if line.strip():
            filled = at
            if line.rstrip("*_ \t").endswith(COLONS) and ANNOUNCED.search(line[-300:]):
                start = at + 1
    return start if start <= filled else 0


def _paragraphs(lines: list[str], start: int) -> Iterator[tuple[int, int]]:
    """The stretches of lines between empty ones, up to an explanation."""
    begun = -1
    for at in range(start, len(lines)):
        explained = at > start and explains(lines[at])
        if begun >= 0 and (explained or not lines[at].strip()):
            yield begun, at
            begun = -1
        if explained:
            return
        if begun < 0 and lines[at].strip():
            begun = at
    if begun >= 0:
        yield begun, len(lines)


def explains(line: str) -> bool:
    """Whether an explanation begins here."""
    return bool(EXPLAINED.match(line))


def _is_wordy(line: str) -> bool:
    words = line[:400].split()
    return len(words) >= 4 and sum(len(word) > 1 and word.isalpha() for word in words) >= 3


def _is_sentence(line: str) -> bool:
    return _is_wordy(line) and line.rstrip().endswith((".", "!", "?", ")", *COLONS, "。"))

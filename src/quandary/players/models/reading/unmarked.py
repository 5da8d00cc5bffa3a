"""How an answer is committed without the marker that was asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .enclosed import denied, enclosed
from .objects import first_object, last_object
from .refusals import excuses, refuses
from .sentences import disclaims, qualified, spoken
from .shapes import BULLET, COLONS, Fence, Form, Reading, fence_at, found, missing, parsed, tidied, undressed, whole

STRESSED = re.compile(r"(?:^|[:：] {0,3}|\b(?:is|be|are) )[-*> \t]{0,9}\*\*([^*\n]{1,5000})\*\*[.。!]?[ \t]{0,99}$", re.I | re.M)
NEAR = 60  # characters before a word in bold that may speak of it
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
    if inner := enclosed(said, form, cut):
        return missing(cut) if denied(said, inner) else inner.reading
    answer = (spoken(said, cut) if form == "line" else None) or _fenced(said, form, cut)
    if form == "json" and not answer and (last := last_object(said)) is not None:
        answer = parsed(last, cut)
    if not answer and not cut and refuses(said):
        return Reading("refused")
    if form == "line":
        answer = answer or _stressed(said)
    if form != "json":
        answer = answer or _bare(said, form, cut)
    return answer or missing(cut)


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


def _stressed(said: str) -> Reading | None:
    """The one thing that is set in bold at the end of a line."""
    bolds = (bold for bold in STRESSED.finditer(said) if not qualified(said[max(0, bold.start(1) - NEAR) : bold.start(1)]))
    things = {bold[1].strip() for bold in bolds}
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
    if excuses(rows[0]) or disclaims(rows[0]):
        return None
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

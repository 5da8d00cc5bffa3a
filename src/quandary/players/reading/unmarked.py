"""How an answer is committed without the marker that was asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from .enclosed import denied, enclosed
from .objects import first_object, last_object
from .refusals import excuses, refuses
from .sentences import CONCLUDED, NEAR, disclaims, played, qualified, spoken
from .shapes import (
    BULLET,
    COLONS,
    Form,
    Reading,
    fences,
    found,
    is_fence,
    missing,
    parsed,
    tidied,
    undressed,
    whole,
)

STRESSED = re.compile(
    r"^(?P<lead>(?:[^*\n]{0,5000}(?:[:：] {0,3}|\b(?:is|be|are) ))?[-*> \t]{0,9})"
    r"\*\*(?P<thing>[^*\n]{1,5000})\*\*[.。!]?[ \t]{0,99}$",
    re.I | re.M,
)
BULLETS, CLOSING_DRESS = "-*> \t", " \t\n*_`~.。\"'”’)$\\]"
OFFERED = re.compile(  # what is no answer, though it looks like one
    r"""\b(?:examples?|form|format|template|options?|alternative(?:ly)?|rejected|invalid|wrong
    |incorrect|given|input|original|initial
    |shown|tried|previous|earlier)\b|^\W{0,9}(?:tiles|letters)\W{0,9}$""",
    re.I | re.X,
)
RETRACTED = re.compile(r"\b(?:incorrect|not correct|not valid|invalid|wrong|try again)\b", re.I)
REJECTED = re.compile(
    r"""\b(?:this|that|it|solution|answer|attempt|map|grid|board)\b[^.,;\n]{0,30}\b
    (?:(?:does|did|is|was)(?:n['’]t|\ not)\ (?:work|satisfy|meet|fit|valid|correct|right)|(?:is
    |was)\ (?:wrong|incorrect|invalid))\b
    |\b(?:has|is|there\ is)\ no\ (?:valid\ )?solution\b
    |\b(?:unable|not\ able)\ to\ find\b|\b(?:could|can)(?:n['’]t|\ not|not)\ find\b""",
    re.I | re.X,
)
LONGEST_SENTENCE = 15  # words of one that may hold a move and nothing else
NEXT_LINES = 6  # in which words after a block may take it back
ANNOUNCED = re.compile(
    r"""\b(?:answers?|solution|solved|sudoku|crossword|puzzle|grid|board|map|arrangement|list
    |order|ordered|sorted|words?|final
    |completed?|filled|result|output|string|substring|text|password|attempt|try|instead)\b|答案|结果""",
    re.I | re.X,
)
ASIDE = (
    r"(?:explanation|reasoning|rationale|justification|notes?|steps|analysis"
    r"|breakdown|verification|here['’]s\ (?:why|how))"
)
EXPLAINED = re.compile(
    rf"""\s{{0,20}}(?:\#{{1,6}}\s{{0,9}}[*_]{{0,3}}{ASIDE}\b
    |[*_(]{{0,3}}{ASIDE}\b[^:：\n]{{0,40}}[:：]
    |\*\*(?=(?-i:[A-Z])){ASIDE}\*\*\s{{0,99}}$|解释[:：])""",
    re.I | re.X,
)


def unmarked(said: str, form: Form, cut: bool) -> Reading:
    """What was committed in any other way, the clearest first; where tokens ran out, only the last
    thing that was said.
    """
    if inner := enclosed(said, form, cut):
        return missing(cut) if denied(said, inner) else inner.reading
    if not cut and refuses(said):
        return played(said) or Reading("refused") if form == "line" else Reading("refused")
    answer = _committed(said, form) or missing(cut)
    return missing(cut) if cut and not _is_last(said, answer.answer, form) else answer


def _committed(said: str, form: Form) -> Reading | None:
    match form:
        case "json":
            return fenced(said, form) or _object(said)
        case "block":
            return fenced(said, form) or _bare(said, form)
    ways = (
        spoken,
        partial(fenced, form=form),
        played,
        _stressed,
        _hashed,
        partial(_bare, form=form),
        _last_word,
    )
    return next(filter(None, (way(said) for way in ways)), None)


def _object(said: str) -> Reading | None:
    """The last object, if it is not offered as an example."""
    last = last_object(said)
    if last is None:
        return None
    at = said.rfind(last) if last else len(said)
    lead = said[max(0, at - 300) : at].rstrip().rpartition("\n")[2]
    return missing(cut=False) if OFFERED.search(lead[-NEAR:]) else parsed(last, cut=False)


def _hashed(said: str) -> Reading | None:
    """The last line, behind signs that some models learn to end with."""
    line = said.rstrip().rpartition("\n")[2]
    return found(undressed(line.removeprefix("#### "))) if line.startswith("#### ") else None


def _last_word(said: str) -> Reading | None:
    """The one word of the last line, after words that take back what was said before."""
    before, _, line = said.rstrip().rpartition("\n")
    return (
        found(undressed(line))
        if len(line.split()) == 1 and RETRACTED.search(before) and not RETRACTED.search(line)
        else None
    )


def _is_last(said: str, answer: str, form: Form) -> bool:
    """Whether a text ends with the answer and what closes it: a line, fence or brace."""
    row = answer.rstrip().rpartition("\n")[2]
    at = said.rfind(row) if row else -1
    after = said[at + len(row) :]
    if at < 0 or after.strip(CLOSING_DRESS):
        return False
    return form == "json" or (bool(after) if form == "line" else "\n\n" in after or is_fence(after))


def fenced(said: str, form: Form) -> Reading | None:
    """What the last fence holds, if the words around do not take it back."""
    lines, last, offered = said.split("\n"), None, False
    for at, fence in fences(lines):
        offered = bool(OFFERED.search(_line_before(lines, at)))
        last = last if offered else fence
    if not last:
        return missing(cut=False) if offered and form == "block" else None
    inner = "\n".join(last.rows)
    if form == "json":
        return parsed(first_object(inner), cut=False) if inner.lstrip().startswith("{") else None
    if any(map(REJECTED.search, lines[last.end + 1 : last.end + 1 + NEXT_LINES])):
        return missing(cut=False)
    reading = whole(inner, form)
    return None if form == "line" and reading.status != "answered" else reading


def _line_before(lines: list[str], at: int) -> str:
    return next((line[-300:] for line in reversed(lines[max(0, at - 3) : at]) if line.strip()), "")


def _stressed(said: str) -> Reading | None:
    """The one thing that is set in bold on a line of its own, or at the end of one that announces
    it.
    """
    things = {
        bold["thing"].strip() for bold in STRESSED.finditer(said) if _announces(bold["lead"][-300:])
    }
    things = {
        thing
        for thing in things
        if not thing.endswith(COLONS) and not EXPLAINED.match(f"**{thing}**")
    }
    return found(undressed(things.pop())) if len(things) == 1 else None


def _announces(lead: str) -> bool:
    said = (
        ANNOUNCED.search(lead)
        or CONCLUDED.search(lead)
        or lead.lstrip(BULLETS).lower().startswith("here")
    )
    return not lead.strip(BULLETS) or (bool(said) and not qualified(lead))


def _bare(said: str, form: Form) -> Reading | None:
    """A reply that is nothing but an answer, apart from sentences around it."""
    lines = said.split("\n")
    start = _after_announcement(lines)
    stretch = _only_stretch(lines, start)
    if not stretch:
        return None
    first, end, alone = stretch
    rows = lines[first:end]
    if (form == "line" and len(rows) > 1) or (not alone and all(map(is_wordy, rows))):
        return None
    if form == "block":
        return found(tidied(rows))
    if excuses(rows[0]) or disclaims(rows[0]) or _rambles(rows[0]):
        return None
    bullet = BULLET.match(rows[0])
    return found(undressed(rows[0][bullet.end() if bullet else 0 :]))


def _rambles(line: str) -> bool:
    """Whether it is a sentence of many words, which is no answer though it may hold one."""
    words = line[:2_000].split()
    return (
        is_sentence(line)
        and len(words) > LONGEST_SENTENCE
        and sum(word.strip(".,;:!?").isalpha() for word in words) * 2 > len(words)
    )


def _only_stretch(lines: list[str], start: int) -> tuple[int, int, bool] | None:
    """The one paragraph that is not made of sentences, or the only one there is; and whether it is
    all that was said.
    """
    count, kept = 0, list[tuple[int, int]]()
    for first, end in _paragraphs(lines, start):
        count += 1
        if count == 1 or not all(map(is_sentence, lines[first:end])):
            kept.append((first, end))
        if count == 2 and all(map(is_sentence, lines[slice(*kept[0])])):
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


def is_wordy(line: str) -> bool:
    """Whether a line is made of words, as sentences are."""
    words = line[:400].split()
    return len(words) >= 4 and sum(len(word) > 1 and word.isalpha() for word in words) >= 3


def is_sentence(line: str) -> bool:
    """Whether a line is a sentence, or ends with one."""
    return is_wordy(line) and line.rstrip().endswith((".", "!", "?", ")", *COLONS, "。"))

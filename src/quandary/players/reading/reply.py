"""Takes the answer out of a model's reply.

Thinking is set apart first, and nothing is ever read out of it.  The committed answer is final:
where the last marker leads nowhere, nothing else that happens to stand in the text takes its place.
Time and memory are linear in the text: repeats in expressions are bounded or run along one line
once, and nothing recurses.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from quandary.models.provider import Generation

from .enclosed import Enclosed, denied, enclosed, is_said_by, stands_alone
from .marks import last_mark, tail_of, without_examples
from .objects import first_object
from .refusals import refuses
from .sentences import concluded, explained, named, played
from .shapes import (
    Form,
    Reading,
    fence_at,
    first_said,
    found,
    framed,
    half_width,
    is_fence,
    missing,
    parsed,
    tidied,
    undressed,
    whole,
    without_programs,
)
from .thinking import separate
from .unmarked import explains, fenced, is_sentence, is_wordy, unmarked

__all__ = ["MARKER", "Form", "Reading", "Readings", "read"]

MARKER = {"en": "Answer:", "zh": "答案："}
ASKED_FOR = re.compile(r"[ \t]*(?:answer:|答案[:：])", re.I)
# a placeholder, as in the prompt
ECHOED = re.compile(r"<[^<>]{0,200}\b(?:your|for example|e\.g\.)[^<>]{0,200}>", re.I)
LONGEST_LIST = 99  # lines
LINE_END = re.compile("[\u2028\u2029\x85]")
# elsewhere it is a string's
LINE_END_IN_JSON = re.compile(
    "[\u2028\u2029\x85](?=[ \t#>*_]{0,9}(?:final )?(?:answer|答案))", re.I
)
CORRECTED = re.compile(  # a line that leads to a better answer than the one before
    r"""^[^\n]{0,300}?(?:\b(?:corrected|correction|revised|updated|fix(?:ed)?)\b|更正
    |修正)[^\n{]{0,200}[:：][*_ \t]{0,9}\n{0,3}
    (?=[ \t]{0,9}(?:```|~~~|\{))""",
    re.I | re.M | re.X,
)


class Readings(NamedTuple):
    """A reply read strictly and leniently, so that the two can be compared."""

    strict: Reading  # only in the requested form
    lenient: Reading  # as a fair human referee would
    thinking: str = ""


def read(generation: Generation, form: Form, *, opened: bool = False) -> Readings:
    """The answer to a puzzle of this form; `opened` where the prompt had opened the thinking
    already.
    """
    thinking, said, unclosed = separate(generation, opened)
    said = (LINE_END_IN_JSON if form == "json" else LINE_END).sub("\n", said)
    cut = generation.finish == "length"
    if generation.finish == "refused":
        both = Reading("refused")
    elif unclosed:
        both = Reading("truncated")
    elif not said.strip():
        both = Reading("truncated" if cut else "empty")  # hidden thinking may have used all tokens
    else:
        return Readings(*_readings(said, form, cut), thinking)
    return Readings(both, both, thinking)


def _readings(said: str, form: Form, cut: bool) -> tuple[Reading, Reading]:
    """Strict and lenient; the lenient reading accepts whatever the strict one accepts."""
    said = without_examples(without_programs(said))
    mark = last_mark(said, form)
    if not mark:
        lenient, answer = unmarked(said, form, cut), ""
    else:
        tail, closed = tail_of(said, mark)
        lenient = _corrected(tail, form, cut) or _marked(tail, form, cut and not closed)
        plain = ASKED_FOR.match(said, mark.start())
        as_asked = plain and plain.end() == mark.end() and not closed
        answer = _strict(said[mark.end() :], form, cut) if as_asked else ""
    if form == "line":
        lenient = lenient._replace(answer=half_width(lenient.answer))
    if lenient.status != "answered":
        return Reading(lenient.status), lenient
    if answer and (form != "json" or answer == lenient.answer):
        return Reading("answered", answer), lenient
    return missing(cut), lenient


def _corrected(tail: str, form: Form, cut: bool) -> Reading | None:
    """The answer that later words give in place of the one after the marker, if any."""
    if form == "line":
        lines = tail.split("\n")
        return concluded("\n".join(lines[first_said(lines) + 1 :]))
    given = first_object(tail) or "" if form == "json" else ""
    ends = [better.end() for better in CORRECTED.finditer(tail, tail.find(given) + len(given))]
    return _marked(tail[ends[-1] :], form, cut) if ends else None


def _as_asked(opening: str, closing: str) -> bool:
    """Whether a fence is one of three backticks, each on a line of its own."""
    return closing.strip() == "```" == opening.strip()[:3] and opening.strip()[3:4] != "`"


def _strict(tail: str, form: Form, cut: bool) -> str:
    """The answer in the requested form with nothing after it, or ""."""
    first, end, rest = tail.partition("\n")
    if form == "line":
        return first.strip() if not rest.strip() and (end or not cut) else ""
    if form == "json" and tail.lstrip().startswith("{"):
        return tail.strip()
    lines = rest.strip().split("\n")
    fence = None if first.strip() else fence_at(lines, 0)
    if (
        not fence
        or not fence.closed
        or fence.end < len(lines) - 1
        or not _as_asked(lines[0], lines[-1])
    ):
        return ""
    answer = "\n".join(framed(fence.rows))
    return answer.strip() if form == "json" else answer


def _marked(tail: str, form: Form, cut: bool) -> Reading:
    """The answer after a marker, in any recognised form."""
    if not tail.strip():
        return missing(cut)
    lines = tail.split("\n")
    at = first_said(lines)
    if (inner := enclosed(tail, form, cut)) and (
        reading := _overruling(tail, lines, at, inner, form)
    ):
        return reading
    if form == "json":
        return parsed(first_object(tail), cut)
    if fence := fence_at(lines, at):
        return missing(cut) if cut and not fence.closed else whole("\n".join(fence.rows), form)
    if form == "block":
        return (is_wordy(lines[at]) and not cut and fenced(tail, form)) or _block(lines, at, cut)
    if cut and at == len(lines) - 1:
        return missing(cut)
    line = _closed_list(lines, at)
    if refuses(line):
        return Reading("refused")
    if ECHOED.fullmatch(line.strip()):
        return Reading("unreadable")
    bare = explained(line.strip())
    return (
        named(line)
        or played(line)
        or (found(bare) if bare else None)
        or (at > 0 and is_sentence(line) and _last_said(tail))
        or found(undressed(line))
    )


def _closed_list(lines: list[str], at: int) -> str:
    """The line, with those after it where it opens a list that ends in one of them; without a
    fence's end.
    """
    line = lines[at].rstrip().removesuffix("```") if lines[at].count("```") == 1 else lines[at]
    first = line
    for more in lines[at + 1 : at + LONGEST_LIST]:
        if not line.lstrip().startswith("[") or line.count("[") <= line.count("]"):
            break
        line += f" {more.strip()}"
    return line if line.count("[") == line.count("]") else first


def _last_said(tail: str) -> Reading | None:
    """The answer behind sentences that a marker leads to."""
    reading = unmarked(tail, "line", cut=False)
    return reading if reading.status == "answered" else None


def _overruling(
    tail: str, lines: list[str], at: int, inner: Enclosed, form: Form
) -> Reading | None:
    """What a box or tags after a marker hold, if they are the answer; words of the answer's own
    line make it unreadable.
    """
    begin = sum(map(len, lines[:at])) + at
    if inner.start > begin + len(lines[at]):
        return inner.reading if stands_alone(tail, inner) else None
    if not denied(tail, inner) and (at > 0 or is_said_by(tail[: inner.start], inner)):
        return inner.reading
    return None if form == "json" else Reading("unreadable")


def _block(lines: list[str], at: int, cut: bool) -> Reading:
    """The lines up to an empty one, a fence or an explanation; beyond an empty one if more of the
    same comes there.
    """
    if at == 0:  # one space separates it from the marker, more may be cells
        lines = [lines[0].removeprefix(" "), *lines[1:]]
    end = _paragraph_end(lines, at)
    rows = lines[at:end]
    kind = _kind(rows)
    while kind and end < len(lines) - 1 and not lines[end].strip() and not is_fence(lines[end + 1]):
        further = _paragraph_end(lines, end + 1)
        if _kind(lines[end + 1 : further]) != kind:
            break
        rows += lines[end + 1 : further]
        end = further
    sure = end < len(lines) - 1 or (end < len(lines) and is_fence(lines[end]))
    return found(tidied(rows)) if sure or not cut else missing(cut)


def _kind(rows: list[str]) -> int:
    """What rows have in common that may go on after an empty line: all single words (-1), or of one
    length; 0 for nothing.
    """
    lengths = {len(row.strip()) for row in rows}
    return (
        -1
        if rows and all(row.strip().isalpha() for row in rows)
        else lengths.pop()
        if len(lengths) == 1
        else 0
    )


def _paragraph_end(lines: list[str], at: int) -> int:
    end = at
    while (
        end < len(lines)
        and lines[end].strip()
        and not (end > at and (is_fence(lines[end]) or explains(lines[end])))
    ):
        end += 1
    return end

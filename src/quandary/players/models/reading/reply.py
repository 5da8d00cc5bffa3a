"""What a language model answered, taken out of what it said.

Thinking is set apart first, and nothing is ever read out of it.  The committed answer is final: where the last marker leads
nowhere, nothing else that happens to stand in the text takes its place.  Time and memory are linear in the text: repeats in
expressions are bounded or run along one line once, and nothing recurses.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ..door import Choice
from .enclosed import ANSWER_TAG, Enclosed, denied, enclosed, is_said_by, stands_alone
from .objects import first_object
from .sentences import named
from .shapes import COLONS, Form, Reading, fence_at, first_said, found, framed, is_fence, missing, parsed, tidied, undressed, whole
from .thinking import separate
from .unmarked import explains, unmarked

__all__ = ["MARKER", "Form", "Reading", "Readings", "read"]

MARKER = {"en": "Answer:", "zh": "答案："}
ASKED_FOR = re.compile(r"[ \t]*(?:answer:|答案[:：])", re.I)
ANSWERS = ("answer", "答案", "回答")  # the nouns that outrank all others
LINE_END = re.compile("[\u2028\u2029\x85]")
LINE_END_IN_JSON = re.compile("[\u2028\u2029\x85](?=[ \t#>*_]{0,9}(?:final )?(?:answer|答案))", re.I)  # elsewhere it is a string's
MARK = re.compile(  # at the start of a line, in any common dress
    r"""^(?P<lead>(?:<answer>)?(?:[^\w\n{}\[\]()<"'“‘«「]|_){0,20})
    (?:(?:so|thus|therefore|hence)[,:]?\ )?(?:(?:here\ is|here's|this\ is)\ )?(?:(?:the|my|our)\ )?
    (?:(?:因此|所以|综上)[，,]?)?(?:我的|本题)?
    (?P<kind>(?:(?:final|correct|corrected|complete|completed|revised|updated|best|next|chosen|最终|最后|正确)的?\ ?){0,2})
    (?P<noun>answer|operation|move|(?<=final\ )(?:solution|output|result)|答案|操作|走法|回答)
    (?P<shut>[*_`]{0,3})(?:\ ?\([^()\n]{0,40}\))?
    (?:[ \t]{0,3}(?:(?:is|are|would\ be|will\ be|是|为)[ \t]{0,3})?(?P<sign>[:：]|=(?!=))|[ \t#]{0,9}$)""",
    re.I | re.M | re.X,
)


class Readings(NamedTuple):
    """A reply read twice, so that the gap can be told."""

    strict: Reading  # only as asked for
    lenient: Reading  # as a fair human referee would
    thinking: str = ""


def read(choice: Choice, form: Form, *, opened: bool = False) -> Readings:
    """The answer to a puzzle of this form; `opened` where the prompt had opened the thinking already."""
    thinking, said, unclosed = separate(choice, opened)
    said = (LINE_END_IN_JSON if form == "json" else LINE_END).sub("\n", said)
    cut = choice.finish == "length"
    if choice.finish == "refused":
        both = Reading("refused")
    elif unclosed:
        both = Reading("truncated")
    elif not said.strip():
        both = Reading("truncated" if cut else "empty")  # a model may have thought out of sight
    else:
        return Readings(*_readings(said, form, cut), thinking)
    return Readings(both, both, thinking)


def _readings(said: str, form: Form, cut: bool) -> tuple[Reading, Reading]:
    """Strict and lenient; an answer that is well shaped is never missed by the lenient one."""
    mark = _last_mark(said)
    if not mark:
        lenient, answer = unmarked(said, form, cut), ""
    else:
        tail, closed = _tail(said, mark)
        lenient = _marked(tail, form, cut and not closed)
        plain = ASKED_FOR.match(said, mark.start())
        as_asked = plain and plain.end() == mark.end() and not closed
        answer = _strict(said[mark.end() :], form, cut) if as_asked else ""
    if lenient.status != "answered":
        return Reading(lenient.status), lenient
    if answer and (form != "json" or answer == lenient.answer):
        return Reading("answered", answer), lenient
    return missing(cut), lenient


def _last_mark(said: str) -> re.Match[str] | None:
    """The marker that counts: one of a move does not overrule one of an answer, unless it is what that leads to."""
    mark: re.Match[str] | None = None
    is_next = True  # only the next one is compared, for the sake of time
    for mention in filter(_marks, MARK.finditer(said)):
        if mark and _outranks(mark, mention) and not (is_next and _leads_to(said[mark.end() : mention.start()])):
            is_next = False
        else:
            mark, is_next = mention, True
    return mark


def _outranks(mark: re.Match[str], mention: re.Match[str]) -> bool:
    return bool(mark["sign"]) and mark["noun"].lower() in ANSWERS and mention["noun"].lower() not in ANSWERS


def _leads_to(between: str) -> bool:
    between = between.strip("*_ \t\n")
    return not between or between.endswith(COLONS)


def _marks(mention: re.Match[str]) -> bool:
    """Whether it is a marker; without a colon it must look like a heading, for words of an answer stand alone on lines too."""
    if mention["sign"] or mention["kind"]:
        return True
    noun = mention["noun"]
    return "#" in mention["lead"] or (bool(mention["shut"]) and (noun[0].isupper() or not noun.isascii()))


def _tail(said: str, mark: re.Match[str]) -> tuple[str, bool]:
    """What follows a marker, without the other half of the marker's own dress; and whether that half was there."""
    tail, lead = said[mark.end() :], mark["lead"]
    tag = ANSWER_TAG.search(tail) if ANSWER_TAG.search(said, 0, mark.end()) else None
    closed = bool(tag and tag[1])
    if tag and closed:
        tail = tail[: tag.start()]
    dress = lead[len(lead.rstrip("*_`")) :]
    if not dress or mark["shut"]:
        return tail, closed
    if tail.startswith(dress):
        return tail.removeprefix(dress), closed
    line, end, rest = tail.partition("\n")
    if line.count(dress) % 2 and line.rstrip().endswith(dress):
        line, closed = line.rstrip().removesuffix(dress), closed or not rest
    return line + end + rest, closed


def _strict(tail: str, form: Form, cut: bool) -> str:
    """The answer in the shape asked for with nothing after it, or nothing."""
    first, end, rest = tail.partition("\n")
    if form == "line":
        return first.strip() if not rest.strip() and (end or not cut) else ""
    if form == "json" and tail.lstrip().startswith("{"):
        return tail.strip()
    lines = rest.strip().split("\n")
    fence = None if first.strip() else fence_at(lines, 0)
    if not fence or not fence.closed or fence.end < len(lines) - 1:
        return ""
    answer = "\n".join(framed(fence.rows))
    return answer.strip() if form == "json" else answer


def _marked(tail: str, form: Form, cut: bool) -> Reading:
    """What follows a marker, in any shape that can be meant."""
    if not tail.strip():
        return missing(cut)
    lines = tail.split("\n")
    at = first_said(lines)
    if (inner := enclosed(tail, form, cut)) and (reading := _overruling(tail, lines, at, inner, form)):
        return reading
    if form == "json":
        return parsed(first_object(tail), cut)
    if fence := fence_at(lines, at):
        return missing(cut) if cut and not fence.closed else whole("\n".join(fence.rows), form)
    if form == "block":
        return _block(lines, at, cut)
    if cut and at == len(lines) - 1:
        return missing(cut)
    return named(lines[at]) or found(undressed(lines[at]))


def _overruling(tail: str, lines: list[str], at: int, inner: Enclosed, form: Form) -> Reading | None:
    """What a box or tags after a marker hold, if they are the answer; words of the answer's own line make it unreadable."""
    begin = sum(map(len, lines[:at])) + at
    if inner.start > begin + len(lines[at]):
        return inner.reading if stands_alone(tail, inner) else None
    if not denied(tail, inner) and (at > 0 or is_said_by(tail[: inner.start], inner)):
        return inner.reading
    return None if form == "json" else Reading("unreadable")


def _block(lines: list[str], at: int, cut: bool) -> Reading:
    """The lines up to an empty one, a fence or an explanation."""
    end = at
    while end < len(lines) and lines[end].strip() and not (end > at and (is_fence(lines[end]) or explains(lines[end]))):
        end += 1
    if at == 0:  # one blank only parts it from the marker, more may be cells
        lines = [lines[0].removeprefix(" "), *lines[1:]]
    sure = end < len(lines) - 1 or (end < len(lines) and is_fence(lines[end]))
    return found(tidied(lines[at:end])) if sure or not cut else missing(cut)

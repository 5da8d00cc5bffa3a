"""Answers between delimiters of their own: a boxed formula, or answer tags."""

from __future__ import annotations

import re
from typing import NamedTuple

from .objects import closing_brace
from .sentences import NEAR, introduced, qualified
from .shapes import Form, Reading, missing, typed, undressed, whole

ANSWER_TAG = re.compile(r"<(?=(/|\|end)?)(?:/?(?:final_)?answer|\|(?:begin|end)_of_box\|)>", re.I)
LATEX_TABLE = re.compile(r"\\(?:begin|end)\{[a-z*]{1,20}\}(?:\{[^{}]{0,40}\})?|\\hline")
LATEX_SIGN = re.compile(r"\\([{}_#$%&])")
DRESS = " \t$*_`([{\\<>-#"
LEADS = re.compile(  # the words right before an answer, in a line of its own
    r"""(?:\b(?:is|be|are|so|thus|therefore|hence|finally|no|wait|actually|rather|answer|choose
    |play|take|pick|get|us|have|gives?
    |equals?|yields?|obtain)|[:：=]|[是为])[,.，]?\s{0,9}$""",
    re.I | re.X,
)
DENIED_BEFORE = re.compile(
    r"(?:\b(?:not|never|than|instead\ of|unlike)|n['’]t)(?:\ be)?[^\w\n]{0,9}$", re.I | re.X
)
DENIED_AFTER = re.compile(
    r"""[^\w\n?]{0,9}(?:\?|(?:is|was|are|would\ be|seems)\ (?:\w{1,12}\ )?
    (?:not|never|no|wrong|incorrect|bad|worse|invalid|illegal|impossible)\b|isn['’]t\b
    |wasn['’]t\b)""",
    re.I | re.X,
)
COMPLETED = re.compile(r"[$*\\)\] \t]{1,9}(?:with|and|plus|using)\b", re.I)


class Enclosed(NamedTuple):
    """The text between two delimiters, and its place."""

    start: int
    end: int
    reading: Reading


def enclosed(text: str, form: Form, cut: bool) -> Enclosed | None:
    """The last box, or else what stands between the last answer tags."""
    return _boxed(text, form, cut) or _tagged(text, form, cut)


def denied(text: str, inner: Enclosed) -> bool:
    """Whether the words around say that this is not the answer."""
    before = text[max(0, inner.start - NEAR) : inner.start].rpartition("\n")[2]
    # 3 with a reset
    goes_on = any(map(str.isdigit, inner.reading.answer)) and COMPLETED.match(text, inner.end)
    return bool(
        qualified(before)
        or DENIED_BEFORE.search(before)
        or DENIED_AFTER.match(text, inner.end)
        or goes_on
    )


def stands_alone(text: str, inner: Enclosed) -> bool:
    """Whether it is a line's own commitment, not one of the words of a line."""
    lead = text[max(text.rfind("\n", 0, inner.start) + 1, inner.start - NEAR) : inner.start].rstrip(
        DRESS
    )
    return not denied(text, inner) and (not lead.strip(DRESS) or bool(LEADS.search(lead)))


def is_said_by(lead: str, inner: Enclosed) -> bool:
    """Whether the words before it in an answer's own line only lead to it, or say the same."""
    lead = lead.strip(DRESS)
    return (
        not lead
        or lead.endswith("=")
        or undressed(lead) in ("answer", inner.reading.answer)
        or introduced(lead)
    )


def _boxed(text: str, form: Form, cut: bool) -> Enclosed | None:
    start = text.rfind("\\boxed{")
    if start < 0:
        return None
    brace = start + len("\\boxed")
    end = closing_brace(text, brace)
    if end < 0:
        return Enclosed(start, len(text), missing(cut))
    inner = text[brace + 1 : end]
    if form == "block" and "\\\\" in inner:
        inner = LATEX_TABLE.sub("", inner.replace("&", " ")).replace("\\\\", "\n")
    if form == "line":
        inner = typed(inner)
    reading = whole(inner, form)
    if form != "json":
        reading = reading._replace(answer=LATEX_SIGN.sub(r"\1", reading.answer))
    return Enclosed(start, end + 1, reading)


def _tagged(text: str, form: Form, cut: bool) -> Enclosed | None:
    opening: re.Match[str] | None = None
    pair: tuple[re.Match[str], re.Match[str]] | None = None
    for tag in ANSWER_TAG.finditer(text):
        if not tag[1]:
            opening = tag
        elif opening:
            pair = (opening, tag)
            opening = None
    if cut and opening:
        return Enclosed(opening.start(), len(text), missing(cut))
    if not pair:
        return None
    first, last = pair
    return Enclosed(first.start(), last.end(), whole(text[first.end() : last.start()], form))

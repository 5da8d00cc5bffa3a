"""Markers: the words that say an answer comes now, in any dress, and what follows the one that
counts.
"""

from __future__ import annotations

import re

from .enclosed import ANSWER_TAG
from .sentences import NEAR
from .shapes import COLONS, Form

ANSWERS = ("answer", "答案", "回答", "答")  # the nouns that outrank all others
MEASURES = ("result", "output")  # the nouns that all others outrank
EXAMPLE = re.compile(  # how an answer is to look
    r"\b(?:like|such as|example|instance|form"
    r"|format)[:,]?[ \t]{0,9}\n{1,2}[ \t*_`]{0,9}(?:answer|答案)[*_]{0,3}[:：][^\n]{0,500}",
    re.I,
)
HTML = re.compile(r"<(b|strong|p|h[1-6])>", re.I)
MARK = re.compile(  # at the start of a line, in any common dress
    r"""^(?P<lead>(?:\d{1,2}[.)]\ )?(?:<(?:answer|b|strong|p
    |h[1-6])>)?(?:[^\w\n{}\[\]()<"'“‘«「]|_){0,20})
    (?:(?:so|thus|therefore|hence)[,:]?\ )?(?:(?:here\ is|here's|this\ is)\ )?(?:(?:the|my
    |our)\ )?
    (?:(?:因此|所以|综上(?:所述)?|故|于是)[，,]?)?(?:我的|本题)?
    (?P<kind>(?:(?:final|correct|corrected|complete|completed|revised|updated|best|next|chosen
    |最终|最后|正确)的?\ ?){0,2})
    (?P<noun>answer|operation|move|(?<=final\ )(?:solution|output|result)
    |答案|操作|走法|回答|答(?=[:：]))
    (?P<shut>[*_`]{0,3})(?:\ ?\([^()\n]{0,40}\)|\ (?:to|for)\ [^:：=\n]{1,40}(?=[:：]))?
    (?:[ \t]{0,3}(?:(?:is|are|would\ be|will\ be|是|为)[ \t]{0,3})?(?P<sign>[:：]|=(?!=)|】[:：]?
    |(?<=answer)\ (?:[-–—→]|=>)\ )
    |[ \t#]{0,9}$)""",
    re.I | re.M | re.X,
)
DRESS = re.compile(r"([*_`]{2,}|[*_`](?=\S|$))[^*_`]*$")  # not a bullet
# what may stand beside an answer in bold
BESIDE = re.compile(r"[^\w\n]{0,20}(?:\([^()\n]{0,200}\)[^\w\n]{0,9})?")


def without_examples(said: str) -> str:
    """The text without the lines that only show how an answer is to look."""
    return EXAMPLE.sub("", said)


def last_mark(said: str, form: Form) -> re.Match[str] | None:
    """The marker that counts: one of a move does not overrule one of an answer, unless it is what
    that leads to.
    """
    mark: re.Match[str] | None = None
    is_next = True  # only the next one is compared, for the sake of time
    for mention in filter(_marks, MARK.finditer(said)):
        if form == "json" and said[
            max(0, mention.start() - NEAR) : mention.start()
        ].rstrip().endswith(("{", ",")):
            continue  # a key without quotes
        if (
            mark
            and _outranks(mark, mention)
            and not (is_next and _leads_to(said[mark.end() : mention.start()]))
        ):
            is_next = False
        else:
            mark, is_next = mention, True
    return mark


def _outranks(mark: re.Match[str], mention: re.Match[str]) -> bool:
    return bool(mark["sign"]) and _rank(mark) > _rank(mention)


def _rank(mark: re.Match[str]) -> int:
    """An answer counts more than a move, and that more than what comes of it or follows it."""
    noun = mark["noun"].lower()
    return (
        2 if noun in ANSWERS else int(noun not in MEASURES and "next" not in mark["kind"].lower())
    )


def _leads_to(between: str) -> bool:
    between = between.strip("*_ \t\n")
    return not between or between.endswith(COLONS)


def _marks(mention: re.Match[str]) -> bool:
    """Whether it is a marker; without a colon it must look like a heading, for words of an answer
    stand alone on lines too.
    """
    if mention["sign"] or mention["kind"]:
        return True
    noun = mention["noun"]
    return "#" in mention["lead"] or (
        bool(mention["shut"]) and (noun[0].isupper() or not noun.isascii())
    )


def tail_of(said: str, mark: re.Match[str]) -> tuple[str, bool]:
    """What follows a marker, without the other half of the marker's own dress; and whether that
    half was there.
    """
    tail, lead = said[mark.end() :], mark["lead"]
    tag = ANSWER_TAG.search(tail) if ANSWER_TAG.search(said, 0, mark.end()) else None
    closed = bool(tag and tag[1])
    if tag and closed:
        tail = tail[: tag.start()]
    elif html := HTML.search(lead):
        tail = tail.replace(f"</{html[1]}>", "", 1)
    dressed = DRESS.search(lead)
    if not dressed or mark["shut"]:
        return tail, closed
    dress = dressed[1]
    if tail.startswith(dress):
        return tail.removeprefix(dress), closed
    line, end, rest = tail.partition("\n")
    inside, other_half, beside = line.rpartition(dress)
    if line.count(dress) % 2 and other_half and BESIDE.fullmatch(beside):
        line, closed = inside, closed or not rest
    return line + end + rest, closed

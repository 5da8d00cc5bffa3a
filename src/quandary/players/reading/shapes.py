"""The forms an answer can have, and the markup models put around it."""

from __future__ import annotations

import re
from textwrap import dedent
from typing import NamedTuple

from quandary.core.contract import Form as Form
from quandary.matches.player import Status

FENCE = re.compile(r"`{3,}")
LANGUAGE = re.compile(r"\A[ \t]*[a-z][\w+.#-]{0,20}[ \t]*(?=\n)", re.I)
OPEN_FENCE = re.compile(r"^[ \t]*`{3,}[^\n]*$", re.M)
EXPLANATION = re.compile(  # below a board or list; the bare word may be one of a list
    r"\n[*_( \t]{0,9}(?:explanation|reasoning|note)s?[*_]{0,3}[:：]|\n[# *]{2,9}explanation", re.I
)
BLANK_LINES = re.compile(r"(?:\A|\n)(?:[ \t]*\n)+")
# A dash before a single sign may be a cell.
BULLET = re.compile(r"\s{0,20}(?:[-*+•]\s{1,9}(?=\S\S)|(?P<number>\d{1,3})[.)]\s{1,9}(?=\S))")
PAIRS = (
    ("**", "**"), ("`", "`"), ('"', '"'), ("'", "'"), ("“", "”"), ("$$", "$$"), ("$", "$"),
    ("\\(", "\\)"), ("\\[", "\\]"), ("\\text{", "}"),
)  # fmt: skip
LAYERS = 5  # of markup around an answer
STOP = re.compile(r"""(?:(?:\A|\s)[^\W\d_]{2,}|[)\]}>*`"'$])\.\Z""")  # in 11111aaa. it is a sign
TIMES = re.compile(r"\\(?:times|cdot)(?![a-z])")
LATEX = re.compile(r"\\text\w{0,2}\{([^{}]*)\}|\\([{}_#$%& ])")


class Reading(NamedTuple):
    """The status of a reply, and its answer if there is one."""

    status: Status
    answer: str = ""  # if the status is "answered"


def found(answer: str) -> Reading:
    return Reading("answered", answer) if answer.strip() else Reading("unreadable")


def whole(content: str, form: Form) -> str:
    """All of what stands between two marks, without markup; lists have many lines (c5e53e546e5a).

    Bullets, numbers that count and bold go where all rows of a block have them (TextGames).
    """
    content = next((inner for _, inner in fences(content)), content)
    rows = [row for row in dedent(content).split("\n") if row.strip()]
    if form == "line":
        return undressed("\n".join(rows))
    marks = [BULLET.match(row) for row in rows]
    if all(mark and mark["number"] in (None, str(at)) for at, mark in enumerate(marks, start=1)):
        rows = [row[mark.end() :] for row, mark in zip(rows, marks, strict=True) if mark]
    inner = [_unwrapped(row.strip()) for row in rows]
    is_dressed = all(len(one) < len(row.strip()) for one, row in zip(inner, rows, strict=True))
    return "\n".join(inner if is_dressed else rows)


def fences(text: str) -> list[tuple[int, str]]:
    """The places of fenced blocks, and what they hold without the name of a language."""
    signs = [sign.span() for sign in FENCE.finditer(text)]
    pairs = zip(signs[::2], signs[1::2], strict=False)
    return [(start, LANGUAGE.sub("", text[at:end])) for (start, at), (end, _) in pairs]


def paragraphs(text: str) -> list[str]:
    """What stands between blank lines, up to an explanation, without a fence left open."""
    text = OPEN_FENCE.sub("", EXPLANATION.split(text, 1)[0])
    return [part.rstrip() for part in BLANK_LINES.split(text) if part.strip()]


def undressed(answer: str) -> str:
    """An answer without what only dresses it: pairs of marks around it, a sentence's stop."""
    for _ in range(LAYERS):
        bare = _unwrapped(answer.strip())
        bare = bare[:-1] if STOP.search(bare) else bare
        if bare == answer:
            break
        answer = bare
    return answer


def _unwrapped(text: str) -> str:
    for left, right in PAIRS:
        inner = text[len(left) : len(text) - len(right)]
        is_dressed = text.startswith(left) and text.endswith(right) and inner.strip()
        if is_dressed and left not in inner and right not in inner:
            is_password = left == "$" and re.fullmatch(r"[^\\]*[^\W\d_]{2}[^\\]*", inner)
            return text if is_password else typed(inner) if left[0] in "$\\" else inner
    return text


def typed(formula: str) -> str:
    """The content of a formula as it would be typed (959698042169)."""
    return LATEX.sub(r"\1\2", TIMES.sub("*", formula))


def is_prose(text: str) -> bool:
    """Whether every line is made of words, as sentences are."""
    return all(map(_is_sentence, text.split("\n")))


def _is_sentence(line: str) -> bool:
    words = line[:400].split()
    count = sum(len(word) > 1 and word.strip(".!?:\"'*").isalpha() for word in words)
    return len(words) >= 4 and count >= 3 and 2 * count > len(words)

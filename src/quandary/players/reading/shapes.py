"""The forms an answer can have, and the markup models put around it."""

from __future__ import annotations

import re
import unicodedata
from textwrap import dedent
from typing import NamedTuple

from quandary.core.contract import Form as Form
from quandary.matches.player import Status

FENCE = re.compile(r"`{3,}")  # TextGames
LANGUAGE = re.compile(r"\A[ \t]*[a-z][\w+.#-]{0,20}[ \t]*(?=\n)", re.I)  # f876113ff904
OPEN_FENCE = re.compile(r"^[ \t]*`{3,}[^\n]*$", re.M)  # 98ec44abfbd7
# Below a board or list (4a9c06efda41); without a colon it may be a word of the list.
EXPLANATION = re.compile(
    r"\n[*_(（ \t]{0,9}(?:(?:explanation|reasoning|note)s?|说明|解释|理由)[*_]{0,3}[:：]", re.I
)  # zh-334
BLANK_LINES = re.compile(r"(?:\A|\n)(?:[ \t]*\n)+")
# TextGames; a dash before a single sign may be a cell; Chinese numbers: zh-250 zh-251 zh-252 zh-262
BULLET = re.compile(
    r"""\s{0,20}(?:[-*+•]\s{1,9}(?=\S\S)|[（第]?(?P<number>\d{1,3}|[①-⑳一二三四五六七八九十])
    (?:[.)]\s{1,9}|[、．]\s{0,9}|）\s{0,9}(?=[^\W\d])|行[:：]\s{0,9}|(?<=[①-⑳])\s{0,9})(?=\S))""",
    re.X,
)
PAIRS = (  # b3a6ee6bde74 a4cb82434c20 faa3470bbc79 a57ab2a34b79 de5177283d67 zh-223 zh-221 zh-232
    *(("**", "**"), ("`", "`"), ('"', '"'), ("$", "$"), ("\\[", "\\]")),
    *(("“", "”"), ("「", "」"), ("『", "』"), ("《", "》")),
)
# An English word explained in Chinese (zh-222, zh-226, zh-233), and a move in a Chinese sentence.
EXPLAINED = re.compile(r"([*`“]{0,2}[a-zA-Z]{2,}[*`”]{0,2})(?:。.*|（[一-鿿][^（）\n\d]{0,200}）)")
MOVE = re.compile(r"[填涂][^\n]{0,6}[\d零一二三四五六七八九]\W{0,3}\Z")
# The stop of a sentence (TextGames); in 11111aaa. it may be one of a password's signs.
STOP = re.compile(r"""(?:(?:\A|\s)[^\W\d_]{2,}|[)\]}>*`"'$])\.\Z|。\Z""")
TIMES = re.compile(r"\\(?:times|cdot)(?![a-z])")  # 959698042169
LATEX = re.compile(r"\\text\w{0,2}\{([^{}]*)\}|\\([{}_#$%& ])")  # 59778906ebec


class Reading(NamedTuple):
    """The status of a reply, and its answer if there is one."""

    status: Status
    answer: str = ""  # if the status is "answered"


def found(answer: str) -> Reading:
    return Reading("answered", answer) if answer.strip() else Reading("unreadable")


def whole(content: str, form: Form) -> str:
    """What stands between two marks (lists have many lines: c5e53e546e5a), without the markup of
    all of it; in a block also without bullets, numbers that count and bold of all rows (TextGames).
    """
    content = next((inner for _, _, inner in fences(content)), content)
    rows = [row for row in dedent(content).split("\n") if row.strip()]
    if form == "line":
        return undressed("\n".join(rows))
    if rows and rows[-1].rstrip().endswith("。"):  # zh-249
        rows[-1] = rows[-1].rstrip()[:-1]
    marks = [BULLET.match(row) for row in rows]
    if all(mark and _number(mark) in (None, at) for at, mark in enumerate(marks, start=1)):
        rows = [row[mark.end() :] for row, mark in zip(rows, marks, strict=True) if mark]
    inner = [_unwrapped(row.strip()) for row in rows]
    is_dressed = all(len(one) < len(row.strip()) for one, row in zip(inner, rows, strict=True))
    return "\n".join(inner if is_dressed else rows)


def _number(mark: re.Match[str]) -> float | None:
    said = mark["number"]
    return int(said) if said and said.isdecimal() else unicodedata.numeric(said) if said else None


def fences(text: str) -> list[tuple[int, int, str]]:
    """Where fenced blocks begin and end, and what they hold without the name of a language."""
    signs = [sign.span() for sign in FENCE.finditer(text)]
    pairs = zip(signs[::2], signs[1::2], strict=False)
    return [(start, end, LANGUAGE.sub("", text[at:to])) for (start, at), (to, end) in pairs]


def joined(rows: list[str]) -> str:
    """The first row, with those that belong to it: the rest of a list, a flag, a second move."""
    shapes = [re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "0", row.strip())) for row in rows]
    kept, depth = 1, rows[0].count("[") - rows[0].count("]")
    for row, shape in zip(rows[1:], shapes[1:], strict=True):
        if depth <= 0 and shape != shapes[0] and not (shape == "a" and row.strip().islower()):
            break
        kept, depth = kept + 1, depth + row.count("[") - row.count("]")
    return "\n".join(rows[:kept])


def paragraphs(text: str, form: Form) -> list[str]:
    """What stands between blank lines, up to an explanation, without a fence left open; in a block
    also without sentences in Chinese (zh-247, zh-264, zh-328).
    """
    text = OPEN_FENCE.sub("", EXPLANATION.split(text, 1)[0])
    if form == "block" and not text.isascii():
        text = "\n".join("" if _is_chinese(row) else row for row in text.split("\n"))
    return [part.rstrip() for part in BLANK_LINES.split(text) if part.strip()]


def undressed(answer: str) -> str:
    """An answer without what only dresses it: pairs of marks around it, a sentence's stop."""
    explained = EXPLAINED.fullmatch(answer.strip())
    answer = explained[1] if explained else answer
    for _ in range(5):  # layers of markup
        bare = _unwrapped(answer.strip())
        answer = bare[:-1] if STOP.search(bare) else bare
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
    """The content of a formula as it would be typed."""
    return LATEX.sub(r"\1\2", TIMES.sub("*", formula))


def _is_chinese(row: str) -> bool:
    """Whether a row is a Chinese sentence or an announcement rather than a move."""
    end = row.rstrip("）)*_ \t")[-1:]
    is_said = end in ("：", ":") or (end in ("。", "！", "？") and not MOVE.search(row))
    return is_said and sum("一" <= sign <= "鿿" for sign in row[:400]) >= 4


def is_prose(text: str) -> bool:
    """Whether every line is made of words, as sentences are."""
    for line in text.split("\n"):
        words = [word.strip(".!?:\"'*") for word in line[:400].split()]
        count = sum(len(word) > 1 and word.isalpha() for word in words)
        if count < 3 or len(words) < 4 or 2 * count <= len(words):
            return False
    return True

"""The width of text in columns, and the places where its lines may be broken."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from unicodedata import east_asian_width

from .late_pattern import late_pattern

WIDE = "\u3000-\u303f\u3040-\u9fff\uff00-\uffef"  # Chinese letters and punctuation
OPENING = "（【《「『“‘"  # never end a line
CLOSING = "，。；：、！？）】》」』”’"  # never begin a line
GLOSSED = r"[A-Za-z0-9][A-Za-z0-9 '-]{0,30}（[^（）]{1,12}）"  # fourth act（第四个出场）
LETTER_OR_WORD = rf"[{WIDE}]|[^\s{WIDE}]+"
IDEOGRAPH = "\u4e00-\u9fff"
# A number or a sign stays with its word, as in: is 12, with +, 小 9, 第 3 行; and 3 x 3 is whole.
NUMBERED = (
    rf"[{IDEOGRAPH}]? ?(?<![^\s{WIDE}])[-+\d][^\s{WIDE}]*(?: [x×] \d+)?(?: ?[{IDEOGRAPH}])?"
    rf"|[^\s{WIDE}]*[^\W\d_{WIDE}] [-+\d][^\s{WIDE}]*(?: [x×] \d+)?"
)
# What may begin a line, with the blanks before it.
PIECE = late_pattern(rf"\s*[{OPENING}]*(?:{GLOSSED}|{NUMBERED}|{LETTER_OR_WORD})[{CLOSING}]*")
SMALLER_PIECE = late_pattern(rf"\s*[{OPENING}]*(?:{LETTER_OR_WORD})[{CLOSING}]*")


@lru_cache(maxsize=1 << 14)  # the positions of a match share most of their texts
def columns(text: str) -> int:
    """Return how many columns a text takes; wide letters take two."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def pieces(text: str) -> list[str]:
    """Return the pieces of a line, between which it may be broken."""
    return PIECE.findall(text)


def fold(
    parts: Iterable[str],
    width: float,
    measure: Callable[[str], float] = columns,
    indent: str = "",
) -> list[str]:
    """Put pieces into lines that fit, unless one is too wide; `indent` begins further lines."""
    lines = [""]
    for part in parts:
        if lines[-1] and measure(lines[-1] + part) > width:
            lines.append(indent + part.lstrip())
        else:
            lines[-1] += part
    return lines


def cut(text: str, width: float, measure: Callable[[str], float]) -> list[str]:
    """Return the pieces of a line, in smaller ones where they are too wide: at worst its
    letters.
    """
    found = list[str]()
    for piece in pieces(text):
        for part in [piece] if measure(piece) <= width else SMALLER_PIECE.findall(piece):
            found += [part] if measure(part) <= width else list(part)
    return found

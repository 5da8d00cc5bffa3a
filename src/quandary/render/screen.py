"""The terminal a person looks at: its width, its colours, and prose wrapped to fit it."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Mapping
from shutil import get_terminal_size

from quandary.core.text_columns import columns

WIDE = "\u3000-\u303f\u3040-\u9fff\uff00-\uffef"  # Chinese letters and punctuation
CLOSING = "，。；：、！？）】》」』”’"  # never begin a line
# What may begin a line: a word with the blanks before it, or one Chinese letter.
PIECE = re.compile(rf"\s*(?:[{WIDE}][{CLOSING}]*|[^\s{WIDE}]+[{CLOSING}]*)")
WORD = re.compile(r"[^\W\d_]{3,}|[\u4e00-\u9fff]{3,}")
WORDS_OF_PROSE = 3


def terminal_width() -> int | None:
    """The columns of the terminal that standard output is; None for a file or a pipe."""
    return get_terminal_size().columns if sys.stdout.isatty() else None


def colourful() -> bool:
    """Whether colours may be used: on a terminal that has them, unless NO_COLOR is set."""
    return (
        sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    )


def show(text: str) -> None:
    """Print a text, wrapped where standard output is a terminal."""
    width = terminal_width()
    print(text if width is None else wrap(text, width), flush=True)


def wrap(text: str, width: int) -> str:
    """Break lines of prose that are too wide; boards and tables stay as they are."""
    return "\n".join(
        _fold(PIECE.findall(line), width) if columns(line) > width and is_prose(line) else line
        for line in text.split("\n")
    )


def listed(items: Iterable[str], separator: str, width: int | None) -> str:
    """Items in lines that fit; an item is not broken."""
    *pieces, last = items
    blank = separator[len(separator.rstrip()) :]  # Chinese has none after its comma
    pieces = [f"{blank}{piece}{separator.rstrip()}" for piece in pieces]
    return _fold([*pieces, f"{blank}{last}"], width or sys.maxsize)


def described(items: Mapping[str, str], width: int | None) -> str:
    """Names with what they mean beside them; the second column is wrapped to fit."""
    margin = max(map(len, items)) + 4
    rows = [
        _fold(PIECE.findall(words), max(1, (width or sys.maxsize) - margin)).split("\n")
        for words in items.values()
    ]
    return "\n".join(
        f"{f'  {name}' if not number else '':<{margin}}{line}"
        for name, lines in zip(items, rows, strict=True)
        for number, line in enumerate(lines)
    )


def is_prose(line: str) -> bool:
    """Whether a line has words, and no columns that a line break would tear apart."""
    return len(WORD.findall(line)) >= WORDS_OF_PROSE and "  " not in line.strip()


def _fold(pieces: Iterable[str], width: int) -> str:
    lines = [""]
    for piece in pieces:
        if lines[-1] and columns(lines[-1] + piece) > width:
            lines.append(piece.lstrip())
        else:
            lines[-1] += piece if lines[-1] or len(lines) == 1 else piece.lstrip()
    return "\n".join(lines).lstrip("\n")

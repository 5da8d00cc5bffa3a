"""The terminal a person looks at: its width, its colours, and prose wrapped to fit it."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Mapping
from shutil import get_terminal_size

from quandary.core.text_columns import columns, fold, pieces

WORD = re.compile(r"[^\W\d_]{3,}|[\u4e00-\u9fff]{3,}")
WORDS_OF_PROSE = 3


def terminal_width() -> int | None:
    """Return the columns of the terminal that standard output is; None for a file or a pipe."""
    return get_terminal_size().columns if sys.stdout.isatty() else None


def colourful() -> bool:
    """Return whether colours may be used: on a terminal that has them, unless NO_COLOR is set."""
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
        "\n".join(fold(pieces(line), width)) if columns(line) > width and is_prose(line) else line
        for line in text.split("\n")
    )


def listed(items: Iterable[str], separator: str, width: int | None) -> str:
    """Items in lines that fit; an item is not broken."""
    *others, last = items
    blank = separator[len(separator.rstrip()) :]  # Chinese has none after its comma
    parts = [f"{blank}{item}{separator.rstrip()}" for item in others]
    return "\n".join(fold([*parts, f"{blank}{last}"], width or sys.maxsize))


def described(items: Mapping[str, str], width: int | None) -> str:
    """Names with what they mean beside them; the second column is wrapped to fit."""
    margin = max(map(len, items)) + 4
    rows = [
        fold(pieces(words), max(1, (width or sys.maxsize) - margin)) for words in items.values()
    ]
    return "\n".join(
        f"{f'  {name}' if not number else '':<{margin}}{line}"
        for name, lines in zip(items, rows, strict=True)
        for number, line in enumerate(lines)
    )


def is_prose(line: str) -> bool:
    """Return whether a line has words, and no columns that a line break would tear apart."""
    return len(WORD.findall(line)) >= WORDS_OF_PROSE and "  " not in line.strip()

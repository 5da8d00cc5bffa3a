"""Forms for a move or an answer, for pages and other places to type in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class FormField:
    """One field of a form."""

    # A field of a move, or where a part of an answer belongs: "answer.1.2" for row 1 and column 2.
    name: str
    # area: several lines or JSON; list: entries with spaces between them; table: a list per line;
    # tables: tables with an empty line between them
    kind: Literal["text", "area", "list", "table", "tables", "number", "choice", "bits", "flag"]
    optional: bool = False
    low: int | None = None  # the lowest number
    high: int | None = None
    choices: tuple[str, ...] = ()
    longest: int | None = None  # characters of a text or a row of bits

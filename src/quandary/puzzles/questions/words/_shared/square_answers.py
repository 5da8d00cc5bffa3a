"""Reading a square board from an answer: whole rows, or cells separated by spaces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from quandary.core.words import Say, say_in

Unit: TypeAlias = Literal["letter", "symbol"]  # what fills a cell


def read_square(answer: str, size: int, unit: Unit, language: str) -> tuple[str, str]:
    """Return all cells of the board in one text, and what is wrong with its shape, or ""."""
    parts = answer.split(None, size * size)  # an answer with more parts is wrong in any case
    whole = len(parts) == size and all(len(row) == size for row in parts)
    if whole or (len(parts) == size * size and max(map(len, parts)) == 1):
        return "".join(parts), ""
    return "", _complaint(_rows(answer), size, unit, say_in(__name__, language))


def _rows(answer: str) -> list[str]:
    """Return the lines of an answer without spaces, or its parts if all are in one line."""
    rows = ["".join(line.split()) for line in answer.splitlines() if line.strip()]
    parts = answer.split()
    return parts if len(rows) == 1 and max(map(len, parts)) > 1 else rows


def _complaint(rows: list[str], size: int, unit: Unit, say: Say) -> str:
    """Return what is wrong with the shape of a board, in one sentence."""
    wrong = next((number for number, row in enumerate(rows, 1) if len(row) != size), 0)
    values = {"size": size, "rows": len(rows), "row": wrong}
    values["count"] = len(rows[wrong - 1]) if rows else 0
    complain = _about_letters if unit == "letter" else _about_symbols
    return complain(say, values)


def _about_letters(say: Say, values: Mapping[str, int]) -> str:
    if not values["rows"]:
        return say(
            "The board must have {size} rows of {size} letters; your answer is empty.", **values
        )
    if values["rows"] != values["size"]:
        return say(
            "The board must have {size} rows of {size} letters; yours has {rows} {rows:row|rows}.",
            **values,
        )
    if values["row"]:
        return say(
            "The board must have {size} rows of {size} letters; your row {row} has {count} "
            "{count:letter|letters}.",
            **values,
        )
    return say(
        "The board must have {size} rows of {size} letters; put spaces between all letters of a "
        "row or between none.",
        **values,
    )


def _about_symbols(say: Say, values: Mapping[str, int]) -> str:
    if not values["rows"]:
        return say(
            "The board must have {size} rows of {size} symbols; your answer is empty.", **values
        )
    if values["rows"] != values["size"]:
        return say(
            "The board must have {size} rows of {size} symbols; yours has {rows} {rows:row|rows}.",
            **values,
        )
    if values["row"]:
        return say(
            "The board must have {size} rows of {size} symbols; your row {row} has {count} "
            "{count:symbol|symbols}.",
            **values,
        )
    return say(
        "The board must have {size} rows of {size} symbols; put spaces between all symbols of a "
        "row or between none.",
        **values,
    )

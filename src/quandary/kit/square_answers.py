"""Reading a square board from an answer: whole rows, or cells separated by blanks."""

from __future__ import annotations


def read_square(answer: str, size: int, what: str) -> tuple[str, str]:
    """All cells of the board in one text, and what is wrong with its shape ("": nothing).

    `what` is the word for the content of a cell.
    """
    said = answer.split(None, size * size)  # what comes after that many parts is wrong whatever it is
    whole = len(said) == size and all(len(row) == size for row in said)
    if whole or (len(said) == size * size and max(map(len, said)) == 1):
        return "".join(said), ""
    return (
        "",
        f"The board must have {size} rows of {size} {what}s; {_misshapen(answer, size, what)}.",
    )


def _misshapen(answer: str, size: int, what: str) -> str:
    """What is wrong with the shape of a board, by its lines, or by its words if it is one line."""
    rows = ["".join(line.split()) for line in answer.strip().splitlines() if line.strip()]
    parts = answer.split()
    if len(rows) == 1 and max(map(len, parts)) > 1:
        rows = parts
    if not rows:
        return "your answer is empty"
    if len(rows) != size:
        return f"yours has {_many(len(rows), 'row')}"
    for number, row in enumerate(rows, start=1):
        if len(row) != size:
            return f"your row {number} has {_many(len(row), what)}"
    return f"write either all {what}s with blanks between them or the {what}s of each row together"


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"

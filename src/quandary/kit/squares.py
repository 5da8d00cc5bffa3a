"""Square boards as answers: rows one after another, or every cell alone."""

from __future__ import annotations


def square(answer: str, size: int, what: str) -> tuple[str, str]:
    """All cells of the board in one text, and what is wrong with its shape, "" where nothing is; `what` fills a cell."""
    said = answer.split(None, size * size)  # what comes after that many parts is wrong whatever it is
    fault = ""
    if len(said) == size:
        for number, row in enumerate(said, start=1):
            if len(row) != size:
                fault = f"your row {number} has {_many(len(row), what)}"
                break
    elif len(said) != size * size or max(map(len, said)) > 1:
        fault = f"yours has {_many(len(said), 'row')}" if len(said) <= size * size else f"yours has more than {size * size} rows"
    return "".join(said), fault and f"The board must have {size} rows of {size} {what}s; {fault}."


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"

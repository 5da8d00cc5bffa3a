"""How boards of superply are written."""

from __future__ import annotations

from functools import lru_cache

from .solver.cells import FREE


def written_board(board: tuple[str, ...]) -> str:
    """Return the rows of a board, with the numbers of rows and columns."""
    lines, places, cells = _frame(len(board))
    written = bytearray(lines)
    written[places] = (cells % board).encode()
    return written.decode()


@lru_cache(maxsize=64)
def _frame(size: int) -> tuple[bytes, slice, str]:
    """Return the lines of a free board, the places of its cells in them, and what is put there.

    Cells stand at equal distances, even from line to line: after the last cell of a row comes the
    last digit of the next row's number.
    """
    wide = len(str(size))
    gap, numbers = " " * wide, [f"{number:>{wide}}" for number in range(1, size + 1)]
    rows = (number + gap + gap.join(FREE * size) for number in numbers)
    lines = "\n".join([" ".join([gap, *numbers]), *rows])
    first_cell, distance = lines.index(FREE), wide + 1
    cells = "%s" + "".join(f"{number[-1]}%s" for number in numbers[1:])
    return lines.encode(), slice(first_cell, None, distance), cells

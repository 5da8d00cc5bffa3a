"""Matrix games solved by trying everything, in fractions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

Matrix = Sequence[Sequence[Fraction]]


def value_of(game: Matrix) -> Fraction:
    """What a game is worth to the row player: pure choices where they settle it, else the best of
    all mixes."""
    low, high = (
        max(min(row) for row in game),
        min(max(column) for column in zip(*game, strict=True)),
    )
    return low if low == high else max(_guaranteed(game))


def _guaranteed(game: Matrix) -> Iterator[Fraction]:
    """What the row player is sure of by mixes that make some columns equally good; the best one
    is the game's value."""
    width, height = len(game[0]), len(game)
    for size in range(1, min(width, height) + 1):
        for rows in combinations(range(height), size):
            for columns in combinations(range(width), size):
                mix = _equalising([[game[i][j] for i in rows] for j in columns])
                if mix and min(mix) >= 0:
                    yield min(
                        sum(share * game[i][j] for share, i in zip(mix, rows, strict=True))
                        for j in range(width)
                    )


def _equalising(lines: list[list[Fraction]]) -> list[Fraction] | None:
    """Shares that add up to one and make all lines equal, by elimination."""
    size = len(lines)
    table = [
        [a - b for a, b in zip(line, lines[0], strict=True)] + [Fraction(0)] for line in lines[1:]
    ]
    table.append([Fraction(1)] * size + [Fraction(1)])
    for i in range(size):
        pivot = next((row for row in range(i, size) if table[row][i]), None)
        if pivot is None:
            return None
        table[i], table[pivot] = table[pivot], table[i]
        table[i] = [entry / table[i][i] for entry in table[i]]
        for row in range(size):
            if row != i and table[row][i]:
                table[row] = [
                    a - table[row][i] * b for a, b in zip(table[row], table[i], strict=True)
                ]
    return [line[-1] for line in table]

"""Equilibrium of small two-player zero-sum games in matrix form.

The row player picks a row, the column player a column, and the row player receives the entry.
Saddle points are found directly; other games are linear programmes, solved by the simplex method
with Bland's rule, which cannot cycle.  Floats are used for speed; their result is checked by best
replies, and computed again in fractions if rounding has spoiled it.

`cautious_mix` is for hidden information: it finds one strategy for several games at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import count
from math import isfinite
from operator import mul
from typing import Generic, NamedTuple, TypeVar

Number = TypeVar("Number", float, Fraction)
ROUNDING = 1e-12  # smaller differences of floats between 1 and 2 count as zero
TOLERANCE = 1e-11  # the gain of a best reply above which fractions are used
PATIENCE = 50  # pivots per row and column after which fractions are used; usually there are few


class Equilibrium(NamedTuple, Generic[Number]):
    """The worth of the game to the row player, and the frequencies of rows and columns."""

    value: Number
    rows: tuple[Number, ...]
    columns: tuple[Number, ...]


def equilibrium(payoffs: Sequence[Sequence[float]]) -> Equilibrium[float]:
    """Value and mixed strategies, exact up to rounding relative to the range of entries."""
    _refuse_misshapen(payoffs)
    game = [[float(entry) for entry in row] for row in payoffs]
    if saddle := _saddle(game):
        return saddle
    low, span = _range(game)
    if isfinite(span):
        scaled = [[(entry - low) / span + 1.0 for entry in row] for row in game]
        found = _mixed(scaled, 0.0, ROUNDING, range(PATIENCE * (len(game) + len(game[0]))))
        if found and gain(scaled, found) <= TOLERANCE:
            return Equilibrium((found.value - 1.0) * span + low, found.rows, found.columns)
    value, rows, columns = exact_equilibrium(payoffs)
    return Equilibrium(float(value), tuple(map(float, rows)), tuple(map(float, columns)))


def exact_equilibrium(payoffs: Sequence[Sequence[float | Fraction]]) -> Equilibrium[Fraction]:
    """Value and mixed strategies in fractions, without any rounding; floats are taken as exact."""
    _refuse_misshapen(payoffs)
    game = [[Fraction(entry) for entry in row] for row in payoffs]
    if saddle := _saddle(game):
        return saddle
    low, _ = _range(game)
    found = _mixed(
        [[entry - low + 1 for entry in row] for row in game], Fraction(0), Fraction(0), count()
    )
    assert found is not None, "a programme with positive entries is bounded"
    return Equilibrium(found.value + low - 1, found.rows, found.columns)


def gain(payoffs: Sequence[Sequence[Number]], found: Equilibrium[Number]) -> Number:
    """Return the most either player can gain by a best reply to the other; 0 at an equilibrium."""
    value, rows, columns = found
    by_row = max(_dot(row, columns) for row in payoffs) - value
    by_column = value - min(_dot(column, rows) for column in zip(*payoffs, strict=True))
    return by_row if by_row > by_column else by_column


def cautious_mix(
    games: Sequence[Sequence[Sequence[float]]], rounds: int = 100
) -> tuple[float, ...]:
    """Return how often to play each row if only the column player knows which of several games is
    played.

    The games are equally likely and have the same rows.  Both sides learn by regret matching, and
    the row player's average over the later half of the rounds is the answer: what it guarantees on
    average approaches the optimum with more rounds.
    """
    replies = [
        [[-entry for entry in column] for column in zip(*game, strict=True)] for game in games
    ]
    regrets, total = [0.0] * len(games[0]), [0.0] * len(games[0])
    column_regrets = [[0.0] * len(reply) for reply in replies]
    for done in range(rounds):
        rows = _mix(regrets)
        if 2 * done >= rounds:
            total = [sum(pair) for pair in zip(total, rows, strict=True)]
        worth = [0.0] * len(rows)
        for i, (game, reply) in enumerate(zip(games, replies, strict=True)):
            answers = [sum(map(mul, column, rows)) for column in reply]
            column_regrets[i] = _learn(column_regrets[i], _mix(column_regrets[i]), answers)
            columns = _mix(column_regrets[i])
            worth = [
                old + sum(map(mul, row, columns)) for old, row in zip(worth, game, strict=True)
            ]
        regrets = _learn(regrets, rows, worth)
    return _mix(total)


def _mix(weights: Sequence[float]) -> tuple[float, ...]:
    """Weights as shares of one; equal shares if all are zero."""
    total = sum(weights)
    return (
        tuple(weight / total for weight in weights)
        if total
        else (1.0 / len(weights),) * len(weights)
    )


def _learn(regrets: Sequence[float], mix: Sequence[float], worth: Sequence[float]) -> list[float]:
    """Return the cumulative regret of each choice, never below zero (regret matching plus)."""
    mean = sum(map(mul, mix, worth))
    return [max(0.0, old + gained - mean) for old, gained in zip(regrets, worth, strict=True)]


def _dot(left: Sequence[Number], right: Sequence[Number]) -> Number:
    return sum((a * b for a, b in zip(left, right, strict=True)), start=left[0] * 0)


def _refuse_misshapen(payoffs: Sequence[Sequence[float | Fraction]]) -> None:
    if not payoffs or not payoffs[0] or any(len(row) != len(payoffs[0]) for row in payoffs):
        raise ValueError(
            "a matrix game needs at least one row and one column, and rows of one length"
        )
    if not all(isfinite(entry) for row in payoffs for entry in row):
        raise ValueError("a matrix game needs finite entries")


def _range(game: Sequence[Sequence[Number]]) -> tuple[Number, Number]:
    """Return the smallest entry and how far the largest lies above it."""
    low = min(min(row) for row in game)
    return low, max(max(row) for row in game) - low


def _saddle(game: Sequence[Sequence[Number]]) -> Equilibrium[Number] | None:
    """Return the pure strategies that are best replies to each other, if there are any."""
    worst = [min(row) for row in game]
    best = [max(column) for column in zip(*game, strict=True)]
    value = max(worst)
    if value != min(best):
        return None
    nothing = value * 0
    rows, columns = [nothing] * len(worst), [nothing] * len(best)
    rows[worst.index(value)] = columns[best.index(value)] = nothing + 1
    return Equilibrium(value, tuple(rows), tuple(columns))


def _mixed(
    game: Sequence[Sequence[Number]], nothing: Number, zero: Number, pivots: Iterable[int]
) -> Equilibrium[Number] | None:
    """Return the equilibrium of a game whose entries are 1 or more; None if the pivots run out.

    It maximises the sum of y under game * y <= 1 and y >= 0: that sum is 1 / value, and y and the
    dual prices are the strategies, likewise scaled.  The tableau has a row for each inequality and
    one for the objective, a column for each variable outside the basis and one for the right-hand
    sides; a pivot swaps a label on its left for one on its top.
    """
    height, width = len(game), len(game[0])
    tableau = [list(line) for line in game]
    for line in tableau:
        line.append(nothing + 1)
    tableau.append([nothing - 1] * width + [nothing])
    # Labels: y first, then the slack of each row.
    top, left = list(range(width)), list(range(width, width + height))
    for _ in pivots:
        prices = tableau[height]
        entering = [(label, j) for j, label in enumerate(top) if prices[j] < -zero]
        if not entering:
            break
        _, column = min(entering)
        leaving = [
            (line[width] / line[column], left[i], i)
            for i, line in enumerate(tableau[:height])
            if line[column] > zero
        ]
        if not leaving:  # only rounding can cause this
            return None
        _, _, row = min(leaving)
        _pivot(tableau, row, column)
        top[column], left[row] = left[row], top[column]
    else:
        return None
    total = tableau[height][width]
    rows, columns = [nothing] * height, [nothing] * width
    for label, price in zip(top, tableau[height], strict=False):
        if label >= width:
            rows[label - width] = max(price, nothing) / total
    for label, line in zip(left, tableau, strict=False):
        if label < width:
            columns[label] = max(line[width], nothing) / total
    return Equilibrium(1 / total, tuple(rows), tuple(columns))


def _pivot(tableau: list[list[Number]], row: int, column: int) -> None:
    """Swap the variable of `row`, in the basis, for that of `column`, outside it."""
    pivot = tableau[row][column]
    own = [entry / pivot for entry in tableau[row]]
    own[column] = 1 / pivot
    for i, line in enumerate(tableau):
        factor = line[column]
        if factor:
            tableau[i] = [entry - factor * other for entry, other in zip(line, own, strict=True)]
            tableau[i][column] = -factor / pivot
    tableau[row] = own

"""Queens that may be moved to any square: the placements without attacks near a board.

Squares are (row, column), counted from 0.  A board of side n holds n queens.
To reach a placement, each queen that does not stand on one of its squares takes one move, in any
order: the fewest moves lead to the placement that shares the most squares with the board.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, islice
from random import Random
from typing import NamedTuple, TypeAlias

from quandary.puzzles._shared.square_grid import GridSymmetry, turns

Square: TypeAlias = tuple[int, int]
# Sides 2 and 3 have no placement without attacks, and larger boards have very many moves.
SIDES = range(4, 21)
LISTED_SIDE, LISTED_GOALS = 12, 300  # largest side and most goals that are listed, in a second
FRESH, TRIES = 30, 300  # boards drawn, and boards tried in all, before the best one is taken


def peaceful(queens: Collection[Square]) -> bool:
    """Return whether no two queens share a row, a column or a diagonal, blocked or not."""
    lines = (
        {row for row, _ in queens},
        {column for _, column in queens},
        {row - column for row, column in queens},
    )
    return all(
        len(line) == len(queens) for line in (*lines, {row + column for row, column in queens})
    )


def attacks(queens: Collection[Square]) -> Iterator[tuple[Square, Square]]:
    """Return the pairs of queens that attack each other."""
    return (pair for pair in combinations(queens, 2) if not peaceful(pair))


def rows_to_fill(queens: Collection[Square]) -> list[tuple[Square, int]]:
    """Two queens that attack each other, each with the row it would move to.

    That is an empty row, if there is one, for two queens of the same row, and else the own row.
    """
    empty = sorted(set(range(len(queens))) - {row for row, _ in queens})
    pair = next(pair for pair in attacks(queens) if not empty or pair[0][0] == pair[1][0])
    return [(queen, empty[0] if empty else queen[0]) for queen in pair]


def away(queens: Collection[Square], goal: Collection[Square]) -> int:
    """Return the number of moves from a board to a placement."""
    return len(set(queens) - set(goal))


def nearest(queens: Collection[Square], most: int) -> tuple[Square, ...] | None:
    """Return a placement without attacks that takes the fewest moves; None if more than `most`."""
    best = None
    while goal := next(near(queens, most), None):
        best, most = goal, away(queens, goal) - 1
    return best


def best_step(queens: Collection[Square]) -> tuple[Square, Square]:
    """Return a queen and a square of the nearest solution, in the queen's own row if that
    is free.
    """
    goal = nearest(queens, len(queens)) or ()
    queen = next(queen for queen in queens if queen not in goal)
    free = (square for square in goal if square not in queens)
    return queen, min(free, key=lambda square: square[0] != queen[0])


@lru_cache(maxsize=256)
def goals_in_reach(
    queens: tuple[Square, ...], left: int
) -> tuple[tuple[frozenset[Square], int], ...] | None:
    """Return what decides which moves keep a solution in reach: goals, each with the moves it
    takes.

    All that are at most `left` moves away; None if there are too many to list them.
    """
    if len(queens) > LISTED_SIDE:
        return None
    if goal := next(near(queens, left - 2), None):
        goals = [goal]  # alone enough: even a wrong move can be taken back
    else:
        goals = list(islice(near(queens, left), LISTED_GOALS + 1))
    if len(goals) > LISTED_GOALS:
        return None
    return tuple((frozenset(goal), away(queens, goal)) for goal in goals)


def near(queens: Collection[Square], most: int) -> Iterator[tuple[Square, ...]]:
    """Yield every placement without attacks at most `most` moves away, each once, in a
    fixed order.
    """
    standing = [0] * len(queens)
    for row, column in queens:
        standing[row] |= 1 << column
    for columns in _search(standing, most):
        yield tuple(enumerate(columns))


def random_placement(rng: Random, side: int) -> tuple[Square, ...]:
    """Return a placement without attacks, by random squares in random rows among the
    tightest ones.
    """
    return tuple(enumerate(next(_search([0] * side, side, rng))))


def random_board(rng: Random, side: int, wanted: int) -> tuple[tuple[Square, ...], int]:
    """Return a board that takes so many moves, or as close to it as was found, and how many it
    takes.
    """
    most, hardest = 0, tuple[Square, ...]()
    for turn in range(TRIES):
        is_fresh = turn < FRESH
        start = random_placement(rng, side) if is_fresh else hardest
        queens = disturbed(rng, start, wanted if is_fresh else 1)
        needed = away(queens, nearest(queens, wanted) or queens)
        if needed >= most:
            most, hardest = needed, queens
        if most == wanted:
            break
    return hardest, most


def disturbed(rng: Random, placement: Sequence[Square], count: int) -> tuple[Square, ...]:
    """Return the placement after so many of its queens are moved along their rows."""
    side, columns = len(placement), dict(placement)
    for row in rng.sample(range(side), count):
        columns[row] = (columns[row] + rng.randrange(1, side)) % side
    return tuple(sorted(columns.items()))


class _Partial(NamedTuple):
    """A partial placement."""

    placed: list[int]  # the column of each row's queen, -1 while the row is open
    allowed: list[int]  # the columns each row may take, as bits
    columns: int  # taken; the diagonals too
    falling: int
    rising: int
    most: int  # how many open rows may take a column where no queen stands

    def put(self, row: int, column: int, cost: int) -> _Partial:
        placed, bit = self.placed.copy(), 1 << column
        placed[row] = column
        falling, rising = self.falling | bit << (len(placed) - 1 - row), self.rising | bit << row
        return _Partial(placed, self.allowed, self.columns | bit, falling, rising, self.most - cost)

    def without(self, row: int, column: int) -> _Partial:
        allowed = self.allowed.copy()
        allowed[row] &= ~(1 << column)
        return self._replace(allowed=allowed)


def _search(standing: list[int], most: int, rng: Random | None = None) -> Iterator[list[int]]:
    """Yield a column for each row so that no two attack, with at most `most` queens moved."""
    side = len(standing)
    stack = [_Partial([-1] * side, [(1 << side) - 1] * side, 0, 0, 0, most)]
    while stack:
        partial = stack.pop()
        rows = []  # the open rows: their allowed columns, and those of them with a queen
        for row, column in enumerate(partial.placed):
            if column < 0:
                attacked = (
                    partial.columns | partial.falling >> (side - 1 - row) | partial.rising >> row
                )
                free = partial.allowed[row] & ~attacked
                rows.append((row, free, free & standing[row]))
        spare = partial.most - sum(not kept for _, _, kept in rows)
        if spare < 0 or not all(free for _, free, _ in rows):
            continue
        if not rows:
            yield partial.placed
        # First decide which queens move, then where they move.
        elif spare and (doubtful := _doubtful(rows, side)):
            stack += [partial.without(*doubtful), partial.put(*doubtful, 0)]
        else:
            choices = [
                (row, kept or free, not kept) for row, free, kept in rows if not kept or not spare
            ]
            fewest = min(squares.bit_count() for _, squares, _ in choices)
            tight = [choice for choice in choices if choice[1].bit_count() == fewest]
            row, squares, cost = rng.choice(tight) if rng else tight[0]
            columns = [column for column in range(side) if squares >> column & 1]
            if rng:
                rng.shuffle(columns)
            stack += [partial.put(row, column, cost) for column in columns]


def _doubtful(rows: list[tuple[int, int, int]], side: int) -> Square | None:
    """Return a standing queen that attacks another one; otherwise any, if every row has one."""
    once, again = [0, 0, 0], [0, 0, 0]
    for row, _, kept in rows:
        for line, bits in enumerate((kept, kept << (side - 1 - row), kept << row)):
            again[line] |= once[line] & bits
            once[line] |= bits
    for row, _, kept in rows:
        if clash := kept & (again[0] | again[1] >> (side - 1 - row) | again[2] >> row):
            return row, clash.bit_length() - 1
    row, _, kept = rows[0]
    return (row, kept.bit_length() - 1) if all(kept for _, _, kept in rows) else None


def canonical(queens: Collection[Square]) -> tuple[Square, ...]:
    """Equal for boards that differ by a rotation or a reflection."""
    return min(_turned(queens, turn) for turn in turns(len(queens)))


def random_turn(rng: Random, queens: Collection[Square]) -> tuple[Square, ...]:
    """Return the board after a rotation or reflection, drawn uniformly."""
    return _turned(queens, rng.choice(turns(len(queens))))


def _turned(queens: Collection[Square], turn: GridSymmetry) -> tuple[Square, ...]:
    side = len(queens)
    return tuple(sorted(divmod(turn.cell(row * side + column), side) for row, column in queens))

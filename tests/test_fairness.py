"""Instances are fair, certified over 2,000 seeds a level by solvers that share no code with the
puzzles, for `make check-all`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import permutations, product
from random import Random

import pytest

from quandary.algorithms import exact_cover
from quandary.arena import suite
from quandary.catalogue import drawing, registry
from quandary.core.contract import CHANCE, Game
from quandary.core.mixins.turns import draw_of_chance
from quandary.puzzles.duels.superply import Superply
from quandary.puzzles.solo.k_queens import KQueens
from quandary.puzzles.solo.sudoku import Sudoku
from quandary.puzzles.solo.takuzu import Takuzu

SEEDS, STARTS = 2_000, 500
NAMES = list(dict.fromkeys(spec.name for spec in suite.load("puzzleplex").specs))
LEVELS = ("easy", "normal", "hard")
pytestmark = pytest.mark.heavy


@pytest.mark.parametrize("name", [name for name in NAMES if issubclass(registry.load(name), Game)])
def test_every_start_leaves_a_move(name: str) -> None:
    """There is something to do at the start, for everyone whose turn it is: 500 seeds a level."""
    for level in LEVELS:
        for seed in range(STARTS):
            options = drawing.game(f"{name}/{level}#{seed}").options()

            assert options
            assert all(
                seat == CHANCE or moves is None or len(moves) for seat, moves in options.items()
            )


@pytest.mark.parametrize("level", LEVELS)
def test_takuzu_has_one_solution(level: str) -> None:
    """Counted row by row."""
    for seed in range(SEEDS):
        start = drawing.instance(f"takuzu/{level}#{seed}")
        assert isinstance(start, Takuzu)

        assert 1 == sum(1 for _ in _grids(start.givens))


def _grids(givens: str) -> Iterator[list[str]]:
    """Every filling: the row with the fewest lines left is filled first, and columns rule out
    values.
    """
    side = int(len(givens) ** 0.5)
    stack = [[givens[start : start + side] for start in range(0, len(givens), side)]]
    while stack:
        rows = stack.pop()
        columns = ["".join(column) for column in zip(*rows, strict=True)]
        open_values = [_values(column) for column in columns]
        fitting = [
            [
                line
                for line in _matching(row)
                if all(line[x] in open_values[x][y] for x in range(side))
            ]
            for y, row in enumerate(rows)
        ]
        unsettled = [y for y in range(side) if "." in rows[y]]
        if not all(fitting):
            continue
        if not unsettled:
            if len(set(rows)) == len(set(columns)) == side:
                yield rows
            continue
        tightest = min(unsettled, key=lambda y: len(fitting[y]))
        stack += [[*rows[:tightest], line, *rows[tightest + 1 :]] for line in fitting[tightest]]


@lru_cache(maxsize=1 << 16)
def _values(pattern: str) -> tuple[str, ...]:
    """What may stand in each place of a line that is partly filled."""
    lines = _matching(pattern)
    return tuple("".join({line[place] for line in lines}) for place in range(len(pattern)))


@lru_cache(maxsize=1 << 16)
def _matching(pattern: str) -> list[str]:
    return [
        line
        for line in _lines(len(pattern))
        if all(a in (".", b) for a, b in zip(pattern, line, strict=True))
    ]


@cache
def _lines(side: int) -> frozenset[str]:
    every = map("".join, product("01", repeat=side))
    return frozenset(
        line
        for line in every
        if line.count("0") * 2 == side and "000" not in line and "111" not in line
    )


@pytest.mark.parametrize("level", LEVELS)
def test_sudoku_has_one_solution(level: str) -> None:
    """Counted as an exact cover."""
    for seed in range(SEEDS):
        start = drawing.instance(f"sudoku/{level}#{seed}")
        assert isinstance(start, Sudoku)

        assert 1 == exact_cover.count(*_cover(start.givens), limit=2)


def _cover(givens: str) -> tuple[list[str], list[list[str]]]:
    side = int(len(givens) ** 0.5)
    height = max(
        height for height in range(1, side) if side % height == 0 and height * height <= side
    )
    width = side // height
    needs, ways = list[str](), list[list[str]]()
    for row, column, value in product(range(side), repeat=3):
        box = row // height * height + column // width
        meets = [
            f"cell {row} {column}",
            f"row {row} {value}",
            f"column {column} {value}",
            f"box {box} {value}",
        ]
        needs += meets
        if givens[row * side + column] in (".", "123456789ABCDEFG"[value]):
            ways.append(meets)
    return list(dict.fromkeys(needs)), ways


@cache
def _placements(side: int) -> list[frozenset[tuple[int, int]]]:
    return [
        frozenset(enumerate(columns))
        for columns in permutations(range(side))
        if len({row + column for row, column in enumerate(columns)}) == side
        and len({row - column for row, column in enumerate(columns)}) == side
    ]


@pytest.mark.parametrize(("level", "spare"), [("easy", 1), ("normal", 0)])
def test_queens_need_the_moves_they_are_given(level: str, spare: int) -> None:
    """By comparing a board with every placement without attacks."""
    for seed in range(SEEDS):
        start = drawing.instance(f"k_queens/{level}#{seed}")
        assert isinstance(start, KQueens)
        standing = set(start.queens)

        assert start.left - spare == min(
            len(standing - placement) for placement in _placements(len(start.queens))
        )


@pytest.mark.parametrize("level", LEVELS)
def test_every_hint_of_superply_can_be_met(level: str) -> None:
    """Hints are reckoned out cell by cell, on boards as random play leaves them."""
    rng = Random(level)
    for seed in range(SEEDS // 20):
        position: Game = drawing.game(f"superply/{level}#{seed}")
        while options := position.options():
            seat, listed = next(iter(options.items()))
            position = position.play(
                seat, draw_of_chance(position, rng) if listed is None else rng.choice(list(listed))
            )
            assert isinstance(position, Superply)
            if position.hint is not None:
                assert _meeting(position) == list(position.options()[position.turn] or ())


def _meeting(position: Superply) -> list[str]:
    hint = position.hint
    assert hint is not None
    found = []
    for row, cells in enumerate(position.board, start=1):
        for column, mark in enumerate(cells, start=1):
            number = {
                "sum": row + column,
                "product": row * column,
                "difference": abs(row - column),
            }[hint.reckoning]
            first, *rest = *hint.limits, 0
            meets = {
                "less": number < first, "greater": number > first,
                "digit": str(first) in str(number),
                "even": number % 2 == 0, "odd": number % 2 == 1,
                "between": first <= number <= rest[0] if rest else False,
            }[hint.test]  # fmt: skip
            if mark == "." and meets:
                found.append(f"{row} {column}")
    assert found
    return found

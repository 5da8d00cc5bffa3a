"""Facts about queens: placements without attacks, and the nearest of them."""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations
from random import Random

import pytest

from quandary.puzzles.solo.k_queens.solver import (
    SIDES,
    Square,
    attacks,
    away,
    canonical,
    disturbed,
    near,
    nearest,
    peaceful,
    random_placement,
)

# the board that explains the game in PuzzlePlex
PAPER = ((0, 5), (1, 7), (2, 4), (3, 6), (4, 1), (5, 2), (6, 7), (7, 1))


@cache
def placements(side: int) -> list[set[Square]]:
    """Every placement without attacks, out of all ways to put one queen in each row and column."""
    return [
        set(enumerate(columns))
        for columns in permutations(range(side))
        if all(
            abs(columns[one] - columns[other]) != other - one
            for one, other in combinations(range(side), 2)
        )
    ]


def fewest_moves(queens: tuple[Square, ...]) -> int:
    return min(len(set(queens) - goal) for goal in placements(len(queens)))


def any_board(rng: Random, side: int) -> tuple[Square, ...]:
    """Queens anywhere, also several in a row."""
    return tuple(sorted(divmod(square, side) for square in rng.sample(range(side * side), side)))


def test_known_numbers_of_placements() -> None:
    """Sides 4 to 9 have 2, 10, 4, 40, 92 and 352 placements, and sides 2 and 3 have none."""
    counts = [
        sum(1 for _ in near([(row, 0) for row in range(side)], side)) for side in range(2, 10)
    ]

    assert [0, 0, 2, 10, 4, 40, 92, 352] == counts
    assert sorted(map(sorted, placements(8))) == sorted(map(list, near(PAPER, 8)))


def test_peace_and_attacks() -> None:
    """Rows, columns and both diagonals count, over any distance and over other queens."""
    assert peaceful(((0, 1), (1, 3), (2, 0), (3, 2)))
    assert not any(
        peaceful(pair)
        for pair in [((0, 0), (0, 3)), ((0, 2), (3, 2)), ((0, 0), (3, 3)), ((0, 3), (3, 0))]
    )
    assert [((0, 0), (0, 1)), ((0, 0), (0, 3)), ((0, 1), (0, 3))] == list(
        attacks(((0, 0), (0, 1), (0, 3), (2, 4)))
    )


def test_fewest_moves_by_playing() -> None:
    """All 1,820 boards of side 4: as many moves as a breadth-first search over single moves
    takes."""
    squares = [(row, column) for row in range(4) for column in range(4)]
    distance = {tuple(sorted(goal)): 0 for goal in placements(4)}
    ring = list(distance)
    while ring:
        ring = [
            after
            for queens in ring
            for queen in queens
            for square in squares
            if square not in queens
            and (after := tuple(sorted({*queens, square} - {queen}))) not in distance
            and distance.setdefault(after, distance[queens] + 1)
        ]

    assert 1820 == len(distance)
    assert distance == {queens: away(queens, nearest(queens, 4) or ()) for queens in distance}


@pytest.mark.parametrize("side", [5, 6, 7, 8])
def test_nearest_against_all_placements(side: int) -> None:
    """Boards with queens anywhere and boards with one a row: the fewest moves, and nothing where
    they are too many."""
    rng = Random(f"nearest {side}")
    for turn in range(40):
        queens = (
            any_board(rng, side)
            if turn % 2
            else tuple((row, rng.randrange(side)) for row in range(side))
        )
        expected = fewest_moves(queens)
        goal = nearest(queens, side)

        assert goal is not None and peaceful(goal)
        assert expected == away(queens, goal) == away(queens, nearest(queens, expected) or ())
        assert nearest(queens, expected - 1) is None


@pytest.mark.parametrize("side", [4, 6, 7, 8])
def test_near_finds_all_and_each_once(side: int) -> None:
    """Exactly the placements within the number of moves, for every number."""
    rng = Random(f"near {side}")
    for turn in range(8):
        queens = (
            any_board(rng, side)
            if turn % 2
            else disturbed(rng, random_placement(rng, side), rng.randint(0, side))
        )
        for most in range(-1, side + 1):
            expected = sorted(
                sorted(goal) for goal in placements(side) if len(set(queens) - goal) <= most
            )

            assert expected == sorted(map(list, near(queens, most)))


def test_the_papers_board() -> None:
    """It takes three moves or more."""
    assert 3 <= fewest_moves(PAPER) == away(PAPER, nearest(PAPER, 8) or ())


@pytest.mark.parametrize("side", SIDES)
def test_random_placements(side: int) -> None:
    """They are placements, not always the same; disturbing moves exactly so many queens and leaves
    one in each row."""
    made = [random_placement(Random(f"{side} {seed}"), side) for seed in range(20)]
    moved = disturbed(Random(side), made[0], 3)

    assert all(peaceful(queens) and len(queens) == side for queens in made)
    assert len(set(made)) > 1
    assert 3 == away(made[0], moved)
    assert list(range(side)) == [row for row, _ in moved]


def test_boards_that_look_alike() -> None:
    """Turned or mirrored a board is the same; with a queen elsewhere it is not."""
    mirrored = tuple(sorted((row, 7 - column) for row, column in PAPER))
    turned = tuple(sorted((column, 7 - row) for row, column in PAPER))

    assert {canonical(PAPER)} == {
        canonical(mirrored),
        canonical(turned),
        canonical(tuple(sorted((c, r) for r, c in mirrored))),
    }
    assert canonical(PAPER) != canonical((*PAPER[:-1], (7, 0)))

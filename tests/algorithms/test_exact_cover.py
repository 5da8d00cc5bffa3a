"""Facts about the exact cover search."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from quandary.algorithms.exact_cover import count, covers


def brute(primary: list[str], choices: list[list[str]]) -> set[tuple[int, ...]]:
    """Try every set of choices; of those without a primary item none is taken."""
    useful = [number for number, choice in enumerate(choices) if set(choice) & set(primary)]
    found = set()
    for size in range(len(useful) + 1):
        for taken in combinations(useful, size):
            items = [item for number in taken for item in choices[number]]
            if len(items) == len(set(items)) and set(primary) <= set(items):
                found.add(taken)
    return found


def queens(side: int) -> tuple[list[str], list[list[str]]]:
    """Rows and columns must be covered, diagonals may be."""
    squares = [(row, column) for row in range(side) for column in range(side)]
    choices = [
        [f"r{row}", f"c{column}", f"u{row + column}", f"d{row - column}"] for row, column in squares
    ]
    return [f"{kind}{line}" for kind in "rc" for line in range(side)], choices


def test_knuths_example() -> None:
    """The example of Knuth's paper on dancing links has one cover: rows one, four and five."""
    rows = ["CEF", "ADG", "BCF", "AD", "BG", "DEG"]

    assert [(0, 3, 4)] == list(covers("ABCDEFG", rows))


@pytest.mark.parametrize(
    ("side", "ways"), [(1, 1), (2, 0), (3, 0), (4, 2), (5, 10), (6, 4), (7, 40), (8, 92)]
)
def test_queens(side: int, ways: int) -> None:
    """Secondary items are covered at most once: the queens of a board are counted right."""
    assert ways == count(*queens(side))


def test_dominoes() -> None:
    """A board of 4 by 4 can be tiled with dominoes in 36 ways."""
    squares = [(row, column) for row in range(4) for column in range(4)]
    pairs = [
        [one, two]
        for one, two in combinations(squares, 2)
        if abs(one[0] - two[0]) + abs(one[1] - two[1]) == 1
    ]

    assert 36 == count(squares, pairs)


def test_against_every_subset() -> None:
    """On small random problems it finds exactly the covers that trying every subset finds, each
    once."""
    rng = Random("cover")
    sizes = set()
    for _ in range(200):
        choices = [
            sorted(rng.sample("abcdefgh", rng.randint(1, 4))) for _ in range(rng.randint(1, 11))
        ]
        primary = sorted(rng.sample("abcdefgh", rng.randint(1, 6)))
        found = list(covers(primary, choices))
        sizes.add(len(found))

        assert sorted(brute(primary, choices)) == sorted(found)
    assert len(sizes) > 3


def test_counting_stops_at_the_limit() -> None:
    """Nobody counts all tilings of a large board to know that there are two."""
    squares = [(row, column) for row in range(10) for column in range(10)]
    pairs = [
        [one, two]
        for one, two in combinations(squares, 2)
        if abs(one[0] - two[0]) + abs(one[1] - two[1]) == 1
    ]

    assert 2 == count(squares, pairs, limit=2)


def test_odd_problems() -> None:
    """An item that no choice covers leaves no cover; nothing to cover is covered by nothing."""
    assert [] == list(covers(["a", "z"], [["a"]]))
    assert [()] == list(covers([], [["a"]]))
    assert [] == list(covers(["a"], []))


def test_random_order() -> None:
    """With luck the same covers come in another order, the same for the same luck."""
    fixed, shuffled = list(covers(*queens(6))), list(covers(*queens(6), Random(1)))

    assert sorted(fixed) == sorted(shuffled)
    assert shuffled == list(covers(*queens(6), Random(1)))
    assert 1 < len({next(covers(*queens(6), Random(seed))) for seed in range(20)})

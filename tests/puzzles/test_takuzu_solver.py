"""Facts about the takuzu solver and about making grids."""

from __future__ import annotations

from functools import cache
from itertools import islice, product
from random import Random

import pytest

from quandary.puzzles.solo.takuzu.solver import (
    SIDES,
    candidates,
    canonical,
    carve,
    random_grid,
    solutions,
    solve,
)


def split(cells: str) -> tuple[list[str], list[str]]:
    """Rows and columns."""
    side = round(len(cells) ** 0.5)
    rows = [cells[start : start + side] for start in range(0, len(cells), side)]
    return rows, ["".join(column) for column in zip(*rows, strict=True)]


def breaks_a_rule(cells: str) -> bool:
    """Whether some line has too many alike, three in a row, or is full and equal to another full
    one."""
    for lines in split(cells):
        full = [line for line in lines if "." not in line]
        if len(set(full)) < len(full):
            return True
        for line in lines:
            if (
                "000" in line
                or "111" in line
                or 2 * max(line.count("0"), line.count("1")) > len(line)
            ):
                return True
    return False


@cache
def lines_of(side: int) -> list[str]:
    lines = map("".join, product("01", repeat=side))
    return [
        line
        for line in lines
        if 2 * line.count("1") == side and "000" not in line and "111" not in line
    ]


def plain_solutions(cells: str) -> list[str]:
    """Every completion, by trying all lines row by row."""
    rows, _ = split(cells)
    begun: list[list[str]] = [[]]
    for number, row in enumerate(rows, start=1):
        fitting = [
            line
            for line in lines_of(len(rows))
            if all(given in (".", value) for given, value in zip(row, line, strict=True))
        ]
        begun = [
            [*above, line]
            for above in begun
            for line in fitting
            if line not in above
            and not breaks_a_rule("".join([*above, line]) + "." * len(rows) * (len(rows) - number))
        ]
    return ["".join(rows) for rows in begun]


def test_all_boards_of_four_and_six() -> None:
    """72 and 4,140 boards, as counted by others (OEIS A253316); those of side 4 are what is left of
    all 65,536 fillings."""
    small = [cells for cells in map("".join, product("01", repeat=16)) if not breaks_a_rule(cells)]

    assert 72 == len(small)
    assert small == sorted(solutions("." * 16))
    assert 4140 == len(list(solutions("." * 36))) == len(set(solutions("." * 36)))
    assert not any(breaks_a_rule(cells) for cells in solutions("." * 36))


def test_the_printed_example_has_two_solutions() -> None:
    """PuzzlePlex's example grid, which should have one."""
    assert ["0011100111000110", "0110001110011100"] == sorted(solutions("0.1..0.11.0..1.0"))


@pytest.mark.parametrize(
    ("side", "givens", "rounds"),
    [(4, (1, 6), 60), (6, (6, 14), 30), (8, (20, 30), 12), (10, (44, 50), 4)],
)
def test_solutions_against_plain_search(side: int, givens: tuple[int, int], rounds: int) -> None:
    """The solver finds the completions that trying all lines row by row finds, and each once; some
    boards have none."""
    rng = Random(f"plain {side}")
    found = set()
    for turn in range(rounds):
        cells = ["."] * (side * side)
        for cell, value in rng.sample(
            list(enumerate(random_grid(rng, side))), rng.randint(*givens)
        ):
            cells[cell] = value
        if turn % 3 == 0:
            spoilt = rng.choice([cell for cell, value in enumerate(cells) if value != "."])
            cells[spoilt] = "10"[int(cells[spoilt])]
        expected = plain_solutions("".join(cells))
        found.add(min(len(expected), 2))

        assert sorted(expected) == sorted(solutions("".join(cells)))
    assert {0, 1, 2} >= found
    assert len(found) > 1


def test_broken_boards_have_no_solution() -> None:
    """Three alike in a row, too many alike, or two equal lines; a full board that breaks nothing is
    its own solution."""
    full = random_grid(Random(1), 8)

    assert full == solve(full)
    assert solve("000" + "." * 13) is None
    assert solve("11.1" + "." * 12) is None
    assert solve("0101" + "." * 4 + "0101" + "." * 4) is None
    assert solve("0110" + "1001" * 2 + "0110") is None


@pytest.mark.parametrize("side", SIDES)
def test_random_grids_are_full_boards(side: int) -> None:
    """A random board breaks no rule, whatever its side; even the empty board of that side is filled
    at once."""
    grids = [random_grid(Random(f"{side} {seed}"), side) for seed in range(3)]

    assert [side * side] * 3 == [len(grid.replace(".", "")) for grid in grids]
    assert not any(breaks_a_rule(grid) for grid in grids)
    assert len(set(grids)) == 3
    assert not breaks_a_rule(next(islice(solutions("." * side * side), 1)))


@pytest.mark.parametrize(("side", "rounds"), [(4, 30), (6, 8), (8, 2)])
def test_carving_to_the_end(side: int, rounds: int) -> None:
    """One solution is left, and two or more once any further given is taken away."""
    for seed in range(rounds):
        rng = Random(f"carve {side} {seed}")
        grid = random_grid(rng, side)
        carved = carve(rng, grid, side * side)

        assert [grid] == list(solutions(carved))
        for cell, value in enumerate(carved):
            if value != ".":
                opened = carved[:cell] + "." + carved[cell + 1 :]

                assert len(list(islice(solutions(opened), 2))) == 2


def test_carving_stops_at_the_wish() -> None:
    """As many cells are emptied as asked for, and the others keep their values."""
    grid = random_grid(Random(3), 14)
    carved = carve(Random(4), grid, 90)

    assert 90 == carved.count(".")
    assert all(given in (".", value) for given, value in zip(carved, grid, strict=True))
    assert [grid] == list(solutions(carved))


@pytest.mark.parametrize("side", [4, 6, 8])
def test_candidates_are_what_breaks_no_rule(side: int) -> None:
    """Each empty cell is tried with each value and all the lines looked at."""
    rng = Random(f"candidates {side}")
    for _ in range(40):
        gone = set(rng.sample(range(side * side), rng.randint(1, side * side)))
        cells = "".join(
            "." if cell in gone else value for cell, value in enumerate(random_grid(rng, side))
        )
        expected = [
            "".join(
                value
                for value in "01"
                if not breaks_a_rule(cells[:cell] + value + cells[cell + 1 :])
            )
            if there == "."
            else ""
            for cell, there in enumerate(cells)
        ]

        assert expected == candidates(cells)


def test_boards_that_look_alike() -> None:
    """Turned, mirrored or with 0 and 1 exchanged a board is the same; with one more given it is
    not."""
    cells = "01.." + "...1" + ".0.." + "...."
    rows, columns = split(cells)
    same = [
        cells[::-1],
        "".join(columns),
        "".join(reversed(rows)),
        "".join(row[::-1] for row in rows),
        "".join(column[::-1] for column in columns),
        cells.replace("0", "x").replace("1", "0").replace("x", "1"),
    ]

    assert {canonical(cells)} == {canonical(other) for other in same}
    assert canonical(cells) != canonical(cells[:-1] + "0")

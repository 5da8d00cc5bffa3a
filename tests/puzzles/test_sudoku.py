"""Facts about sudoku, played cell by cell."""

from __future__ import annotations

import json
from functools import cache
from itertools import permutations, product
from random import Random
from typing import Any

import pytest

from quandary.core.contract import Ending
from quandary.core.errors import Unreadable
from quandary.core.game import refusal
from quandary.puzzles._shared.sudoku.solver import solve
from quandary.puzzles.solo.sudoku import Sudoku
from quandary.tasks.whole import Whole

EXAMPLE = "0312104321043420"  # the grid that explains the game in PuzzlePlex
FIGURE = "0000000034022140"  # the grid of its comparison of two models
NORMAL = "300765091900400073001009600019306420643027008287041936008002069000874352750000080"


def at(cells: str) -> Sudoku:
    cells = cells.replace("0", ".")
    return Sudoku(cells, cells)


@cache
def full_boards() -> list[str]:
    """Every full board of side 4: pairs of rows whose boxes fit, and of those the pairs whose
    columns fit."""
    pairs = product(permutations("1234"), repeat=2)
    bands = [
        (one, two)
        for one, two in pairs
        if len({*one[:2], *two[:2]}) == len({*one[2:], *two[2:]}) == 4
    ]
    boards = [upper + lower for upper, lower in product(bands, repeat=2)]
    return [
        "".join(map("".join, board))
        for board in boards
        if all(len(set(column)) == 4 for column in zip(*board, strict=True))
    ]


def completions(cells: str) -> list[str]:
    return [
        board
        for board in full_boards()
        if all(given in (".", value) for given, value in zip(cells, board, strict=True))
    ]


def test_the_papers_fill() -> None:
    """In the paper's example 4 may go into the first cell, and the grid then has one completion."""
    after = at(EXAMPLE).play(0, "0 0 4")

    assert "0 0 4" in at(EXAMPLE).options()[0]
    assert "43121.4321.4342." == after.cells
    assert 1 == len(completions(after.cells))
    assert after.solvable()


def test_the_papers_comparison() -> None:
    """One model's second fill repeats a 2 in the last column; the other's eleven fills solve the
    grid."""
    start = at(FIGURE)
    after = start.play(0, "0 0 1")

    assert "0 0 1" in start.options()[0]
    assert "0 3 2" not in after.options()[0]

    position = start
    for move in [
        "2 2 1",
        "3 3 3",
        "0 0 4",
        "1 0 1",
        "0 1 3",
        "1 1 2",
        "0 2 2",
        "0 3 1",
        "1 2 3",
        "1 3 4",
    ]:
        assert move in position.options()[0]
        position = position.play(0, move)
    assert ((1.0,), Ending("goal"), {}) == (
        position.scores(),
        position.ending(),
        position.options(),
    )


def test_any_completion_counts() -> None:
    """The figure's grid has four completions, and each of them wins."""
    found = completions(at(FIGURE).cells)

    assert 4 == len(found)
    assert [1.0] * 4 == [Whole(at(FIGURE)).check(grid).score for grid in found]


def test_options_of_a_cell() -> None:
    """Every empty cell is offered with each value that repeats nothing, row by row, and no
    filled cell is."""
    assert ["0 0 4", "1 1 2", "2 2 3", "3 3 1"] == list(at(EXAMPLE).options()[0])
    assert ["0 0 1", "0 0 2", "0 0 3", "0 0 4"] == list(at("0" * 16).options()[0])[:4]
    assert 64 == len(at("0" * 16).options()[0])


def test_dead_end() -> None:
    """The game is lost as soon as an empty cell has no value left, though other cells could be
    filled."""
    position = at("1200000400000000")
    lost = position.play(0, "0 2 3")

    assert "0 2 3" in position.options()[0]
    assert ({}, (0.0,), Ending("dead_end")) == (lost.options(), lost.scores(), lost.ending())
    assert not lost.solvable()


def test_legal_but_hopeless() -> None:
    """A fill that repeats nothing is legal even where no completion is left; the game goes on."""
    position = at("1200000000100000")
    hopeless = position.play(0, "3 2 2")  # row 1 now has no place for its 1 and 2 in the right box

    assert "3 2 2" in position.options()[0]
    assert position.solvable()
    assert hopeless.options()
    assert not hopeless.solvable()
    assert [] == completions(hopeless.cells)


def test_solvable_and_judge_against_every_completion() -> None:
    """A fill is worth 1 exactly where trying all completions finds one; solvable agrees, on live
    and lost boards."""
    labels = set()
    for seed in range(25):
        rng = Random(f"judge {seed}")
        position = Sudoku.new(rng, side=4, blanks=(10, 14), unique=False)
        for _ in range(rng.randint(0, 3)):
            if options := position.options():
                position = position.play(0, rng.choice(list(options[0])))
        expected = {
            move: float(bool(completions(position.play(0, move).cells)))
            for move in position.options().get(0, ())
        }
        labels.add(position.solvable())

        assert bool(completions(position.cells)) == position.solvable()
        assert expected == position.judge(0)
    assert {True, False} == labels


@pytest.mark.parametrize("level", list(Sudoku.levels))
def test_levels_have_one_solution(level: str) -> None:
    """Instances have the blanks of their level, and no second way is found by refusing each
    value of the first."""
    low, high = Sudoku.levels[level]["blanks"]
    for seed in range(6):
        start = Sudoku.new(Random(f"{level} {seed}"), **Sudoku.levels[level])
        position = start
        while position.options():
            position = position.play(0, position.oracle(0, Random(0), 1))
        solution = position.cells
        others = [
            move for move in start.options()[0] if solution[_cell(move, start)] != move.split()[2]
        ]

        assert low <= start.cells.count(".") <= high
        assert (1.0,) == position.scores()
        assert not any(start.play(0, move).solvable() for move in others)


def _cell(move: str, position: Sudoku) -> int:
    row, column, _ = move.split()
    return int(row) * (4 if len(position.cells) == 16 else 9) + int(column)


def test_published_like_instances() -> None:
    """With unique=false cells are blanked as published, so that some grids have several
    completions."""
    starts = [Sudoku.new(Random(seed), side=4, blanks=(8, 12), unique=False) for seed in range(40)]
    counts = [len(completions(start.cells)) for start in starts]

    assert min(counts) == 1 < max(counts)
    assert all(8 <= start.cells.count(".") <= 12 for start in starts)


def test_blanks_that_cannot_be_had() -> None:
    """No 4x4 grid with 3 givens has one solution, and 12 blanks are always reached."""
    assert [12] * 60 == [
        Sudoku.new(Random(seed), side=4, blanks=(12, 12)).cells.count(".") for seed in range(60)
    ]
    assert {11, 12} >= {
        Sudoku.new(Random(seed), side=4, blanks=(11, 16)).cells.count(".") for seed in range(60)
    }


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"side": 4, "blanks": (13, 13)}, "no grid of side 4 with 13 blanks"),
        ({"side": 4, "blanks": (14, 14)}, "a grid of side 4 can have 1 to 13 blanks"),
        ({"side": 5}, "side 5 cannot be made"),
        ({"blanks": (74, 80)}, "a grid of side 9 can have 1 to 73 blanks"),
        ({"side": 4, "blanks": (0, 4)}, "blanks=0..4 is out of bounds"),
        ({"blanks": (9, 3)}, "blanks=9..3 is empty"),
    ],
)
def test_sizes_that_cannot_be_made(wrong: dict[str, Any], reason: str) -> None:
    """Sides without boxes and numbers of blanks that no grid can have are refused."""
    with pytest.raises(ValueError, match=reason):
        Sudoku.new(Random(1), **wrong)


@pytest.mark.parametrize(
    "said",
    [
        "0 3 2",
        " 0 3 2\n",
        "0,3,2",
        "(0, 3, 2)",
        "[(0, 3), 2]",
        "operation = [(0,3), 2]",
        "OPERATION = [(0, 3), 2]",
        "(0, 3) = 2",
        "Operation: `operation = [(0, 3), 2]`",
        "[[0, 3], 2]",
        "row 0, column 3, value 2",
        "00 03 02",
        "第 0 行第 3 列填 2",
        "行 0，列 3，数字 2",
    ],
)
def test_ways_to_write_a_fill(said: str) -> None:
    """The short form, the published one and their like are all read."""
    assert "0 3 2" == at(NORMAL).read(0, said)


@pytest.mark.parametrize(
    "said",
    [
        "",
        "2",
        "0 3",
        "0 3 2 1",
        "0.5 3 2",
        "0 3 2.5",
        "[(0, 3), 2.5]",
        "a b c",
        "0 3 x",
        "[(0, 3), 2] or [(0, 4), 2]",
        "0 3 99999999999",
        "__import__('os')",
    ],
)
def test_no_fill(said: str) -> None:
    """Words that are no single fill are refused with a sentence that shows how one is written."""
    start = at(NORMAL)
    with pytest.raises(Unreadable) as refused:
        start.read(0, said)

    assert "`0 3 2`" in refusal(start, refused.value)


def test_large_values_are_letters() -> None:
    """In a grid of side 16 the value 12 is C, however it is written; no value is above 16."""
    start = at("0" * 256)

    assert ["10 15 C"] * 3 == [
        start.read(0, said) for said in ("10 15 12", "[(10, 15), c]", "10 15 C")
    ]
    assert "10 15 C" in start.options()[0]
    assert "1-9, A-G" in start.rules()
    with pytest.raises(Unreadable):
        start.read(0, "10 15 17")


def test_fills_beyond_the_board_can_be_read() -> None:
    """A fill outside the board or of a filled cell is a fill, though no legal one."""
    start = at(NORMAL)
    for move in ("9 0 1", "0 0 5", "0 1 0", "0 1 10", "-1 3 2", "0 3 -2"):
        assert move == start.read(0, move)
        assert move not in start.options()[0]
    assert "9 3 2" == start.read(0, "９ 3 2")


def test_boxes_drawn_in_a_whole_answer() -> None:
    """Rows such as 375|765|091 are rows of a grid, though each could be read as one fill."""
    solution = solve(at(NORMAL).cells) or ""
    rows = [solution[start : start + 9] for start in range(0, 81, 9)]
    for between in "|", " | ", " ":
        answer = "\n".join(between.join((row[:3], row[3:6], row[6:])) for row in rows)

        assert 1.0 == Whole(at(NORMAL)).check(answer).score


def test_as_many_fills_as_a_grid_has_rows_of_three() -> None:
    """27 fills hold as many numbers as a grid of side 9 has cells, and are fills all the same."""
    start = Sudoku.new(Random(1), side=9, blanks=(27, 27))
    position, fills = start, list[str]()
    while position.options():
        fills.append(position.oracle(0, Random(0), 1))
        position = position.play(0, fills[-1])

    assert 27 == len(fills)
    assert fills == start.moves("\n".join(fills))


def test_whole_answers() -> None:
    """A full grid, rows without blanks, lists of lists, fills one a line and a list of fills are
    all answers."""
    question = Whole(at(EXAMPLE))
    lists = "[[4, 3, 1, 2], [1, 2, 4, 3], [2, 1, 3, 4], [3, 4, 2, 1]]"
    good = [
        "4 3 1 2\n1 2 4 3\n2 1 3 4\n3 4 2 1",
        "4312\n1243\n2134\n3421",
        lists,
        "3 3 1\n0 0 4\n2 2 3\n1 1 2",
        "[(0, 0, 4), (1, 1, 2), (2, 2, 3), (3, 3, 1)]",
        "[[(0,0),4],[(1,1),2],[(2,2),3],[(3,3),1]]",
    ]

    assert [1.0] * 6 == [question.check(answer).score for answer in good]


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("4312\n1243\n2134\n342.", "unfinished"),
        ("", "unfinished"),
        ("4312\n1243\n2134\n3420", "unfinished"),
        ("3421\n1243\n2134\n4312", "illegal"),  # a valid grid that changes givens
        ("4312\n1243\n2134\n3424", "illegal"),
        (".312\n1243\n2134\n.421", "unreadable"),  # a given is gone
        ("4312\n1243\n2134", "unreadable"),
        ("0 0 4\n0 0 4", "illegal"),
        ("I think it is 4", "unreadable"),
    ],
)
def test_wrong_whole_answers(answer: str, kind: str) -> None:
    """What is wrong with an answer is told apart."""
    verdict = Whole(at(EXAMPLE)).check(answer)

    assert (0.0, kind) == (verdict.score, verdict.kind)


def test_branches_are_one_tightest_cell() -> None:
    """A search need only try the values of one cell with the fewest left; a full or lost board
    has none."""
    start = Sudoku.new(Random(5), side=9, blanks=(50, 50))
    branches = list(start.branches())
    by_cell: dict[str, int] = {}
    for move in start.options()[0]:
        cell = move.rpartition(" ")[0]
        by_cell[cell] = by_cell.get(cell, 0) + 1

    assert 1 == len({move.rpartition(" ")[0] for move in branches})
    assert min(by_cell.values()) == len(branches)
    assert [] == list(at("1234341221434321").branches())
    assert [] == list(at("1200000400000000").play(0, "0 2 3").branches())


def test_positions_as_written() -> None:
    """A position is written as its rows; lists are read as well, with 0 or "." for a gap."""
    start = at(EXAMPLE)

    assert ". 3 1 2\n1 . 4 3\n2 1 . 4\n3 4 2 ." == start.state()
    assert start == start.restate("[[0, 3, 1, 2], [1, 0, 4, 3], [2, 1, 0, 4], [3, 4, 2, 0]]")
    assert start == start.restate(json.dumps([row.split() for row in start.state().split("\n")]))
    assert start.play(0, "0 0 4") == start.restate("4 3 1 2\n1 . 4 3\n2 1 . 4\n3 4 2 .")
    assert (0.0,) == start.restate("4444" * 4).scores()


def test_oracle_takes_what_is_forced() -> None:
    """The oracle first fills a cell with one value left, and never leaves the way to a solution."""
    assert "0 3 4" == at("1230000000000000").oracle(0, Random(0), 1)
    for seed in range(10):
        position = Sudoku.new(Random(seed), side=9, blanks=(40, 60), unique=False)
        while position.options():
            position = position.play(0, position.oracle(0, Random(0), 1))

        assert (1.0,) == position.scores()

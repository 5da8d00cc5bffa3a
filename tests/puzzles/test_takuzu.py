"""Facts about takuzu, played cell by cell."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from random import Random
from typing import Any

import pytest

from quandary.core.contract import Ending, StateTasks
from quandary.core.errors import Unreadable
from quandary.core.game import refusal
from quandary.puzzles.solo.takuzu import Takuzu
from quandary.tasks.whole import Whole

EXAMPLE = "0.1..0.11.0..1.0"  # the grid that explains the game in PuzzlePlex
PRINTED = "[[0, 1, 1, 0], [1, 0, 0, 1], [1, 0, 0, 1], [0, 1, 1, 0]]"  # and the answer it prints
ONE = ".01...1..0.....0"  # one solution
SOLVED = "0011011010011100"


def at(cells: str) -> Takuzu:
    return Takuzu(cells, cells)


@cache
def full_boards() -> list[str]:
    """Every full board of side 4: four different rows whose columns are four different lines as
    well."""
    lines = ["0011", "0101", "0110", "1001", "1010", "1100"]
    boards = ["".join(rows) for rows in permutations(lines, 4)]
    columns = {board: [board[column::4] for column in range(4)] for board in boards}
    return [
        board
        for board in boards
        if len(set(columns[board])) == 4 and set(columns[board]) <= set(lines)
    ]


def completions(cells: str) -> list[str]:
    return [
        board
        for board in full_boards()
        if all(given in (".", value) for given, value in zip(cells, board, strict=True))
    ]


def test_the_papers_example_is_false() -> None:
    """The printed grid has two solutions instead of one, and the printed answer is neither: it
    repeats rows and columns."""
    question = Whole(at(EXAMPLE))

    assert 72 == len(full_boards())
    assert ["0011100111000110", "0110001110011100"] == completions(EXAMPLE)
    assert [1.0, 1.0] == [question.check(grid).score for grid in completions(EXAMPLE)]
    assert 0.0 == question.check(PRINTED).score
    assert (0.0,) == at(EXAMPLE).restate(PRINTED).scores()


def test_a_fill_may_not_make_three_alike() -> None:
    """At the end, at the start and in the middle of three, along rows and columns."""
    row = at("00.." + "." * 12).options()[0]
    middle = at("1.1." + "." * 12).options()[0]
    column = at("...." + "1..." + "1..." + "....").options()[0]

    assert "0 2 1" in row and "0 2 0" not in row
    assert "0 1 0" in middle and "0 1 1" not in middle
    assert {"0 0 0", "3 0 0"} <= set(column) and not {"0 0 1", "3 0 1"} & set(column)


def test_a_fill_may_not_exceed_half_a_line() -> None:
    """Two of four cells hold a 0 already, and no three would stand side by side."""
    row = at("0..0" + "." * 12).options()[0]
    column = at("1..." + "...." + "1..." + "....").options()[0]

    assert not {"0 1 0", "0 2 0"} & set(row)
    assert "3 0 1" not in column


def test_a_line_may_not_repeat_a_full_one() -> None:
    """Lines are compared once both are full: the only value that balances the second line would
    make it equal to the first."""
    rows = at("0101" + "010." + "." * 8)
    columns = at("00.." + "11.." + "00.." + "1...")

    assert ({}, Ending("dead_end"), False) == (rows.options(), rows.ending(), rows.solvable())
    assert ({}, Ending("dead_end"), False) == (
        columns.options(),
        columns.ending(),
        columns.solvable(),
    )
    assert "1 3 1" in at("0110" + "010." + "." * 8).options()[0]
    assert "1 2 0" in at("0101" + "01.." + "." * 8).options()[0]


def test_options_are_in_order() -> None:
    """Cell by cell, 0 before 1, and no filled cell."""
    assert ["0 0 0", "0 0 1", "0 1 0", "0 1 1"] == list(at("." * 16).options()[0])[:4]
    assert 32 == len(at("." * 16).options()[0])
    assert not any(move.startswith("0 0 ") for move in at(EXAMPLE).options()[0])


def test_legal_but_hopeless() -> None:
    """A fill that breaks nothing is legal even where no completion is left; the game goes on."""
    position = at(ONE)
    hopeless = [
        move
        for move in position.options()[0]
        if position.after(0, move).options() and not completions(position.after(0, move).cells)
    ]

    assert [SOLVED] == completions(ONE)
    assert hopeless
    assert not any(position.after(0, move).solvable() for move in hopeless)


def test_the_way_to_a_win_and_to_a_dead_end() -> None:
    """The right fills in any order win; an empty cell without a value ends the game, though
    others could be filled."""
    position = at(ONE)
    moves = [f"{cell // 4} {cell % 4} {SOLVED[cell]}" for cell in range(16) if ONE[cell] == "."]
    Random(5).shuffle(moves)
    for move in moves:
        assert move in position.options()[0]
        position = position.after(0, move)

    assert ((1.0,), Ending("goal"), {}) == (
        position.scores(),
        position.ending(),
        position.options(),
    )

    lost = at("00.1" + "...." + "..1." + "..1.").after(0, "1 2 0")

    assert ({}, (0.0,), Ending("dead_end"), False) == (
        lost.options(),
        lost.scores(),
        lost.ending(),
        lost.solvable(),
    )
    assert "." in lost.cells


def test_solvable_branches_and_judge_against_every_completion() -> None:
    """A fill is worth 1 exactly where a completion is left, also on boards with several;
    searching the branches agrees."""
    labels = set()
    for seed in range(40):
        rng = Random(f"judge {seed}")
        board = rng.choice(full_boards())
        gone = set(rng.sample(range(16), rng.randint(8, 16)))
        position = at("".join("." if cell in gone else value for cell, value in enumerate(board)))
        for _ in range(rng.randint(0, 4)):
            if options := position.options():
                position = position.after(0, rng.choice(list(options[0])))
        expected = {
            move: float(bool(completions(position.after(0, move).cells)))
            for move in position.options().get(0, ())
        }
        labels.add(position.solvable())

        assert (
            bool(completions(position.cells))
            == position.solvable()
            == StateTasks.solvable(position)
        )
        assert expected == position.judge(0)
    assert {True, False} == labels


@pytest.mark.parametrize("level", [*Takuzu.levels, "large"])
def test_levels_have_one_solution(level: str) -> None:
    """Instances have the blanks of their level, and no second way is found by refusing each
    value of the first."""
    sizes = {**Takuzu.levels, "large": {"side": 14, "blanks": (120, 140)}}[level]
    low, high = sizes["blanks"]
    for seed in range(4):
        start = Takuzu.new(Random(f"{level} {seed}"), **sizes)
        position = start
        while position.options():
            position = position.after(0, position.oracle(0, Random(0), 1))
        side = sizes["side"]
        others = [
            move
            for move in start.options()[0]
            for row, column, value in [move.split()]
            if position.cells[int(row) * side + int(column)] != value
        ]

        assert low <= start.cells.count(".") <= high
        assert side * side == len(start.cells)
        assert (1.0,) == position.scores()
        assert others
        assert not any(start.after(0, move).solvable() for move in others)


def test_small_instances_have_one_completion() -> None:
    """All full boards of side 4 are tried; the blanks asked for are reached where they can be,
    and at least the lower number."""
    starts = [Takuzu.new(Random(seed), side=4, blanks=(8, 12)) for seed in range(80)]

    assert [1] * 80 == [len(completions(start.cells)) for start in starts]
    assert {8, 9, 10, 11, 12} == {start.cells.count(".") for start in starts}


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"side": 5}, "side 5 cannot be made"),
        ({"side": 2}, "side 2 cannot be made"),
        ({"side": 18}, "side 18 cannot be made"),
        ({"side": 4, "blanks": (15, 15)}, "no grid of side 4 with 15 blanks"),
        ({"side": 4, "blanks": (16, 20)}, "side 4 cannot have 16 to 20 blanks"),
        ({"blanks": (0, 4)}, "blanks=0..4 is out of bounds"),
        ({"blanks": (9, 3)}, "blanks=9..3 is empty"),
    ],
)
def test_sizes_that_cannot_be_made(wrong: dict[str, Any], reason: str) -> None:
    """Odd, tiny and huge sides, and blanks that leave no single solution: one given never does."""
    with pytest.raises(ValueError, match=reason):
        Takuzu.new(Random(1), **wrong)


@pytest.mark.parametrize(
    "said",
    [
        "0 3 1",
        " 0 3 1\n",
        "0,3,1",
        "(0, 3, 1)",
        "[(0, 3), 1]",
        "operation = [(0,3), 1]",
        "OPERATION = [(0, 3), 1]",
        "(0, 3) = 1",
        "[[0, 3], 1]",
        "row 0, column 3, value 1",
        "00 03 01",
        "０ 3 1",
        "第 0 行第 3 列填 1",
    ],
)
def test_ways_to_write_a_fill(said: str) -> None:
    """The short form, the published one of sudoku and their like are all read."""
    assert "0 3 1" == at(EXAMPLE).read(0, said)


@pytest.mark.parametrize(
    "said",
    [
        "",
        "1",
        "0 3",
        "0 3 1 1",
        "0.5 3 1",
        "a b c",
        "0 3 x",
        "[(0, 3), 1] or [(0, 4), 1]",
        "0 3 99999999999",
    ],
)
def test_no_fill(said: str) -> None:
    """Words that are no single fill are refused with a sentence that shows how one is written."""
    start = at(EXAMPLE)
    with pytest.raises(Unreadable) as refused:
        start.read(0, said)

    assert "`0 3 1`" in refusal(start, refused.value)


@pytest.mark.parametrize("said", ["9 0 1", "0 0 1", "0 1 2", "0 1 10", "-1 3 1", "0 3 -1"])
def test_fills_that_are_illegal_can_be_read(said: str) -> None:
    """A fill outside the board, of a filled cell or with another value is a fill, though no
    legal one."""
    assert said == at(EXAMPLE).read(0, said)
    assert said not in at(EXAMPLE).options()[0]


def test_whole_answers() -> None:
    """A full grid, rows without blanks, lists of lists, fills one a line and a list of fills are
    all answers."""
    fills = [(cell // 4, cell % 4, int(SOLVED[cell])) for cell in range(16) if ONE[cell] == "."]
    rows = [SOLVED[start : start + 4] for start in range(0, 16, 4)]
    good = [
        "\n".join(map(" ".join, rows)),
        "\n".join(rows),
        str([[int(value) for value in row] for row in rows]),
        "\n".join(f"{row} {column} {value}" for row, column, value in reversed(fills)),
        str(fills),
        str([[(row, column), value] for row, column, value in fills]),
    ]

    assert [1.0] * 6 == [Whole(at(ONE)).check(answer).score for answer in good]


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("0011\n0110\n1001\n1..0", "unfinished"),
        ("", "unfinished"),
        ("1100\n0110\n1001\n0011", "illegal"),  # a valid grid that changes givens
        ("0011\n0110\n1001\n1110", "illegal"),
        ("0.11\n0110\n1001\n1100", "unreadable"),  # a given is gone
        ("0011\n0110\n1001", "unreadable"),
        ("0 0 0\n0 0 0", "illegal"),
        ("it cannot be done", "unreadable"),
    ],
)
def test_wrong_whole_answers(answer: str, kind: str) -> None:
    """What is wrong with an answer is told apart."""
    verdict = Whole(at(ONE)).check(answer)

    assert (0.0, kind) == (verdict.score, verdict.kind)


def test_an_unfinished_grid_is_no_list_of_fills() -> None:
    """Rows with three values each are rows of a grid, though each could be read as one fill."""
    start = at("0.1.0." + "." * 30)
    answer = "\n".join(["0 . 1 . 0 .", "1 . 0 . 1 ."] * 3)

    rows = [
        f"{row} {column} {value}" for row in (1, 3, 5) for column, value in ((0, 1), (2, 0), (4, 1))
    ]
    rows += [
        f"{row} {column} {value}" for row in (2, 4) for column, value in ((0, 0), (2, 1), (4, 0))
    ]

    assert sorted(rows) == start.moves(answer)


def test_positions_as_written() -> None:
    """A position is written as its rows; lists of lists with -1 are read as well."""
    start = at(EXAMPLE)

    assert "0 . 1 .\n. 0 . 1\n1 . 0 .\n. 1 . 0" == start.state()
    assert start == start.restate(
        "[[0, -1, 1, -1], [-1, 0, -1, 1], [1, -1, 0, -1], [-1, 1, -1, 0]]"
    )
    assert start.after(0, "0 1 1") == start.restate("0 1 1 .\n. 0 . 1\n1 . 0 .\n. 1 . 0")


def test_branches_are_one_cell_with_the_fewest_values() -> None:
    """In the second grid the last cell of the first row must be a 1; a full grid has no
    branches, a lost one none either."""
    assert ["0 0 0", "0 0 1"] == list(at("." * 16).branches())
    assert ["0 2 1"] == list(at("00.." + "." * 12).branches())
    assert [] == list(at(SOLVED).branches())
    assert [] == list(at("0101" + "010." + "." * 8).branches())


def test_the_baseline_searches_breadth_first() -> None:
    """With enough positions to look at it solves every board; with one it still makes a legal
    move."""
    for seed in range(10):
        position = Takuzu.new(Random(seed), side=6, blanks=(20, 26))

        assert position.breadth_first(0, Random(0), 1) in position.options()[0]
        while position.options():
            position = position.after(0, position.breadth_first(0, Random(0), 1_000))
        assert (1.0,) == position.scores()


@pytest.mark.heavy
@pytest.mark.parametrize("level", list(Takuzu.levels))
def test_the_house_is_stronger_than_luck(level: str) -> None:
    """Of 40 grids random play solves 4 at most, and the house player, with 1,000 positions a
    move, 30 at least."""
    solved = {"random": 0, "house": 0}
    for seed in range(40):
        for who in solved:
            position, rng = (
                Takuzu.new(Random(f"takuzu/{level}#{seed}"), **Takuzu.levels[level]),
                Random(seed),
            )
            house = Takuzu.strategies[Takuzu.house[level]]
            while options := position.options():
                move = (
                    rng.choice(list(options[0]))
                    if who == "random"
                    else house(position, 0, rng, 1_000)
                )
                position = position.after(0, move)
            solved[who] += position.scores() == (1.0,)

    assert solved["random"] <= 4
    assert solved["house"] >= 30

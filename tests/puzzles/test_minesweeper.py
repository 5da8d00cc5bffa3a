"""Minesweeper: exact entailment, clues that are just enough, and the published boards."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from quandary.catalogue.drawing import instance
from quandary.core.scene import Box, Label
from quandary.puzzles.questions.planning.minesweeper import Minesweeper
from quandary.puzzles.questions.planning.minesweeper.solver.rounds import certain_mines

HOME = (
    Path(os.environ.get("QUANDARY_DATA") or Path(__file__).parents[3] / "shared" / "data")
    / "logicgame"
)


def around(*boards: str) -> Minesweeper:
    """A question of family a; rows are parted by slashes."""
    return Minesweeper("a", 1, tuple(tuple(map(tuple, board.split("/"))) for board in boards), None)


def directed(mines: int, *boards: str) -> Minesweeper:
    """A question of family b; cells are parted by blanks."""
    rows = tuple(tuple(tuple(row.split()) for row in board.split("/")) for board in boards)
    return Minesweeper("b", 1, rows, mines)


def fits(board: tuple[tuple[str, ...], ...], mines: frozenset[tuple[int, int]]) -> bool:
    """Whether every clue counts right, square by square; (x, y) from the bottom left."""
    n = len(board)
    for row, cells in enumerate(board):
        for column, cell in enumerate(cells):
            x, y = column + 1, n - row
            if cell == "*":
                continue
            if cell[0] == "A":
                count = sum(u == x and v > y for u, v in mines)
            elif cell[0] == "B":
                count = sum(u == x and v < y for u, v in mines)
            elif cell[0] == "C":
                count = sum(v == y and u < x for u, v in mines)
            elif cell[0] == "D":
                count = sum(v == y and u > x for u, v in mines)
            else:
                count = sum(max(abs(u - x), abs(v - y)) == 1 for u, v in mines)
            if count != int(cell[-1]):
                return False
    return True


def arrangements(
    board: tuple[tuple[str, ...], ...], mines: int | None
) -> Iterator[frozenset[tuple[int, int]]]:
    """All sets of hidden squares that fit, by trying every one."""
    n = len(board)
    hidden = [(x + 1, n - y) for y in range(n) for x in range(n) if board[y][x] == "*"]
    for size in range(len(hidden) + 1) if mines is None else [mines]:
        yield from (
            chosen for chosen in map(frozenset, combinations(hidden, size)) if fits(board, chosen)
        )


def certain(question: Minesweeper) -> list[tuple[tuple[int, int], ...]]:
    """What the solver finds certain after each round."""
    return certain_mines(question.boards, question.mines)


def by_force(question: Minesweeper) -> list[tuple[tuple[int, int], ...]]:
    """What is certain after each round, as the meet of all arrangements."""
    return [
        tuple(sorted(frozenset.intersection(*arrangements(board, question.mines))))
        for board in question.boards
    ]


@pytest.mark.parametrize(
    ("question", "process"),
    [
        (around("1*/**", "11/*1"), [[[]], [["1", "1"]]]),
        (around("*2/2*"), [[["1", "2"], ["2", "1"]]]),
        (
            around("*1*/11*/***", "*1*/11*/*0*"),
            [[["1", "3"]], [["1", "3"]]],
        ),  # of the first round already, not only the second
        (directed(1, "* B1/D1 *"), [[["2", "1"]]]),
        (directed(2, "* B1/D1 *"), [[["1", "2"], ["2", "1"]]]),  # the total tells the second
        (
            directed(3, "* B2 */* * C1/* * *", "* B2 */* * C1/A1 * *"),
            [[["2", "1"], ["2", "2"]], [["1", "3"], ["2", "1"], ["2", "2"]]],
        ),
    ],
)
def test_known_boards(question: Minesweeper, process: list[list[list[str]]]):
    """Mines are certain as soon as they must be there; x counts from the left, y from the bottom,
    and no mine at all is [[]].
    """
    assert json.loads(question.solution()) == {"answer": process[-1], "process": process}


@pytest.mark.parametrize("family", ["a", "b"])
@pytest.mark.parametrize(("level", "seeds"), [("0", 30), ("1", 60), ("2", 6)])
def test_entailment_against_every_arrangement(level: str, seeds: int, family: str):
    """What is called certain is what all arrangements share, after every round, and the last round
    leaves one arrangement.
    """
    for seed in range(seeds):
        question = instance(f"minesweeper/{level},family={family}#{seed}")

        assert certain(question) == by_force(question)
        assert list(arrangements(question.boards[-1], question.mines)) == [
            frozenset(certain(question)[-1])
        ]


def test_entailment_on_boards_that_tell_little():
    """Random true clues, enough or not, with and without a total, entail what all arrangements
    share.
    """
    rng = Random("little told")
    for _ in range(120):
        n = rng.choice((3, 3, 4))
        squares = [(x, y) for y in range(n, 0, -1) for x in range(1, n + 1)]
        mines = frozenset(rng.sample(squares, rng.randint(1, n + 1)))
        shown = dict.fromkeys(rng.sample(sorted(set(squares) - mines), rng.randint(2, n)), "")
        for square in shown:
            letter = rng.choice(["", "", "A", "B", "C", "D"])
            shown[square] = next(
                f"{letter}{count}"
                for count in range(9)
                if fits(
                    tuple(
                        tuple(
                            f"{letter}{count}" if (x, y) == square else "*" for x in range(1, n + 1)
                        )
                        for y in range(n, 0, -1)
                    ),
                    mines,
                )
            )
        board = tuple(
            tuple(shown.get((x, y), "*") for x in range(1, n + 1)) for y in range(n, 0, -1)
        )
        question = Minesweeper("b", 1, (board,), rng.choice((None, len(mines))))

        assert certain(question) == by_force(question)


@pytest.mark.parametrize("family", ["a", "b"])
@pytest.mark.parametrize(
    ("level", "n", "mines", "rounds"),
    [("0", 2, (1, 2), 1), ("1", 3, (1, 3), 2), ("2", 4, (5, 6), 3), ("3", 5, (7, 11), 4)],
)
def test_levels_have_the_papers_sizes(
    level: str, n: int, mines: tuple[int, int], rounds: int, family: str
):
    """Board, rounds and mines are the paper's; clues stay, each round brings one at least, only
    family b tells the total.
    """
    for seed in range(15):
        question = instance(f"minesweeper/{level},family={family}#{seed}")
        answer = certain(question)[-1]
        clues = [
            {
                (y, x, cell)
                for y, row in enumerate(board)
                for x, cell in enumerate(row)
                if cell != "*"
            }
            for board in question.boards
        ]

        assert (len(question.boards), {len(board) for board in question.boards}) == (rounds, {n})
        assert mines[0] <= len(answer) <= mines[1]
        assert question.mines == (len(answer) if family == "b" else None)
        assert all(earlier < later for earlier, later in zip([set(), *clues], clues, strict=False))


@pytest.mark.parametrize(
    "spec",
    [
        "minesweeper/1,family=a",
        "minesweeper/1,family=b",
        "minesweeper/2,family=a",
        "minesweeper/2,family=b",
    ],
)
def test_no_clue_can_be_spared(spec: str):
    """Without any one clue of the last round more than one arrangement fits."""
    for seed in range(4):
        question = instance(f"{spec}#{seed}")
        last = question.boards[-1]
        for row, column in (
            (y, x) for y in range(len(last)) for x in range(len(last)) if last[y][x] != "*"
        ):
            fewer = tuple(
                tuple("*" if (y, x) == (row, column) else cell for x, cell in enumerate(cells))
                for y, cells in enumerate(last)
            )

            assert len(list(arrangements(fewer, question.mines))) > 1


def test_check_wants_every_certain_mine_in_order():
    """Order, strings, [[]] and repeated entries are part of the process."""
    question = directed(3, "* B2 */* * C1/* * *", "* B2 */* * C1/A1 * *")
    first, last = [["2", "1"], ["2", "2"]], [["1", "3"], ["2", "1"], ["2", "2"]]

    def said(answer: object, *process: object) -> str:
        return json.dumps({"answer": answer, "process": process})

    assert question.check(said(last, first, last)).score == 1.0
    assert question.check(said(last, [[]], last)).kind == "wrong_process"
    assert question.check(said(last, first)).kind == "wrong_process"
    assert question.check(said(last[::-1], first, last)).kind == "wrong_answer"
    assert question.check(said([[1, 3], [2, 1], [2, 2]], first, last)).kind == "wrong_answer"
    assert (
        dict(question.check(said([[1, 3], [2, 1], [2, 2]], first, last)).parts)[
            "lenient_answer_and_process"
        ]
        == 1.0
    )


def test_contradicting_clues_are_told():
    """A board no arrangement fits has no solution, and says so."""
    with pytest.raises(ValueError, match="no arrangement"):
        certain(around("10/**"))
    with pytest.raises(ValueError, match="no arrangement"):
        certain(directed(1, "D0 */D0 *"))


def test_canonical_knows_turned_and_mirrored_boards():
    """A turned or mirrored board is the same instance, with its letters turned along; another
    number is another one.
    """
    question = directed(3, "* B2 */* * C1/* * *", "* B2 */* * C1/A1 * *")
    mirrored = directed(3, "* B2 */D1 * */* * *", "* B2 */D1 * */* * A1")
    turned = directed(3, "* * */* * C2/* A1 *", "D1 * */* * C2/* A1 *")  # a quarter to the right
    other = directed(3, "* B2 */* * C1/* * *", "* B2 */* * C1/A0 * *")

    assert question.canonical() == mirrored.canonical() == turned.canonical() != other.canonical()
    assert (
        around("12*/***/***").canonical()
        == around("***/2**/1**").canonical()
        != around("1*2/***/***").canonical()
    )


@pytest.mark.parametrize(
    ("level", "advice"),
    [
        ({"size": 1}, "size=1 is out of bounds; write 2 to 10"),
        ({"size": 11}, "size=11 is out of bounds"),
        ({"mines": (0, 1)}, r"mines=0\.\.1 is out of bounds"),
        ({"mines": (1, 4)}, "no room for 4 mines and a clue"),
        ({"mines": (2, 1)}, r"mines=2\.\.1 is empty"),
        ({"rounds": 0}, "rounds=0 is out of bounds"),
        ({"rounds": 4}, "no 1 to 2 mines on 2 x 2 squares take 4 rounds"),
    ],
)
def test_impossible_sizes_are_refused(level: dict[str, Any], advice: str):
    """Boards without room, no mines, or more rounds than clues can be needed, are refused with a
    sentence.
    """
    with pytest.raises(ValueError, match=advice):
        Minesweeper.new(Random(0), **level)


def test_rules_explain_the_clues_of_their_family():
    """Directions and the total belong to family b, neighbours to family a; the text gives the
    total.
    """
    one, other = (instance(f"minesweeper/1,family={family}#1") for family in "ab")

    assert "A up, B down" in other.rules() and "A up" not in one.rules()
    assert "diagonally" in one.rules() and "diagonally" not in other.rules()
    assert f"Mines in total: {other.mines}." in other.text(0) and "in total" not in one.text(0)
    assert f"共有 {other.mines} 颗地雷" in other.text(0, "zh")


def test_the_picture_marks_new_clues():
    """A clue is marked in the round that reveals it, and rows are numbered from the bottom."""
    question = directed(3, "* B2 */* * C1/* * *", "* B2 */* * C1/A1 * *")
    boxes = [shape for shape in question.scene(0).shapes if isinstance(shape, Box)]
    labels = [shape.text for shape in question.scene(0).shapes if isinstance(shape, Label)]

    assert [(box.text, box.fill) for box in boxes if box.text] == [
        ("B2", "mark"),
        ("C1", "mark"),
        ("B2", "shade"),
        ("C1", "shade"),
        ("A1", "mark"),
    ]
    assert labels[:7] == ["Round 1, mines: 3", "1", "2", "3", "3", "2", "1"]


def test_larger_boards_are_still_exact():
    """A board of seven rows comes out with one arrangement, whose clues all count right."""
    for family in ("a", "b"):
        question = Minesweeper.new(Random(7), family=family, size=7, mines=(10, 14), rounds=5)
        mines = frozenset(certain(question)[-1])

        assert 10 <= len(mines) <= 14 and all(fits(board, mines) for board in question.boards)
        assert all(
            set(earlier) <= set(later)
            for earlier, later in zip(certain(question), certain(question)[1:], strict=False)
        )


def published(language: str) -> list[tuple[str, int, Minesweeper]]:
    """The published prompts as questions, by family and level."""
    file = HOME / f"{language}_all_304.jsonl"
    if not file.exists():
        pytest.skip(
            f"LogicGame's published data is not at {HOME}; set QUANDARY_DATA to the folder with it"
        )
    found = []
    for line in file.read_text(encoding="utf-8").splitlines():
        item = json.loads(line)
        if item["category"] == "扫雷":
            prompt = item["contexts"][0]
            n = int(re.search(r"n=(\d)", prompt)[1])
            total = re.search(r"(?:mines ?=|地雷数=) ?(\d+)", prompt)
            cell, blank = r"(?:\*|[A-D]?\d)", " " if total else ""
            rows = re.findall(rf"^({cell}(?:{blank}{cell}){{{n - 1}}})\.? *$", prompt, re.MULTILINE)
            cells = [tuple(re.findall(cell, row)) for row in rows]
            boards = tuple(tuple(cells[i : i + n]) for i in range(0, len(cells), n))
            family = "b" if total else "a"
            found.append(
                (
                    family,
                    item["level"],
                    Minesweeper(family, item["level"], boards, int(total[1]) if total else None),
                )
            )
    return sorted(found, key=lambda entry: entry[:2])


def test_published_prompts_are_the_same_in_both_languages():
    """Eight published boards a language, four of each family, read as the same instances."""
    english, chinese = published("en"), published("zh")

    assert english == chinese
    assert [entry[:2] for entry in english] == [
        (family, level) for family in "ab" for level in range(4)
    ]
    assert [(len(q.boards[0]), len(q.boards)) for *_, q in english] == [
        (2, 1),
        (3, 2),
        (4, 3),
        (5, 4),
    ] * 2
    assert [q.mines for *_, q in english] == [None] * 4 + [1, 3, 5, 7]


def test_published_boards_have_one_solution_but_one():
    """All published boards but the largest of family a leave one arrangement, and what is certain
    is what all arrangements share.

    That largest one (271 in English) changes a clue in its last round, and nothing fits;
    with the clue kept it has 11 mines.
    """
    found = [question for *_, question in published("en")]
    sound = found[:3] + found[4:]
    broken = found[3]
    kept = [[list(row) for row in board] for board in broken.boards]
    kept[3][1][3] = kept[2][1][3]
    mended = Minesweeper("a", 3, tuple(tuple(map(tuple, board)) for board in kept), None)

    assert [len(list(arrangements(q.boards[-1], q.mines))) for q in sound] == [1] * 7
    assert [certain(q) for q in sound[:-1]] == [by_force(q) for q in sound[:-1]]
    with pytest.raises(ValueError, match="no arrangement"):
        certain(broken)
    assert list(arrangements(broken.boards[-1], None)) == []
    assert [frozenset(certain(mended)[-1])] == list(arrangements(mended.boards[-1], None))
    assert (len(certain(mended)[-1]), certain(mended)[0]) == (11, ((2, 4), (3, 4)))


def test_published_process_missed_what_was_certain():
    """The published board 269 leaves one arrangement after its first round, so its mine is certain
    there already.
    """
    question = published("en")[1][2]

    assert list(arrangements(question.boards[0], None)) == [frozenset({(1, 3)})]
    assert certain(question) == [((1, 3),), ((1, 3),)]

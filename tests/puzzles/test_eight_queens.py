"""Eight queens: known boards, placements by force, uniqueness, and how many instances there are."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable
from itertools import combinations, permutations, product
from random import Random
from typing import Any

import pytest
from proofs.second_workings.eight_queens import solutions, work

from quandary.catalogue.drawing import instance
from quandary.puzzles.questions.planning.eight_queens import FORBIDDEN, EightQueens
from quandary.puzzles.questions.planning.eight_queens.solver import fitting, placements

Cells = frozenset[tuple[int, int]]
LEVELS = [(family, level) for family in "ab" for level in range(4)]
SIZES = ((3, 2), (4, 4), (6, 6), (8, 8))
GIVEN = (1, 1, 3, 4)
MARKED = {"a": (0, 0, 0, 0), "b": (1, 2, 2, 3)}


def queens(board: str, family: str = "a", level: int = 1) -> EightQueens:
    return EightQueens(family, level, tuple(map(tuple, board.split("/"))))


def cells(question: EightQueens, kind: str) -> list[tuple[int, int]]:
    rows = enumerate(question.board)
    return [(y, x) for y, row in rows for x, cell in enumerate(row) if cell == kind]


def attack(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return (
        one[0] == other[0] or one[1] == other[1] or sum(one) == sum(other)
        or one[0] - one[1] == other[0] - other[1]
    )  # fmt: skip


def by_force(rows: int, columns: int) -> set[Cells]:
    """All sets of as many cells as there can be queens, of which no two attack each other."""
    every = product(range(rows), range(columns))
    sets = combinations(every, min(rows, columns))
    return {
        frozenset(one) for one in sets if not any(attack(*pair) for pair in combinations(one, 2))
    }


def test_the_worked_example_of_the_specification() -> None:
    """A queen in row 2, column 1: the columns are 3, 1, 4, 2."""
    answer = [list(row) for row in ("0010", "1000", "0001", "0100")]

    assert queens("0000/1000/0000/0000").work() == (answer, answer)


def test_forbidden_cells_stay_in_the_answer() -> None:
    question = queens("X100/0000/000X/0000", "b")

    assert ["".join(row) for row in question.work().answer] == ["X100", "0001", "100X", "0010"]


@pytest.mark.parametrize(
    ("rows", "columns"), [(2, 2), (2, 3), (3, 2), (3, 3), (4, 4), (4, 5), (5, 3)]
)
def test_placements_against_all_sets_of_cells(rows: int, columns: int) -> None:
    assert set(placements(rows, columns)) == by_force(rows, columns)
    assert len(placements(rows, columns)) == len(by_force(rows, columns))


@pytest.mark.parametrize(("side", "count"), [(4, 2), (5, 10), (6, 4), (7, 40), (8, 92), (9, 352)])
def test_the_known_numbers_of_placements(side: int, count: int) -> None:
    """Those of Nauck and others; on small boards also by trying all permutations."""
    found = placements(side, side)

    assert len(found) == len(set(found)) == count
    if side < 8:
        orders = permutations(range(side))
        assert count == sum(
            len({x + y for y, x in enumerate(order)}) == len({x - y for y, x in enumerate(order)})
            == side
            for order in orders
        )  # fmt: skip


def test_boards_that_tell_little() -> None:
    """Random queens and forbidden cells, with several solutions or none, count as by trial."""
    rng, counts = Random("queens"), set[int]()
    for _ in range(300):
        rows, columns = rng.choice([(3, 2), (4, 4), (5, 5), (6, 6), (4, 6)])
        board = [["0"] * columns for _ in range(rows)]
        for y, x in rng.sample(sorted(product(range(rows), range(columns))), rng.randint(0, 5)):
            board[y][x] = rng.choice("1XXX")
        question = EightQueens("b", 1, tuple(map(tuple, board)))
        found = fitting(rows, columns, cells(question, "1"), cells(question, "X"))
        counts.add(len(found))

        assert {frozenset(one) for one in solutions(question.board)} == set(found)
        assert question.is_unique() == (len(found) == 1)
    assert {0, 1, 2} < counts


@pytest.mark.parametrize(("family", "level"), LEVELS)
def test_sizes_and_the_only_solution(family: str, level: int) -> None:
    """Sizes are the paper's, and one solution is found by trial; given queens and X stay."""
    rows, columns = SIZES[level]
    for seed in range(20):
        question = instance(f"eight_queens/{level},family={family}#{seed}")
        answer = question.work().answer

        assert (len(question.board), {len(row) for row in question.board}) == (rows, {columns})
        assert len(cells(question, "1")) == GIVEN[level]
        assert len(cells(question, FORBIDDEN)) == MARKED[family][level]
        assert len(solutions(question.board)) == 1 and work(question) == question.work()
        assert sum(row.count("1") for row in answer) == min(rows, columns)
        for shown, full in zip(question.board, answer, strict=True):
            assert all(
                one == other or (one, other) == ("0", "1")
                for one, other in zip(shown, full, strict=True)
            )


@pytest.mark.parametrize("level", range(1, 4))
def test_forbidden_cells_tell_something(level: int) -> None:
    """One of them at least is not attacked; at level 3 there are several solutions without them."""
    for seed in range(20):
        question = instance(f"eight_queens/{level},family=b#{seed}")
        given, marked = cells(question, "1"), cells(question, FORBIDDEN)
        plain = [["0" if cell == FORBIDDEN else cell for cell in row] for row in question.board]

        assert any(not any(attack(one, queen) for queen in given) for one in marked)
        assert (len(solutions(plain)) > 1) == (level == 3)


def test_no_forbidden_cell_can_matter_on_smaller_boards() -> None:
    """Placements on 4 x 4 and on 6 x 6 cells have no queen in common."""
    for side in (4, 6):
        found = by_force(side, side) if side == 4 else placements(side, side)
        assert all(one.isdisjoint(other) for one, other in combinations(found, 2))


def images(rows: int, columns: int, some: Iterable[tuple[int, int]]) -> list[tuple[Any, ...]]:
    """Cells turned and mirrored, among boards of the same shape."""
    found = []
    for swap, down, across in product((False, True), repeat=3):
        moved = [(rows - 1 - y if down else y, columns - 1 - x if across else x) for y, x in some]
        if not swap:
            found.append(tuple(sorted(moved)))
        elif rows == columns:
            found.append(tuple(sorted((x, y) for y, x in moved)))
    return found


@pytest.mark.parametrize("level", range(4))
def test_how_many_instances_family_a_has(level: int) -> None:
    """1, 1, 10 and 709: all parts of placements that belong to one placement alone."""
    rows, columns = SIZES[level]
    found = solutions([["0"] * columns] * rows)
    sets = [frozenset(one) for one in found]
    forms = {
        min(images(rows, columns, given))
        for one in sets
        for given in map(frozenset, combinations(sorted(one), GIVEN[level]))
        if sum(given <= other for other in sets) == 1
    }

    assert (
        EightQueens.distinct_instances[f"{level},family=a"].instances
        == len(forms)
        == (1, 1, 10, 709)[level]
    )


@pytest.mark.parametrize("level", range(3))
def test_how_many_instances_family_b_has(level: int) -> None:
    """Every board, written down by its cells; counted by our canonical form."""
    (rows, columns), forms = SIZES[level], set[Hashable]()
    every = sorted(product(range(rows), range(columns)))
    for one in solutions([["0"] * columns] * rows):
        for given in combinations(one, GIVEN[level]):
            free = [cell for cell in every if cell not in one]
            is_open = {x for x in free if not any(attack(x, queen) for queen in given)}
            for marked in combinations(free, MARKED["b"][level]):
                if not is_open or is_open & {*marked}:
                    kinds = dict.fromkeys(given, "1") | dict.fromkeys(marked, "X")
                    board = tuple(
                        tuple(kinds.get((y, x), "0") for x in range(columns)) for y in range(rows)
                    )
                    forms.add(EightQueens("b", level, board).canonical())
    few = EightQueens.distinct_instances

    assert few[f"{level},family=b"].instances == len(forms) == (4, 30, 541)[level]
    assert few[str(level)].instances == len(forms) + few[f"{level},family=a"].instances


@pytest.mark.heavy
def test_how_many_instances_the_largest_boards_have() -> None:
    """Sets of three forbidden cells that rule out the other placements; no board is its own image,
    because three cells are not symmetric, so each has eight.
    """
    found, count = [frozenset(one) for one in solutions([["0"] * 8] * 8)], 0
    for one in found:
        for given in map(frozenset, combinations(one, 4)):
            rivals = [other - given for other in found if given <= other != one]
            if rivals:
                free = [cell for cell in product(range(8), repeat=2) if cell not in one]
                kinds = [sum(1 << i for i, other in enumerate(rivals) if x in other) for x in free]
                every = (1 << len(rivals)) - 1
                count += sum(x | y | z == every for x, y, z in combinations(kinds, 3))
    total, rest = divmod(count, 8)

    assert rest == 0
    assert (
        EightQueens.distinct_instances["3"].instances
        == total + EightQueens.distinct_instances["3,family=a"].instances
    )


def test_canonical_is_the_same_for_turned_boards_alone() -> None:
    rng = Random(3)
    for family, level in LEVELS:
        question = instance(f"eight_queens/{level},family={family}#1")
        assert {question.equivalent(rng).canonical() for _ in range(20)} == {question.canonical()}
    board = "X100/0000/000X/0000"
    other = "X100/0000/00X0/0000"
    assert queens(board, "b").canonical() == queens("0000/X000/0000/001X", "b").canonical()
    assert queens(board, "b").canonical() != queens(other, "b").canonical()
    assert queens("01/00/00").canonical() == queens("000/001").canonical()


def test_zero_for_a_forbidden_cell_is_right_in_published_words_alone() -> None:
    """There the process must still be the answer; nothing else may be written differently."""
    question = queens("X100/0000/000X/0000", "b")
    right = json.loads(question.solution())["answer"]
    plain = [["0" if cell == "X" else cell for cell in row] for row in right]
    more = [["X" if cell == "0" else cell for cell in row] for row in right]

    def scores(answer: object, process: object) -> tuple[float, float]:
        text = json.dumps({"answer": answer, "process": process})
        return question.check(text).score, question.check_as_published(text).score

    assert scores(right, right) == (1.0, 1.0)
    assert scores(plain, plain) == (0.0, 1.0)
    assert scores(plain, right) == scores(more, more) == (0.0, 0.0)
    for wrong in (
        plain[:-1],
        [*plain, plain[0]],
        [row[:-1] for row in plain],
        [],
        [[]],
        plain[::-1],
    ):
        assert scores(wrong, wrong) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("level", "advice"),
    [
        ({"rows": 2, "columns": 2}, "2 queens on 2 x 2 cells always attack each other"),
        ({"rows": 3, "columns": 3}, "3 queens on 3 x 3 cells always attack each other"),
        ({"given": 4}, "a board of 4 x 4 cells has 4 queens; at most 3 are given"),
        ({"forbidden": 1}, "only family b has forbidden cells"),
        ({"family": "b", "forbidden": 0}, "only family b has forbidden cells, at least one"),
        ({"rows": 11}, "rows=11 is out of bounds"),
        ({"rows": 2, "columns": 3, "family": "b", "forbidden": 5}, "no room for 2 queens and 5 f"),
        ({"rows": 8, "columns": 8}, "1,000 tries with rows=8"),
    ],
)
def test_impossible_sizes_are_refused(level: dict[str, Any], advice: str) -> None:
    with pytest.raises(ValueError, match=advice):
        EightQueens.new(Random(0), **{"level": 1, "family": "a"} | level)

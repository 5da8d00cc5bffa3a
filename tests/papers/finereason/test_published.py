"""The published puzzles and states of FineReason: imported, with true labels, and solved."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from quandary.catalogue import registry, splits
from quandary.cli.main import main
from quandary.core.wrapper import split_by
from quandary.papers.finereason.clues import Reader
from quandary.papers.finereason.conditions import is_true, parse
from quandary.papers.finereason.imported import Published
from quandary.papers.imports import problems_of
from quandary.puzzles._shared.sudoku.solver import solutions
from quandary.puzzles.solo.graph_coloring.solver.coloring import as_bits, chromatic_number
from quandary.puzzles.solo.logic_grid import LogicGrid
from quandary.puzzles.solo.logic_grid.solver.clues import (
    AllDifferent,
    Apart,
    EitherOr,
    NeitherNor,
    Thing,
    measures_of,
)
from quandary.puzzles.solo.logic_grid.solver.rules import follows, rule_of
from quandary.tasks.next_state import NextState
from quandary.tasks.state_check import StateCheck
from quandary.tasks.whole import Whole

FAMILIES = {"sudoku": 51, "graph_coloring": 51, "game_of_24": 98, "logic_grid": 46}
FILES = {
    "sudoku": "sudoku", "graph_coloring": "graphcoloring", "game_of_24": "game24",
    "logic_grid": "gridpuzzle",
}  # fmt: skip
TABLES = 60  # on which a clue is compared with its condition


def rows(data: Path, game: str, part: str) -> list[dict[str, Any]]:
    path = data / "finereason" / f"{FILES[game]}_{part}.json"
    return [json.loads(line) for line in path.read_text().splitlines()]


def of_task(published: list[Published], task: type, game: str = "") -> Iterator[Published]:
    for one in published:
        if isinstance(one.problem.question, task) and game in ("", one.problem.game):
            yield one


def test_all_questions_are_there(published: list[Published]) -> None:
    counts = Counter((one.problem.game, one.problem.session.split("-")[0]) for one in published)

    assert len(published) == 4_246 == len({one.problem.name for one in published})
    for game, puzzles in FAMILIES.items():
        found = [counts[game, task] for task in ("check", "next", "whole")]
        assert found == [500, 500, puzzles], game
    assert {one.problem.level for one in published} == {"published"}
    assert published[0].problem.name == "finereason sudoku/published check-0"


def test_all_published_labels_are_true(published: list[Published]) -> None:
    """By our solvers; and every label that a question prints is computed, not copied."""
    asked = list(of_task(published, StateCheck))
    wrong = [
        one.problem.name
        for one in asked
        if one.problem.question.solution() != one.key.label.lower()
    ]

    assert (len(asked), wrong) == (2_000, [])
    assert (
        Counter((one.problem.game, one.key.label) for one in asked)["graph_coloring", "Solvable"]
        == 252
    )


def test_children_that_are_none_are_left_out(published: list[Published]) -> None:
    """Stale boards of sudoku, and tables that equal the current one; all others are dead ends."""
    steps = list(of_task(published, NextState))
    without = Counter(
        one.problem.game
        for one in steps
        if one.problem.question.tried is None  # type: ignore[attr-defined]
    )

    assert without == {"sudoku": 86, "logic_grid": 55}
    assert not any(
        one.problem.question.tried.solvable()  # type: ignore[attr-defined]
        for one in steps
        if one.problem.question.tried is not None  # type: ignore[attr-defined]
    )


def test_a_parent_differs_from_its_state(published: list[Published]) -> None:
    """Some recorded steps of grids change nothing: then it is the nearest table that differs."""
    steps = list(of_task(published, NextState))
    same = [one.problem.game for one in steps if one.key.parent == one.key.current]

    assert Counter(same) == {"logic_grid": 40}
    for one in steps:
        question = one.problem.question
        assert question.parent.state() != question.position.state()  # type: ignore[attr-defined]


@pytest.mark.parametrize("game", ["sudoku", "logic_grid"])
def test_published_solutions_are_accepted(
    published: list[Published], data: Path, game: str
) -> None:
    whole = list(of_task(published, Whole, game))
    outputs = [row["outputs"] for row in rows(data, game, "questions")]

    assert len(whole) == FAMILIES[game]
    for one, output in zip(whole, outputs, strict=True):
        solution = json.dumps(output.get("final") or output["solution"])
        assert one.problem.question.check(solution).score == 1.0, one.problem.name


def _own_score(one: Published) -> float:
    return one.problem.question.check(one.problem.question.solution()).score


def test_our_solutions_are_accepted(published: list[Published]) -> None:
    """So all published puzzles can be solved."""
    whole = list(of_task(published, Whole))
    solved = [one for one in whole if _own_score(one) == 1.0]

    assert Counter(one.problem.game for one in solved) == FAMILIES


def test_sudokus_have_one_solution(published: list[Published]) -> None:
    for one in of_task(published, Whole, "sudoku"):
        cells = one.problem.question.game.cells  # type: ignore[attr-defined]
        assert 1 == len(list(solutions(cells))), one.problem.name


def test_few_graphs_have_no_colour_to_spare(published: list[Published]) -> None:
    """9 of 51; 6 have three."""
    graphs: list[Any] = [
        one.problem.question.game  # type: ignore[attr-defined]
        for one in of_task(published, Whole, "graph_coloring")
    ]
    spare = [graph.colours - chromatic_number(as_bits(graph.neighbours)) for graph in graphs]

    assert [spare.count(colours) for colours in range(4)] == [9, 18, 18, 6]


@pytest.mark.parametrize("game", ["sudoku", "game_of_24", "graph_coloring"])
def test_a_state_is_one_move_from_its_parent(published: list[Published], game: str) -> None:
    """In 31 graphs both are over by our rules, because a vertex has no colour left."""
    steps: list[Any] = [one.problem.question for one in of_task(published, NextState, game)]
    far = [step for step in steps if not step.parent.move_to(step.position)]

    assert len(far) == (31 if game == "graph_coloring" else 0)
    assert not any(position.options() for step in far for position in (step.parent, step.position))


def test_a_child_of_game_of_24_is_one_move_from_its_state(published: list[Published]) -> None:
    for one in of_task(published, NextState, "game_of_24"):
        step: Any = one.problem.question
        assert step.position.move_to(step.tried), one.problem.name


def test_every_clue_says_what_its_condition_says(published: list[Published], data: Path) -> None:
    """All 375, on random tables and on the solution.

    One condition, with a misspelt time, is weaker than its clue and text.
    """
    puzzles = of_task(published, Whole, "logic_grid")
    weaker, kinds = list[str](), Counter[str]()
    for one, row in zip(puzzles, rows(data, "logic_grid", "questions"), strict=True):
        grid = one.problem.question.game  # type: ignore[attr-defined]
        assert isinstance(grid, LogicGrid)
        for number, clue in row["inputs"]["clues"].items():
            condition = parse(clue["conditions"])
            found = Reader(grid.titles, grid.things).clues(condition)
            kinds[type(found[0]).__name__ if len(found) == 1 else "several"] += 1
            rng = Random(f"{one.problem.name} {number}")
            rules = [rule_of(each, measures_of(grid.things[0])) for each in found]
            for _ in range(TABLES):
                table, where = filled(grid, rng)
                ours = all(follows(rule, where) for rule in rules)
                if is_true(condition, table) != ours:
                    assert not ours
                    weaker.append(clue["conditions"])
            assert is_true(condition, row["outputs"]["solution"])
    assert kinds["several"] == 1 and kinds.total() == 375
    assert all("12:30am" in text for text in weaker)


def filled(grid: LogicGrid, rng: Random) -> tuple[list[list[Any]], list[int]]:
    """A random table, as it is published, and the row of each thing."""
    size = len(grid.things[0])
    table: list[list[Any]] = [list(grid.titles), *([None] * len(grid.titles) for _ in range(size))]
    rows = list[int]()
    for column, things in enumerate(grid.things):
        places = range(size) if column == 0 else rng.sample(range(size), size)
        for thing, row in zip(things, places, strict=True):
            table[row + 1][column] = thing
        rows.extend(places)
    return table, rows


def test_clues_are_told_apart() -> None:
    """Either-or needs that its two things are apart, unless they are of one column."""
    read = Reader(("no", "name", "pet"), ((1, 2, 3), ("Al", "Bo", "Cy"), ("cat", "dog", "owl")))
    either = "(T[r(1)][c('name')] == 'Al' or T[r(1)][c('pet')] == 'cat')"
    apart = "(T[r('Al')][c('pet')] != 'cat')"
    one, al, cat, dog = Thing(0, 0), Thing(1, 0), Thing(2, 0), Thing(2, 1)

    assert read.clues(parse(f"{either} and {apart}")) == [EitherOr(one, al, cat)]
    assert read.clues(parse(apart)) == [Apart(al, cat)]
    nor = "(T[r('Al')][c('pet')] != 'cat' and T[r('Al')][c('pet')] != 'dog')"
    assert read.clues(parse(nor)) == [NeitherNor(cat, dog, al)]
    three = f"{apart} and (T[r('Al')][c('no')] != 1) and (T[r('cat')][c('no')] != 1)"
    assert read.clues(parse(three)) == [AllDifferent((al, cat, one))]
    with pytest.raises(ValueError, match="distinguishes other things"):
        read.clues(parse(either))


def test_no_published_problem_is_reachable_for_training(published: list[Published]) -> None:
    """A part of them; see `test_no_published_problem_at_all_is_reachable_for_training`."""
    belong_to_test(published[::11])


@pytest.mark.heavy
def test_no_published_problem_at_all_is_reachable_for_training(published: list[Published]) -> None:
    belong_to_test(published)


def belong_to_test(published: list[Published]) -> None:
    """Start and position of each belong to test, so no name with @train or @dev stands for it."""
    for one in published:
        question = one.problem.question
        assert {splits.split_of(part) for part in split_by(question)} == {"test"}
        for level in registry.load(one.problem.game).levels:
            assert not splits.belongs(question, "train", level), one.problem.name
            assert not splits.belongs(question, "dev", level), one.problem.name


@pytest.mark.heavy
def test_an_import_holds_the_same_questions(
    data: Path, published: list[Published], tmp_path: Path
) -> None:
    out = tmp_path / "run"
    assert main(["import", "finereason", str(data / "finereason"), "--out", str(out)]) == 0
    found = problems_of(out)

    assert list(found.values()) == [one.problem for one in published]
    lines = [json.loads(line) for line in (out / "problems.jsonl").read_text().splitlines()]
    assert [*lines[0]] == ["game", "level", "session", "question"]

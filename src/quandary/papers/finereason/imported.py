"""FineReason imported into a folder: problems as questions, and what its graders compare with."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from quandary.arena.store import Store
from quandary.core.contract import Game, Question
from quandary.core.errors import UserError
from quandary.papers.imports import (
    Problem,
    check_target,
    keep_import,
    manifest_for,
    write_lines,
    write_problems,
)
from quandary.tasks.next_state import NextState
from quandary.tasks.state_check import StateCheck
from quandary.tasks.whole import Whole

from . import grids, positions, rows
from .grids import ClueError
from .key import KEYS, Key
from .positions import State
from .rows import Bare, Labelled, PublishedRow, Row

PAPER, LEVEL = "finereason", "published"
STATES = 500  # rows of each published file of states


class Family(NamedTuple):
    """One of the four puzzles: its files, and how their rows become positions."""

    game: str  # our puzzle's name
    files: str  # how their names begin
    puzzles: int  # rows of the published file of puzzles
    puzzle_line: Any
    state_line: Any
    start: Callable[[Any], Game]
    state: Callable[[Any], State]


FAMILIES = (
    Family(
        "sudoku",
        "sudoku",
        51,
        PublishedRow[rows.Sudoku, rows.SudokuSolution],
        PublishedRow[rows.SudokuState, rows.LabelledSudoku],
        lambda line: positions.sudoku(line.inputs, line.outputs.final),
        lambda line: positions.sudoku_state(line.inputs, line.outputs.final),
    ),
    Family(
        "graph_coloring",
        "graphcoloring",
        51,
        Bare[rows.Graph],
        PublishedRow[rows.GraphState, Labelled],
        lambda line: positions.graph(line.inputs),
        lambda line: positions.graph_state(line.inputs),
    ),
    Family(
        "game_of_24",
        "game24",
        98,
        Bare[rows.Numbers],
        PublishedRow[rows.NumbersState, Labelled],
        lambda line: positions.numbers(line.inputs),
        lambda line: positions.numbers_state(line.inputs),
    ),
    Family(
        "logic_grid",
        "gridpuzzle",
        46,
        PublishedRow[rows.Grid, rows.GridSolution],
        PublishedRow[rows.GridState, rows.LabelledGrid],
        lambda line: grids.grid(line.inputs, line.outputs.solution),
        lambda line: grids.grid_state(line.inputs, line.outputs.solution),
    ),
)


class Published(NamedTuple):
    """A problem, and what the published graders compare its answers with."""

    problem: Problem
    key: Key


class OtherCount(NamedTuple):
    """A file with fewer or more rows than the published one."""

    file: str
    rows: int
    published: int


class Imported(NamedTuple):
    """What an import brought."""

    problems: int
    other_counts: list[OtherCount]


def bring(source: Path, folder: Path) -> Imported:
    """Import the published files in `source`, whole or in part."""
    check_target(folder, source)
    if not source.is_dir():
        raise UserError(f"{source} is not a folder; give the one with the published files.")
    found = list(load(source))
    problems = [one.problem for one in found]

    def write(draft: Path) -> None:
        with Store(draft, manifest_for(PAPER, problems)):
            write_problems(draft, problems)
            keys = (msgspec.json.encode(one.key).decode() for one in found)
            write_lines(draft / KEYS, keys)

    keep_import(folder, write)
    return Imported(len(found), list(_other_counts(problems)))


def _other_counts(problems: Iterable[Problem]) -> Iterator[OtherCount]:
    rows_of = Counter((one.game, one.session.partition("-")[0]) for one in problems)
    for family in FAMILIES:
        states = OtherCount(f"{family.files}_states.json", rows_of[family.game, "check"], STATES)
        puzzles = OtherCount(
            f"{family.files}_questions.json", rows_of[family.game, "whole"], family.puzzles
        )
        yield from (file for file in (states, puzzles) if file.rows != file.published)


def load(source: Path) -> Iterator[Published]:
    """Yield all problems of the eight files; UserError names the file and the line of a
    wrong row.
    """
    for family in FAMILIES:
        yield from _states(source, family)
        for row in rows.read_rows(source, f"{family.files}_questions.json", family.puzzle_line):
            start = _read(row, family.start)
            outputs = getattr(row.line, "outputs", None)
            solution = getattr(outputs, "final", None) or getattr(outputs, "solution", None)
            yield _problem(family, "whole", row.number, Whole(start), Key(solution=solution))


def _states(source: Path, family: Family) -> Iterator[Published]:
    for row in rows.read_rows(source, f"{family.files}_states.json", family.state_line):
        start, before, parent, position, tried, depth = _read(row, family.state)
        inputs, printed = row.line.inputs, row.line.outputs.current_status
        label = position.solvable()
        if label != (printed == "Solvable"):  # the published graders compare with it
            truth = "can still be solved" if label else "cannot be solved"
            raise UserError(f"{row.where} has the label {printed}, but its state {truth}.")
        if tried is not None and tried.solvable():
            tried = None
        check = StateCheck(start, position, tried, label, depth)
        yield _problem(family, "check", row.number, check, Key(label=printed))
        step = NextState(start, before, parent, position, tried, label, depth)
        path = getattr(inputs, "initial_to_current", ())
        key = Key(
            label=printed,
            parent=path[-2] if path else inputs.parent,
            current=inputs.current,
            child=inputs.unsolvable_child,
            conditions=list(_conditions(inputs, applied=False)),
            applied=list(_conditions(inputs, applied=True)),
        )
        yield _problem(family, "next", row.number, step, key)


def _conditions(inputs: Any, *, applied: bool) -> Iterator[str]:
    """Yield the conditions of the clues of a grid that were applied, or of the others."""
    for number, clue in getattr(inputs, "clues", {}).items():
        if (number in inputs.applied_clues) is applied:
            yield clue.conditions


def _problem(family: Family, task: str, row: int, question: Question, key: Key) -> Published:
    problem = Problem(PAPER, family.game, LEVEL, f"{task}-{row}", question)
    key.problem = problem.name
    return Published(problem, key)


def _read(row: Row[Any], read: Callable[[Any], Any]) -> Any:
    try:
        return read(row.line)
    except ClueError as reason:
        column = _column(row.text, reason.conditions, reason.place)
        raise UserError(f"{row.where}, column {column}: {reason}.") from None
    except ValueError as reason:
        raise UserError(f"{row.where} cannot be imported: {reason}.") from None


def _column(text: str, conditions: str, place: int) -> int:
    """Return where in a line of JSON a place of some conditions is, from 1."""
    for is_ascii in (True, False):
        begin = text.find(json.dumps(conditions, ensure_ascii=is_ascii))
        if begin >= 0:
            before = json.dumps(conditions[:place], ensure_ascii=is_ascii)
            return begin + len(before)  # without its last quotation mark, but counted from 1
    return 1  # written in another way

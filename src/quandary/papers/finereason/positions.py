"""Published rows of sudoku, graph colouring and game of 24 as positions of our puzzles.

A row of another shape, or whose puzzle is none, raises ValueError with the reason.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from quandary.core.contract import StateTasks
from quandary.core.errors import Unreadable
from quandary.puzzles._shared.square_grid import EMPTY
from quandary.puzzles._shared.sudoku.solver import solutions
from quandary.puzzles.solo.game_of_24 import GameOf24
from quandary.puzzles.solo.graph_coloring import GraphColoring
from quandary.puzzles.solo.sudoku import Sudoku

from .rows import Board, Graph, GraphState, Numbers, NumbersState, SudokuState
from .rows import Sudoku as SudokuInputs

SIDE = 9
NUMBERS = 4  # of a game of 24


class State(NamedTuple):
    """A published state: a position and how a search came there."""

    start: StateTasks
    before_parent: StateTasks | None
    parent: StateTasks
    position: StateTasks
    tried: StateTasks | None  # a child found unsolvable; None if the published one is not a child
    depth: int  # moves from the start


def sudoku(inputs: SudokuInputs, final: Board) -> Sudoku:
    cells = _cells(inputs.initial)
    found = _two_solutions(cells)
    if len(found) != 1:
        raise ValueError(f"its sudoku has {'several solutions' if found else 'no solution'}")
    if found != (_cells(final),):
        raise ValueError("its final board is not the solution")
    return Sudoku(cells, cells)


@lru_cache(maxsize=1 << 10)  # the states of a puzzle repeat its start
def _two_solutions(cells: str) -> tuple[str, ...]:
    """Return the solutions, or two of them."""
    return tuple(islice(solutions(cells), 2))


def sudoku_state(inputs: SudokuState, final: Board) -> State:
    start = sudoku(inputs, final)

    def position(board: Board) -> Sudoku:
        cells = _cells(board)
        if any(given not in (EMPTY, cell) for given, cell in zip(start.givens, cells, strict=True)):
            raise ValueError("a board changes a cell that was filled at the start")
        return Sudoku(start.givens, cells)

    # In some rows without a legal child it is a board of an earlier row, even of another puzzle.
    here, child = position(inputs.current), _cells(inputs.unsolvable_child)
    is_child = _filled(here.cells, child, EMPTY) == 1
    return State(
        start,
        position(inputs.grandparent),
        position(inputs.parent),
        here,
        Sudoku(start.givens, child) if is_child else None,
        start.cells.count(EMPTY) - here.cells.count(EMPTY),
    )


def _cells(board: Board) -> str:
    values = [value for row in board for value in row]
    if [len(row) for row in board] != [SIDE] * SIDE or not set(values) <= set(range(SIDE + 1)):
        raise ValueError(f"a board is not {SIDE} rows of {SIDE} digits")
    return "".join(str(value) if value else EMPTY for value in values)


def _filled(before: Sequence[object], after: Sequence[object], empty: object) -> int | None:
    """Return how many empty places were filled; None if anything else was changed."""
    changed = [old for old, new in zip(before, after, strict=True) if old != new]
    return len(changed) if all(old == empty for old in changed) else None


def graph(inputs: Graph) -> GraphColoring:
    neighbours = tuple(tuple(sorted(others)) for others in inputs.graph)
    if not neighbours:
        raise ValueError("its graph has no vertices")
    for vertex, others in enumerate(neighbours):
        if len(set(others)) < len(others):
            raise ValueError(f"vertex {vertex} has a neighbour twice")
        for other in others:
            if not 0 <= other < len(neighbours) or other == vertex:
                raise ValueError(f"vertex {vertex} has a neighbour {other}, which cannot be")
            if vertex not in neighbours[other]:
                raise ValueError(f"the edge from {vertex} to {other} has only one direction")
    if inputs.chromatic_number < 1:
        raise ValueError("there are no colours")
    if inputs.chromatic_number > len(neighbours):
        raise ValueError("there are more colours than vertices")
    start = GraphColoring(neighbours, inputs.chromatic_number, (0,) * len(neighbours))
    if not start.solvable():
        raise ValueError(f"its graph needs more than {start.colours} colours")
    return start


def graph_state(inputs: GraphState) -> State:
    start = graph(inputs)

    def position(colouring: Sequence[int]) -> GraphColoring:
        most = start.colours
        if len(colouring) != len(start.neighbours) or not set(colouring) <= {*range(most + 1)}:
            raise ValueError("a colouring does not have one colour for each vertex")
        return GraphColoring(start.neighbours, most, tuple(colouring))

    here, tried = position(inputs.current), position(inputs.unsolvable_child)
    is_child = _filled(here.colouring, tried.colouring, 0) == 1
    return State(
        start,
        position(inputs.grandparent),
        position(inputs.parent),
        here,
        tried if is_child else None,
        len(here.colouring) - here.colouring.count(0),
    )


def numbers(inputs: Numbers) -> GameOf24:
    if len(inputs.initial_state) != NUMBERS:
        raise ValueError(f"a game does not have {NUMBERS} numbers")
    start = _expressions(inputs.initial_state)
    if not all(text.isdigit() for text in start.expressions):
        raise ValueError(f"{start.state()} are not {NUMBERS} numbers")
    if not start.solvable():
        raise ValueError(f"{start.state()} cannot make {start.target}")
    return start


def numbers_state(inputs: NumbersState) -> State:
    start = numbers(inputs)

    def position(texts: Sequence[str]) -> GameOf24:
        made = _expressions(texts)
        if not start.leads_to(made):
            raise ValueError(f"{made.state()} is not made of {start.state()}")
        return made

    here, child = position(inputs.current), position(inputs.unsolvable_child)
    is_child = len(child.expressions) == len(here.expressions) - 1 and here.leads_to(child)
    return State(
        start,
        position(inputs.grandparent) if inputs.grandparent else None,
        position(inputs.parent),
        here,
        child if is_child else None,
        len(start.expressions) - len(here.expressions),
    )


def _expressions(texts: Sequence[str]) -> GameOf24:
    try:
        return GameOf24(()).restate(json.dumps(texts))
    except Unreadable:
        raise ValueError(f"{json.dumps(texts)[:80]} is not a list of expressions") from None

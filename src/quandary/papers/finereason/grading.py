"""The verdicts of the published graders, faults included.

Their code is not part of quandary; this follows what is known of it.  A next state is right if it
equals the printed parent, for a state labelled unsolvable; otherwise if one legal move leads there
and it is not the printed child, whether or not the puzzle can still be solved.
The prompts are ours, so an answer that is not a list is read by our own rules.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any

from quandary.core.contract import Question, StateTasks
from quandary.core.errors import Illegal, Unreadable
from quandary.core.mixins.whole_answers import moves_in
from quandary.puzzles._shared.expressions import Expression, read_expression
from quandary.puzzles._shared.sudoku.grid import SYMBOLS
from quandary.puzzles.solo.game_of_24 import GameOf24
from quandary.puzzles.solo.graph_coloring import GraphColoring
from quandary.puzzles.solo.logic_grid import LogicGrid
from quandary.puzzles.solo.sudoku import Sudoku
from quandary.tasks.next_state import NextState
from quandary.tasks.state_check import StateCheck
from quandary.tasks.whole import Whole

from .grid_moves import is_one_clue_away
from .key import Key

SIDE, BOX = 9, 3
MARK = re.compile(r"\((A|B)\)")
MARKED = {"A": "solvable", "B": "unsolvable"}
BEGINS = re.compile(r"(?:Next state|Solution):")
LONGEST = 10_000  # characters of a list that is read


def is_right(question: Question, key: Key, answer: str) -> bool | None:
    """Return whether the published grader accepted this answer; None if its hash seed
    decides that.
    """
    match question:
        case StateCheck():
            if mark := last_mark(answer):
                return mark == key.label.lower()
            return question.check(answer).score == 1.0
        case NextState():
            return is_right_step(question.position, key, written(question.position, answer))
        case Whole():
            return _is_solution(question, key, answer)
    raise TypeError(f"FineReason has no {type(question).__name__}")


def last_mark(answer: str) -> str:
    """Return the label that the last mark in an answer stands for; "" if it has none."""
    marks = MARK.findall(answer)
    return MARKED[marks[-1]] if marks else ""


def after_the_words(answer: str) -> str:
    """Return what follows the words that the published prompts ask for; all of it without them."""
    return BEGINS.split(answer)[-1].strip()


def written(position: StateTasks, answer: str) -> Any:
    """Return the list in an answer, or the position that our own reading finds; None if there is
    none.
    """
    text = after_the_words(answer)
    if text.startswith("[") and len(text) <= LONGEST:
        try:
            with warnings.catch_warnings(action="ignore"):
                found = ast.literal_eval(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            pass
        else:
            return found
    try:
        return as_published(position.restate(text))
    except Unreadable:
        return None


def as_published(position: StateTasks) -> Any:
    """Return a position as the published files write it."""
    match position:
        case Sudoku(cells=cells):
            digits = [SYMBOLS.find(value) + 1 for value in cells]  # 0 for an empty cell
            return [digits[first : first + SIDE] for first in range(0, len(digits), SIDE)]
        case GraphColoring(colouring=colouring):
            return list(colouring)
    return json.loads(position.state())


def is_right_step(position: StateTasks, key: Key, proposed: Any) -> bool | None:
    """Return whether the published grader accepted a position as the next one; None as in
    `is_right`.
    """
    if key.label == "Unsolvable":
        return bool(proposed == key.parent)
    if proposed == key.child:
        return False
    return STEPS[type(position)](position, key, proposed)


def _one_filled(before: Sequence[int], proposed: Any) -> int | None:
    """Return the only place that differs, which was empty and now has a number; None otherwise."""
    if not isinstance(proposed, list) or len(proposed) != len(before):
        return None
    if not all(type(value) is int for value in proposed):
        return None
    changed = [place for place, value in enumerate(proposed) if value != before[place]]
    return changed[0] if len(changed) == 1 and before[changed[0]] == 0 else None


def _is_fill(position: StateTasks, key: Key, proposed: Any) -> bool:
    """One empty cell was filled with a digit that its row, column and box do not have."""
    if not isinstance(proposed, list) or [_length(row) for row in proposed] != [SIDE] * SIDE:
        return False
    cells = list(chain.from_iterable(proposed))
    cell = _one_filled(list(chain.from_iterable(key.current)), cells)
    if cell is None or not 1 <= cells[cell] <= SIDE:
        return False
    row, column = divmod(cell, SIDE)
    top, left = row - row % BOX, column - column % BOX
    box = [proposed[y][x] for y in range(top, top + BOX) for x in range(left, left + BOX)]
    groups = proposed[row], [line[column] for line in proposed], box
    return all(group.count(cells[cell]) == 1 for group in groups)


def _is_coloured(position: StateTasks, key: Key, proposed: Any) -> bool:
    """Return one vertex got a colour, any number, that no neighbour has; no more colours than
    allowed.
    """
    assert isinstance(position, GraphColoring)
    vertex = _one_filled(key.current, proposed)
    if vertex is None or any(
        proposed[one] == proposed[vertex] for one in position.neighbours[vertex]
    ):
        return False
    return len({*proposed} - {0}) <= position.colours


def _is_joined(position: StateTasks, key: Key, proposed: Any) -> bool:
    """Two expressions were joined; their order does not matter here."""
    try:
        wanted = position.restate(json.dumps(proposed)).state()
    except (Unreadable, TypeError, ValueError):
        return False
    moves = position.options().get(0) or ()
    return any(position.after(0, move).state() == wanted for move in moves)


def _is_clue_applied(position: StateTasks, key: Key, proposed: Any) -> bool | None:
    assert isinstance(position, LogicGrid)
    return is_one_clue_away(position.things, key, proposed)


STEPS: Mapping[type[StateTasks], Callable[[Any, Key, Any], bool | None]] = {
    Sudoku: _is_fill,
    GraphColoring: _is_coloured,
    GameOf24: _is_joined,
    LogicGrid: _is_clue_applied,
}


def _is_solution(question: Whole, key: Key, answer: str) -> bool:
    game = question.game
    if isinstance(game, GameOf24):
        text = after_the_words(answer)
        return _makes_target(game, text) or question.check(text).score == 1.0
    assert isinstance(game, StateTasks)
    proposed = reached(game, answer)
    if not isinstance(game, GraphColoring):
        return bool(proposed == key.solution)
    return _is_colouring(game, proposed)


def reached(game: StateTasks, answer: str) -> Any:
    """Return the list in a whole answer, or where its moves lead; None if it has neither.

    Our prompts allow moves as well.
    """
    proposed = written(game, answer)
    if proposed is not None:
        return proposed
    try:
        return as_published(played(game, after_the_words(answer)))
    except (Unreadable, Illegal):
        return None


def played(game: StateTasks, answer: str) -> StateTasks:
    """Return where the moves of an answer lead."""
    for move in moves_in(game, answer):
        game = game.play(0, move)
    return game


def _is_colouring(game: GraphColoring, proposed: Any) -> bool:
    """No edge has the same colour at both ends, unless it is none; at most so many colours."""
    if not isinstance(proposed, list) or len(proposed) != len(game.neighbours):
        return False
    if not all(type(colour) is int for colour in proposed) or len({*proposed} - {0}) > game.colours:
        return False
    edges = ((one, two) for one, others in enumerate(game.neighbours) for two in others)
    return not any(proposed[one] == proposed[two] != 0 for one, two in edges)


def _makes_target(game: GameOf24, text: str) -> bool:
    """Return whether an expression has the same numbers and the right value."""
    try:
        found = read_expression(text.partition("=")[0].strip())
    except Unreadable:
        return False
    return found.value == game.target and Counter(_numbers(found)) == Counter(game.expressions)


def _numbers(expression: Expression) -> list[str]:
    numbers = [number for part in expression.parts for number in _numbers(part)]
    return numbers or [expression.text]


def _length(row: Any) -> int:
    return len(row) if isinstance(row, list) else -1

"""The known reasons why the published verdict on an answer differs from ours."""

from __future__ import annotations

import json
from typing import Any

from quandary.core.contract import Question, Verdict
from quandary.puzzles.solo.game_of_24 import GameOf24
from quandary.puzzles.solo.graph_coloring import GraphColoring
from quandary.puzzles.solo.logic_grid import LogicGrid
from quandary.tasks.next_state import NextState
from quandary.tasks.state_check import StateCheck
from quandary.tasks.whole import Whole

from .conditions import parse, values_in
from .grading import as_published, reached, written
from .key import Key

UNDETERMINED = "two values of a column can land in one cell, and the hash seed decides which stays"
FORMAT = "it read lists as Python writes them, after the words Next state or Solution"
MARKS = "it read the marks (A) and (B)"
DEAD_END = "any dead end but the one that was shown was accepted"
SWAPPED = "the child that was shown was not known again with its expressions in another order"
EXACT = "positions were compared as lists, so that another order or spelling was refused"
ANY_NUMBER = "any number was taken for a colour"
NO_COLOUR = "vertices without a colour were accepted"
NO_CHANGE = "a move that changes nothing was accepted"
LAST_GAP = "it does not know that the last gap of a column is filled"
SAME_PARENT = "the printed parent is the current table"
OTHER_CLUE = "a condition names another thing than the text of its clue"
UNEXPLAINED = "unexplained"


def cause(question: Question, key: Key, answer: str, ours: Verdict, theirs: bool | None) -> str:
    """The fault of the published grader that explains another verdict than ours."""
    if theirs is None:
        return UNDETERMINED
    match question:
        case StateCheck():
            return MARKS
        case NextState():
            said = written(question.position, answer)
            if said is not None and (question.check(json.dumps(said)).score == 1.0) == theirs:
                return FORMAT
            return _refused(question, key, said) if ours.score else _taken(question, key, said)
        case Whole(game=GraphColoring(colours=most)) if not ours.score:
            said = reached(question.game, answer)
            if question.check(json.dumps(said)).score == 1.0:
                return FORMAT
            if 0 in said:
                return NO_COLOUR
            return UNEXPLAINED if _are_colours(said, most) else ANY_NUMBER
        case Whole():
            return EXACT if ours.score else FORMAT
    return UNEXPLAINED


def _refused(question: NextState, key: Key, said: Any) -> str:
    """Why a right step was refused."""
    position = question.position
    if not question.status:
        if key.parent == key.current:
            return SAME_PARENT
        return EXACT if said != key.parent else UNEXPLAINED
    if said != as_published(position.restate(json.dumps(said))):
        return EXACT
    if isinstance(position, LogicGrid):
        if _full_columns(said) - _full_columns(key.current):
            return LAST_GAP
        return OTHER_CLUE if _has_other_clues(position, key) else UNEXPLAINED
    return UNEXPLAINED


def _taken(question: NextState, key: Key, said: Any) -> str:
    """Why a wrong step was accepted."""
    position = question.position
    if not question.status:
        return SAME_PARENT if key.parent == key.current else UNEXPLAINED
    if isinstance(position, GraphColoring) and not _are_colours(said, position.colours):
        return ANY_NUMBER
    if said == key.current:
        return NO_CHANGE
    kind = question.check(json.dumps(said)).kind
    if kind == "known_dead_end" and isinstance(position, GameOf24):
        return SWAPPED
    if kind == "dead_end":
        return DEAD_END
    if not isinstance(position, LogicGrid):
        return UNEXPLAINED
    filled = _with_last_values(position, said)
    if filled != said and question.check(json.dumps(filled)).kind != kind:
        return LAST_GAP
    return OTHER_CLUE if _has_other_clues(position, key) else UNEXPLAINED


def _are_colours(said: Any, most: int) -> bool:
    return all(0 <= colour <= most for colour in said)


def _full_columns(table: Any) -> set[int]:
    return {place for place, column in enumerate(zip(*table, strict=True)) if "" not in column}


def _with_last_values(position: LogicGrid, table: Any) -> Any:
    """The table with the last value of each column that has one gap."""
    filled = [list(row) for row in table]
    for column, things in enumerate(position.things):
        gaps = [row for row in filled[1:] if row[column] == ""]
        if len(gaps) == 1:
            there = {row[column] for row in filled[1:]}
            gaps[0][column] = next((thing for thing in things if thing not in there), "")
    return filled


def _has_other_clues(position: LogicGrid, key: Key) -> bool:
    """Whether the clues of a puzzle are not just its conditions: see `clues`."""
    known = {value for things in position.things for value in things}
    return len(position.clues) != len(key.conditions) or any(
        value not in known for text in key.conditions for value in values_in(parse(text))
    )

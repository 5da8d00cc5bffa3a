"""The known reasons why the published verdict on an answer differs from ours.

A reason is given only where it is enough: without that fault, the two verdicts would be the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

from msgspec.structs import replace

from quandary.core.contract import Question, StateTasks, Verdict
from quandary.core.errors import Unreadable
from quandary.puzzles.solo.game_of_24 import GameOf24
from quandary.puzzles.solo.graph_coloring import GraphColoring
from quandary.puzzles.solo.logic_grid import LogicGrid
from quandary.tasks.next_state import NextState
from quandary.tasks.state_check import StateCheck
from quandary.tasks.whole import Whole

from .clues import Reader
from .conditions import parse, values_in
from .grading import (
    after_the_words,
    as_published,
    is_right,
    is_right_step,
    last_mark,
    played,
    reached,
    written,
)
from .key import Key

UNDETERMINED = (
    "two values of a column can end up in one cell, and the hash seed decides which one stays"
)
FORMAT = "it read lists as Python writes them, after the words Next state or Solution"
MARKS = "it read the marks (A) and (B)"
DEAD_END = "any dead end but the one that was shown was accepted"
SWAPPED = "the child that was shown was not known again with its expressions in another order"
EXACT = "positions were compared as lists, so that another order or spelling was refused"
ANY_NUMBER = "any number was taken for a colour"
NO_COLOUR = "vertices without a colour were accepted"
NO_CHANGE = "a move that changes nothing was accepted"
LAST_GAP = "it does not know that the last gap of a column is filled"
APPLIED = "a thing was lost from a cell with two values, and the clue that names it was used up"
SAME_PARENT = "the printed parent is the current table"
OTHER_CLUE = "a condition names another thing than the text of its clue"
UNEXPLAINED = "unexplained"


def cause(question: Question, key: Key, answer: str, ours: Verdict, theirs: bool | None) -> str:
    """Return the fault of the published grader that explains another verdict than ours."""
    if theirs is None:
        return UNDETERMINED
    match question:
        case StateCheck():
            mark = last_mark(answer)
            return MARKS if mark and _is_solved(question, mark) == theirs else UNEXPLAINED
        case NextState():
            proposed = written(question.position, answer)
            if proposed is not None and _is_solved(question, json.dumps(proposed)) == theirs:
                return FORMAT
            return (
                _refused(question, key, proposed) if ours.score else _taken(question, key, proposed)
            )
        case Whole():
            if ours.score:
                return _refused_solution(question, key, answer)
            return _taken_solution(question, answer)
    return UNEXPLAINED


def _is_solved(question: Question, answer: str) -> bool:
    return question.check(answer).score == 1.0


def _refused_solution(question: Whole, key: Key, answer: str) -> str:
    """Return why a right solution was refused."""
    assert isinstance(question.game, StateTasks)
    solution = as_published(played(question.game, answer))
    return EXACT if is_right(question, key, json.dumps(solution)) else UNEXPLAINED


def _taken_solution(question: Whole, answer: str) -> str:
    """Return why a wrong solution was accepted."""
    game, text = question.game, after_the_words(answer)
    if isinstance(game, GameOf24):  # an equation, of which the grader read one side
        readings = text, text.partition("=")[0].strip()
        return FORMAT if any(_is_solved(question, each) for each in readings) else UNEXPLAINED
    assert isinstance(game, StateTasks)
    proposed = reached(game, answer)
    if _is_solved(question, text) or _is_solved(question, json.dumps(proposed)):
        return FORMAT
    if not isinstance(game, GraphColoring):
        return UNEXPLAINED
    if 0 in proposed:
        return NO_COLOUR
    return UNEXPLAINED if _are_colours(proposed, game.colours) else ANY_NUMBER


def _refused(question: NextState, key: Key, proposed: Any) -> str:
    """Return why a right step was refused."""
    position = question.position
    if not question.status and key.parent == key.current:
        return SAME_PARENT
    plain = (
        key.parent if not question.status else as_published(position.restate(json.dumps(proposed)))
    )
    is_same = position.restate(json.dumps(proposed)).state() == _state(position, plain)
    if proposed != plain and is_same and is_right_step(position, key, plain) is not False:
        return EXACT
    if question.status and isinstance(position, LogicGrid):
        if _takes_any(position, key, _emptied(key, plain)):
            return LAST_GAP
        with_applied = replace(key, conditions=[*key.conditions, *key.applied])
        if _takes_any(position, with_applied, [plain, *_emptied(key, plain)]):
            return APPLIED
        return OTHER_CLUE if _has_other_clues(position, key) else UNEXPLAINED
    return UNEXPLAINED


def _taken(question: NextState, key: Key, proposed: Any) -> str:
    """Return why a wrong step was accepted."""
    position = question.position
    if not question.status:
        return SAME_PARENT if key.parent == key.current else UNEXPLAINED
    if isinstance(position, GraphColoring) and not _are_colours(proposed, position.colours):
        return ANY_NUMBER
    if proposed == key.current:
        return NO_CHANGE
    kind = question.check(json.dumps(proposed)).kind
    if kind == "known_dead_end" and isinstance(position, GameOf24):
        return SWAPPED if proposed != key.child else UNEXPLAINED
    if kind == "dead_end":
        return DEAD_END
    if not isinstance(position, LogicGrid):
        return UNEXPLAINED
    filled = _with_last_values(position, proposed)
    if filled != proposed and question.check(json.dumps(filled)).kind != kind:
        return LAST_GAP
    return OTHER_CLUE if _has_other_clues(position, key) else UNEXPLAINED


def _takes_any(position: LogicGrid, key: Key, tables: Iterable[Any]) -> bool:
    return any(is_right_step(position, key, table) is not False for table in tables)


def _state(position: StateTasks, table: Any) -> str | None:
    try:
        return position.restate(json.dumps(table)).state()
    except Unreadable:
        return None


def _are_colours(proposed: Any, most: int) -> bool:
    return all(0 <= colour <= most for colour in proposed)


def _emptied(key: Key, table: Any) -> Iterator[Any]:
    """Yield the table with one gap in each column that was filled by the last step."""
    columns = list(zip(*table, strict=True))
    before = list(zip(*key.current, strict=True))
    ways = [
        [(row, place) for row, value in enumerate(old) if value == ""]
        for place, (old, new) in enumerate(zip(before, columns, strict=True))
        if "" in old and "" not in new
    ]
    for gaps in product(*ways) if ways else ():
        yield [
            ["" if (row, place) in gaps else value for place, value in enumerate(values)]
            for row, values in enumerate(table)
        ]


def _with_last_values(position: LogicGrid, table: Any) -> Any:
    """Return the table with the last value of each column that has one gap."""
    filled = [list(row) for row in table]
    for column, things in enumerate(position.things):
        gaps = [row for row in filled[1:] if row[column] == ""]
        if len(gaps) == 1:
            there = {row[column] for row in filled[1:]}
            gaps[0][column] = next((thing for thing in things if thing not in there), "")
    return filled


def _has_other_clues(position: LogicGrid, key: Key) -> bool:
    """Return whether a condition is not just one of our clues: see `clues`."""
    known = {value for things in position.things for value in things}
    reader = Reader(position.titles, position.things)
    return any(
        len(reader.clues(condition)) != 1 or not known.issuperset(values_in(condition))
        for condition in map(parse, key.conditions)
    )

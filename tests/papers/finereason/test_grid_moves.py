"""The published grader of logic grids: which tables it took for one move."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from itertools import product
from random import Random
from typing import Any

import pytest

from quandary.papers.finereason import defects
from quandary.papers.finereason.conditions import is_true, parse, values_in
from quandary.papers.finereason.grading import is_right
from quandary.papers.finereason.grid_moves import is_one_clue_away
from quandary.papers.finereason.imported import Published
from quandary.papers.finereason.key import Key
from quandary.puzzles.solo.logic_grid import LogicGrid
from quandary.tasks.search_tree import children, is_dead

from .test_grading import question_of, steps, verdicts

LOST = "finereason logic_grid/published next-46"


def test_a_move_that_changes_nothing_was_accepted(published: list[Published]) -> None:
    """In the 12 of 94 states that make a clue true which was not applied."""
    accepted = 0
    for one in steps(published, "logic_grid", "Solvable"):
        ours, theirs, why = verdicts(question_of(one), one.key, json.dumps(one.key.current))
        assert not ours and why == (defects.NO_CHANGE if theirs else "")
        accepted += theirs is True
    assert accepted == 12


def test_the_last_gap_of_a_column_was_not_known(published: list[Published]) -> None:
    """Where it is filled, as the published children have it, a right step was refused."""
    refused = 0
    for one in steps(published, "logic_grid", "Solvable"):
        question = question_of(one)
        good = next(each for each in children(question.position) if not is_dead(each))
        ours, theirs, why = verdicts(question, one.key, good.state())
        assert ours and why in ("", defects.LAST_GAP)
        refused += theirs is False
    assert refused > 10


def test_a_clue_was_used_up_though_its_thing_was_lost(published: list[Published]) -> None:
    """Here soccer: it is named by a clue that was applied, but it is not in the table."""
    [one] = [one for one in published if one.problem.name == LOST]
    said = [list(row) for row in one.key.current]
    said[-1][2] = "soccer"

    answer = json.dumps(said)
    assert verdicts(question_of(one), one.key, answer) == (True, False, defects.APPLIED)


def test_two_values_in_one_cell_are_undetermined(published: list[Published]) -> None:
    """The later one stays, and the hash seed decides which it is."""
    asked = LogicGrid.start(("no", "pet"), ((1, 2, 3), ("cat", "dog", "owl")), ())
    empty = [["no", "pet"], [1, ""], [2, ""], [3, ""]]
    either = "(T[r(1)][c('pet')] == 'cat' or T[r(1)][c('pet')] == 'dog')"
    key = Key(current=empty, conditions=[either])
    alone = [["no", "pet"], [1, "cat"], [2, ""], [3, ""]]
    both = [["no", "pet"], [1, "cat"], [2, "dog"], [3, ""]]

    assert is_one_clue_away(asked.things, key, alone) is None
    assert is_one_clue_away(asked.things, key, both) is True
    assert is_one_clue_away(asked.things, key, empty) is False


def applied(one: Published, rng: Random) -> set[str]:
    """All tables that a clue gives if its values are placed one by one, in an order by luck."""
    position, key, found = question_of(one).position, one.key, set[str]()
    assert isinstance(position, LogicGrid)
    column_of = {value: place for place, things in enumerate(position.things) for value in things}
    there = {value for row in key.current[1:] for value in row}
    for text in key.conditions:
        condition = parse(text)
        values = sorted({*values_in(condition)} & column_of.keys() - there, key=str)
        rng.shuffle(values)
        gaps = [
            [row for row in range(1, len(key.current)) if key.current[row][column_of[value]] == ""]
            for value in values
        ]
        for rows in product(*gaps):
            table = [list(row) for row in key.current]
            for value, row in zip(values, rows, strict=True):
                table[row][column_of[value]] = value
            if is_true(condition, table):
                found.add(json.dumps(table))
    return found - {json.dumps(key.child)}


def compared(states: Sequence[Published]) -> tuple[int, float]:
    """Compares with what placing gives, in 20 orders: what only some of them give is undetermined.

    In how many states something is, and which share of what one order gives can be solved.
    """
    undetermined, accepted, solvable = 0, 0, 0
    for one in states:
        position = question_of(one).position
        orders = [applied(one, Random(f"{one.problem.name} {order}")) for order in range(20)]
        every, some = set.intersection(*orders), set.union(*orders)
        for table in some:
            expected = True if table in every else None
            assert is_right(one.problem.question, one.key, table) is expected
        undetermined += some > every
        accepted += len(orders[0])
        solvable += sum(not is_dead(position.restate(table)) for table in orders[0])
    return undetermined, solvable / accepted


def test_tables_one_clue_away_are_those_that_placing_values_gives(
    published: list[Published],
) -> None:
    assert compared(steps(published, "logic_grid", "Solvable")[::18])[0] > 0


@pytest.mark.heavy
def test_all_tables_one_clue_away(published: list[Published]) -> None:
    """In 33 of 94 states the hash seed decides; 18 % of what was accepted could be solved."""
    undetermined, share = compared(steps(published, "logic_grid", "Solvable"))
    assert undetermined == 33
    assert 0.175 < share < 0.185


def test_recorded_children_that_no_clue_gives(published: list[Published]) -> None:
    """74 of 500, and 16 under some hash seeds only."""
    found = Counter(
        is_one_clue_away(things_of(one), one.key, one.key.child)
        for one in steps(published, "logic_grid")
    )
    assert (found[True], found[None], found[False]) == (410, 16, 74)


def things_of(one: Published) -> Any:
    position = question_of(one).position
    assert isinstance(position, LogicGrid)
    return position.things


def test_a_parent_may_be_the_current_table(published: list[Published]) -> None:
    """In 31 dead ends the graders ask for the table itself; ours asks for the one before."""
    states = steps(published, "logic_grid", "Unsolvable")
    same = [one for one in states if one.key.parent == one.key.current]

    assert len(same) == 31
    for one in same:
        question = question_of(one)
        here, before = question.position.state(), question.parent.state()
        assert verdicts(question, one.key, here) == (False, True, defects.SAME_PARENT)
        assert verdicts(question, one.key, before) == (True, False, defects.SAME_PARENT)

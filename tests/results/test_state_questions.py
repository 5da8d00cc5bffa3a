"""The columns of questions on positions, from records alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from quandary.catalogue import drawing
from quandary.catalogue.splits import canonical_hash
from quandary.core.contract import Game
from quandary.matches.match import Match
from quandary.matches.player import Forfeit, Reply
from quandary.matches.record import Record
from quandary.results.rows import SeatRow
from quandary.tasks.next_state import NextState
from quandary.tasks.question_game import QuestionGame
from quandary.tasks.search_tree import children, is_dead
from quandary.tasks.state_check import StateCheck
from run_folders import rows_of, run_folder


def _record(name: str, *replies: Reply, start: Game | None = None, tries: int = 1) -> Record:
    match = Match(start or drawing.game(name, tries=tries), name)
    for reply in replies:
        match.receive(0, reply)
    return match.record(["x"])


def _rows(folder: Path, *records: Record) -> list[SeatRow]:
    return rows_of(run_folder(folder, records))[0]


def _asked(name: str) -> StateCheck | NextState:
    asked = drawing.instance(name)
    assert isinstance(asked, StateCheck | NextState)
    return asked


def test_what_is_asked(tmp_path: Path) -> None:
    """Counted here by hand, from the grid: depth is the number of cells filled since the start."""
    names = ["check:sudoku/easy,label=unsolvable#3", "check:sudoku/easy,label=solvable#3"]
    dead, solvable = _rows(tmp_path, *map(_record, names))
    asked = _asked(names[0])
    empty = asked.position.state().count(".")

    assert (dead.label, solvable.label) == ("unsolvable", "solvable")
    assert dead.gaps == empty and dead.depth == asked.start.state().count(".") - empty
    assert dead.legal_moves == len(children(asked.position))
    assert dead.state_length == len(asked.position.state()) == 4 * 7 + 3
    assert dead.dead_tree and solvable.dead_tree is None
    assert dead.tree == f"{canonical_hash(asked.start):016x}" != dead.instance


def test_which_child_is_shown(tmp_path: Path) -> None:
    """None, the one that the first move leads to, or another one."""
    name = "next:sudoku/easy,label=unsolvable,shown=child#1"
    asked = _asked(name)
    assert isinstance(asked, NextState)
    first, second = children(asked.position)[:2]
    records = [
        _record(name, start=QuestionGame(replace(asked, tried=tried)))
        for tried in (None, first, second)
    ]
    # They are asked in matches of the same name, of which rows know only the first.
    rows = [_rows(tmp_path / f"{place}", record)[0] for place, record in enumerate(records)]

    assert ["none", "first", "later"] == [row.tried for row in rows]


def test_other_matches_have_no_such_columns(tmp_path: Path) -> None:
    """Nor has a whole puzzle in one answer."""
    for row in _rows(tmp_path, _record("sudoku/easy#1"), _record("whole:sudoku/easy#1")):
        assert {None} == {row.label, row.depth, row.gaps, row.legal_moves, row.dead_tree}
        assert {None} == {row.state_length, row.tried, row.tree, row.error}


def test_a_puzzle_without_cells_has_no_gaps(tmp_path: Path) -> None:
    [row] = _rows(tmp_path, _record("check:game_of_24/hard,depth=2,label=unsolvable#1"))

    assert (row.gaps, row.depth, row.dead_tree) == (None, 2, 6)  # two numbers make six expressions


def test_records_of_before_depths_were_known(tmp_path: Path) -> None:
    """Only their depth is missing."""
    name = "check:sudoku/easy#2"
    asked = replace(_asked(name), depth=None)
    [row] = _rows(tmp_path, _record(name, start=QuestionGame(asked)))

    assert row.depth is None and row.label and row.legal_moves


CHECK = "check:sudoku/easy,label=unsolvable#3"
NO_WORDS = Reply("", "?", "unreadable")


@pytest.mark.parametrize(
    ("answer", "error"),
    [("unsolvable", ""), ("solvable", "wrong_label"), ("perhaps", "unknown_label")],
)
def test_errors_of_checks(tmp_path: Path, answer: str, error: str) -> None:
    """A wrong label, or none."""
    [row] = _rows(tmp_path, _record(CHECK, Reply(answer)))

    assert row.error == error and row.score == float(not error)


def test_matches_without_an_answer(tmp_path: Path) -> None:
    """They have the cause; a counted try without an answer is `no_answer`; cut off, there is no
    error.
    """
    lost = _record(CHECK, *[NO_WORDS] * 5)
    counted = Match(drawing.game(CHECK), CHECK, count_unreadable=True)
    counted.receive(0, NO_WORDS)
    late, cut = (Match(drawing.game(CHECK), CHECK) for _ in range(2))
    late.fail(0, Forfeit("timeout"))
    cut.fail(0, Forfeit("infrastructure"))
    matches = [match.record(["x"]) for match in (counted, late, cut)]
    rows = _rows(tmp_path, lost, *matches)

    assert ["unreadable", "no_answer", "timeout", None] == [row.error for row in rows]
    assert [0.0, 0.0, 0.0, None] == [row.score for row in rows]


def test_errors_of_steps(tmp_path: Path) -> None:
    """The kinds of the checker; of several tries the last answer counts."""
    on, back = ("next:sudoku/easy,label=solvable#1", "next:sudoku/easy,label=unsolvable#1")
    here, dead = _asked(on), _asked(back)
    assert isinstance(dead, NextState)
    bad = next(filter(is_dead, children(here.position))).state()
    sibling = next(
        each.state() for each in children(dead.parent) if each.state() != dead.position.state()
    )
    replies = [(on, bad), (on, here.position.state()), (back, sibling), (back, "no grid")]
    records = [_record(name, Reply(text)) for name, text in replies]
    twice = _record(back, Reply(sibling), Reply(dead.position.state()), tries=2)
    rows = _rows(tmp_path, *records, twice)

    assert rows[0].error in ("dead_end", "known_dead_end")
    assert ["no_move", "sibling", "unreadable", "not_parent"] == [row.error for row in rows[1:]]


def test_an_answer_that_counted_as_wrong_and_is_right_by_now(tmp_path: Path) -> None:
    """The score is the recorded one."""
    record = replace(_record(CHECK, Reply("unsolvable")), scores=(0.0,), cause="limit")
    [row] = _rows(tmp_path, record)

    assert (row.score, row.error) == (0.0, "other")

"""The regret of moves in tables."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from quandary.arena.store import RECORDS, keep
from quandary.catalogue import drawing
from quandary.core.contract import Game, Move, Seat
from quandary.matches.match import Match
from quandary.matches.player import Forfeit, Reply
from quandary.matches.record import Record
from quandary.matches.regret import Judged, judged
from quandary.puzzles.duels.card_nim import CardNim
from quandary.results import judging
from quandary.results.judging import SeatJudged
from run_folders import rows_of, run_folder

PILE = CardNim(9, ((1, 2, 3, 4), (1, 2, 3, 4)))


def _records(count: int) -> list[Record]:
    """Matches of two moves, the highest seed first."""
    match = Match(PILE, "card_nim/easy#1")
    match.receive(0, Reply("4"))
    match.receive(1, Reply("1"))
    match.fail(0, Forfeit("resigned"))
    record = match.record(["one", "two"])
    return [replace(record, name=f"card_nim/easy#{seed}") for seed in range(count, 0, -1)]


def test_judged_moves(tmp_path: Path) -> None:
    """The regret of the moves of twenty matches per player, the first by seed."""
    records = _records(25)
    seats, replies = rows_of(run_folder(tmp_path, records))
    worth = PILE.judge(0) or {}
    best, regret = max(worth.values()), max(worth.values()) - worth["4"]
    judged = [row for row in seats if row.judged]

    assert set(range(1, 21)) == {row.seed for row in judged} and len(judged) == 40
    assert {(regret, int(regret >= 0.5), 1)} == {
        (row.regret_mean, row.blunders, row.judged) for row in judged if row.seat == 0
    }
    assert {(best, regret)} == {
        (reply.worth, reply.regret)
        for reply in replies
        if reply.seat == 0 and reply.turn == 1 and reply.match > 5
    }
    assert all(reply.regret is None for reply in replies if reply.match <= 5 or not reply.move)
    assert {(None, None)} == {(row.regret_mean, row.blunders) for row in seats if not row.judged}


def test_what_was_judged_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No move is judged twice, even after a crash cut off the last result; other records are."""
    folder = run_folder(tmp_path, _records(4))
    (tmp_path / "tables").mkdir()
    before = rows_of(folder)
    kept = tmp_path / "tables" / judging.KEPT
    kept.write_bytes(kept.read_bytes()[:-5])
    asked = list[str]()

    def count(position: Game, seat: Seat, move: Move) -> Judged | None:
        asked.append(move)
        return judged(position, seat, move)

    monkeypatch.setattr(judging, "judged", count)
    assert rows_of(folder) == before and len(asked) == 1
    assert rows_of(folder) == before and len(asked) == 1
    keep(folder / RECORDS, replace(_records(1)[0], repeat=1))
    assert len(rows_of(folder)[0]) == 10 and len(asked) == 3


@pytest.mark.parametrize("changed", [("version", 99), ("judge_budget", (5,))])
def test_another_judge_judges_again(
    changed: tuple[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a judge of another version or budget said is not used; its own words are, later on."""
    folder = run_folder(tmp_path, _records(2))
    (tmp_path / "tables").mkdir()
    before, asked = rows_of(folder), list[str]()

    def corrected(position: Game, seat: Seat, move: Move) -> Judged | None:
        asked.append(move)
        return Judged(0.75, 0.25)

    monkeypatch.setattr(judging, "judged", corrected)
    assert rows_of(folder) == before and not asked

    monkeypatch.setattr(CardNim, *changed)
    seats, _ = rows_of(folder)

    assert {0.25} == {row.regret_mean for row in seats} and len(asked) == 4
    assert rows_of(folder)[0] == seats and len(asked) == 4


def test_long_matches_are_judged_in_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first moves of each seat alone."""
    monkeypatch.setattr(judging, "TURNS", 2)
    name = "tidy_tower/easy#1"
    match = Match(drawing.game(name), name)
    for _ in range(3):
        match.receive(0, Reply("1 1"))
    match.fail(0, Forfeit("resigned"))
    (seat,), replies = rows_of(run_folder(tmp_path, [match.record(["x"])]))

    assert seat.judged == 2 and [False, False, True, True] == [r.regret is None for r in replies]


def test_all_cores_judge_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In other processes, told one by one; a worker that dies is replaced by this process."""
    alone = rows_of(run_folder(tmp_path / "alone", _records(4)))
    monkeypatch.setattr(judging, "ALONE", 0.0)
    monkeypatch.setattr(judging, "cores", lambda: 2)
    calls = list[tuple[int, int]]()
    with judging.judging(tell=lambda done, of: calls.append((done, of))):
        assert alone == rows_of(run_folder(tmp_path / "together", _records(4)))
    assert [(done, 8) for done in range(1, 9)] == calls

    monkeypatch.setattr(judging, "judge_some", _die)
    assert alone == rows_of(run_folder(tmp_path / "dying", _records(4)))


def _die(tasks: object) -> list[SeatJudged]:
    os._exit(1)


def test_judging_can_be_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also what was judged before: a table does not depend on it."""
    folder = run_folder(tmp_path, _records(2))
    (tmp_path / "tables").mkdir()
    judged_before, _ = rows_of(folder)
    with judging.judging(is_on=False, tell=lambda done, of: None):
        seats, replies = rows_of(folder)

    assert all(row.judged for row in judged_before)
    assert {(0, None)} == {(row.judged, row.regret_mean) for row in seats}
    assert {None} == {reply.regret for reply in replies}

"""The regret of moves in tables."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from quandary.matches.engine import Match
from quandary.matches.player import Forfeit, Reply
from quandary.puzzles.duels.card_nim import CardNim
from run_folders import rows_of, run_folder

PILE = CardNim(9, ((1, 2, 3, 4), (1, 2, 3, 4)))


def test_judged_moves(tmp_path: Path) -> None:
    """The regret of the moves of twenty matches per player, the first by seed."""
    match = Match(PILE, "card_nim/easy#1")
    match.hear(0, Reply("4"))
    match.hear(1, Reply("1"))
    match.fail(0, Forfeit("resigned"))
    record = match.record(["one", "two"])
    records = [replace(record, name=f"card_nim/easy#{seed}") for seed in range(25, 0, -1)]
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

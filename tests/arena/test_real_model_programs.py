"""A real small model is asked for programs, which then play; it writes none that is any good."""

from __future__ import annotations

from pathlib import Path

import pytest

from llama_server import smollm2
from quandary.arena.drawn_programs import stored_programs
from quandary.arena.journal import JOURNAL
from quandary.arena.run import run
from quandary.arena.suite import read as read_suite
from quandary.players.registry import PlayerRegistry
from quandary.programs.prompt import FAILURES
from quandary.programs.sandbox.seccomp import reason_missing

pytestmark = [
    pytest.mark.heavy,
    pytest.mark.skipif(bool(reason_missing()), reason=reason_missing()),
]

SUITE = """
attempts = 1
[[puzzles]]
puzzle = "card_nim"
levels = ["easy"]
seeds = "1"
"""


def test_programs_of_smollm2_are_drawn_and_scored(tmp_path: Path) -> None:
    """And the same run goes on without asking it again."""
    smollm2()
    model = "local/smollm2,max_tokens=40"
    suite = read_suite("written", SUITE).only(setting="code")
    journals = set[bytes]()
    for _ in range(2):
        played = run(suite, [model], tmp_path, PlayerRegistry(), samples=2)
        journals.add((tmp_path / JOURNAL).read_bytes())
        drawn = stored_programs(tmp_path)
        assert [1, 1] == [program.replies for program in drawn]
        assert {model} == {program.author for program in drawn}
        assert all(program.read > 1000 and 0 < program.tokens <= 40 for program in drawn)

        assert not played.stopped
        assert 2 * 2 == len(played.records)  # both seats, against the house
        for record in played.records:
            seat = 1 - record.players.index("house")
            assert record.scores and record.cause in {*FAILURES, "goal", "no_move"}
            assert record.scores[seat] == 0.0 or record.cause not in FAILURES
    assert 1 == len(journals)

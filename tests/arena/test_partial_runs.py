"""Runs that stop before their end: they have finished as many matches as they paid for, and their
tables say what is missing.
"""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip(
    "aiohttp", reason="models behind HTTP servers need aiohttp: pip install 'quandary[models]'"
)

from quandary.arena.run import RunResult, run
from quandary.arena.schedule import Schedule
from quandary.arena.suite import read as read_suite
from quandary.models.budget import Budget
from quandary.models.pool import ClientPool
from quandary.players.registry import PlayerRegistry
from quandary.report.results import results_table
from quandary.scoring.partial import mark_missing
from quandary.scoring.summary import summarise
from server_thread import served, some_move

MODEL = "openai/any,legal=yes,history=no"
SUITE = read_suite(
    "depth",
    """
[[puzzles]]
puzzle = "sudokill"
levels = ["easy"]
seeds = "1-120"
[[puzzles]]
puzzle = "islands"
levels = ["easy"]
seeds = "1-5"
""",
)


def _capped(folder: Path, *, latency: float = 0.0) -> RunResult:
    with served(speak=some_move, latency=latency) as server:
        clients = ClientPool(base_url=server.address, budget=Budget(tokens=60_000))
        return run(SUITE, [MODEL], folder, PlayerRegistry(clients=clients))


@pytest.mark.parametrize("latency", [0.0, 0.02])
def test_a_capped_run_finishes_matches(tmp_path: Path, latency: float) -> None:
    """As many as with eight matches at once, however many could be played at the same time; the
    oldest first.
    """
    played = _capped(tmp_path, latency=latency)
    seeds = {int(record.name.partition("#")[2]) for record in played.records}

    assert "tokens is used up" in played.stopped
    assert len(played.records) >= 42
    assert max(seeds) <= len(played.records) / 2 + 4


def test_a_partial_table_says_so(tmp_path: Path) -> None:
    """Every row says what is missing, also one without any match, and has no interval."""
    played = _capped(tmp_path)
    rows = mark_missing(summarise(played.records), played.left)
    table = results_table(rows)
    [own] = [row for row in rows if (row.puzzle, row.player) == ("sudokill", MODEL)]
    [unplayed] = [row for row in rows if row.puzzle == "islands"]

    assert table.startswith("PARTIAL RESULTS")
    assert own.matches + own.repeats + own.missing == 240
    assert f"{own.missing} of 240 ({own.missing / 2.4:.0f} %)" in table
    assert (own.low, own.high) == (None, None)
    assert "5 of 5 (100 %)" in table
    assert (0, None) == (unplayed.matches, unplayed.score)


def test_a_finished_run_is_not_partial(tmp_path: Path) -> None:
    """Its rows have intervals, and no column for what is missing."""
    whole = run(SUITE, ["random"], tmp_path, PlayerRegistry())
    rows = summarise(whole.records)

    assert rows == mark_missing(rows, whole.left)
    assert "PARTIAL" not in results_table(rows)
    assert "missing" not in results_table(rows)


def test_a_row_with_one_missing_match_has_no_interval(tmp_path: Path) -> None:
    """The other rows keep theirs."""
    whole = run(SUITE, ["random"], tmp_path, PlayerRegistry())
    *records, last = whole.records
    scheduled = Schedule(SUITE, ["random"])
    left = [match for match in scheduled if match.name.startswith(f"{last.name} ")]
    rows = mark_missing(summarise(records), left)

    assert ["sudokill", "sudokill"] == [row.puzzle for row in rows if row.low is not None]
    assert [1] == [row.missing for row in rows if row.puzzle == "islands"]

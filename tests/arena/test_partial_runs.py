"""Runs that stop before their end: they have finished as many matches as they paid for, and their
tables say what is missing.
"""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip(
    "aiohttp", reason="models behind HTTP servers need aiohttp: pip install 'quandary[models]'"
)
pytest.importorskip("pyarrow", reason="tables need pyarrow: pip install 'quandary[report]'")

from quandary.arena.run import RunResult, run
from quandary.arena.store import RECORDS
from quandary.arena.suite import read as read_suite
from quandary.models.budget import Budget
from quandary.models.pool import ClientPool
from quandary.players.registry import PlayerRegistry
from quandary.report.formats import text
from quandary.scoring.leaderboard import by_level, level_scores
from quandary.scoring.level_groups import fixed_rng, groups_of
from server_thread import served, some_move

MODEL = "openai/any,list_moves=yes,history=no"
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
    groups = groups_of([tmp_path])
    rows = level_scores(groups)
    table = text(by_level(groups, fixed_rng()))
    [own] = [row for row in rows if (row.puzzle, row.player) == ("sudokill", MODEL)]
    [unplayed] = [row for row in rows if row.puzzle == "islands"]

    assert "PARTIAL RESULTS" in table
    assert own.matches + own.repeats + own.missing == 240
    assert own.missing == sum(MODEL in job.players for job in played.left) - 5
    assert f"unplayed {own.missing}" in table
    assert (own.low, own.high) == (None, None) and own.score is not None
    assert (0, 5, None) == (unplayed.matches, unplayed.missing, unplayed.score)


def test_a_finished_run_is_not_partial(tmp_path: Path) -> None:
    """Its rows have intervals, and no column for what is missing."""
    run(SUITE, ["random"], tmp_path, PlayerRegistry())
    groups = groups_of([tmp_path])
    table = text(by_level(groups, fixed_rng()))

    assert all(row.low is not None and not row.missing for row in level_scores(groups))
    assert "PARTIAL" not in table and "missing" not in table


def test_a_row_with_one_missing_match_has_no_interval(tmp_path: Path) -> None:
    """The other rows keep theirs."""
    run(SUITE, ["random"], tmp_path, PlayerRegistry())
    lines = (tmp_path / RECORDS).read_bytes().splitlines(keepends=True)
    last = next(line for line in reversed(lines) if b'"islands' in line)
    (tmp_path / RECORDS).write_bytes(b"".join(line for line in lines if line != last))
    rows = level_scores(groups_of([tmp_path]))

    assert ["sudokill", "sudokill"] == [row.puzzle for row in rows if row.low is not None]
    assert [1] == [row.missing for row in rows if row.puzzle == "islands"]

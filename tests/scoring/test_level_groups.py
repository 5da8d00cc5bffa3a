"""Scores by level from records: short lists of starts, exact repeats, and what is drawn."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("numpy", reason="leaderboards need numpy: pip install 'quandary[report]'")
pytest.importorskip("pyarrow", reason="leaderboards need pyarrow: pip install 'quandary[report]'")

from quandary.catalogue import drawing
from quandary.matches.drivers import play_now
from quandary.matches.record import Record
from quandary.players.strategy import strategy_player
from quandary.results.level_scores import LevelScore
from quandary.scoring.board_tables import leaderboards
from quandary.scoring.leaderboard import by_level, by_puzzle, level_scores
from quandary.scoring.level_groups import fixed_rng, groups_of
from run_folders import run_folder
from seat_tables import seat_row, seat_table


@pytest.fixture(scope="module")
def nim() -> list[Record]:
    """A hundred instances of a level that has eleven starts, each from both seats."""
    records = []
    for seed in range(1, 101):
        spec = f"expanding_nim/easy#{seed}"
        game = drawing.game(spec)
        players = [strategy_player(name, game, "easy") for name in ("cautious", "random")]
        records += [play_now(game, pair, spec) for pair in (players, players[::-1])]
    return records


def _row(folder: Path, records: list[Record], player: str) -> LevelScore:
    rows = level_scores(groups_of([run_folder(folder, records)]))
    return next(row for row in rows if row.player == player)


def test_a_level_of_eleven_starts_is_reported_as_such(nim: list[Record], tmp_path: Path) -> None:
    """A hundred instances of expanding_nim/easy are eleven starts, all there are."""
    row = _row(tmp_path / "run", nim, "cautious")

    assert (100, 11, 11) == (row.instances, row.starts, row.listed)
    assert 0 < row.repeats == 200 - row.matches


def test_exact_repeats_count_once(nim: list[Record], tmp_path: Path) -> None:
    """The same matches under other names change no number of matches but that of the repeats."""
    again = [replace(record, name=record.name.replace("#", "#1000")) for record in nim]
    once = _row(tmp_path / "once", nim, "random")
    twice = _row(tmp_path / "twice", [*nim, *again], "random")

    assert once.matches == twice.matches
    assert twice.repeats == once.repeats + len(nim)


def test_a_player_that_repeats_itself_has_a_point_for_an_interval(tmp_path: Path) -> None:
    """All starts were played, each more than once and always alike: the score is known."""
    starts = {seed: drawing.game(f"expanding_nim/easy#{seed}") for seed in range(1, 101)}
    records = [
        Record(
            f"expanding_nim/easy#{seed}", ("a", "b"), start, ((0, "1"),), (),
            (float(start.stones > 15), 0.0), None, "goal",  # type: ignore[attr-defined]
        )
        for seed, start in starts.items()
    ]  # fmt: skip
    row = _row(tmp_path / "run", records, "a")

    assert (11, 89, 5 / 11) == (row.matches, row.repeats, pytest.approx(row.score))
    assert row.low == row.high == row.score


def test_an_interval_does_not_depend_on_other_rows() -> None:
    """Intervals that are drawn are the same in a table of one player and in one of three, and a
    level that is alone has that of its row everywhere.
    """
    rng = Random(1)
    rows = [seat_row(at, player, rng.betavariate(0.5, 0.7)) for at in range(40) for player in "abc"]
    every, alone = seat_table(rows), seat_table(row for row in rows if row["player"] == "c")
    own = by_level(alone, fixed_rng()).rows[0]

    assert own == by_level(every, fixed_rng()).rows[2]
    score = own[4]
    assert score == by_puzzle(every, fixed_rng()).rows[2][4]
    [board] = leaderboards(every)
    assert score == next(row[1] for row in board.rows if row[0] == "c")

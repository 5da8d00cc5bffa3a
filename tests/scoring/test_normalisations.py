"""Four ways to normalise: by hand, and in played runs."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyarrow", reason="tables need pyarrow: pip install 'quandary[report]'")

from paper_rows import alone, match, table_of
from quandary.arena.run import run
from quandary.arena.store import records
from quandary.arena.suite import read as read_suite
from quandary.cli.main import main
from quandary.matches.record import Record
from quandary.players.registry import PlayerRegistry
from quandary.results import table
from quandary.scoring import normalisations
from quandary.scoring.groups import SeatColumns
from quandary.scoring.normalisations import (
    NormalisedRow,
    against_baseline,
    against_best,
    against_reference,
    between_random_and_strongest,
    normalised,
)
from quandary.scoring.score_table import Ranged
from run_folders import run_folder

TOUR = {"puzzle": "optimal_touring", "reference": 20.0, "lower_is_better": False}
PROBES = {"puzzle": "exclusivity_probes", "reference": 4.0, "lower_is_better": True}
FAILED = {"value": None, "score": 0.0, "cause": "illegal", "legal": False}


def test_ratios_by_hand() -> None:
    """High is better: 8, house 10, best 16, reference 20; low is better: 8, 10, 5 and 4."""
    seats = SeatColumns(
        table_of(
            alone("a", value=8.0, **TOUR),
            alone("house", value=10.0, **TOUR),
            alone("b", value=16.0, **TOUR),
            alone("c", **TOUR | FAILED),
            alone("a", value=8.0, **PROBES),
            alone("house", value=10.0, **PROBES),
            alone("b", value=5.0, **PROBES),
            alone("c", **PROBES | FAILED),
        )
    )

    assert against_reference(seats).tolist() == [0.4, 0.5, 0.8, 0.0, 0.5, 0.4, 0.8, 0.0]
    assert against_baseline(seats).tolist() == [0.8, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0]
    assert against_best(seats).tolist() == [0.5, 0.625, 1.0, 0.0, 0.625, 0.5, 1.0, 0.0]


def test_puzzles_without_values_count_by_score() -> None:
    """Solved or not, with the house as the mark; a house that failed is beaten by any success."""
    seats = SeatColumns(
        table_of(
            alone("a", 1, score=1.0),
            alone("house", 1, score=1.0),
            alone("b", 1, score=0.0),
            alone("a", 2, score=1.0),
            alone("house", 2, score=0.0),
            alone("b", 2, score=0.0),
        )
    )

    expected = [1.0, 1.0, 0.0, 1.0, 0.0, 0.0]
    for ratio in (against_reference, against_baseline, against_best):
        assert ratio(seats).tolist() == expected


def test_nothing_to_divide_by_is_no_number() -> None:
    """Without a house there is no baseline; two-player games and missing results have no ratio;
    where all fail, the best is 0.
    """
    seats = SeatColumns(
        table_of(
            alone("a", 1, value=3.0, **TOUR),
            alone("a", 2, **TOUR | FAILED),
            alone("b", 2, **TOUR | FAILED),
            alone("a", 3, score=None, legal=None, illegal_loss=None, cause="infrastructure"),
            match("a", "b", 1.0),
        )
    )

    assert np.isnan(against_baseline(seats)).all()
    assert against_best(seats)[:3].tolist() == [1.0, 0.0, 0.0]
    assert np.isnan(against_best(seats)[3:]).all()


def _gains(
    own: Sequence[float], low: Sequence[float], high: Sequence[float], **columns: Any
) -> NormalisedRow:
    """The row of `greedy`, if it, `random` and `oracle` have these scores on each start."""
    players = {"greedy": own, "random": low, "oracle": high}
    rows = [
        alone(player, seed, score=score, puzzle="max_target", **columns)
        for player, scores in players.items()
        for seed, score in enumerate(scores)
    ]
    table = table_of(*rows).select(normalisations.COLUMNS)
    [row] = between_random_and_strongest(table, None)
    [cell] = [cells[-1] for cells in normalised(table).rows if cells[2] == "greedy"]
    assert cell == (row.normalised and (row.normalised, row.low, row.high))
    return row


def test_a_mean_half_way_between_is_a_half() -> None:
    """Whatever the instances are like: the differences are taken on each of them."""
    worst, gaps = [0.1 * seed for seed in range(1, 6)], [0.1, 0.2, 0.3, 0.2, 0.2]
    shares = [0.5, 0.7, 0.3, 0.6, 0.4]
    levels = list(zip(worst, gaps, shares, strict=True))
    row = _gains(
        [low + gap * part for low, gap, part in levels],
        worst,
        [low + gap for low, gap, _ in levels],
    )

    assert row.normalised == pytest.approx(sum(g * s for _, g, s in levels) / sum(gaps))
    assert row.low is not None and row.high is not None
    assert 0.2 < row.low < row.normalised < row.high < 0.9
    assert (row.kind, row.starts, row.matches) == ("search", 5, 5)
    assert row.random == pytest.approx(fmean(worst))


def test_players_may_lie_outside() -> None:
    """Better than the strongest that the puzzle has, or worse than random play."""
    low, high = [0.4 + 0.01 * i for i in range(6)], [0.6 + 0.02 * i for i in range(6)]
    better = _gains([0.9 + 0.01 * i for i in range(6)], low, high)
    worse = _gains([0.1 + 0.01 * (i % 2) for i in range(6)], low, high)

    assert better.low is not None and 1 < better.low < better.normalised < better.high  # type: ignore[operator]
    assert worse.high is not None and worse.low < worse.normalised < worse.high < 0  # type: ignore[operator]


def test_nothing_is_said_where_the_strongest_player_is_not_stronger() -> None:
    """A ratio to what may be nothing is no measure."""
    low, high = [0.5 + 0.1 * (i % 2) for i in range(6)], [0.5 + 0.1 * (i % 3) for i in range(6)]
    row = _gains([0.5] * 6, low, high)

    assert (None, None, None) == (row.normalised, row.low, row.high)


def test_doing_as_the_strongest_on_a_few_instances_is_no_certainty() -> None:
    """Three instances solved are not all instances solved."""
    row = _gains([1.0] * 3, [0.0] * 3, [1.0] * 3)

    assert row.normalised == row.high == 1.0
    assert row.low is not None and row.low < 0.6


def test_on_a_whole_list_of_starts_only_luck_counts() -> None:
    """Two starts on which the gaps differ much, each played four times and almost alike."""
    players = {"greedy": (0.1, 0.3), "random": (0.0, 0.1), "oracle": (0.2, 0.8)}
    rows = [
        alone(player, start, repeat=again, puzzle="max_target",
              score=scores[start] + 0.01 * ((7 * again + len(player)) % 3))
        for player, scores in players.items() for start in (0, 1) for again in range(4)
    ]  # fmt: skip
    whole, sample = (
        between_random_and_strongest(
            table_of(*(row | {"listed_starts": listed} for row in rows)).select(
                normalisations.COLUMNS
            ),
            None,
        )[0]
        for listed in (2, None)
    )

    assert (whole.score, whole.random) == (sample.score, sample.random)
    assert sample.normalised is None  # the gap of a third start may be nothing
    assert whole.low is not None and whole.high is not None
    assert 0.2 < whole.low < whole.normalised < whole.high < 0.5  # type: ignore[operator]


@pytest.mark.parametrize(
    ("puzzle", "player"), [("card_nim", "cautious"), ("exclusivity_probes", "house")]
)
def test_reference_matches_normalise_as_matches_of_the_run(
    puzzle: str, player: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With `random` and `oracle` in the run or beside it: `run --normalised` and the report's table
    have the same numbers, and reference matches are in no other column.
    """
    chosen = ["run", "--puzzle", puzzle, "--level", "easy", "--seeds", "1-6", "--schedule", "house"]
    own = [*chosen, "--player", player, "--out", str(tmp_path / "own")]
    assert 0 == main([*own, "--normalised", "--json"])
    output = map(json.loads, capsys.readouterr().out.splitlines())
    [row] = [line for line in output if "normalised" in line]
    more = ["--player", "random", "--player", "oracle"]
    assert 0 == main([*chosen, "--player", player, *more, "--out", str(tmp_path / "all")])

    tables = {
        name: normalised(
            table.seats(tmp_path / name, columns=normalisations.COLUMNS),
            table.reference_seats(tmp_path / name, columns=normalisations.COLUMNS),
        )
        for name in ("own", "all")
    }
    cells = {
        name: {row[2]: row for row in found.rows if row[0] == puzzle}
        for name, found in tables.items()
    }
    assert cells["own"][player][-1] == cells["all"][player][-1] is not None
    assert (row["normalised"], row["low"], row["high"]) == cells["own"][player][-1]
    assert cells["own"].keys() <= {player, "house"}  # whom the run has
    assert cells["all"]["random"][-1] is cells["all"]["oracle"][-1] is None

    capsys.readouterr()
    assert 0 == main([*own, "--normalised"])
    assert f"{row['normalised']:.2f}" in capsys.readouterr().out


def test_raw_means_have_intervals_that_make_sense() -> None:
    """Wins stay between 0 and 1 even if all are equal; equal values have no interval."""
    seats = table_of(
        *(match("a", "b", 1.0, seed) for seed in range(4)),
        *(alone("a", seed, value=7.0, **TOUR) for seed in range(4)),
        *(alone("b", seed, value=float(seed), **TOUR) for seed in range(4)),
    )
    found = normalised(seats.select(normalisations.COLUMNS))
    raw = {(row[0], row[2]): row[4] for row in found.rows}

    assert raw["card_nim", "a"] == pytest.approx((1.0, 0.51, 1.0), abs=0.001)
    assert raw["optimal_touring", "a"] == 7.0
    assert raw["optimal_touring", "b"] == pytest.approx((1.5, -0.554, 3.554), abs=0.001)


def test_raw_means_are_those_that_plain_python_finds_in_the_records(tmp_path: Path) -> None:
    """One puzzle of each kind; every third match is made one that both or the only player lost by
    a failure.
    """
    kinds = ("max_target", "exclusivity_probes", "tidy_tower", "card_nim", "beat_or_bomb_sto")
    text = "".join(
        f'[[puzzles]]\npuzzle = "{name}"\nlevels = ["easy"]\nseeds = "1-4"\n' for name in kinds
    )
    run(read_suite("small", text), ["random", "house"], tmp_path / "played", PlayerRegistry())
    played = [
        record if place % 3 else _failed(record)
        for place, record in enumerate(records(tmp_path / "played"))
    ]
    expected = defaultdict[tuple[object, ...], list[float]](list)
    for record in played:
        puzzle = record.name.partition("/")[0]
        for seat, player in enumerate(record.players):
            own = expected[puzzle, player]
            if puzzle == "max_target":  # more is better, and a failure is worth nothing
                own.append(record.values[seat] if record.values else 0.0)
            elif puzzle == "exclusivity_probes":  # fewer is better: a failure has no number
                own += [record.values[seat]] if record.values else []
            else:
                assert record.scores
                own.append(record.scores[seat])

    folder = run_folder(tmp_path / "run", played, players=["random", "house"])
    found = normalised(table.seats(folder, columns=normalisations.COLUMNS))

    assert {(puzzle, player) for puzzle, _, player, *_ in found.rows} == set(expected)
    for puzzle, _, player, n, raw, raw_n, *_ in found.rows:
        own = expected[puzzle, player]
        assert raw_n == len(own)
        assert (raw_n < n) == (puzzle == "exclusivity_probes")  # type: ignore[operator]
        assert (raw.value if isinstance(raw, Ranged) else raw) == pytest.approx(fmean(own))


def _failed(record: Record) -> Record:
    """The match, if no reply in it could be read; in a two-player game, if both failed at once."""
    scores = (0.0,) * len(record.players)
    return replace(record, scores=scores, values=None, cause="unreadable", said=(), log=())


def test_an_instance_that_all_failed_does_not_count_as_the_lowest_value() -> None:
    """Of two instances where low is better, nobody has a value on one."""
    seats = table_of(
        alone("a", 1, value=8.0, **PROBES),
        alone("a", 2, **PROBES | FAILED),
        alone("b", 2, **PROBES | FAILED | {"lower_is_better": None, "reference": None}),
    )
    found = normalised(seats.select(normalisations.COLUMNS))

    rows = {row[2]: row[3:6] for row in found.rows}
    assert rows == {"a": (2, 8.0, 1), "b": (1, None, 0)}


def test_an_oracle_with_a_budget_is_not_the_strongest_and_the_note_says_so() -> None:
    seats = table_of(*(match(name, "house", 1.0) for name in ("oracle@20", "random", "a")))
    found = normalised(seats.select(normalisations.COLUMNS))

    assert {row[-1] for row in found.rows} == {None}
    assert "players with a budget, such as oracle@20, do not count" in found.notes[0]

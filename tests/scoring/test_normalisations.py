"""Four ways to normalise: by hand, and against the normalised means of a played run."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest

pytest.importorskip("pyarrow", reason="tables need pyarrow: pip install 'quandary[report]'")

from paper_rows import alone, match, table_of
from quandary.arena.run import run
from quandary.arena.store import RECORDS, read, records
from quandary.arena.suite import read as read_suite
from quandary.matches.record import Record
from quandary.players.registry import PlayerRegistry
from quandary.results import table
from quandary.scoring import normalisations
from quandary.scoring.groups import SeatColumns
from quandary.scoring.normalisations import (
    against_baseline,
    against_best,
    against_reference,
    normalised,
)
from quandary.scoring.normalised import normalise, references
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
    """Without a house there is no baseline; games for two and missing results have no ratio; where
    all fail, the best is 0.
    """
    seats = SeatColumns(
        table_of(
            alone("a", 1, value=3.0, **TOUR),
            alone("a", 2, **TOUR | FAILED),
            alone("b", 2, **TOUR | FAILED),
            alone("a", 3, score=None, legal=None, fir=None, cause="infrastructure"),
            match("a", "b", 1.0),
        )
    )

    assert np.isnan(against_baseline(seats)).all()
    assert against_best(seats)[:3].tolist() == [1.0, 0.0, 0.0]
    assert np.isnan(against_best(seats)[3:]).all()


@pytest.mark.parametrize(
    ("puzzle", "player"), [("card_nim", "cautious"), ("exclusivity_probes", "house")]
)
def test_between_random_and_strongest_is_the_normalised_mean_of_the_run(
    puzzle: str, player: str, tmp_path: Path
) -> None:
    """The same numbers as `run --normalised`, which computes them from records."""
    text = f'[[puzzles]]\npuzzle = "{puzzle}"\nlevels = ["easy"]\nseeds = "1-6"'
    suite = read_suite("small", text)
    players = PlayerRegistry()
    run(suite, [player, "random", "oracle"], tmp_path, players, kind="house")
    records = list(read(tmp_path / RECORDS))
    [expected] = normalise(
        records, [player], references(records, [player], suite, players, tmp_path)
    )
    found = normalised(table.seats(tmp_path, columns=normalisations.COLUMNS))
    cells = dict(zip(found.column("player"), found.column(found.head[-1]), strict=True))

    assert cells[player] == pytest.approx((expected.normalised, expected.low, expected.high))
    assert cells["random"] is cells["oracle"] is None


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
    """The match, if no reply in it could be read; in a game for two, if both failed at once."""
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
    assert "with a budget, as oracle@20, they do not count" in found.notes[0]

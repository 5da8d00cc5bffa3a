"""Intervals hold what they promise: simulated players whose true means are known."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from statistics import fmean

import pytest

from quandary.catalogue import drawing
from quandary.catalogue.spec import Spec
from quandary.matches.drivers import play_now
from quandary.matches.record import Record
from quandary.players.strategy import strategy_player
from quandary.report.results import results_table
from quandary.results.starts import listed_starts
from quandary.scoring.intervals import (
    interval,
    interval_over_starts,
    moments,
    ratio_interval,
)
from quandary.scoring.summary import SummaryRow, summarise

TRIALS = 1_500
LIST = [0.05, 0.1, 0.3, 0.5, 0.5, 0.7, 0.9, 0.95, 1.0, 1.0, 0.0]  # how likely each start is won


def _won(chance: float, times: int, rng: Random) -> list[float]:
    return [float(rng.random() < chance) for _ in range(times)]


def _graded(mean: float, times: int, rng: Random) -> list[float]:
    return [min(1.0, max(0.0, rng.gauss(mean, 0.1))) for _ in range(times)]


def _coverage(intervals: Sequence[tuple[float, float]], truth: float) -> float:
    return fmean(low <= truth <= high for low, high in intervals)


@pytest.mark.parametrize("times", [2, 3, 9])
def test_a_whole_list_of_starts_is_covered_by_luck_alone(times: int) -> None:
    """95 of 100 intervals hold the mean over the list, and they are narrower than a sample's."""
    rng = Random(times)
    drawn = [[_won(chance, times, rng) for chance in LIST] for _ in range(TRIALS)]
    within = [interval_over_starts(groups, len(LIST)) for groups in drawn]
    sampled = [interval([fmean(group) for group in groups]) for groups in drawn]

    assert 0.93 <= _coverage(within, fmean(LIST)) <= 0.985
    assert fmean(high - low for low, high in within) < 0.8 * fmean(
        high - low for low, high in sampled
    )


def test_graded_scores_on_a_whole_list() -> None:
    """Student's t where scores are not won or lost."""
    rng, means = Random(3), [0.3, 0.4, 0.5, 0.6, 0.7]
    intervals = [
        interval_over_starts([_graded(mean, 4, rng) for mean in means], 5) for _ in range(TRIALS)
    ]

    assert 0.93 <= _coverage(intervals, fmean(means)) <= 0.97


def test_a_part_of_a_list_is_a_sample_of_it() -> None:
    """Half of the starts, each played four times: what the others are like counts too."""
    rng, means = Random(4), [0.2 + 0.6 * place / 39 for place in range(40)]
    intervals = [
        interval_over_starts([_graded(mean, 4, rng) for mean in rng.sample(means, 20)], 40)
        for _ in range(TRIALS)
    ]

    assert 0.93 <= _coverage(intervals, fmean(means)) <= 0.97


def test_starts_drawn_from_very_many_are_a_sample() -> None:
    """The variation between starts counts, however often each is repeated."""
    rng = Random(5)
    intervals = [
        interval_over_starts([_won(rng.betavariate(1, 1), 3, rng) for _ in range(30)])
        for _ in range(TRIALS)
    ]

    assert 0.93 <= _coverage(intervals, 0.5) <= 0.97


def test_one_start_is_covered_by_its_luck() -> None:
    """As where a board is empty at first and only luck differs."""
    rng = Random(6)
    intervals = [interval_over_starts([_won(0.8, 20, rng)], 1) for _ in range(TRIALS)]

    assert 0.93 <= _coverage(intervals, 0.8) <= 0.985
    low, high = interval_over_starts([[1.0] * 20], 1)
    assert low < 0.9 and high == 1.0


def test_a_deterministic_player_on_a_whole_list_is_known_exactly() -> None:
    """Repeats of the same matches tell nothing more, and nothing more is to be known."""
    groups = [[1.0, 1.0], [0.0, 0.0], [0.0, 0.0]]

    assert (1 / 3, 1 / 3) == pytest.approx(interval_over_starts(groups, 3, repeated=True))
    low, high = interval_over_starts(groups, 3)  # the same scores by different moves
    assert low < 1 / 3 < high
    low, high = interval_over_starts([[1.0], [0.0], [0.0]], 3)  # nothing was repeated
    assert low < 1 / 3 < high


@pytest.mark.parametrize("listed", [None, 8])
def test_ratios_of_paired_means_are_covered(listed: int | None) -> None:
    """Fieller's interval for (mean - random) / (strongest - random) on the same starts."""
    rng, intervals, starts = Random(7), list[tuple[float, float]](), 25 if listed is None else 8
    for _ in range(TRIALS):
        groups = []
        for place in range(starts):
            level = rng.gauss(0, 1) if listed is None else place / 4 - 1
            noise = [rng.gauss(0, 0.2) for _ in range(3)]
            groups.append(
                [
                    (0.6 + level * 0.2 + shared + rng.gauss(0, 0.1), 1.0 + level * 0.3 + shared)
                    for shared in noise
                ]
            )
        found = ratio_interval(moments(groups, listed))
        assert found is not None
        intervals.append(found)
    truth = (
        0.6
        if listed is None
        else fmean(0.6 + (place / 4 - 1) * 0.2 for place in range(8))
        / (fmean(1.0 + (place / 4 - 1) * 0.3 for place in range(8)))
    )

    assert 0.93 <= _coverage(intervals, truth) <= 0.97


def test_a_ratio_to_nothing_is_not_given() -> None:
    """Where the strongest player may be no better than random play."""
    assert ratio_interval(moments([[(0.1, 0.2)], [(0.0, -0.2)], [(0.1, 0.1)]])) is None
    assert ratio_interval(moments([[(0.1, 0.2)]])) is None


def _expanding_nim(seeds: range, first: str, second: str) -> list[Record]:
    records = []
    for seed in seeds:
        spec = f"expanding_nim/easy#{seed}"
        game = drawing.game(spec)
        players = [strategy_player(name, game, "easy") for name in (first, second)]
        records += [play_now(game, pair, spec) for pair in (players, players[::-1])]
    return records


def _row(records: list[Record], player: str) -> SummaryRow:
    return next(row for row in summarise(records) if row.player == player)


def test_a_level_of_eleven_starts_is_reported_as_such() -> None:
    """A hundred instances of expanding_nim/easy are eleven starts, all there are."""
    records = _expanding_nim(range(1, 101), "cautious", "random")
    row = _row(records, "cautious")

    assert (100, 11, 11) == (row.instances, row.starts, row.listed)
    assert "11 of 11" in results_table([row])
    assert "fixed list" in results_table([row])


def test_exact_repeats_count_once() -> None:
    """The same matches again change no number but that of the repeats."""
    records = _expanding_nim(range(1, 101), "cautious", "random")
    again = [
        Record(
            record.name.replace("#", "#1000"), record.players, record.start, record.log,
            record.said, record.scores, record.values, record.cause, record.offender,
        )
        for record in records
    ]  # fmt: skip
    once, twice = _row(records, "random"), _row([*records, *again], "random")

    assert once.matches == twice.matches
    assert twice.repeats == once.repeats + len(records)
    assert "repeated matches left out: " in results_table([twice])


def test_a_player_that_repeats_itself_has_a_point_for_an_interval() -> None:
    """All starts were played, each more than once and always alike: the score is known."""
    records = [
        Record(
            f"expanding_nim/easy#{seed}", ("a", "b"), drawing.game(f"expanding_nim/easy#{seed}"),
            ((0, "1"),), (), (float(drawing.game(f"expanding_nim/easy#{seed}").stones > 15), 0.0),
            None, "goal",
        )
        for seed in range(1, 101)
    ]  # type: ignore[attr-defined]  # fmt: skip
    row = _row(records, "a")

    assert (11, 89, 5 / 11) == (row.matches, row.repeats, pytest.approx(row.score))
    assert row.low == row.high == row.score
    assert "all 11 starts" in results_table([row])


def test_lists_of_starts() -> None:
    """Levels with few starts have lists; their tasks and others have none."""
    specs = {
        "expanding_nim/easy#1": 11,
        "superply/hard#7": 1,
        "share_card_nim/normal#1": 57,
        "card_nim/easy#1": None,
        "expanding_nim/easy,stones=5..8#1": None,
        "sudokill/easy#1": None,
        "check:tidy_tower/easy#1": None,
    }

    assert specs == {name: listed_starts(Spec.parse(name)) for name in specs}

"""Means and intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from weakref import ref

import pytest

from quandary.matches.record import Record
from quandary.puzzles.duels.card_nim import CardNim
from quandary.scoring.intervals import interval, student, wilson
from quandary.scoring.normalised import normalise
from quandary.scoring.solve_rates import results_of, solve_rates
from quandary.scoring.summary import summarise

PILE = CardNim(5, ((1, 2, 3), (1, 2, 3)))


def _record(seed: int, players: tuple[str, str], scores: tuple[float, float] | None) -> Record:
    cause = "infrastructure" if scores is None else "goal"
    start = CardNim(5 + seed, PILE.hands)
    return Record(f"card_nim/easy#{seed}", players, start, (), (), scores, None, cause)  # type: ignore[arg-type]


def test_both_seats_of_an_instance_are_one_observation() -> None:
    """A score is the mean over starts; two matches of one instance are one observation."""
    records = [
        _record(1, ("a", "b"), (1.0, 0.0)),
        _record(1, ("b", "a"), (1.0, 0.0)),
        _record(2, ("a", "b"), (1.0, 0.0)),
    ]
    line = next(line for line in summarise(records) if line.player == "a")

    assert (line.matches, line.instances, line.score) == (3, 2, 0.75)


def test_matches_that_were_cut_off_are_counted_but_not_scored() -> None:
    """Infrastructure is nobody's failure."""
    line = summarise([_record(1, ("a", "b"), None), _record(2, ("a", "b"), (1.0, 0.0))])[0]

    assert (line.matches, line.unscored, line.score) == (1, 1, 1.0)


@pytest.mark.parametrize(
    ("share", "count", "low", "high"),
    [(0.0, 10, 0.0, 0.2775), (0.5, 10, 0.2366, 0.7634), (1.0, 5, 0.5655, 1.0)],
)
def test_wilson(share: float, count: int, low: float, high: float) -> None:
    """Known values of Wilson's interval."""
    assert wilson(share, count) == pytest.approx((low, high), abs=1e-3)


def test_an_interval_holds_its_own_score() -> None:
    """Roundings leave neither nought nor one outside."""
    intervals = [(wilson(0.0, count)[0], wilson(1.0, count)[1]) for count in range(1, 200)]

    assert [(0.0, 1.0)] * 199 == intervals


def test_graded_scores_use_students_t() -> None:
    """Five values with mean 0.5: half width 2.776 standard errors."""
    means = [0.3, 0.4, 0.5, 0.6, 0.7]
    low, high = interval(means)

    assert (high - low) / 2 == pytest.approx(2.776 * 0.1581139 / 5**0.5, abs=1e-4)


def test_equal_scores_do_not_pretend_to_certainty() -> None:
    """All alike is not an interval of width nought."""
    low, high = interval([0.5] * 4)

    assert low < 0.5 < high


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.706), (20, 2.086), (21, 2.080), (29, 2.045), (59, 2.001), (10**6, 1.960)],
)
def test_students_quantile(freedom: int, quantile: float) -> None:
    """Known values, within the table and beyond it."""
    assert student(freedom) == pytest.approx(quantile, abs=1e-3)


def test_only_the_seed_is_averaged_over() -> None:
    """Another task, size or split of a level is a line of its own."""
    nim = (
        "card_nim/easy#1",
        "card_nim/easy#2",
        "card_nim/easy,stones=5..8#1",
        "card_nim/easy,stones=5..8@train#1",
    )
    records = [
        Record(name, ("a",), PILE, (), (), (1.0,), None, "goal")
        for name in (*nim, "check:sudoku/easy#1")
    ]

    assert [
        ("card_nim", "easy", 2),
        ("card_nim", "easy,stones=5..8", 1),
        ("card_nim", "easy,stones=5..8@train", 1),
        ("check:sudoku", "easy", 1),
    ] == [(line.puzzle, line.level, line.instances) for line in summarise(records)]


def test_without_a_scored_match_there_is_no_score() -> None:
    """Nothing known is not nought."""
    line = summarise([_record(1, ("a", "b"), None)])[0]

    assert (0, 1, None, None, None) == (
        line.matches,
        line.unscored,
        line.score,
        line.low,
        line.high,
    )


@pytest.mark.parametrize(
    "read",
    [
        summarise,
        lambda records: normalise(records, ["a"], {}),
        lambda records: solve_rates(results_of(records)),
    ],
    ids=["summary", "normalised", "solve rates"],
)
def test_records_are_not_held(read: Callable[[Iterator[Record]], object]) -> None:
    """Each is let go before the next but one is read, so that memory does not grow with them."""
    made, held = list[ref[Record]](), list[int]()

    def stream() -> Iterator[Record]:
        for seed in range(20):
            record = _record(seed, ("a", "b"), (1.0, 0.0))
            made.append(ref(record))
            yield record
            del record
            held.append(sum(each() is not None for each in made))

    read(stream())
    assert 20 == len(held)
    assert max(held) <= 1

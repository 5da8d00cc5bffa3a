"""Four ways to normalise a result, each under its own name.

    against_reference              value / reference: the best value that is possible, or a bound
    against_baseline               value / the house's value on the same instance, at most 1; the
                                   first PuzzlePlex paper's
    against_best                   value / the best value of any player on the same instance; the
                                   second PuzzlePlex paper's
    between_random_and_strongest   (mean - random) / (strongest - random), on the same instances and
                                   against the same opponents; ours

Where lower values are better, the ratio is the other way round.  A match that did not end by the
rules has no value and counts 0.  Puzzles without values have a score of 0 or 1 in their place.  The
first three are for puzzles with one seat: in games for two, the score is normalised already.

The raw result that is normalised is, as in the PuzzlePlex papers, the value of a puzzle for one and
who won of a game for two.  There too a failure counts 0, but not where low values are better: no
value is better than 0, so a failure has none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from quandary.statistics.estimates import Flags, Floats, Ints
from quandary.statistics.intervals import UNIT

from .groups import (
    Groups,
    SeatColumns,
    asked_puzzles,
    grouped,
    mean_with_interval,
    numbered,
    played_levels,
)
from .intervals import Moments, ratio_interval
from .score_table import Cell, Ranged, ScoreTable, level_place, score_table

if TYPE_CHECKING:
    import pyarrow as pa

RANDOM, HOUSE, STRONGEST = "random", "house", "oracle"
COLUMNS = (
    "run", "match", "spec", "task", "puzzle", "level", "split", "shown", "instance", "player",
    "opponents", "seat", "seats", "repeat", "score", "value", "reference", "lower_is_better",
)  # fmt: skip
FORMULA = (
    "Means over matches, with 95 % intervals over starts. raw: the value in a puzzle for one, or "
    "the score if it has no values; the score in a game for two (1 for a win, 0.5 for a tie), also "
    "if it has values. against_reference: value / best possible value. against_baseline: "
    "value / value of the player house on the same instance, at most 1. against_best: value / "
    "best value of any player here on the same instance, so it changes when players are added. "
    "between_random_and_strongest: (score - random) / (oracle - random) on the same instances, "
    "seats and opponents."
)
NOTE = (
    "Where low values are better, ratios are the other way round. A match that ended without "
    "a value, by a failure or at a limit, counts 0; only where low values are better, it is left "
    "out of raw: raw n is the number of matches in raw. A dash: the run lacks house, or matches of "
    "random and oracle in the player's place (with a budget, as oracle@20, they do not count); or "
    "it is a game for two, whose scores need no ratio; or oracle and random are not separated."
)


class Raw:
    """The raw results of seats that play alone; nan for all others."""

    def __init__(self, seats: SeatColumns) -> None:
        self.spec = seats.texts("spec").codes
        score, value = seats.numbers("score"), seats.numbers("value")
        self.alone = alone = (seats.numbers("seats") == 1) & ~np.isnan(score)
        # Whether a puzzle has values, nobody may show on an instance that all fail.
        level = Groups(*(seats.texts(name).codes for name in ("task", "puzzle", "level"))).of
        self.valued = _any_of(level, alone & ~np.isnan(value))
        self.low = _any_of(level, alone & (seats.numbers("lower_is_better") == 1))
        has_values = self.valued | self.low
        self.raw = np.where(alone, np.where(has_values, value, score), np.nan)
        self.failed = alone & has_values & np.isnan(value)

    def against(self, mark: Floats) -> Floats:
        """Each result against a mark: 1 where it is as good or better, 0 where it failed."""
        with np.errstate(divide="ignore", invalid="ignore"):
            # A mark of 0 leaves nothing to divide by: whatever is more than that is better.
            high = np.where(mark > 0, self.raw / mark, np.where(self.raw > 0, 1.0, 0.0))
            low = np.where(self.raw > 0, mark / self.raw, 1.0)
        ratio = np.where(self.failed, 0.0, np.clip(np.where(self.low, low, high), 0.0, 1.0))
        return np.where(self.alone & ~np.isnan(mark), ratio, np.nan)

    def shown(self) -> Floats:
        """Each result as a number to show: 0 where it failed, unless low values are better."""
        return np.where(self.failed & ~self.low, 0.0, self.raw)


def _any_of(groups: Ints, flags: Flags) -> Flags:
    """For each row, whether any row of its group has a flag."""
    size = int(groups.max(initial=-1)) + 1
    found: Flags = (np.bincount(groups[flags], minlength=size) > 0)[groups]
    return found


def against_reference(seats: SeatColumns) -> Floats:
    """Of each row: its value / reference; its score where the puzzle has no values."""
    found, reference = Raw(seats), seats.numbers("reference")
    mark = np.where(~found.valued & np.isnan(reference), 1.0, reference)
    return found.against(mark)


def against_baseline(seats: SeatColumns) -> Floats:
    """Of each row: its value / the house's mean value on the same instance, at most 1.

    Where the house failed, whatever is more than nothing counts 1.
    """
    found = Raw(seats)
    house = seats.texts("player").where(HOUSE) & found.alone
    there = house & ~found.failed
    size = len(seats.texts("spec").names)
    played, counts = (
        _any_of(found.spec, house),
        np.bincount(found.spec[there], minlength=size),
    )
    sums = np.bincount(found.spec[there], found.raw[there], minlength=size)
    with np.errstate(invalid="ignore", divide="ignore"):
        mark = (sums / counts)[found.spec]
    mark = np.where(played & np.isnan(mark), np.where(found.low, np.inf, 0.0), mark)
    return found.against(mark)


def against_best(seats: SeatColumns) -> Floats:
    """Of each row: its value / the best value on the same instance; 0 for all if that is 0."""
    found = Raw(seats)
    size = len(seats.texts("spec").names)
    there = found.alone & ~found.failed
    best, least = np.full(size, -np.inf), np.full(size, np.inf)
    np.maximum.at(best, found.spec[there], found.raw[there])
    np.minimum.at(least, found.spec[there], found.raw[there])
    mark = np.where(found.low, least[found.spec], best[found.spec])
    return found.against(mark)


class Between:
    """Scores of random play and of the strongest player in place of each row's player."""

    def __init__(self, seats: SeatColumns) -> None:
        player = seats.texts("player")
        met = seats.texts("spec").codes, seats.texts("opponents").codes
        place = Groups(*met, seats.whole("seat"), seats.whole("repeat")).of
        self.score = seats.numbers("score")
        self.random = _scores_of(player.where(RANDOM), self.score, place)
        self.strongest = _scores_of(player.where(STRONGEST), self.score, place)
        reference = player.where(RANDOM) | player.where(STRONGEST)
        both = ~np.isnan(self.score + self.random + self.strongest)
        self.known = both & ~reference

    def of(self, rows: Ints, starts: Ints) -> Ranged | None:
        """The normalised mean of some rows, with Fieller's interval over starts."""
        rows = rows[self.known[rows]]
        if not len(rows):
            return None
        place = numbered(starts[rows])
        counts = np.bincount(place)
        score, low, high = (
            np.bincount(place, values[rows]) / counts
            for values in (self.score, self.random, self.strongest)
        )
        gains, free = np.stack([score - low, high - low]), len(counts) - 1
        if free < 1:
            return None
        means = gains.mean(axis=1)
        covariance = np.cov(gains) / len(counts)
        ends = ratio_interval(Moments(means.tolist(), covariance.tolist(), free, within=False))
        if ends is None:
            return None
        value = float(means[0] / means[1])
        return Ranged(value, *ends) if ends[1] - ends[0] > 1e-9 else _by_score(score, low, high)


def _by_score(score: Floats, low: Floats, high: Floats) -> Ranged | None:
    """For a player that did as one of the two on every start, the interval of its own score: how
    it may differ from them elsewhere is not known.
    """
    found = mean_with_interval(score, np.arange(len(score)))
    least, most = float(low.mean()), float(high.mean())
    return found and Ranged(*((end - least) / (most - least) for end in found))


def _scores_of(rows: Flags, scores: Floats, places: Ints) -> Floats:
    """For each row, the mean score of some rows at the same place; nan without any."""
    there = rows & ~np.isnan(scores)
    size = int(places.max(initial=0)) + 1
    counts = np.bincount(places[there], minlength=size)
    sums = np.bincount(places[there], scores[there], minlength=size)
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = (sums / counts)[places]
    return found


def normalised(table: pa.Table) -> ScoreTable:
    """One row per puzzle, level and player, with a column for each of the four."""
    seats = SeatColumns(table)
    starts, between = seats.texts("instance").codes, Between(seats)
    ratios = [against_reference(seats), against_baseline(seats), against_best(seats)]
    found, two = Raw(seats), seats.numbers("seats") == 2
    score = seats.numbers("score")
    raw = np.where(two, score, found.shown())
    valued = found.valued & ~two
    rows = list[list[Cell]]()
    groups = grouped(asked_puzzles(seats), played_levels(seats), seats.texts("player"))
    for key, at in groups:
        # Values have any size; scores and ratios lie between 0 and 1.
        bounds = None if valued[at].any() else UNIT
        n, raw_n = (int((~np.isnan(column[at])).sum()) for column in (score, raw))
        plain = mean_with_interval(raw[at], starts[at], bounds)
        shares = [mean_with_interval(ratio[at], starts[at]) for ratio in ratios]
        rows.append([*key, n, _finite(plain), raw_n, *shares, between.of(at, starts)])
    rows.sort(key=lambda row: (row[0], level_place(str(row[0]), str(row[1])), row[2]))
    head = ["puzzle", "level", "player", "n", "raw", "raw n", "against_reference"]
    head += ["against_baseline", "against_best", "between_random_and_strongest"]
    return score_table("normalised", "Normalised scores", FORMULA, head, rows, [NOTE])


def _finite(found: Ranged | None) -> Cell:
    """Student's interval says nothing about a single start, nor about equal values."""
    says = found is None or (np.isfinite(found.low) and found.low < found.high)
    return found if says or found is None else found.value

"""Four ways to normalise a result, each under its own name.

    against_reference              value / reference: the best value that is possible, or a bound
    against_baseline               value / the house's value on the same instance, at most 1; the
                                   first PuzzlePlex paper's
    against_best                   value / the best value of any player on the same instance; the
                                   second PuzzlePlex paper's
    between_random_and_strongest   (mean - random) / (strongest - random), on the same instances and
                                   against the same opponents; ours

Where lower values are better, the ratio is inverted.  A match that did not end by the
rules has no value and counts 0.  Puzzles without values have a score of 0 or 1 in their place.  The
first three are for puzzles with one seat: in two-player games, the score is normalised already.

The raw result that is normalised is, as in the PuzzlePlex papers, the value of a single-player
puzzle and who won a two-player game.  There too a failure counts 0, but not where low values are
better: no value is better than 0, so a failure has none.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from quandary.arena.reference_matches import RANDOM, STRONGEST
from quandary.catalogue import registry
from quandary.catalogue.spec import Spec
from quandary.core.contract import Strongest
from quandary.core.puzzle import strongest_at
from quandary.statistics.clusters import cluster_means
from quandary.statistics.estimates import Flags, Floats, Ints
from quandary.statistics.intervals import UNIT, mean_estimate
from quandary.statistics.ratios import ratio_estimate

from .groups import (
    Groups,
    SeatColumns,
    Texts,
    asked_puzzles,
    grouped,
    mean_with_interval,
    numbered,
    played_levels,
    ranged,
)
from .level_groups import fixed_rng
from .score_table import Cell, Ranged, ScoreTable, level_place, score_table

HOUSE = "house"
COLUMNS = (
    "run", "match", "spec", "task", "puzzle", "level", "split", "modality", "instance",
    "listed_starts",
    "player", "opponents", "seat", "seats", "repeat", "score", "value", "reference",
    "lower_is_better",
)  # fmt: skip
FORMULA = (
    "Means over matches, with 95 % intervals over starts. raw: in a single-player puzzle, the "
    "value, or the score if it has no values; in a two-player game, always the score (1 for a win, "
    "0.5 for a tie). against_reference: value / best possible value. against_baseline: value / "
    "value of the player house on the same instance, at most 1. against_best: value / best value "
    "of any player here on the same instance, so it changes when players are added. "
    "between_random_and_strongest: (score - random) / (oracle - random), each a mean over starts, "
    "on the same instances, seats and opponents."
)
NOTE = (
    "Where low values are better, the ratios are inverted. A match that ended without a value, by "
    "a failure or at a limit, counts as 0; but where low values are better, it is left out of raw. "
    "raw n: the number of matches in raw. There is a dash if the run lacks house, or matches of "
    "random and oracle in the player's place. `quandary run --normalised` plays these; players "
    "with a budget, such as oracle@20, do not count. There is also a dash for ratios of a game for "
    "two, whose scores need none, and where oracle and random are not separated."
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
        """Return each result against a mark: 1 where it is as good or better, 0 where it failed."""
        with np.errstate(divide="ignore", invalid="ignore"):
            # A mark of 0 leaves nothing to divide by: whatever is more than that is better.
            high = np.where(mark > 0, self.raw / mark, np.where(self.raw > 0, 1.0, 0.0))
            low = np.where(self.raw > 0, mark / self.raw, 1.0)
        ratio = np.where(self.failed, 0.0, np.clip(np.where(self.low, low, high), 0.0, 1.0))
        return np.where(self.alone & ~np.isnan(mark), ratio, np.nan)

    def shown(self) -> Floats:
        """Return each result as a number to show: 0 where it failed, unless low values are
        better.
        """
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


class Gains(NamedTuple):
    """Means over starts of a player, of random play and of the strongest player in its place."""

    matches: int
    starts: int
    score: float
    random: float
    strongest: float
    # Where the player lies between the two; None if these are not surely different.
    normalised: Ranged | None


class Between:
    """Scores of random play and of the strongest player in place of each row's player.

    `references` are the rows of further matches of these two, by `reference_seats`.
    """

    def __init__(self, table: pa.Table, references: pa.Table | None) -> None:
        seats = SeatColumns(table if references is None else pa.concat_tables([table, references]))
        player = seats.texts("player")
        self.spec, self.repeat = seats.texts("spec").codes, seats.whole("repeat")
        opponents, seat = seats.texts("opponents").codes, seats.whole("seat")
        place = Groups(self.spec, opponents, seat, self.repeat).of
        self.starts, self.listed = seats.starts, seats.numbers("listed_starts")
        self.score = seats.numbers("score")
        self.random = _scores_of(player.where(RANDOM), self.score, place)
        self.strongest = _scores_of(player.where(STRONGEST), self.score, place)
        reference = player.where(RANDOM) | player.where(STRONGEST)
        both = ~np.isnan(self.score + self.random + self.strongest)
        self.known = both & ~reference

    def of(self, rows: Ints) -> Gains | None:
        """Return what is known of some rows of one player on one level; None if nothing is."""
        rows = rows[self.known[rows]]
        if not len(rows):
            return None
        playings = Groups(self.spec[rows], self.repeat[rows])
        starts = numbered(self.starts[rows][playings.first])
        own, low, high = (
            cluster_means(scores[rows], playings.of)[0]
            for scores in (self.score, self.random, self.strongest)
        )
        few = self.listed[rows[0]]
        listed = None if np.isnan(few) else int(few)
        score, least, most = (
            float(cluster_means(scores, starts)[0].mean()) for scores in (own, low, high)
        )
        found = ratio_estimate(own - low, high - low, starts, listed=listed)
        normalised = ranged(found) if found else None
        if normalised and normalised.high - normalised.low <= 1e-9:
            # The player did as one of the two on every start.  That says nothing about how it may
            # differ from them elsewhere, so the interval is that of its own score.
            alone = mean_estimate(own, starts, rng=fixed_rng(), listed=listed)
            ends = ((end - least) / (most - least) for end in (alone.low, alone.high))
            normalised = Ranged(normalised.value, *ends)
        return Gains(len(rows), int(starts.max()) + 1, score, least, most, normalised)


def _scores_of(rows: Flags, scores: Floats, places: Ints) -> Floats:
    """For each row, the mean score of some rows at the same place; nan without any."""
    there = rows & ~np.isnan(scores)
    size = int(places.max(initial=0)) + 1
    counts = np.bincount(places[there], minlength=size)
    sums = np.bincount(places[there], scores[there], minlength=size)
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = (sums / counts)[places]
    return found


@dataclass(frozen=True)
class NormalisedRow:
    """How one player did on one level of one puzzle, between random play and the strongest."""

    puzzle: str
    level: str
    player: str
    matches: int
    starts: int
    score: float
    random: float
    strongest: float
    kind: Strongest | None  # what the strongest player is at this level
    # None, as are its limits, if the strongest player is not separated from random play.
    normalised: float | None
    low: float | None
    high: float | None


def between_random_and_strongest(
    table: pa.Table, references: pa.Table | None, partial: Collection[str] = ()
) -> list[NormalisedRow]:
    """Return one row per puzzle, level and player for whom matches of both reference players are
    known.

    `partial` are players of whom matches are left to play: they have no intervals.
    """
    seats, between = SeatColumns(table), Between(table, references)
    found = list[NormalisedRow]()
    for (puzzle, level, player), at in grouped(*_rows_by(seats)):
        gains = between.of(at)
        if gains is None:
            continue
        spec = Spec.parse(str(seats.texts("spec").at(at[0])))
        value, low, high = gains.normalised or (None, None, None)
        ends = (None, None) if player in partial else (low, high)
        kind = strongest_at(registry.load(spec.name), spec.level)
        found.append(
            NormalisedRow(str(puzzle), str(level), str(player), *gains[:5], kind, value, *ends)
        )
    return sorted(found, key=lambda row: _order(row.puzzle, row.level, row.player))


def normalised(table: pa.Table, references: pa.Table | None = None) -> ScoreTable:
    """Return one row per puzzle, level and player, with a column for each of the four.

    `references` are the rows of matches that were played to normalise scores.
    """
    seats, between = SeatColumns(table), Between(table, references)
    starts = seats.starts
    ratios = [against_reference(seats), against_baseline(seats), against_best(seats)]
    found, two = Raw(seats), seats.numbers("seats") == 2
    score = seats.numbers("score")
    raw = np.where(two, score, found.shown())
    valued = found.valued & ~two
    rows = list[list[Cell]]()
    for key, at in grouped(*_rows_by(seats)):
        # Values have any size; scores and ratios lie between 0 and 1.
        bounds = None if valued[at].any() else UNIT
        n, raw_n = (int((~np.isnan(column[at])).sum()) for column in (score, raw))
        plain = mean_with_interval(raw[at], starts[at], bounds)
        shares = [mean_with_interval(ratio[at], starts[at]) for ratio in ratios]
        gains = between.of(at)
        rows.append([*key, n, _finite(plain), raw_n, *shares, gains and gains.normalised])
    rows.sort(key=lambda row: _order(str(row[0]), str(row[1]), str(row[2])))
    head = ["puzzle", "level", "player", "n", "raw", "raw n", "against_reference"]
    head += ["against_baseline", "against_best", "between_random_and_strongest"]
    return score_table("normalised", "Normalised scores", FORMULA, head, rows, [NOTE])


def _rows_by(seats: SeatColumns) -> tuple[Texts, ...]:
    return asked_puzzles(seats), played_levels(seats), seats.texts("player")


def _order(puzzle: str, level: str, player: str) -> tuple[object, ...]:
    return puzzle, level_place(puzzle, level), player


def _finite(found: Ranged | None) -> Cell:
    """Student's interval says nothing about a single start, nor about equal values."""
    says = found is None or (np.isfinite(found.low) and found.low < found.high)
    return found if says or found is None else found.value

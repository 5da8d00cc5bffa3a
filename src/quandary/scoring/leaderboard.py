"""Scores of players on the levels of a leaderboard, by puzzle and by level.

A score is the mean over puzzles of the means over their levels, and that of a level the mean over
starts of the means over playings.  Missing results are bounded from both sides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from numpy.random import Generator

from quandary.results.level_scores import WEIGHTS, LevelScore
from quandary.statistics.bounds import BoundedMean
from quandary.statistics.estimates import Estimate, Floats, Ints
from quandary.statistics.intervals import average, mean_estimate, part_estimate

from .comparability import caveats, comparability_notes
from .level_groups import SeatGroup, SeatGroups, fixed_rng, grouped_seats, players_of
from .level_groups import by_level as groups_by_level
from .persons import over_persons, people_notes
from .player_ranks import PlayerRank, player_ranks, ranks
from .score_table import Cell, Ranged, ScoreTable, score_table
from .table_notes import MOST_MISSING, PARTIAL, VALUES, N, cut_off_notes

if TYPE_CHECKING:
    import pyarrow as pa

Puzzle: TypeAlias = tuple[str, str]  # suite and name
# The table, or its groups by `grouped_seats`, so that several tables need not group it again.
Seats: TypeAlias = "pa.Table | SeatGroups"

MEAN = f"score: {WEIGHTS}, with its 95 % interval."
RANKS = (
    "ranks: best and worst rank that the data allow (95 %); players who share a letter in the "
    "column group cannot be told apart."
)
BOUNDS = (
    "missing: matches without a result. worst and best: the ends of the interval if all of these "
    "count as 0, and if all count as 1."
)
LISTED = (
    "listed starts: how many starts the level has, if they are a short list. The interval then "
    "covers only the luck within starts, as far as the list was played."
)


def by_puzzle(seats: Seats, rng: Generator) -> ScoreTable:
    """Return one row per suite, puzzle and player."""
    groups = as_groups(seats).of_suites
    puzzles = dict[tuple[Puzzle, str], list[SeatGroup]]()
    for group in groups:
        puzzles.setdefault((group.key[:2], group.player), []).append(group)
    has_gaps = any(group.missing for group in groups)
    rows = [
        (
            *(*puzzle, player, len(own)),
            *_score_cells(total_score(own, rng), own, has_gaps),
            *_counts(own),
        )
        for (puzzle, player), own in sorted(puzzles.items(), key=lambda item: item[0])
    ]
    head = ("suite", "puzzle", "player", "levels", *_score_head(has_gaps), "n", "starts")
    formula = "score: mean over levels of the means over starts, with its 95 % interval."
    notes = [*_gap_notes(groups), N, *_start_notes(groups), *comparability_notes(groups)]
    return score_table("puzzles", "Scores by puzzle", formula, head, rows, notes)


def _start_notes(groups: Sequence[SeatGroup]) -> list[str]:
    """Return why the interval of a puzzle may be that of more cases than it has starts."""
    listed = sorted({group.key.puzzle for group in groups if group.listed})
    if not listed:
        return []
    note = (
        f"starts: different ones; those that differ by a symmetry are one. Levels of "
        f"{', '.join(listed)} have a short list of starts, so that their intervals are for luck "
        f"within starts, from all playings of them."
    )
    return [note]


def by_level(seats: Seats, rng: Generator) -> ScoreTable:
    """Return one row per suite, puzzle, level and player."""
    groups = as_groups(seats).of_suites
    has_gaps = any(group.missing for group in groups)
    rows = [
        (
            *(*group.key, group.player),
            *_score_cells(level_score(group, rng), [group], has_gaps),
            *(group.matches, len(group.seen), group.listed),
            *group.raw,
            ", ".join(f"{cause} {count}" for cause, count in group.causes),
        )
        for group in groups
    ]
    head = (
        *(
            "suite",
            "puzzle",
            "level",
            "player",
            *_score_head(has_gaps),
            "n",
            "starts",
            "listed_starts",
        ),
        *("value", "reference", "bounds", "ended by"),
    )
    formula = "score: mean over starts of the means over playings, with its 95 % interval."
    listed = [LISTED] if any(group.listed for group in groups) else []
    values = [VALUES] if any(group.raw.value is not None for group in groups) else []
    notes = [*_gap_notes(groups), N, *listed, *values, *comparability_notes(groups)]
    return score_table("levels", "Scores by level", formula, head, rows, notes)


def as_groups(seats: Seats) -> SeatGroups:
    """Return the groups of a table, unless it is grouped already."""
    return seats if isinstance(seats, SeatGroups) else grouped_seats(seats)


def level_scores(seats: Seats) -> list[LevelScore]:
    """Return the rows of `by_level`, without their suites."""
    return [_level_row(group) for group in as_groups(seats).of_suites]


def _level_row(group: SeatGroup) -> LevelScore:
    score = _score(level_score(group, fixed_rng()), [group])
    mean, low, high = score if isinstance(score, Ranged) else (score, None, None)
    return LevelScore(
        puzzle=group.key.puzzle,
        level=group.key.level,
        player=group.player,
        matches=group.matches,
        repeats=group.repeats,
        instances=group.instances,
        starts=len(group.seen),
        listed=group.listed,
        score=mean,
        low=low,
        high=high,
        value=group.raw.value,
        reference=group.raw.reference,
        bounds=group.raw.bounds,
        causes=group.causes,
        unscored=group.missing - group.unplayed,
        missing=group.missing,
    )


def player_score(seats: Seats, player: str) -> Ranged | float | None:
    """Return the score of one player, as in the leaderboard over all puzzles."""
    own = [group for group in as_groups(seats).overall if group.player == player]
    return _score(total_score(own, fixed_rng()), own)


def level_score(group: SeatGroup, rng: Generator) -> BoundedMean:
    """Return the score of one player on one level.

    Every score starts with the same random numbers, so that it does not depend on other rows.
    """
    repeated = group.is_repeated

    def estimate(scores: Floats, starts: Ints) -> Estimate:
        return mean_estimate(
            scores, starts, rng=deepcopy(rng), listed=group.listed, repeated=repeated
        )

    return over_persons([group], _bounded(group, estimate))


def total_score(own: Sequence[SeatGroup], rng: Generator) -> BoundedMean:
    """Return the score of one player: the mean over puzzles of the means over levels."""
    if len(own) == 1:
        return level_score(own[0], rng)
    puzzles = dict[Puzzle, list[BoundedMean]]()
    for group in own:
        estimate = partial(part_estimate, listed=group.listed, repeated=group.is_repeated)
        part = _bounded(group, estimate)
        puzzles.setdefault(group.key[:2], []).append(part)
    return over_persons(own, _averaged([_averaged(parts) for parts in puzzles.values()]))


def _bounded(group: SeatGroup, estimate: Callable[[Floats, Ints], Estimate]) -> BoundedMean:
    there, starts = group.there, group.starts
    present = estimate(group.scores[there], starts[there]) if there.any() else None
    n = group.matches + group.repeats + group.missing
    if present and not group.missing:
        return BoundedMean(present, present, present, 0, n)
    worst, best = estimate(group.worst, starts), estimate(group.best, starts)
    return BoundedMean(present, worst, best, group.missing, n)


def _averaged(parts: Sequence[BoundedMean]) -> BoundedMean:
    """Return the average of parts; without those that have no result at all, for what is
    present.
    """
    if len(parts) == 1:
        return parts[0]
    present = [part.present for part in parts if part.present]
    return BoundedMean(
        average(present) if present else None,
        average([part.worst for part in parts]),
        average([part.best for part in parts]),
        sum(part.missing for part in parts),
        sum(part.n for part in parts),
    )


def leaderboard(groups: Sequence[SeatGroup], rng: Generator, key: str, title: str) -> ScoreTable:
    """Players with results on all levels by score; the others below, without a rank."""
    levels, players = groups_by_level(groups), players_of(groups)
    own = {player: [group for group in groups if group.player == player] for player in players}
    found = {player: total_score(own[player], rng) for player in players}
    whole = [
        player
        for player in players
        if _seen(own[player]) == len(levels) and not _lacks_many(own[player])
    ]
    # A rank says nothing if the others have none.
    ranked = player_ranks(levels, whole) if len(whole) > 1 else {}
    order = sorted(
        players, key=lambda player: (player not in ranked, -_mean(found[player]), player)
    )
    has_gaps = any(group.missing for group in groups)
    rows = [
        (
            player,
            *_score_cells(found[player], own[player], has_gaps),
            *_rank_cells(ranked.get(player)),
            *(len({group.key[:2] for group in own[player]}), len(own[player])),
            *_counts(own[player]),
        )
        for player in order
    ]
    head = ("player", *_score_head(has_gaps), "ranks", "group", "puzzles", "levels", "n", "starts")
    notes = [
        *_gap_notes(groups),
        *people_notes(groups),
        RANKS,
        N,
        *_rank_notes(own, whole, len(levels)),
        *comparability_notes(compared := [group for group in groups if group.player in whole]),
    ]
    table = score_table(key, title, MEAN, head, rows, notes)
    return replace(table, caveats=caveats(compared))


def _mean(found: BoundedMean) -> float:
    return found.present.mean if found.present else -1.0


def _score_head(has_gaps: bool) -> tuple[str, ...]:
    return ("score", "missing", "worst", "best") if has_gaps else ("score",)


def _score_cells(found: BoundedMean, own: Sequence[SeatGroup], has_gaps: bool) -> tuple[Cell, ...]:
    score = _score(found, own)
    return (score, found.missing, found.low, found.high) if has_gaps else (score,)


def _score(found: BoundedMean, own: Sequence[SeatGroup]) -> Ranged | float | None:
    """Return the mean of what is there; without an interval if matches are left to play."""
    here = found.present
    if here is None:
        return None
    return here.mean if _is_partial(own) else Ranged(here.mean, here.low, here.high)


def _is_partial(groups: Sequence[SeatGroup]) -> bool:
    return any(group.unplayed for group in groups)


def _lacks_many(own: Sequence[SeatGroup]) -> bool:
    """Return whether so many results are missing that they might change a rank."""
    missing, of = _missing(own)
    return _is_partial(own) or missing > MOST_MISSING * of


def _missing(own: Sequence[SeatGroup]) -> tuple[int, int]:
    """Results that are missing, and all that there should be."""
    missing = sum(group.missing for group in own)
    return missing, missing + sum(group.matches + group.repeats for group in own)


def _gap_notes(groups: Sequence[SeatGroup]) -> list[str]:
    """Return what to know where results are missing."""
    partial_results = [PARTIAL] if _is_partial(groups) else []
    return [*partial_results, *([BOUNDS] if any(group.missing for group in groups) else [])]


def _seen(own: Sequence[SeatGroup]) -> int:
    """On how many levels there are results."""
    return sum(len(group.seen) > 0 for group in own)


def _rank_cells(rank: PlayerRank | None) -> tuple[Cell, Cell]:
    return (ranks(rank.best, rank.worst), rank.letters) if rank else (None, None)


def _counts(own: Sequence[SeatGroup]) -> tuple[int, int]:
    """Matches and distinct starts."""
    return sum(group.matches for group in own), sum(len(group.seen) for group in own)


def _rank_notes(
    own: Mapping[str, Sequence[SeatGroup]], ranked: Sequence[str], levels: int
) -> list[str]:
    """Return who has no rank, and why."""
    found = []
    less = [player for player in own if player not in ranked and _seen(own[player]) < levels]
    if less:
        names = ", ".join(f"{player} ({_seen(own[player])})" for player in less)
        found.append(
            f"Without a rank, because they do not have results on all {levels} levels: {names}."
        )
    cut = {
        player: _missing(own[player])
        for player in own
        if player not in (*less, *ranked) and not _is_partial(own[player])
    }
    return [*found, *cut_off_notes(cut)]

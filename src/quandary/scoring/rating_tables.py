"""Ratings of players from two-player games: fitted strengths, Elo, and who wins against whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.random import Generator

from quandary.results.unplayed import UNPLAYED
from quandary.statistics.comparisons import Comparisons
from quandary.statistics.elo import START, EloOrders, K, elo_over_orders
from quandary.statistics.estimates import Floats, Ints
from quandary.statistics.estimates import numbered as from_zero
from quandary.statistics.intervals import mean_estimate
from quandary.statistics.ratings import Rating, Ratings, ratings

from .groups import COPIED, SeatColumns, without_copies
from .player_ranks import band_letters, ranks
from .score_table import Cell, Ranged, ScoreTable, score_table
from .table_notes import MOST_MISSING, cut_off_notes, left_out_notes, marked

if TYPE_CHECKING:
    import pyarrow as pa

ANCHORS = ("random", "oracle")  # at 0 and at 1
COLUMNS = ("run", "cause", "seats", "win", *COPIED)
ONCE = "A match that is in several runs (same instance, repeat, players and moves) counts once."


def tables(seats: pa.Table, rng: Generator) -> list[ScoreTable]:
    """Return all tables of ratings; none if no two-player games were played.

    The rows that `with_unplayed` adds to the seats say of whom matches are left to play.
    """
    played, absent = compared(seats), missing(seats)
    if not len(played):
        return []
    unranked = {*absent.partial, *absent.lacking}
    found = ratings(played, rng, anchors=_anchors(played), unranked=unranked)
    best_first = [row.player for row in found.rows]
    places = [played.players.index(player) for player in best_first]
    wins, ties = (
        matrix[np.ix_(places, places)]
        for matrix in (found.fit.win_matrix(), found.fit.tie_matrix())
    )
    made = [
        _ratings_table(found, [*left_out_notes(absent.cut), *cut_off_notes(absent.lacking)]),
        _elo_table(elo_over_orders(played, rng), left_out_notes(absent.cut)),
        *_observed(played, places, rng, [ONCE, *left_out_notes(absent.cut)]),
        _matrix(
            "fitted_wins",
            "Chance to win by the ratings",
            "The probability that row beats column by the fitted ratings, on average over both "
            "seats.",
            best_first,
            wins,
        ),
        _matrix(
            "fitted_ties",
            "Chance to tie by the ratings",
            "The probability that row and column tie by the fitted ratings, on average over both "
            "seats.",
            best_first,
            ties,
        ),
    ]
    return [marked(table, absent.partial) for table in made] if absent.partial else made


class Missing(NamedTuple):
    """Whose results are missing in two-player games."""

    partial: frozenset[str]  # players of whom matches are left to play, of any puzzle
    lacking: dict[str, tuple[int, int]]  # others of whom too many were cut off: how many, of all
    cut: int  # matches that were cut off


def missing(seats: pa.Table) -> Missing:
    """Return the results that ratings are without."""
    import pyarrow.compute as pc

    rows = SeatColumns(seats.select(COLUMNS))
    left = rows.texts("cause").where(UNPLAYED)
    player, names = rows.texts("player")
    partial = frozenset(names[code] for code in np.unique(player[left]))
    apart = pc.invert(pc.equal(*(seats[name].cast("string") for name in ("player", "opponents"))))
    duels = without_copies(rows.only((rows.numbers("seats") == 2) & apart.to_numpy()))
    player, names = duels.texts("player")
    lost = np.isnan(duels.numbers("win")) & ~duels.texts("cause").where(UNPLAYED)
    cut, every = (np.bincount(player[some], minlength=len(names)) for some in (lost, lost | True))
    lacking = {
        name: (int(cut[at]), int(every[at]))
        for at, name in enumerate(names)
        if cut[at] > MOST_MISSING * every[at] and name not in partial
    }
    return Missing(partial, lacking, int(cut.sum()) // 2)


def compared(seats: pa.Table) -> Comparisons:
    """Return the matches of two different players that have a result, in the order of their
    records; one that is in several runs once.
    """
    import pyarrow.compute as pc

    rows = seats.select(COLUMNS).filter(
        (pc.field("seats") == 2) & (pc.field("seat") == 0) & pc.field("win").is_valid()
    )
    columns = without_copies(SeatColumns(rows))
    if not len(rows):
        nobody: Ints = np.zeros(0, np.int64)
        return Comparisons((), nobody, nobody, np.zeros(0), nobody)
    first, one = columns.texts("player")
    second, other = columns.texts("opponents")
    players = sorted({*one, *other})
    number = {player: place for place, player in enumerate(players)}
    first = np.array([number[player] for player in one])[first]
    second = np.array([number[player] for player in other])[second]
    apart = first != second
    met = np.unique(np.concatenate([first[apart], second[apart]]))
    clusters = columns.starts[apart]
    return Comparisons(
        tuple(players[place] for place in met.tolist()),
        np.searchsorted(met, first[apart]),
        np.searchsorted(met, second[apart]),
        columns.numbers("win")[apart],
        from_zero(clusters, len(clusters)),
    )


def _anchors(played: Comparisons) -> tuple[str, ...]:
    """Return the players who define the scale, as far as they are there."""
    there = tuple(player for player in ANCHORS if player in played.players)
    return there if there[:1] == ANCHORS[:1] else ()


def _ratings_table(found: Ratings, notes: Sequence[str]) -> ScoreTable:
    letters = band_letters(found.bands)
    rows = [
        (
            row.player,
            _ranged(row.strength, row.low, row.high),
            _ranged(row.points, row.points_low, row.points_high),
            *_rank_cells(row, letters),
            row.comparisons,
        )
        for row in found.rows
    ]
    formula = (
        "Strengths of Bradley and Terry's model with Davidson's ties and an effect of the first "
        "seat, with 95 % intervals (bootstrap over starts)."
    )
    return score_table(
        "ratings",
        "Ratings from two-player games",
        formula,
        ("player", "strength", "points", "ranks", "group", "n"),
        rows,
        [*_rating_notes(found), *notes],
    )


def _rank_cells(row: Rating, letters: Mapping[str, str]) -> tuple[Cell, Cell]:
    """Return the rank and the group; none where nobody else has one."""
    if row.best_rank is None or row.worst_rank is None or len(letters) < 2:
        return None, None
    return ranks(row.best_rank, row.worst_rank), letters[row.player]


def _rating_notes(found: Ratings) -> list[str]:
    scale = {
        0: "strength: its mean is 0; a difference of 1 means odds of e to 1.",
        1: f"strength: {ANCHORS[0]} is at 0; a difference of 1 means odds of e to 1.",
        2: f"strength: {ANCHORS[0]} is at 0 and {ANCHORS[1]} at 1.",
    }[len(found.anchors)]
    notes = [
        scale,
        "points: the same on Elo's scale, 1000 on average; 400 more mean odds of 10 to 1.",
        (
            "ranks: best and worst rank that the data allow (95 %); players who share a letter in "
            "the column group cannot be told apart."
        ),
        f"n: matches with a result; in all {found.n:,} on {found.clusters:,} starts. {ONCE}",
    ]
    if len(found.parts) > 1:
        sets = "; ".join(", ".join(part) for part in found.parts)
        notes.append(f"These sets of players never met, so do not compare their ratings: {sets}.")
    if found.clusters < 2:
        return [*notes, "There are no intervals, because there is a single start."]
    seat, tie = float(found.fit.seat), float(found.fit.tie)
    return [
        *notes,
        (
            f"The first seat adds {seat:z.3f} ({found.seat[0]:z.3f} to {found.seat[1]:z.3f}) to "
            f"the difference of strengths with mean 0; the tie parameter is {tie:z.3f} "
            f"({found.tie[0]:z.3f} to {found.tie[1]:z.3f})."
        ),
    ]


def _ranged(value: float, low: float, high: float) -> Cell:
    return Ranged(value, low, high) if isfinite(low) and isfinite(high) else value


def _elo_table(found: EloOrders, notes: Sequence[str]) -> ScoreTable:
    order = np.argsort(-found.in_order, kind="stable").tolist()
    columns = (found.in_order, found.mean, found.deviation)
    rows = [(found.players[at], *(float(column[at]) for column in columns)) for at in order]
    formula = (
        f"Elo as in the second PuzzlePlex paper: K {K:.0f}, start {START:.0f}, a tie is 0.5, in "
        f"the order of the records."
    )
    drawn = f" drawn from all {found.n:,}" if found.compared < found.n else ""
    note = (
        f"mean and deviation (standard deviation): over {found.orders:,} random orders of "
        f"{found.compared:,} matches{drawn}. Elo depends on the order; the fitted ratings do not."
    )
    return score_table(
        "elo",
        "Elo",
        formula,
        ("player", "in order", "mean", "deviation"),
        rows,
        [note, ONCE, *notes],
    )


def _observed(
    played: Comparisons, places: Sequence[int], rng: Generator, notes: Sequence[str]
) -> list[ScoreTable]:
    """Return how often each player won against, tied with and met each other one."""
    size = len(played.players)
    names = [played.players[place] for place in places]
    wins, ties = _empty(size), _empty(size)
    meetings = [[0 if one != other else None for other in range(size)] for one in range(size)]
    low, high = np.minimum(played.first, played.second), np.maximum(played.first, played.second)
    pair = low * size + high
    order = np.argsort(pair, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(pair[order])) + 1):
        one, other, starts = int(low[rows[0]]), int(high[rows[0]]), played.clusters[rows]
        result = np.where(played.first[rows] == one, played.result[rows], 1 - played.result[rows])
        wins[one][other] = _share(result == 1, starts, rng)
        wins[other][one] = _share(result == 0, starts, rng)
        ties[one][other] = ties[other][one] = _share(result == 0.5, starts, rng)
        meetings[one][other] = meetings[other][one] = len(rows)
    head = ("player", *names)

    def table(key: str, title: str, formula: str, cells: Sequence[Sequence[Cell]]) -> ScoreTable:
        rows = [(played.players[one], *(cells[one][other] for other in places)) for one in places]
        return score_table(key, title, formula, head, rows, notes)

    share = "mean over starts, which may differ from wins / matches, with its 95 % interval"
    return [
        table("wins", "Wins", f"Share of matches that row won against column: {share}.", wins),
        table("ties", "Ties", f"Share of matches in which row and column tied: {share}.", ties),
        table(
            "meetings",
            "Matches",
            ("How many matches row and column played against each other."),
            meetings,
        ),
    ]


def _empty(size: int) -> list[list[Cell]]:
    return [[None] * size for _ in range(size)]


def _share(events: Floats, starts: Ints, rng: Generator) -> Ranged:
    found = mean_estimate(events.astype(np.float64), starts, rng=rng)
    return Ranged(found.mean, found.low, found.high)


def _matrix(
    key: str, title: str, formula: str, players: Sequence[str], values: Floats
) -> ScoreTable:
    rows = [
        (player, *(None if np.isnan(value) else float(value) for value in row))
        for player, row in zip(players, values, strict=True)
    ]
    return score_table(key, title, formula, ("player", *players), rows)

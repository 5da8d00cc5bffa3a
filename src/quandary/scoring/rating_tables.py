"""Ratings of players from games for two: fitted strengths, Elo, and who wins against whom."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import Generator

from quandary.statistics.comparisons import Comparisons
from quandary.statistics.elo import START, EloOrders, K, elo_over_orders
from quandary.statistics.estimates import Floats, Ints
from quandary.statistics.estimates import numbered as from_zero
from quandary.statistics.intervals import mean_estimate
from quandary.statistics.ratings import Ratings, ratings

from .player_ranks import band_letters, ranks
from .score_table import Cell, Ranged, ScoreTable, score_table
from .seat_columns import SeatColumns

if TYPE_CHECKING:
    import pyarrow as pa

ANCHORS = ("random", "oracle")  # at 0 and at 1
COLUMNS = ("instance", "seat", "seats", "player", "opponents", "win")


def tables(seats: pa.Table, rng: Generator) -> list[ScoreTable]:
    """All tables of ratings; none if no games for two were played."""
    played = compared(seats)
    if not len(played):
        return []
    found = ratings(played, rng, anchors=_anchors(played))
    best_first = [row.player for row in found.rows]
    places = [played.players.index(player) for player in best_first]
    wins, ties = found.fit.win_matrix(), found.fit.tie_matrix()
    return [
        _ratings_table(found),
        _elo_table(elo_over_orders(played, rng)),
        *_observed(played, places, rng),
        _matrix(
            "fitted_wins",
            "Chance to win by the ratings",
            "How likely row wins against column by the fitted ratings, on average over both seats.",
            best_first,
            wins[np.ix_(places, places)],
        ),
        _matrix(
            "fitted_ties",
            "Chance to tie by the ratings",
            "How likely row and column tie by the fitted ratings, on average over both seats.",
            best_first,
            ties[np.ix_(places, places)],
        ),
    ]


def compared(seats: pa.Table) -> Comparisons:
    """The matches of two different players that have a result, in the order of their records."""
    import pyarrow.compute as pc

    rows = seats.select(COLUMNS).filter(
        (pc.field("seats") == 2) & (pc.field("seat") == 0) & pc.field("win").is_valid()
    )
    columns = SeatColumns(rows)
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
    """The players who define the scale, as far as they are there."""
    there = tuple(player for player in ANCHORS if player in played.players)
    return there if there[:1] == ANCHORS[:1] else ()


def _ratings_table(found: Ratings) -> ScoreTable:
    letters = band_letters(found.bands)
    rows = [
        (
            row.player,
            _ranged(row.strength, row.low, row.high),
            _ranged(row.points, row.points_low, row.points_high),
            ranks(row.best_rank, row.worst_rank),
            letters[row.player],
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
        "Ratings from games for two",
        formula,
        ("player", "strength", "points", "ranks", "group", "n"),
        rows,
        _rating_notes(found),
    )


def _rating_notes(found: Ratings) -> list[str]:
    scale = {
        0: "strength: its mean is 0; a difference of 1 is odds of e to 1.",
        1: f"strength: {ANCHORS[0]} is at 0; a difference of 1 is odds of e to 1.",
        2: f"strength: {ANCHORS[0]} is at 0 and {ANCHORS[1]} at 1.",
    }[len(found.anchors)]
    notes = [
        scale,
        "points: the same on Elo's scale, 1000 on average; 400 more are odds of 10 to 1.",
        (
            "ranks: best and worst rank that the data allow (95 %); players who share a letter in "
            "the column group cannot be told apart."
        ),
        f"n: matches with a result; all: {found.n:,} on {found.clusters:,} starts.",
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
            f"The first seat adds {seat:.3f} ({found.seat[0]:.3f} to {found.seat[1]:.3f}) to the "
            f"difference of strengths with mean 0; the tie parameter is {tie:.3f} "
            f"({found.tie[0]:.3f} to {found.tie[1]:.3f})."
        ),
    ]


def _ranged(value: float, low: float, high: float) -> Cell:
    return Ranged(value, low, high) if isfinite(low) and isfinite(high) else value


def _elo_table(found: EloOrders) -> ScoreTable:
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
        "elo", "Elo", formula, ("player", "in order", "mean", "deviation"), rows, [note]
    )


def _observed(played: Comparisons, places: Sequence[int], rng: Generator) -> list[ScoreTable]:
    """How often each player won against, tied with and met each other one."""
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
        return score_table(key, title, formula, head, rows)

    share = "mean over starts, with its 95 % interval"
    return [
        table("wins", "Wins", f"Share of matches that row won against column: {share}.", wins),
        table("ties", "Ties", f"Share of matches in which row and column tied: {share}.", ties),
        table("meetings", "Matches", "How many matches row and column played.", meetings),
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

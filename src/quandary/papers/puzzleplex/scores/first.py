"""The scores of the first PuzzlePlex paper: 24 puzzles, easy and intermediate (here normal).

A tie counts 0, as a loss does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from quandary.scoring.groups import SeatColumns, asked_puzzles, mean_with_interval, ranged
from quandary.scoring.normalisations import HOUSE, against_baseline
from quandary.scoring.pairings import match_counts, matrix, score_counts
from quandary.scoring.score import score
from quandary.scoring.score_table import Cell, Ranged, ScoreTable, score_table
from quandary.scoring.usage import plays
from quandary.statistics.comparisons import Counts, is_finite
from quandary.statistics.davidson import PRIOR, fit_counts
from quandary.statistics.estimates import CONFIDENCE, Flags, Floats, student
from quandary.statistics.intervals import average

from .kind_means import Cells, Kinds

if TYPE_CHECKING:
    import pyarrow as pa

COLUMNS = (
    "run", "match", "spec", "task", "puzzle", "level", "modality", "instance", "player", "model",
    "opponents", "seat", "seats", "score", "win", "value", "lower_is_better", "legal",
    "illegal_loss",
    "turns", "tokens_written",
)  # fmt: skip
SINGLE, TWO = ("single deterministic", "single stochastic"), ("two deterministic", "two stochastic")
KINDS = Kinds(
    puzzles={
        SINGLE[0]: (
            "sudoku", "tidy_tower", "takuzu", "k_queens", "optimal_touring",
            "count_maximal_cocktails",
        ),
        SINGLE[1]: ("exclusivity_probes", "ruby_risks", "max_target"),
        TWO[0]: (
            "sudokill", "card_nim", "expanding_nim", "share_card_nim", "max_maximal_cocktails",
            "exclusivity_particles", "beat_or_bomb_det", "bid_that", "bid_that_vickrey", "superply",
        ),
        TWO[1]: ("beat_or_bomb_sto", "larger_target"),
        "single image": ("sudoku (image)",),
        "two image": ("sudokill (image)", "superply (image)"),
    },
    asked={"k_queens": "whole:k_queens"},
    together={"single": SINGLE, "two": TWO},
)  # fmt: skip
NEARLY_NONE = 1e-6  # comparisons: the paper's fit has no prior
TIE_NOTE = "A tie counts 0, as a loss does (in the second paper it counts 0.5)."
OVER_MATCHES = (
    "The 95 % interval is computed as in the paper, as if all matches were independent; with few "
    "matches, do not trust it: it may reach beyond 0 and 1, or have no width. The intervals of the "
    "other tables are ours, over starts."
)
MEANS = (
    "Mean over matches, then over puzzles; level both: over puzzles and levels. 95 % intervals are "
    "ours, over starts. FIR: share of matches that the player lost by an illegal move although it "
    "had a legal one."
)


@score("PuzzlePlex (first paper)", columns=COLUMNS, suites=["puzzleplex"])
def tables(seats: pa.Table) -> Iterator[ScoreTable]:
    columns = SeatColumns(seats)
    wins = np.where(np.isnan(columns.numbers("win")), np.nan, columns.numbers("win") == 1)
    ratios, house = against_baseline(columns), columns.texts("opponents").where(HOUSE)
    cells = Cells(columns, KINDS)
    yield score_table(
        "puzzleplex_first_single",
        "Puzzles for one player",
        f"score: value / the house's value on the same instance, at most 1. {MEANS}",
        HEAD,
        _means(cells, ratios, "single"),
        ("Needs the player house, which is the paper's baseline.",),
    )
    yield score_table(
        "puzzleplex_first_against_house",
        "Two-player games against the house",
        f"score: share of matches against the house that were won, from both seats. {MEANS}",
        HEAD,
        _means(cells, np.where(house, wins, np.nan), "two"),
        (TIE_NOTE,),
    )
    yield _statistics(cells, np.where(columns.numbers("seats") == 2, wins, ratios))
    yield from _between_players(columns, house | columns.texts("player").where(HOUSE), wins)
    pictured = _pictured(columns)
    yield from _strengths(columns, ratios, ~pictured, "text")
    yield from _strengths(columns, ratios, pictured, "image")
    yield _plays(columns)


HEAD = ("kind", "level", "player", "cells", "n", "score", "FIR")  # cells: puzzles at levels


def _means(cells: Cells, values: Floats, kinds: str) -> list[list[Cell]]:
    """Score and FIR by kind, level and player."""
    fir = np.where(np.isnan(values), np.nan, cells.seats.numbers("illegal_loss"))
    rows = list[list[Cell]]()
    for place, found in cells.places():
        scores = cells.estimates(values, found)
        if place.kind.startswith(kinds) and scores:
            both = [ranged(average(parts)) for parts in (scores, cells.estimates(fir, found))]
            rows.append([*place, len(scores), sum(score.n for score in scores), *both])
    return rows


def _statistics(cells: Cells, values: Floats) -> ScoreTable:
    """Mean, interval and standard deviation over single matches."""
    rows = list[list[Cell]]()
    for place, found in cells.places():
        every = np.concatenate(found)
        some = values[every][~np.isnan(values[every])]
        if place.level == "both" and len(some):
            deviation = float(some.std(ddof=1)) if len(some) > 1 else None
            rows.append([place.kind, place.player, len(some), _over_matches(some), deviation])
    return score_table(
        "puzzleplex_first_statistics",
        "Score statistics",
        "Mean of the scores of single matches (value / the house's value, at most 1; or 1 for a "
        "win), Student's 95 % interval over matches, standard deviation (n - 1).",
        ("kind", "player", "n", "mean", "deviation"),
        rows,
        (
            TIE_NOTE,
            OVER_MATCHES,
        ),
    )


def _over_matches(values: Floats) -> Cell:
    mean = float(values.mean())
    if len(values) < 2:
        return mean
    error = float(values.std(ddof=1)) / len(values) ** 0.5
    half = student(len(values) - 1, CONFIDENCE) * error
    return Ranged(mean, mean - half, mean + half)


def _between_players(seats: SeatColumns, with_house: Flags, wins: Floats) -> Iterator[ScoreTable]:
    """Win shares of each pair without the house, and of each player."""
    counts, names = match_counts(seats, ~with_house), seats.texts("player").names
    games = counts.wins + counts.wins.T + counts.ties
    met = np.flatnonzero(games.any(axis=1))
    shares = np.where(games > 0, counts.wins / np.maximum(games, 1), np.nan)
    known = [names[at] for at in met]
    yield score_table(
        "puzzleplex_first_win_shares",
        "Row against column",
        "Share of all matches between the two that row won; the house is left out.",
        ("player", *sorted(known)),
        matrix(known, shares[np.ix_(met, met)]),
        (TIE_NOTE, f"{int(games.sum()) // 2} matches."),
    )
    rows = list[list[Cell]]()
    own, starts = np.where(with_house, np.nan, wins), seats.texts("instance").codes
    for at in met:
        mine = seats.texts("player").codes == at
        rows.append([names[at], int(games[at].sum()), mean_with_interval(own[mine], starts[mine])])
    rows.sort(key=lambda row: (-row[2].value if isinstance(row[2], Ranged) else 0.0, str(row[0])))
    yield score_table(
        "puzzleplex_first_win_rates",
        "Win rates among players",
        "Share of its matches against players other than the house that the player won, with our "
        "95 % interval over starts.",
        ("player", "n", "win rate"),
        rows,
        (TIE_NOTE,),
    )


def _pictured(seats: SeatColumns) -> Flags:
    puzzles = asked_puzzles(seats)
    flags = np.array([name.endswith(")") for name in puzzles.names], bool)
    pictured: Flags = flags[puzzles.codes] if len(flags) else np.zeros(len(seats), bool)
    return pictured


def _strengths(
    seats: SeatColumns, ratios: Floats, chosen: Flags, shown: str
) -> Iterator[ScoreTable]:
    """Davidson's strengths from all matches and comparisons by score, and what they predict."""
    alone, met = score_counts(seats, ratios, chosen), match_counts(seats, chosen)
    wins, ties = alone.wins + met.wins, alone.ties + met.ties
    games = (wins + wins.T + ties).sum(axis=1)
    there = np.flatnonzero(games)
    if len(there) < 2:
        return
    names = [seats.texts("player").names[at] for at in there]
    counts = Counts(wins[np.ix_(there, there)], ties[np.ix_(there, there)])
    finite = is_finite(counts)
    found = fit_counts(names, counts, prior=NEARLY_NONE if finite else PRIOR)
    note = (
        "Fitted without a prior, as in the paper."
        if finite
        else "Some players never lost to some others, not even indirectly, so the paper's "
        "strengths would be infinite; half a win and half a loss are added for each player."
    )
    notes = (note, f"{int(games.sum()) // 2} comparisons; tie parameter {float(found.tie):.4g}.")
    order = sorted(range(len(names)), key=lambda at: (-found.strengths[at], names[at]))
    yield score_table(
        f"puzzleplex_first_strengths_{shown}",
        f"Strengths, positions shown as {shown}",
        "ln p of Davidson's model with mean 0: P(i beats j) = p_i / (p_i + p_j + tie * sqrt(p_i "
        "p_j)). Two-player games count by result, a tie as a tie; single-player puzzles by "
        "comparing the scores (value / the house's value, at most 1) of all pairs of players on "
        "each instance.",
        ("player", "comparisons", "strength"),
        [[names[at], int(games[there[at]]), float(found.strengths[at])] for at in order],
        (*notes, "The paper prints no interval; the fitted ratings have one."),
    )
    for key, title, values in (
        ("wins", "Probability that row beats column", found.win_matrix()),
        ("ties", "Probability that row and column tie", found.tie_matrix()),
    ):
        yield score_table(
            f"puzzleplex_first_{key}_{shown}",
            f"{title}, positions shown as {shown}",
            "By the fitted strengths.",
            ("player", *sorted(names)),
            matrix(names, values),
            notes,
        )


def _plays(seats: SeatColumns) -> ScoreTable:
    models = seats.only(seats.texts("model").codes >= 0)
    found = plays(models, [asked_puzzles(models)], ["puzzle"])
    return replace(found, key="puzzleplex_first_plays", title="Turns and tokens of models")

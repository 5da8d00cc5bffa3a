"""Two players compared on what their runs share: paired differences, disagreements and a verdict.

Every playing counts once in its start, every start once in its level, every level once in its
puzzle, every puzzle once overall, as in leaderboards.
Beside these means on shared results, each player has its score, which is over all its results.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np

from quandary.core.errors import UserError
from quandary.scoring.leaderboard import player_score
from quandary.scoring.level_groups import groups_of
from quandary.scoring.score_table import Cell, Ranged, ScoreTable, score_table
from quandary.statistics.multiplicity import benjamini_hochberg, holm

from .disagreements import disagreements_table
from .notes import notes
from .parts import Part, bounds_of, by_puzzle, joined, parts_of
from .shared_results import Side, shared_results, side
from .verdict import verdict, verdict_whatever_is_missing

Score: TypeAlias = Ranged | float | None  # a number alone if matches are left to play

MEANS = ("A on shared results", "B on shared results", "A minus B")
SEED = 1  # of what is drawn: equal runs give equal numbers
FORMULA = (
    "Mean scores of A and B on shared results, and their mean difference. A playing (one repeat of "
    "an instance, over all seats and opponents) counts once in its start, a start once in its "
    "level, and a level once in its puzzle. p: for the hypothesis that the two are alike. The test "
    "is McNemar's exact test if each start was right or wrong once. Otherwise the signs of starts "
    "are flipped, or those of seeds and repeats if a short list of starts was played as a whole."
)
ADJUSTED = (
    "p (Holm): if every row below 0.05 is claimed as a difference, any claim of the table is wrong "
    "at most 1 time in 20; p (BH), Benjamini and Hochberg's: of the claims below 0.05, at most 1 "
    "in 20 is expected to be wrong."
)


@dataclass(frozen=True)
class Comparison:
    """Two players compared."""

    a: Side
    b: Side
    scores: tuple[Score, Score]  # of A and of B, over all their results, as in leaderboards
    verdict: str  # one sentence
    overall: Part
    tables: tuple[ScoreTable, ...]
    notes: tuple[str, ...]  # what is not shared, left out or missing, and how the runs differ


def compare(
    run_a: Path,
    run_b: Path,
    *,
    player_a: str | None = None,
    player_b: str | None = None,
    disagreements: int = 20,
    seed: int = SEED,
) -> Comparison:
    """Compares the players of two runs, or two players of one."""
    a, b = side("A", run_a, player_a), side("B", run_b, player_b)
    if a.player == b.player and set(a.folders.values()) == set(b.folders.values()):
        raise UserError(
            f"A and B are both {a.player} in {run_a}; name another run, or two players with "
            f"--player-a and --player-b."
        )
    shared = shared_results(a, b)
    levels = parts_of(shared, shared.first, shared.second, seed)
    if not levels:
        raise UserError("none of the shared matches has a result in both runs yet.")
    puzzles = by_puzzle(levels, seed)
    overall = joined(list(puzzles.values()), np.random.default_rng(seed))
    tables = (
        _overall_table(overall),
        _table("comparison_puzzles", "By puzzle", ("puzzle",), puzzles),
        _table("comparison_levels", "By level", ("puzzle", "level"), levels),
        disagreements_table(shared, a, b, disagreements),
    )
    if shared.missing:
        conclusion = verdict_whatever_is_missing(overall, bounds_of(shared, seed), shared)
    else:
        conclusion = verdict(overall, list(puzzles.values()))
    return Comparison(a, b, _scores(a, b), conclusion, overall, tables, notes(a, b, shared))


def _scores(a: Side, b: Side) -> tuple[Score, Score]:
    first, second = (list(side.folders.values()) for side in (a, b))
    groups = groups_of(first)
    others = groups if second == first else groups_of(second)
    return player_score(groups, a.player), player_score(others, b.player)


def _overall_table(overall: Part) -> ScoreTable:
    formula = f"{FORMULA} A puzzle counts once overall."
    head = (*MEANS, "p", "shared results", "starts", "A ahead", "B ahead")
    return score_table("comparison", "A and B", formula, head, [list(_cells(overall))])


def _table(
    key: str, title: str, head: Sequence[str], parts: dict[tuple[str, ...], Part]
) -> ScoreTable:
    raw = [part.p for part in parts.values()]
    adjusted = zip(holm(raw), benjamini_hochberg(raw), strict=True)
    rows = []
    for (name, part), (strict, mild) in zip(parts.items(), adjusted, strict=True):
        a, b, difference, p, *counts = _cells(part)
        rows.append([*name, a, b, difference, p, float(strict), float(mild), *counts])
    columns = (*MEANS, "p", "p (Holm)", "p (BH)")
    counts_head = ("shared results", "starts", "A ahead", "B ahead")
    return score_table(key, title, FORMULA, [*head, *columns, *counts_head], rows, [ADJUSTED])


def _cells(part: Part) -> Iterator[Cell]:
    for one in (part.a, part.b, part.difference):
        yield Ranged(one.mean, one.low, one.high)
    yield part.p
    yield from (part.pairs, len(part.off))
    yield from (int((part.off > 0).sum()), int((part.off < 0).sum()))

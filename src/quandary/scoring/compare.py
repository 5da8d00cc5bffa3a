"""Two players compared on what their runs share: paired differences, flips and a verdict.

Every start counts once in its level, every level once in its puzzle, every puzzle once overall.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from scipy.special import ndtri, stdtr

from quandary.core.errors import UserError
from quandary.statistics.clusters import cluster_means
from quandary.statistics.estimates import Estimate, Floats, Ints, numbered, student
from quandary.statistics.intervals import average, mean_estimate
from quandary.statistics.multiplicity import benjamini_hochberg, holm
from quandary.statistics.paired import DIFFERENCES, paired, sign_flip
from quandary.statistics.power import POWER

from .compare_notes import notes
from .flips import flips_table
from .score_table import Cell, Ranged, ScoreTable, score_table
from .shared_results import Shared, Side, shared_results, side

SEED = 1  # of what is drawn: equal runs give equal numbers
MOST_FLIPPED = 2_000  # starts up to which signs are flipped; beyond, Student's t is as good
SURE = 0.05
FORMULA = (
    "Mean difference of scores, A minus B, on shared results; a start counts once in its level, a "
    "level once in its puzzle. p: of the two being alike (McNemar's exact test where each start "
    "was right or wrong once, else signs of starts are flipped, or of seeds and repeats where a "
    "short list of starts was played whole)."
)
ADJUSTED = (
    "p (Holm): below 0.05, all claims of this table together are wrong 1 time in 20 at most; p "
    "(BH), Benjamini and Hochberg's: of the claims below 0.05, 1 in 20 is expected to be wrong."
)


class Part(NamedTuple):
    """The comparison on one level, on one puzzle, or on all of them."""

    a: Estimate
    b: Estimate
    difference: Estimate
    p: float
    off: Floats  # the difference on each start
    signed: Floats  # differences whose signs are luck if the two are alike; their sum is the mean
    pairs: int


@dataclass(frozen=True)
class Comparison:
    """Two players compared."""

    a: Side
    b: Side
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
    flips: int = 20,
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
        flips_table(shared, a, b, flips),
    )
    bounds = _whatever_is_missing(shared, seed) if shared.missing else None
    ahead = [part.difference.mean for part in puzzles.values()]
    told = notes(a, b, shared, bounds)
    return Comparison(a, b, verdict(overall, ahead, bounds), overall, tables, told)


def parts_of(
    shared: Shared, first: Floats, second: Floats, seed: int
) -> dict[tuple[str, ...], Part]:
    """The comparison on each level that has a complete pair."""
    there = np.flatnonzero(~np.isnan(first - second))
    order = there[np.argsort(shared.levels[there], kind="stable")]
    known, begins = np.unique(shared.levels[order], return_index=True)
    found = dict[tuple[str, ...], Part]()
    for level, rows in zip(known, np.split(order, begins[1:]), strict=True):
        rng, listed = np.random.default_rng([seed, int(level)]), shared.listed[level]
        scores, starts = (first[rows], second[rows]), numbered(shared.starts[rows], len(rows))
        playings = numbered(shared.playings[rows], len(rows))
        own = [mean_estimate(one, starts, rng=rng, listed=listed) for one in scores]
        off, _ = cluster_means(scores[0] - scores[1], starts)
        signed = off / len(off)
        is_whole = listed is not None and len(off) >= listed and playings.max() >= len(off)
        if is_whole:
            signed = _by_playing(scores[0] - scores[1], starts, playings)
        if not is_whole and len(off) <= MOST_FLIPPED:
            compared = paired(*scores, starts, rng=rng, listed=listed)
            difference, p = compared.difference, compared.p
        else:
            difference = mean_estimate(
                scores[0] - scores[1], starts, rng=rng, listed=listed, bounds=DIFFERENCES
            )
            p = _p(difference, signed, rng)
        found[shared.level_names[level]] = Part(
            own[0], own[1], difference, p, off, signed, len(rows)
        )
    return dict(sorted(found.items()))


def _by_playing(off: Floats, starts: Ints, playings: Ints) -> Floats:
    """The difference in each playing, by its weight in a mean over starts.

    Where all of a short list of starts was played, luck lies in playings: seeds and repeats.
    """
    means, _ = cluster_means(off, playings)
    of = starts[np.unique(playings, return_index=True)[1]]
    weighted: Floats = means / np.bincount(of)[of] / (starts.max() + 1)
    return weighted


def by_puzzle(levels: dict[tuple[str, ...], Part], seed: int) -> dict[tuple[str, ...], Part]:
    """The comparison on each puzzle, over its levels."""
    puzzles = dict.fromkeys(puzzle for puzzle, _ in levels)
    return {
        (puzzle,): joined(
            [part for (name, _), part in levels.items() if name == puzzle],
            np.random.default_rng([seed, place]),
        )
        for place, puzzle in enumerate(puzzles)
    }


def joined(parts: Sequence[Part], rng: Generator) -> Part:
    """The comparison over several levels or puzzles, each with one weight."""
    if len(parts) == 1:
        return parts[0]
    off = np.concatenate([part.off for part in parts])
    signed = np.concatenate([part.signed for part in parts]) / len(parts)
    difference = average([part.difference for part in parts], bounds=DIFFERENCES)
    return Part(
        average([part.a for part in parts]),
        average([part.b for part in parts]),
        difference,
        _p(difference, signed, rng),
        off,
        signed,
        sum(part.pairs for part in parts),
    )


def _p(difference: Estimate, signed: Floats, rng: Generator) -> float:
    if len(signed) <= MOST_FLIPPED:
        return sign_flip(signed, rng)
    if not difference.error > 0:
        return 1.0
    return 2 * float(stdtr(difference.freedom, -abs(difference.mean) / difference.error))


def _whatever_is_missing(shared: Shared, seed: int) -> tuple[Estimate, Estimate]:
    """The overall difference if all missing results were the worst for A, and the best."""
    found = []
    for ours, theirs in ((0.0, 1.0), (1.0, 0.0)):
        first = np.where(np.isnan(shared.first), ours, shared.first)
        second = np.where(np.isnan(shared.second), theirs, shared.second)
        levels = parts_of(shared, first, second, seed)
        puzzles = by_puzzle(levels, seed)
        found.append(joined(list(puzzles.values()), np.random.default_rng(seed)).difference)
    return found[0], found[1]


def verdict(
    overall: Part, ahead: Sequence[float], bounds: tuple[Estimate, Estimate] | None = None
) -> str:
    """Who is better, in one sentence; `ahead` is the difference on each puzzle."""
    found = overall.difference
    is_rare, is_outside = overall.p < SURE, not found.low <= 0.0 <= found.high
    better, worse = ("A", "B") if found.mean > 0 else ("B", "A")
    sign = 1 if found.mean > 0 else -1
    low, high = sorted((sign * found.low, sign * found.high))
    lost = sum(sign * one < 0 for one in ahead)
    if is_rare and is_outside:
        told = f"{better} is better by {_range(abs(found.mean), low, high)}"
        if len(ahead) > 1:
            told += f"; on {lost or 'none'} of {len(ahead)} puzzles {worse} is ahead"
        if bounds and _may_vanish(bounds):
            told += (
                f"; but results are missing, and with them the difference could be "
                f"{_number(bounds[0].low)} to {_number(bounds[1].high)} (A minus B)"
            )
        return told + "."
    told = (
        f"A and B cannot be told apart: A minus B is {_range(found.mean, found.low, found.high)}, "
        f"p {overall.p:.2g}, on {found.clusters:,} shared starts"
    )
    if is_rare != is_outside:
        which = "p" if is_rare else "the interval"
        told += f" (only {which} speaks for a difference, and both must)"
    if found.error > 0:
        wide = (student(found.freedom, found.confidence) + float(ndtri(POWER))) * found.error
        told += f", which would show a difference of {wide:.2f} four times in five"
    return told + "."


def _may_vanish(bounds: tuple[Estimate, Estimate]) -> bool:
    return bounds[0].low <= 0.0 <= bounds[1].high


def _range(mean: float, low: float, high: float) -> str:
    """A number and its interval, with as many digits as the interval's length asks for."""
    digits = 2 if high - low >= 0.04 else 3 if high - low >= 0.004 else 4
    mean_text, low_text, high_text = (_number(one, digits) for one in (mean, low, high))
    return f"{mean_text}, 95 % interval {low_text} to {high_text}"


def _number(value: float, digits: int = 2) -> str:
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if not float(text) else text


def _overall_table(overall: Part) -> ScoreTable:
    formula = f"{FORMULA} A puzzle counts once overall."
    head = ("A", "B", "A minus B", "p", "shared results", "starts", "A ahead", "B ahead")
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
    columns = ("A", "B", "A minus B", "p", "p (Holm)", "p (BH)")
    counts_head = ("shared results", "starts", "A ahead", "B ahead")
    return score_table(key, title, FORMULA, [*head, *columns, *counts_head], rows, [ADJUSTED])


def _cells(part: Part) -> Iterator[Cell]:
    for one in (part.a, part.b, part.difference):
        yield Ranged(one.mean, one.low, one.high)
    yield part.p
    yield from (part.pairs, len(part.off))
    yield from (int((part.off > 0).sum()), int((part.off < 0).sum()))

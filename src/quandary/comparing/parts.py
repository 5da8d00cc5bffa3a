"""Two players' scores compared on levels, on puzzles and overall.

Results weigh as in leaderboards: every playing counts once in its start, every start once in its
level, every level once in its puzzle, every puzzle once overall.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from scipy.special import stdtr

from quandary.statistics.clusters import cluster_means
from quandary.statistics.estimates import Estimate, Floats, Ints, numbered
from quandary.statistics.intervals import DIFFERENCES, average, mean_estimate
from quandary.statistics.paired import paired, sign_flip, with_tangos_interval

from .shared_results import Shared

MOST_FLIPPED = 2_000  # starts up to which signs are flipped; beyond, Student's t is as good


class Part(NamedTuple):
    """The comparison on one level, on one puzzle, or on all of them."""

    a: Estimate
    b: Estimate
    difference: Estimate
    p: float
    off: Floats  # the difference on each start
    signed: Floats  # differences whose signs are luck if the two are alike; their sum is the mean
    pairs: int


class Bounds(NamedTuple):
    """The overall comparison if all missing results were the worst for A, and the best."""

    worst: Part
    best: Part


def parts_of(
    shared: Shared, first: Floats, second: Floats, seed: int
) -> dict[tuple[str, ...], Part]:
    """Return the comparison on each level that has a complete pair."""
    there = np.flatnonzero(~np.isnan(first - second))
    order = there[np.argsort(shared.levels[there], kind="stable")]
    known, begins = np.unique(shared.levels[order], return_index=True)
    found = dict[tuple[str, ...], Part]()
    for level, rows in zip(known, np.split(order, begins[1:]), strict=True):
        rng, listed = np.random.default_rng([seed, int(level)]), shared.listed[level]
        scores, starts = _by_playing(shared, rows, first, second)
        own = [mean_estimate(one, starts, rng=rng, listed=listed) for one in scores]
        off, _ = cluster_means(scores[0] - scores[1], starts)
        signed = off / len(off)
        is_whole = listed is not None and len(off) >= listed and len(starts) > len(off)
        if is_whole:  # then luck lies in playings: seeds and repeats
            signed = (scores[0] - scores[1]) / np.bincount(starts)[starts] / len(off)
        if not is_whole and len(off) <= MOST_FLIPPED:
            compared = paired(*scores, starts, rng=rng, listed=listed)
            difference, p = compared.difference, compared.p
        else:
            difference = mean_estimate(
                scores[0] - scores[1], starts, rng=rng, listed=listed, bounds=DIFFERENCES
            )
            if difference.method == "Wilson":
                difference = with_tangos_interval(difference, signed)
            p = _p(difference, signed, rng)
        found[shared.level_names[level]] = Part(
            own[0], own[1], difference, p, off, signed, len(rows)
        )
    return dict(sorted(found.items()))


def _by_playing(
    shared: Shared, rows: Ints, first: Floats, second: Floats
) -> tuple[tuple[Floats, Floats], Ints]:
    """Return the scores of both players in each playing, over all its matches, and the starts."""
    known, begins, of = np.unique(shared.playings[rows], return_index=True, return_inverse=True)
    scores = cluster_means(first[rows], of)[0], cluster_means(second[rows], of)[0]
    return scores, numbered(shared.starts[rows][begins], len(known))


def by_puzzle(levels: dict[tuple[str, ...], Part], seed: int) -> dict[tuple[str, ...], Part]:
    """Return the comparison on each puzzle, over its levels."""
    puzzles = dict.fromkeys(puzzle for puzzle, _ in levels)
    return {
        (puzzle,): joined(
            [part for (name, _), part in levels.items() if name == puzzle],
            np.random.default_rng([seed, place]),
        )
        for place, puzzle in enumerate(puzzles)
    }


def joined(parts: Sequence[Part], rng: Generator) -> Part:
    """Return the comparison over several levels or puzzles, each with one weight."""
    if len(parts) == 1:
        return parts[0]
    off = np.concatenate([part.off for part in parts])
    signed = np.concatenate([part.signed for part in parts]) / len(parts)
    averaged = average([part.difference for part in parts], bounds=None)
    difference = with_tangos_interval(averaged, signed)
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


def bounds_of(shared: Shared, seed: int) -> Bounds:
    """Fill in what is missing: 0 for one player and 1 for the other, and the other way round."""
    found = []
    for ours, theirs in ((0.0, 1.0), (1.0, 0.0)):
        first = np.where(np.isnan(shared.first), ours, shared.first)
        second = np.where(np.isnan(shared.second), theirs, shared.second)
        puzzles = by_puzzle(parts_of(shared, first, second, seed), seed)
        found.append(joined(list(puzzles.values()), np.random.default_rng(seed)))
    return Bounds(*found)

"""Simulated scores whose true means are known: intervals of means, differences and curves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np
from numpy.random import Generator
from scipy.special import expit
from scipy.stats import binom

from quandary.statistics.difficulty import difficulty
from quandary.statistics.estimates import Estimate, Floats
from quandary.statistics.intervals import average, mean_estimate
from quandary.statistics.paired import paired

from .simulated import Point, simulate

RATES = (0.01, 0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 0.99)
Draw = Callable[[Generator, int], Floats]
# Means of graded scores on a start: even, skewed, nearly all right, most wrong with part marks.
GRADED: dict[str, tuple[float, Draw]] = {
    "even, mean 0.5": (0.5, lambda rng, n: rng.beta(1, 1, n)),
    "skewed, mean 0.1": (0.1, lambda rng, n: rng.beta(0.3, 2.7, n)),
    "close together, mean 0.9": (0.9, lambda rng, n: rng.beta(9, 1, n)),
    "0 or 1 and a little between, mean 0.8": (0.8, lambda rng, n: rng.beta(0.4, 0.1, n)),
    "85 % full marks, mean 0.9": (
        0.9,
        lambda rng, n: np.where(rng.random(n) < 0.85, 1.0, rng.random(n) * 2 / 3),
    ),
    "80 % no marks, mean 0.1": (
        0.1,
        lambda rng, n: np.where(rng.random(n) < 0.8, 0.0, rng.random(n)),
    ),
}


def _holds(found: Estimate, truth: float) -> bool:
    return found.low - 1e-12 <= truth <= found.high + 1e-12


def rates(_trials: int) -> Iterator[Point]:
    """Exact: every possible number of wins with its probability."""
    rng = np.random.default_rng(0)  # nothing is drawn for rates
    for n in (10, 30, 100, 300):
        found = [mean_estimate(np.arange(n) < wins, rng=rng) for wins in range(n + 1)]
        for rate in RATES:
            held = [_holds(one, rate) for one in found]
            share = float(binom.pmf(np.arange(n + 1), n, rate) @ held)
            yield Point(f"{n} starts, rate {rate}", share, 0)


def clustered_rates(trials: int) -> Iterator[Point]:
    """Beta-binomial: what a start is worth differs, more so the higher the correlation."""
    for starts, repeats, correlation, rate in product(
        (10, 30, 100), (2, 5), (0.0, 0.1, 0.3, 0.8), (0.02, 0.1, 0.5, 0.9, 0.98)
    ):
        case = f"{starts} starts x {repeats}, correlation {correlation}, rate {rate}"
        yield simulate(case, trials, _clustered, starts, repeats, correlation, rate)


def _clustered(
    rng: Generator, starts: int, repeats: int, correlation: float, rate: float
) -> list[bool]:
    labels, chance = np.repeat(np.arange(starts), repeats), np.full(starts, rate)
    if correlation:
        sharp = (1 - correlation) / correlation
        chance = rng.beta(rate * sharp, (1 - rate) * sharp, starts)
    won = rng.random(len(labels)) < chance[labels]
    return [_holds(mean_estimate(won, labels, rng=rng), rate)]


def graded(trials: int) -> Iterator[Point]:
    """Scores between 0 and 1, each start played once or three times."""
    for kind, starts, repeats in product(GRADED, (10, 30, 100, 300), (1, 3)):
        yield simulate(
            f"{kind}; {starts} starts x {repeats}", trials, _graded, kind, starts, repeats
        )


def _graded(rng: Generator, kind: str, starts: int, repeats: int) -> list[bool]:
    mean, draw = GRADED[kind]
    labels = np.repeat(np.arange(starts), repeats)
    scores = draw(rng, starts)[labels]
    if repeats > 1:
        scores = _with_luck(scores, rng.random(len(scores)))
    return [_holds(mean_estimate(scores, labels, rng=rng), mean)]


def _with_luck(scores: Floats, luck: Floats) -> Floats:
    """Scores moved by luck from 0 to 1, within their bounds; means stay where they are."""
    return scores + np.minimum(scores, 1 - scores) * (2 * luck - 1)


def listed(trials: int) -> Iterator[Point]:
    """Starts of a list of 12 or 40: all of them, or half."""
    for size, repeats, part, kind in product(
        (12, 40), (2, 5), (1.0, 0.5), ("right or wrong", "graded")
    ):
        starts = int(size * part)
        case = f"{kind}; {starts} of {size} starts x {repeats}"
        yield simulate(case, trials, _listed, size, starts, repeats, kind)


def _listed(rng: Generator, size: int, starts: int, repeats: int, kind: str) -> list[bool]:
    worth = np.linspace(0.02, 0.98, size) ** 2
    labels = np.repeat(np.arange(starts), repeats)
    here, luck = rng.permutation(worth)[labels], rng.random(len(labels))
    scores = _with_luck(here, luck) if kind == "graded" else (luck < here) * 1.0
    return [_holds(mean_estimate(scores, labels, rng=rng, listed=size), float(worth.mean()))]


def averages(trials: int) -> Iterator[Point]:
    """Puzzles of different difficulty, each with its own starts."""
    for puzzles, starts, ends in product((4, 12), (5, 20), ((0.3, 0.7), (0.02, 0.98), (0.8, 0.99))):
        case = f"{puzzles} puzzles x {starts} starts, rates {ends[0]} to {ends[1]}"
        yield simulate(case, trials, _average, np.linspace(*ends, puzzles), starts)


def _average(rng: Generator, chances: Floats, starts: int) -> list[bool]:
    parts = [mean_estimate(rng.random(starts) < chance, rng=rng) for chance in chances]
    return [_holds(average(parts), float(chances.mean()))]


def differences(trials: int) -> Iterator[Point]:
    """Two players on the same starts, right or wrong once, and graded in repeats."""
    for starts, (ahead, behind) in product(
        (10, 30, 100, 300), ((0.02, 0.02), (0.1, 0.02), (0.1, 0.1), (0.3, 0.1), (0.3, 0.3))
    ):
        case = f"{starts} starts, alone right {ahead} and {behind}"
        yield simulate(case, trials, _difference, starts, ahead, behind)
    for starts, off in product((10, 30, 100), (0.0, 0.1)):
        case = f"{starts} starts x 3, graded, difference {off}"
        yield simulate(case, trials, _graded_difference, starts, off)

    for starts, off in product((10, 30, 100), (0.0, 0.1)):
        case = f"{starts} starts x 3, right or wrong, difference {off}"
        yield simulate(case, trials, _repeated_difference, starts, off)


def _repeated_difference(rng: Generator, starts: int, off: float) -> list[bool]:
    """Right or wrong three times on each start, whose difficulty the players share."""
    labels = np.repeat(np.arange(starts), 3)
    chance = rng.beta(0.5, 0.5, starts)[labels] * (1 - off)
    one, other = rng.random((2, len(labels))) < np.stack([chance + off, chance])
    return [_holds(paired(one, other, labels, rng=rng).difference, off)]


def _difference(rng: Generator, starts: int, ahead: float, behind: float) -> list[bool]:
    found = paired(*_right_or_wrong(rng, starts, ahead, behind), rng=rng)
    return [_holds(found.difference, ahead - behind)]


def _right_or_wrong(
    rng: Generator, starts: int, ahead: float, behind: float
) -> tuple[Floats, Floats]:
    """Two players of whom the one or the other alone is right with given chances."""
    luck = rng.random(starts)
    both = luck > (1 + ahead + behind) / 2
    one, other = luck < ahead, (luck >= ahead) & (luck < ahead + behind)
    return (one | both) * 1.0, (other | both) * 1.0


def _graded_difference(rng: Generator, starts: int, off: float) -> list[bool]:
    """Scores that share the difficulty of a start, with a skewed difference between players."""
    labels = np.repeat(np.arange(starts), 3)
    hard, taste = rng.uniform(0.2, 0.5, starts), rng.exponential(0.1, starts).clip(0, 0.4)
    luck = rng.uniform(-0.1, 0.1, (2, len(labels)))
    mean = 0.1 * (1 - np.exp(-4.0))  # of the clipped exponential variable
    one = (hard + taste - mean)[labels] + luck[0] + off
    return [_holds(paired(one, hard[labels] + luck[1], labels, rng=rng).difference, off)]


def curves(trials: int) -> Iterator[Point]:
    """Where a curve over six levels crosses one half."""
    for each, slope, half in product((10, 40), (0.8, 2.0), (3.5, 1.5)):
        case = f"6 levels x {each} starts, slope {slope}, half at {half}"
        yield simulate(case, trials, _curve, each, slope, half)


def _curve(rng: Generator, each: int, slope: float, half: float) -> list[bool]:
    x = np.repeat(np.arange(1.0, 7.0), each)
    found = difficulty(x, rng.random(len(x)) < expit(slope * (half - x)))
    return [found.low <= half <= found.high]


def sizes(trials: int) -> Iterator[Point]:
    """Two players who are alike: how often a test finds them different at 5 %."""
    for starts, alone in product((10, 30, 100), (0.05, 0.2, 0.4)):
        case = f"McNemar, {starts} starts, alone right {alone} each"
        yield simulate(case, trials, _alike, starts, alone)
    for starts, repeats in product((8, 30, 100), (1, 3)):
        case = f"sign flips, {starts} starts x {repeats}, graded"
        yield simulate(case, trials, _alike_graded, starts, repeats)


def _alike(rng: Generator, starts: int, alone: float) -> list[bool]:
    return [paired(*_right_or_wrong(rng, starts, alone, alone), rng=rng).p <= 0.05]


def _alike_graded(rng: Generator, starts: int, repeats: int) -> list[bool]:
    labels = np.repeat(np.arange(starts), repeats)
    hard = rng.beta(0.5, 0.5, starts)[labels]
    one, other = np.round(hard + rng.uniform(-0.2, 0.2, (2, len(labels))), 1)
    return [paired(one, other, labels, rng=rng, bounds=None).p <= 0.05]

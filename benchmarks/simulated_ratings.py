"""Simulated tournaments whose true strengths are known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product

import numpy as np
from numpy.random import Generator
from scipy.special import ndtr

from quandary.statistics.comparisons import Comparisons
from quandary.statistics.estimates import Floats
from quandary.statistics.ratings import Rating, Ratings, ratings

from .simulated import SEED, Point

SEAT, TIE = 0.3, 0.5
SPREADS = (0.0, 1.0, 2.0)  # strengths are even from minus to plus this
CORRELATIONS = (0.0, 0.5)
OF_SIX, OF_TWENTY = (5, 10, 40), (5, 20)  # starts


def tournament(rng: Generator, strengths: Floats, starts: int, correlation: float) -> Comparisons:
    """Everyone meets everyone on every start, from both seats.

    A player is lucky on some starts and not on others; how likely results are over all starts
    stays exactly that of the model.
    """
    count = len(strengths)
    one, other = (pair.reshape(-1) for pair in np.nonzero(~np.eye(count, dtype=bool)))
    lucky = rng.normal(size=(starts, count))
    shared = (lucky[:, one] - lucky[:, other]) / np.sqrt(2)
    own = rng.normal(size=shared.shape)
    luck = ndtr(np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * own)
    off = strengths[one] - strengths[other] + SEAT
    lost, won = np.exp(-off / 2), np.exp(off / 2)
    total = lost + TIE + won
    result = np.where(luck < lost / total, 0.0, np.where(luck < (lost + TIE) / total, 0.5, 1.0))
    names = tuple(f"player {number:02}" for number in range(count))
    return Comparisons(
        names,
        np.tile(one, starts),
        np.tile(other, starts),
        result.reshape(-1),
        np.repeat(np.arange(starts), len(one)),
    )


@cache
def rated(
    players: int, starts: int, spread: float, correlation: float, trials: int
) -> tuple[Ratings, ...]:
    """The ratings of many tournaments of one kind; several promises are checked on the same."""
    truth, found = _truth(players, spread), list[Ratings]()
    for number in range(trials):
        case = [SEED, players, starts, int(10 * spread), int(10 * correlation), number]
        rng = np.random.default_rng(case)
        found.append(ratings(tournament(rng, truth, starts, correlation), rng))
    return tuple(found)


def _truth(players: int, spread: float) -> Floats:
    return np.linspace(spread, -spread, players)


def _points(
    players: int,
    starts: tuple[int, ...],
    trials: int,
    held: Callable[[Ratings, Floats], list[bool]],
    spreads: Sequence[float] = SPREADS,
) -> Iterator[Point]:
    for spread, count, correlation in product(spreads, starts, CORRELATIONS):
        found = rated(players, count, spread, correlation, trials)
        truth = _truth(players, spread)
        yield Point(
            f"{players} players, {count} starts, strengths within {spread}, "
            f"correlation {correlation}",
            float(np.mean([held(one, truth) for one in found])),
            trials,
        )


def _rows(found: Ratings) -> list[Rating]:
    """In the order of the true strengths."""
    return sorted(found.rows, key=lambda row: row.player)


def strengths_of_six(trials: int) -> Iterator[Point]:
    """Intervals of the strengths of six players."""
    return _points(6, OF_SIX, trials, _strengths)


def strengths_of_twenty(trials: int) -> Iterator[Point]:
    """Intervals of the strengths of twenty players."""
    return _points(20, OF_TWENTY, trials, _strengths)


def _strengths(found: Ratings, truth: Floats) -> list[bool]:
    return [row.low <= true <= row.high for row, true in zip(_rows(found), truth, strict=True)]


def seats_and_ties(trials: int) -> Iterator[Point]:
    """Intervals of the seat effect and of the tie parameter."""
    return _points(6, OF_SIX, trials, _seat_and_tie)


def _seat_and_tie(found: Ratings, _truth: Floats) -> list[bool]:
    return [found.seat[0] <= SEAT <= found.seat[1], found.tie[0] <= TIE <= found.tie[1]]


def ranks(trials: int) -> Iterator[Point]:
    """Intervals of ranks."""
    return _points(6, OF_SIX, trials, _ranks)


def _ranks(found: Ratings, truth: Floats) -> list[bool]:
    """Whether each player's interval has all ranks that the true strengths allow."""
    above = (truth[None, :] > truth[:, None]).sum(axis=1)
    below = (truth[None, :] < truth[:, None]).sum(axis=1)
    return [
        (row.best_rank or 1) <= 1 + better and (row.worst_rank or len(truth)) >= len(truth) - worse
        for row, better, worse in zip(_rows(found), above, below, strict=True)
    ]


def bands(trials: int) -> Iterator[Point]:
    """Bands: how often any two of six equal players are told apart."""
    return _points(6, OF_SIX, trials, lambda found, _: [len(found.bands) > 1], (0.0,))

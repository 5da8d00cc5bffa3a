"""Simulated tournaments whose true strengths are known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
from numpy.random import Generator
from scipy.special import ndtr

from quandary.statistics.comparisons import Comparisons
from quandary.statistics.estimates import Floats
from quandary.statistics.ratings import Rating, Ratings, ratings

from .simulated import Point, Trial, simulate

SEAT, TIE = 0.3, 0.5
SPREADS = (0.0, 1.0, 2.0)  # strengths are even from minus to plus this


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


def _points(
    players: int, starts: tuple[int, ...], trials: int, trial: Trial, spreads: Sequence[float]
) -> Iterator[Point]:
    for spread, count, correlation in product(spreads, starts, (0.0, 0.5)):
        case = (
            f"{players} players, {count} starts, strengths within {spread}, "
            f"correlation {correlation}"
        )
        truth = np.linspace(spread, -spread, players)
        yield simulate(case, trials, trial, truth, count, correlation)


def _rated(rng: Generator, truth: Floats, starts: int, correlation: float) -> Ratings:
    return ratings(tournament(rng, truth, starts, correlation), rng)


def _rows(found: Ratings) -> list[Rating]:
    """In the order of the true strengths."""
    return sorted(found.rows, key=lambda row: row.player)


def strengths_of_six(trials: int) -> Iterator[Point]:
    """Intervals of the strengths of six players."""
    return _points(6, (5, 10, 40), trials, _strengths, SPREADS)


def strengths_of_twenty(trials: int) -> Iterator[Point]:
    """Intervals of the strengths of twenty players."""
    return _points(20, (5, 20), trials, _strengths, SPREADS)


def _strengths(rng: Generator, truth: Floats, starts: int, correlation: float) -> list[bool]:
    rows = _rows(_rated(rng, truth, starts, correlation))
    return [row.low <= true <= row.high for row, true in zip(rows, truth, strict=True)]


def seats_and_ties(trials: int) -> Iterator[Point]:
    """Intervals of the seat effect and of the tie parameter."""
    return _points(6, (10, 40), trials, _seat_and_tie, SPREADS)


def _seat_and_tie(rng: Generator, truth: Floats, starts: int, correlation: float) -> list[bool]:
    found = _rated(rng, truth, starts, correlation)
    return [found.seat[0] <= SEAT <= found.seat[1], found.tie[0] <= TIE <= found.tie[1]]


def ranks(trials: int) -> Iterator[Point]:
    """Intervals of ranks."""
    return _points(6, (10, 40), trials, _ranks, SPREADS)


def _ranks(rng: Generator, truth: Floats, starts: int, correlation: float) -> list[bool]:
    """Whether each player's interval has all ranks that the true strengths allow."""
    above = (truth[None, :] > truth[:, None]).sum(axis=1)
    below = (truth[None, :] < truth[:, None]).sum(axis=1)
    rows = _rows(_rated(rng, truth, starts, correlation))
    return [
        row.best_rank <= 1 + better and row.worst_rank >= len(rows) - worse
        for row, better, worse in zip(rows, above, below, strict=True)
    ]


def bands(trials: int) -> Iterator[Point]:
    """Groups: how often any two of six equal players are told apart."""
    return _points(6, (10, 40), trials, _told_apart, (0.0,))


def _told_apart(rng: Generator, truth: Floats, starts: int, correlation: float) -> list[bool]:
    return [len(_rated(rng, truth, starts, correlation).bands) > 1]

"""Bradley-Terry strengths with ties, after Davidson, and with an effect of the first seat.

With d the difference of two strengths, plus the seat effect, the first seat wins, ties or loses in
the proportion exp(d / 2) : tie : exp(-d / 2).  Without a seat effect this is Davidson's model:
P(i beats j) = p_i / (p_i + p_j + tie * sqrt(p_i * p_j)), strength = ln p.

So that strengths exist even for players who won or lost everything, each player has also won half
a comparison and lost half against an average player, and so has the first seat (as Jeffreys' prior
does for a rate).  In the bootstrap these have random weights too: an undefeated player's
strength is then as uncertain as it should be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.sparse import csr_array

from .comparisons import Comparisons, Counts
from .estimates import Floats, Ints

PRIOR = 0.5  # comparisons that are added on either side
LEAST = 1e-5  # weight of what is added, so that no draw is too close to infinity to compute
AT_ONCE = 8_000_000  # numbers in the matrices of the draws that are fitted together
STEPS, CLOSE = 100, 1e-6  # the error left is of the order of the last step's square
DIGITS = 9  # of strengths: what follows is noise, so that equal players are equal, and 0 is 0
LARGEST = 2.0  # a step of Newton's method changes no parameter by more


@dataclass(frozen=True)
class Fit:
    """Fitted strengths; or, with one more dimension in front, those of many draws."""

    players: tuple[str, ...]
    strengths: Floats  # ln p, with mean 0
    seat: Floats  # what the first seat adds to the difference of strengths; 0 without seats
    tie: Floats  # 0 if nothing was tied

    def win_matrix(self) -> Floats:
        """Return how likely row beats column, on average over the two seats."""
        return self._outcomes()[0]

    def tie_matrix(self) -> Floats:
        """Return how likely row and column tie, on average over the two seats."""
        return self._outcomes()[1]

    def _outcomes(self) -> tuple[Floats, Floats]:
        off = self.strengths[:, None] - self.strengths[None, :]
        wins, ties = np.zeros_like(off), np.zeros_like(off)
        for seat in (self.seat, -self.seat):
            won, lost = np.exp((off + seat) / 2), np.exp(-(off + seat) / 2)
            wins += won / (won + lost + self.tie) / 2
            ties += self.tie / (won + lost + self.tie) / 2
        np.fill_diagonal(wins, np.nan)
        np.fill_diagonal(ties, np.nan)
        return wins, ties


@dataclass(frozen=True)
class _Table:
    """Comparisons counted by ordered pair and result, with those of the prior at the end.

    One extra player stands for the average; its strength is 0.
    """

    size: int  # players, without the average
    first: Ints
    second: Ints
    seated: NDArray[np.bool_]  # of each pair: whether the seat counts
    counts: Floats  # comparisons by pair and result: lost, tied, won by the first seat
    cells: Ints  # of each comparison: the number of its pair and result
    ends: csr_array  # pairs by player: 1 in the first seat, -1 in the second
    seats: bool  # whether there is a seat effect
    ties: bool


def fit(played: Comparisons, *, ties: bool = True) -> Fit:
    """Return the strengths that fit the comparisons best; `ties=False` leaves tied
    comparisons out.
    """
    table = _table(played, ties)
    found = _newton(table, table.counts[None], np.zeros((1, table.size + 2)))
    return _fit(played.players, table, found[0])


def fit_counts(players: Sequence[str], counts: Counts, *, prior: float = PRIOR) -> Fit:
    """Return the strengths that fit counts of wins and ties best, without an effect of the seat.

    With a `prior` close to 0 it is Davidson's own fit, which exists if `comparisons.is_finite`.
    """
    one, other = np.triu_indices(len(players), 1)
    table = np.stack([counts.wins[other, one], counts.ties[one, other], counts.wins[one, other]], 1)
    met = table.any(axis=1)
    if not met.any():
        raise ValueError("ratings need at least one comparison")
    pairs, size = (one * len(players) + other)[met], len(players)
    made = _with_prior(size, pairs, table[met].astype(float), pairs[:0], False, prior)
    found = _newton(made, made.counts[None], np.zeros((1, size + 2)))[0]
    return _fit(tuple(players), made, found)


def bootstrap_fits(
    played: Comparisons, rng: Generator, draws: int = 1_000, *, ties: bool = True
) -> Fit:
    """Fits with random weights of the clusters of comparisons (the Bayesian bootstrap)."""
    table = _table(played, ties)
    start = _newton(table, table.counts[None], np.zeros((1, table.size + 2)))
    weights = _Weights(played, table)
    width = max((table.size + 2) ** 2, table.counts.size, weights.clusters)
    most, found = max(1, AT_ONCE // width), []
    for begun in range(0, draws, most):
        counts = weights.draw(rng, min(most, draws - begun))
        found.append(_newton(table, counts, np.repeat(start, len(counts), axis=0)))
    return _fit(played.players, table, np.concatenate(found))


def _fit(players: tuple[str, ...], table: _Table, found: Floats) -> Fit:
    strengths = found[..., : table.size]
    centred = np.round(strengths - strengths.mean(axis=-1, keepdims=True), DIGITS) + 0.0
    tie = np.exp(found[..., -1]) if table.ties else np.zeros_like(found[..., -1])
    return Fit(players, centred, np.round(found[..., -2], DIGITS) + 0.0, tie)


def _table(played: Comparisons, ties: bool) -> _Table:
    size = len(played.players)
    if not len(played):
        raise ValueError("ratings need at least one comparison")
    pairs, where = np.unique(played.first * size + played.second, return_inverse=True)
    outcome = np.rint(2 * played.result).astype(np.int64)
    cells = where.reshape(-1) * 3 + outcome
    counts = np.bincount(cells, minlength=3 * len(pairs)).reshape(-1, 3).astype(np.float64)
    if not ties:
        counts[:, 1] = 0.0
    return _with_prior(size, pairs, counts, cells, played.seated, PRIOR)


def _with_prior(
    size: int, pairs: Ints, counts: Floats, cells: Ints, seated: bool, prior: float
) -> _Table:
    """Return the table of counts by pair (first * size + second), with `prior` added on either
    side.
    """
    everyone, average = np.arange(size), np.full(size, size)
    first = np.concatenate([pairs // size, everyone, [size]])
    second = np.concatenate([pairs % size, average, [size]])
    has_seat = np.concatenate([np.full(len(pairs), seated), np.zeros(size, bool), [seated]])
    added = np.tile([prior, 0.0, prior], (size + 1, 1))
    ends = _ends(first, second, size + 1)
    every, tied = np.concatenate([counts, added]), bool(counts[:, 1].any())
    return _Table(size, first, second, has_seat, every, cells, ends, seated, tied)


def _ends(first: Ints, second: Ints, size: int) -> csr_array:
    count = len(first)
    places = (np.tile(np.arange(count), 2), np.concatenate([first, second]))
    return csr_array((np.repeat([1.0, -1.0], count), places), shape=(count, size))


class _Weights:
    """Random weights of clusters, as weighted counts of comparisons by pair and result."""

    def __init__(self, played: Comparisons, table: _Table) -> None:
        self.table = table
        self.clusters = int(played.clusters.max()) + 1
        self.sums: csr_array | None = None
        if self.clusters < len(played):
            places = (played.clusters, table.cells)
            shape = (self.clusters, table.counts.size)
            self.sums = csr_array((np.ones(len(played)), places), shape=shape)

    def draw(self, rng: Generator, draws: int) -> Floats:
        # The sum of n exponential weights is a gamma variable: without clusters, and for the
        # prior's halves, it is drawn at once.
        drawn: Floats = rng.standard_gamma(self.table.counts, (draws, *self.table.counts.shape))
        real = len(self.table.first) - self.table.size - 1
        drawn[:, real:, [0, 2]] = np.maximum(drawn[:, real:, [0, 2]], LEAST)
        if self.sums is not None:
            weights = rng.standard_exponential((draws, self.clusters))
            together = (weights @ self.sums).reshape(drawn.shape)
            drawn[:, :real] = together[:, :real]
        if not self.table.ties:
            drawn[:, :, 1] = 0.0
        return drawn


def _newton(table: _Table, counts: Floats, start: Floats) -> Floats:
    """Return the best parameters (strengths, seat, ln tie) for each set of counts, by Newton's
    method.

    The likelihood is concave in them, so a limited step always leads upwards in the end.
    """
    found, left = start.copy(), np.arange(len(start))
    for _ in range(STEPS):
        gradient, hessian = _slopes(table, counts[left], found[left])
        step = np.linalg.solve(hessian, gradient[..., None])[..., 0]
        largest = np.abs(step).max(axis=1)
        found[left] += step * np.minimum(1.0, LARGEST / np.maximum(largest, CLOSE))[:, None]
        left = left[largest > CLOSE]
        if not len(left):
            return found
    raise ArithmeticError("the fit of the ratings did not converge")


def _slopes(table: _Table, counts: Floats, found: Floats) -> tuple[Floats, Floats]:
    """Return the first derivatives of the log likelihood, and the second ones with their sign
    changed.
    """
    size, seated = table.size, table.seated.astype(np.float64)
    strengths = np.concatenate([found[:, :size], np.zeros((len(found), 1))], axis=1)
    off = strengths[:, table.first] - strengths[:, table.second] + found[:, size, None] * seated
    won, lost = np.exp(off / 2), np.exp(-off / 2)
    tie = np.exp(found[:, -1, None]) if table.ties else 0.0
    total = won + lost + tie
    n = counts.sum(axis=2)
    lead, tied = (won - lost) / total, np.broadcast_to(tie / total, off.shape)
    # Of d / 2: its slope, its variance, and its covariance with being tied.
    slope = (counts[:, :, 2] - counts[:, :, 0] - n * lead) / 2
    spread = n * ((won + lost) / total - lead**2) / 4
    shared = -n * lead * tied / 2

    gradient, hessian = np.zeros_like(found), np.zeros((len(found), size + 2, size + 2))
    gradient[:, :size] = _by_player(table, slope)
    gradient[:, size] = slope @ seated
    meet: Floats = np.zeros((len(found), size + 1, size + 1))
    meet[:, table.first, table.second] = spread
    meet += meet.transpose(0, 2, 1)
    players = np.arange(size)
    hessian[:, :size, :size] = -meet[:, :size, :size]
    hessian[:, players, players] = (spread @ abs(table.ends))[:, :size]
    hessian[:, size, :size] = hessian[:, :size, size] = _by_player(table, spread * seated)
    hessian[:, size, size] = spread @ seated if table.seats else 1.0
    if table.ties:
        gradient[:, -1] = counts[:, :, 1].sum(axis=1) - (n * tied).sum(axis=1)
        hessian[:, -1, :size] = hessian[:, :size, -1] = _by_player(table, shared)
        hessian[:, -1, size] = hessian[:, size, -1] = shared @ seated
        hessian[:, -1, -1] = (n * tied * (1 - tied)).sum(axis=1)
    else:
        hessian[:, -1, -1] = 1.0
    return gradient, hessian


def _by_player(table: _Table, values: Floats) -> Floats:
    """Sums over each player's comparisons: plus where it sits first, minus where second."""
    sums: Floats = (values @ table.ends)[:, : table.size]
    return sums

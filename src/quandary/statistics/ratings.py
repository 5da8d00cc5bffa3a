"""Ratings of players from their comparisons, with intervals, ranks and bands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.random import Generator

from .bootstrap import tail
from .comparisons import Comparisons, parts
from .davidson import Fit, bootstrap_fits, fit
from .estimates import CONFIDENCE, Floats
from .ranking import Ranking, ranking

ELO_POINTS = 400 / log(10)  # per unit of strength: ten to one is 400 points


@dataclass(frozen=True)
class Rating:
    """The strength of one player, with its interval, on the scale of the anchors."""

    player: str
    strength: float
    low: float
    high: float
    best_rank: int
    worst_rank: int
    comparisons: int


@dataclass(frozen=True)
class Ratings:
    """All players, best first."""

    rows: tuple[Rating, ...]
    fit: Fit
    seat: tuple[float, float]  # interval of the seat effect
    tie: tuple[float, float]
    bands: tuple[tuple[str, ...], ...]  # players who cannot be told apart
    anchors: tuple[str, ...]
    parts: tuple[tuple[str, ...], ...]  # more than one: their ratings cannot be compared
    n: int  # comparisons
    clusters: int
    draws: int
    confidence: float


def ratings(
    played: Comparisons,
    rng: Generator,
    *,
    anchors: Sequence[str] = (),
    ties: bool = True,
    draws: int = 1_000,
    confidence: float = CONFIDENCE,
) -> Ratings:
    """Davidson's ratings with intervals over clusters of comparisons.

    Without anchors, strengths have mean 0.  The first anchor is at 0; with a second one the scale
    is such that it is at 1.
    """
    central, drawn = fit(played, ties=ties), bootstrap_fits(played, rng, draws, ties=ties)
    clusters = int(played.clusters.max()) + 1
    strengths = anchored(central, anchors)
    low, high = _ends(anchored(drawn, anchors), clusters, confidence)
    found = ranking(central.strengths, drawn.strengths, clusters, confidence)
    met = np.bincount(np.concatenate([played.first, played.second]), minlength=len(low))
    rows = tuple(
        Rating(
            played.players[one],
            float(strengths[one]),
            float(min(low[one], strengths[one])),
            float(max(high[one], strengths[one])),
            int(found.low[one]),
            int(found.high[one]),
            int(met[one]),
        )
        for one in found.order
    )
    seat, tie = _ends(drawn.seat, clusters, confidence), _ends(drawn.tie, clusters, confidence)
    return Ratings(
        rows,
        central,
        (float(seat[0]), float(seat[1])),
        (float(tie[0]), float(tie[1])),
        _names(found, played.players),
        tuple(anchors),
        parts(played),
        len(played),
        clusters,
        draws,
        confidence,
    )


def anchored(found: Fit, anchors: Sequence[str]) -> Floats:
    """Strengths on the scale of the anchors: none, one at 0, or two at 0 and 1."""
    if not set(anchors) <= set(found.players) or not len(set(anchors)) == len(anchors) <= 2:
        raise ValueError(f"anchors are up to two players of the comparisons, not {list(anchors)}")
    places = [found.players.index(name) for name in anchors]
    strengths = found.strengths
    if not places:
        return strengths
    at_zero: Floats = strengths - strengths[..., [places[0]]]
    return at_zero / at_zero[..., [places[1]]] if len(places) == 2 else at_zero


def _ends(draws: Floats, clusters: int, confidence: float) -> Floats:
    """The ends of the interval of each column of the draws."""
    if clusters < 2:
        return np.stack([np.full(draws.shape[1:], -np.inf), np.full(draws.shape[1:], np.inf)])
    out = tail(clusters, confidence)
    ends: Floats = np.quantile(draws, [out, 1 - out], axis=0)
    return ends


def _names(found: Ranking, players: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(players[one] for one in band) for band in found.bands)

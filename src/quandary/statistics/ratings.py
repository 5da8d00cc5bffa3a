"""Ratings of players from their comparisons, with intervals, ranks and bands."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.random import Generator
from scipy.special import expit

from .bootstrap import stretched
from .comparisons import Comparisons, parts
from .davidson import Fit, bootstrap_fits, fit
from .estimates import CONFIDENCE, Floats
from .ranking import p_of_draws, ranking

ELO_POINTS = 400 / log(10)  # per unit of strength: ten to one is 400 points
ELO_MEAN = 1_000.0


@dataclass(frozen=True)
class Rating:
    """The strength of one player, with its interval, on the scale of the anchors."""

    player: str
    strength: float
    low: float
    high: float
    points: float  # of Elo's scale, 1000 on average, whatever the anchors
    points_low: float
    points_high: float
    best_rank: int | None  # None without a rank
    worst_rank: int | None
    comparisons: int


@dataclass(frozen=True)
class Ratings:
    """All players, best first; those without a rank last."""

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
    unranked: Collection[str] = (),
    ties: bool = True,
    draws: int = 1_000,
    confidence: float = CONFIDENCE,
) -> Ratings:
    """Davidson's ratings with intervals over clusters of comparisons; ranks of all but some.

    Without anchors, strengths have mean 0.  The first anchor is at 0; with a second one the scale
    is such that it is at 1, provided that it is surely stronger; otherwise it is left out.
    """
    if not set(anchors) <= set(played.players) or not len(set(anchors)) == len(anchors) <= 2:
        raise ValueError(f"anchors are up to two players of the comparisons, not {list(anchors)}")
    central, drawn = fit(played, ties=ties), bootstrap_fits(played, rng, draws, ties=ties)
    clusters = int(played.clusters.max()) + 1
    if len(anchors) == 2 and not _is_stronger(central, drawn, anchors, clusters, confidence):
        anchors = anchors[:1]
    strengths = anchored(central, anchors)
    low, high = stretched(strengths, anchored(drawn, anchors), clusters, confidence)
    ends = stretched(central.strengths, drawn.strengths, clusters, confidence)
    points = ELO_MEAN + ELO_POINTS * np.stack([central.strengths, *ends])
    ranked = [at for at, name in enumerate(played.players) if name not in unranked]
    values = _expected(central)[ranked]
    p = p_of_draws(values, _expected(drawn)[:, ranked], clusters)
    found = ranking(values, p, confidence)
    rank: dict[int, tuple[int | None, int | None]] = {
        place: (int(best), int(worst))
        for place, best, worst in zip(ranked, found.low, found.high, strict=True)
    }
    order = sorted(range(len(low)), key=lambda one: (one not in rank, -central.strengths[one]))
    met = np.bincount(np.concatenate([played.first, played.second]), minlength=len(low))
    rows = tuple(
        Rating(
            played.players[one],
            float(strengths[one]),
            float(low[one]),
            float(high[one]),
            float(points[0, one]),
            float(points[1, one]),
            float(points[2, one]),
            *rank.get(one, (None, None)),
            int(met[one]),
        )
        for one in order
    )
    seat = stretched(central.seat, drawn.seat, clusters, confidence)
    return Ratings(
        rows,
        central,
        (float(seat[0]), float(seat[1])),
        _tie(central, drawn, clusters, confidence),
        tuple(tuple(played.players[ranked[one]] for one in band) for band in found.bands),
        tuple(anchors),
        parts(played),
        len(played),
        clusters,
        draws,
        confidence,
    )


def anchored(found: Fit, anchors: Sequence[str]) -> Floats:
    """Strengths on the scale of the anchors: none, one at 0, or two at 0 and 1."""
    places = [found.players.index(name) for name in anchors]
    strengths = found.strengths
    if not places:
        return strengths
    at_zero: Floats = strengths - strengths[..., [places[0]]]
    return at_zero / at_zero[..., [places[1]]] if len(places) == 2 else at_zero


def _expected(found: Fit) -> Floats:
    """Return the share of points that each player would take against all of them, without ties and
    seats.

    It has the same order as the strengths.  Those of a player who never lost have no upper end, so
    that some draws are far out; this share always has one, and its spread says who is better.
    """
    strengths = found.strengths
    shares: Floats = expit(strengths[..., :, None] - strengths[..., None, :]).mean(axis=-1)
    return shares


def _is_stronger(
    central: Fit, drawn: Fit, anchors: Sequence[str], clusters: int, confidence: float
) -> bool:
    """Return whether the interval of the distance between two anchors is above 0."""
    second = central.players.index(anchors[1])
    distance, distances = (anchored(found, anchors[:1])[..., second] for found in (central, drawn))
    return bool(stretched(distance, distances, clusters, confidence)[0] > 0)


def _tie(central: Fit, drawn: Fit, clusters: int, confidence: float) -> tuple[float, float]:
    """Return the interval of the tie parameter, by its logarithm, so that it stays above 0."""
    if not central.tie:
        return 0.0, 0.0
    low, high = stretched(np.log(central.tie), np.log(drawn.tie), clusters, confidence)
    return float(np.exp(low)), float(np.exp(high))

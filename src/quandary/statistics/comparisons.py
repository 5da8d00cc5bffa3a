"""Who met whom, and who won."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from .estimates import Floats, Ints, Labels, floats, numbered


@dataclass(frozen=True)
class Comparisons:
    """Comparisons of two players, in the order of play."""

    players: tuple[str, ...]
    first: Ints  # the number of the player in the first seat
    second: Ints
    result: Floats  # of the first seat: 1 won, 0.5 tied, 0 lost
    clusters: Ints  # from 0; those with the same number were made on the same start
    seated: bool = True  # False: the order of the two says nothing, as where scores are compared

    def __len__(self) -> int:
        return len(self.result)


def comparisons(
    first: Sequence[str],
    second: Sequence[str],
    result: ArrayLike,
    clusters: Labels | None = None,
    *,
    seated: bool = True,
) -> Comparisons:
    """Comparisons by player names, in the order of play.

    Without labels, each is its own cluster.
    """
    names = sorted({*first, *second})
    number = {name: place for place, name in enumerate(names)}
    results = floats(result)
    if not np.isin(results, (0.0, 0.5, 1.0)).all():
        raise ValueError("the result of a comparison is 1, 0.5 or 0")
    one = np.array([number[name] for name in first], dtype=np.int64)
    other = np.array([number[name] for name in second], dtype=np.int64)
    if not len(one) == len(other) == len(results):
        raise ValueError("each comparison has two players and a result")
    if (one == other).any():
        raise ValueError("a player cannot meet itself")
    return Comparisons(tuple(names), one, other, results, numbered(clusters, len(results)), seated)


def by_score(
    players: Sequence[str], scores: ArrayLike, starts: Labels, sides: Labels | None = None
) -> Comparisons:
    """Comparisons of players who played alone: on each start, everyone meets everyone by score.

    Those with the same entry of `sides` (programs of one model) do not meet; without it, a player
    does not meet itself.
    """
    values = floats(scores)
    places, number = numbered(starts, len(values)), numbered(players, len(values))
    side = number if sides is None else numbered(sides, len(values))
    order = np.argsort(places, kind="stable")
    pairs = []
    for group in np.split(order, np.flatnonzero(np.diff(places[order])) + 1):
        above, below = np.triu_indices(len(group), 1)
        pair = np.stack([group[above], group[below]])
        pairs.append(pair[:, side[pair[0]] != side[pair[1]]])
    one, other = np.concatenate(pairs, axis=1)
    result = (np.sign(values[one] - values[other]) + 1) / 2
    met, ends = np.unique(number[[one, other]], return_inverse=True)
    names = tuple(np.unique(players)[met].tolist())
    first, second = ends.reshape(2, -1)
    return Comparisons(names, first, second, result, numbered(places[one], len(one)), seated=False)


@dataclass(frozen=True)
class Counts:
    """How often row won against column, and how often the two tied."""

    wins: Ints
    ties: Ints

    @property
    def decided(self) -> Floats:
        """Row's share of the comparisons with column that were not tied; nan if there is none."""
        both = self.wins + self.wins.T
        return np.where(both > 0, self.wins / np.maximum(both, 1), np.nan)


def is_finite(counts: Counts) -> bool:
    """Return whether strengths fit without a prior: everyone has beaten everyone, if by way of
    others.
    """
    found, _ = connected_components(coo_array(counts.wins), directed=True, connection="strong")
    return bool(found == 1)


def parts(played: Comparisons) -> tuple[tuple[str, ...], ...]:
    """Sets of players who never met, even by way of others; ratings do not compare such sets."""
    count = len(played.players)
    links = coo_array((np.ones(len(played)), (played.first, played.second)), shape=(count, count))
    found, labels = connected_components(links, directed=False)
    return tuple(
        tuple(name for name, label in zip(played.players, labels, strict=True) if label == part)
        for part in range(found)
    )

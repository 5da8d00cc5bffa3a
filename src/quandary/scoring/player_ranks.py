"""Ranks of players over many levels, and groups that cannot be told apart.

A score is the mean over puzzles of means over levels of means over starts.  Its joint draws for all
players reweight the starts of each level (the Bayesian bootstrap), the same way for every player,
so that what makes a start hard for all of them cancels out.  Where the starts are a short list and
all of it was played, only luck counts: the playings of each start are reweighted instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from string import ascii_letters

import numpy as np
from numpy.random import Generator

from quandary.statistics.bootstrap import bootstrap_means
from quandary.statistics.clusters import cluster_means
from quandary.statistics.estimates import Flags, Floats, Ints
from quandary.statistics.estimates import numbered as from_zero
from quandary.statistics.ranking import ranking

from .level_groups import LevelKey, SeatGroup

DRAWS = 1_000
FEW = 2  # starts of a level; in simulations, to draw them alone told equal players apart too often
AT_ONCE = 4_000_000  # weights that are drawn at once, so that memory stays small


@dataclass(frozen=True)
class PlayerRank:
    """The rank of one player, as far as it is known."""

    best: int
    worst: int
    letters: str  # players who share a letter cannot be told apart


@dataclass(frozen=True)
class _Stratum:
    """What is drawn together: starts of a level, or playings of a start of a short list.  Every
    player has at least `fewest` of them.
    """

    means: Floats  # a row for each of them, a column per player; nan where it has no result
    weight: float  # in the score
    fewest: int


def player_ranks(
    levels: Mapping[LevelKey, Sequence[SeatGroup]], players: Sequence[str], rng: Generator
) -> dict[str, PlayerRank]:
    """The ranks of players who have results on all levels."""
    if not players or not levels:
        return {}
    per_puzzle = Counter((key.suite, key.puzzle) for key in levels)
    strata = [
        stratum
        for key, groups in levels.items()
        for stratum in _strata(
            groups, players, 1 / len(per_puzzle) / per_puzzle[key.suite, key.puzzle]
        )
    ]
    values = sum(stratum.weight * np.nanmean(stratum.means, axis=0) for stratum in strata)
    strata = _collapsed(strata)
    clusters = 1 + int(_freedom(strata) + 1e-9)
    found = ranking(np.asarray(values), _draws(strata, clusters, rng), clusters)
    letters = band_letters([[players[one] for one in band] for band in found.bands])
    return {
        player: PlayerRank(int(found.low[at]), int(found.high[at]), letters[player])
        for at, player in enumerate(players)
    }


def ranks(best: int, worst: int) -> str:
    """The ranks that a player may have, for example 1-2."""
    return str(best) if best == worst else f"{best}-{worst}"


def band_letters(bands: Sequence[Sequence[str]]) -> dict[str, str]:
    """The letters of each player: one for each of its bands, which are given best first."""
    found = dict[str, str]()
    for at, band in enumerate(bands):
        letter = ascii_letters[at] if at < len(ascii_letters) else f"({at + 1})"
        for player in band:
            found[player] = found.get(player, "") + letter
    return found


def _strata(groups: Sequence[SeatGroup], players: Sequence[str], weight: float) -> list[_Stratum]:
    """The starts of a level; if everyone played all of a short list, each start by itself."""
    own = {group.player: group for group in groups}
    ranked = [own[player] for player in players]
    by_start = _table([(group.starts, group.scores) for group in ranked])
    listed = ranked[0].listed
    if listed is None or len(by_start) < listed or np.isnan(by_start).any():
        return [_stratum(by_start, weight)]
    return [
        _stratum(
            _table([(group.luck[at], group.scores[at]) for group, at in _on(ranked, start)]),
            weight / len(by_start),
        )
        for start in ranked[0].seen
    ]


def _on(groups: Sequence[SeatGroup], start: int) -> Iterator[tuple[SeatGroup, Flags]]:
    """Which playings of each group are on a start."""
    return ((group, group.starts == start) for group in groups)


def _stratum(means: Floats, weight: float) -> _Stratum:
    return _Stratum(means, weight, int((~np.isnan(means)).sum(axis=0).min()))


def _table(columns: Sequence[tuple[Ints, Floats]]) -> Floats:
    """The mean score for each label, a column per player; nan where a player has no result."""
    present = [(labels[~np.isnan(scores)], scores[~np.isnan(scores)]) for labels, scores in columns]
    known = np.unique(np.concatenate([labels for labels, _ in present]))
    means: Floats = np.full((len(known), len(columns)), np.nan)
    for column, (labels, scores) in enumerate(present):
        found, _ = cluster_means(scores, from_zero(labels, len(labels)))
        means[np.searchsorted(known, np.unique(labels)), column] = found
    return means


def _collapsed(strata: Sequence[_Stratum]) -> list[_Stratum]:
    """Levels on which a player has one or two starts say too little about luck: they are drawn
    together, as if they were starts of one level, and what differs between them stands for luck.
    """
    single = [stratum for stratum in strata if stratum.fewest <= FEW]
    others = sorted(
        (stratum for stratum in strata if stratum.fewest > FEW), key=lambda one: one.fewest
    )
    if len(single) == 1 and others:
        single.append(others.pop(0))
    if not single:
        return others
    weight = sum(stratum.weight for stratum in single)
    rows = [
        np.nanmean(stratum.means, axis=0) * stratum.weight / weight * len(single)
        for stratum in single
    ]
    return [*others, _Stratum(np.stack(rows), weight, len(single))]


def _freedom(strata: Sequence[_Stratum]) -> float:
    """Degrees of freedom of a weighted sum of means, after Welch and Satterthwaite, if scores vary
    alike in all strata.
    """
    if any(stratum.fewest < 2 for stratum in strata):
        return 0.0
    shares = np.array([stratum.weight**2 / stratum.fewest for stratum in strata])
    return float(shares.sum() ** 2 / sum(shares**2 / [one.fewest - 1 for one in strata]))


def _draws(strata: Sequence[_Stratum], clusters: int, rng: Generator) -> Floats:
    """Joint draws of the scores of all players, a row each.

    Exponential weights vary as n + 1 values do, not as n - 1.  `ranking` corrects that for the
    number of clusters as a whole; a stratum with fewer starts needs more of it.
    """
    allowed = sqrt((clusters + 1) / (clusters - 1)) if clusters > 1 else 1.0
    total: Floats = np.zeros((DRAWS, strata[0].means.shape[1]))
    for stratum in strata:
        most = max(1, AT_ONCE // len(stratum.means))
        drawn = np.concatenate(
            [
                bootstrap_means(stratum.means, rng, draws=min(most, DRAWS - begun))
                for begun in range(0, DRAWS, most)
            ]
        )
        n = stratum.fewest
        spread = sqrt((n + 1) / (n - 1)) / allowed if n > 1 else 1.0
        centre = np.nanmean(stratum.means, axis=0)
        total += stratum.weight * (centre + spread * (drawn - centre))
    return total

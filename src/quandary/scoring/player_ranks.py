"""Ranks of players over many levels, and groups that cannot be told apart.

A score is the mean over puzzles of means over levels of means over starts.  Two players are
compared by the difference of their scores, start by start, so that what makes a start hard for both
cancels out; its variance is that of `statistics.strata`.  Where the starts are a short list and all
of it was played, only luck counts: playings of each start are compared instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_letters
from typing import NamedTuple

import numpy as np

from quandary.statistics.clusters import cluster_means
from quandary.statistics.estimates import Flags, Floats, Ints
from quandary.statistics.estimates import numbered as from_zero
from quandary.statistics.ranking import Doubt, ends_of_differences, p_of_differences, ranking
from quandary.statistics.strata import Strata

from .level_groups import LevelKey, SeatGroup
from .persons import doubt_of_persons
from .score_table import Ranged


@dataclass(frozen=True)
class PlayerRank:
    """The rank of one player, as far as it is known."""

    best: int
    worst: int
    letters: str  # players who share a letter cannot be told apart


class Difference(NamedTuple):
    """The score of one player less that of another, compared start by start."""

    ahead: Ranged  # from -1 to 1 if there are too few starts to know more
    p: float
    starts: int


@dataclass(frozen=True)
class _Stratum:
    """What is drawn together: starts of a level, or playings of a start of a short list."""

    scores: Floats  # a row for each of them, a column per player; nan where it has no result
    weight: float  # in the score


def player_ranks(
    levels: Mapping[LevelKey, Sequence[SeatGroup]], players: Sequence[str]
) -> dict[str, PlayerRank]:
    """Return the ranks of players who have results on all levels."""
    if not players or not levels:
        return {}
    strata = _all_strata(levels, players)
    values = sum(stratum.weight * np.nanmean(stratum.scores, axis=0) for stratum in strata)
    found = ranking(np.asarray(values), _p_of_pairs(strata, _doubts(levels, players)))
    letters = band_letters([[players[one] for one in band] for band in found.bands])
    return {
        player: PlayerRank(int(found.low[at]), int(found.high[at]), letters[player])
        for at, player in enumerate(players)
    }


def difference(
    levels: Mapping[LevelKey, Sequence[SeatGroup]], first: str, second: str
) -> Difference:
    """Return how far the first player is ahead of the second, who both have results on all
    levels.
    """
    found = _pairs(_all_strata(levels, (first, second)))
    doubt = _doubts(levels, (first, second))
    low, high = ends_of_differences(found, doubt=doubt)
    return Difference(
        Ranged(float(found.mean[0]), float(low[0]), float(high[0])),
        float(p_of_differences(found, doubt)[0]),
        int(found.cases.sum()),
    )


def _all_strata(
    levels: Mapping[LevelKey, Sequence[SeatGroup]], players: Sequence[str]
) -> list[_Stratum]:
    per_puzzle = Counter((key.suite, key.puzzle) for key in levels)
    return [
        stratum
        for key, groups in levels.items()
        for stratum in _strata(
            groups, players, 1 / len(per_puzzle) / per_puzzle[key.suite, key.puzzle]
        )
    ]


def _doubts(levels: Mapping[LevelKey, Sequence[SeatGroup]], players: Sequence[str]) -> Doubt:
    """Return what persons add to the difference of each two players, in the order of `_pairs`."""
    groups = [group for own in levels.values() for group in own]
    own = [doubt_of_persons([each for each in groups if each.player == one]) for one in players]
    above = np.triu_indices(len(players), 1)
    variances, freedoms = np.array(own).T
    return Doubt(
        sum(variances[side] for side in above), np.minimum(*(freedoms[side] for side in above))
    )


def _p_of_pairs(strata: Sequence[_Stratum], doubt: Doubt) -> Floats:
    """Return the p of the difference of each two players."""
    count = strata[0].scores.shape[1]
    p = np.ones((count, count))
    p[np.triu_indices(count, 1)] = p_of_differences(_pairs(strata), doubt)
    return np.minimum(p, p.T)


def _pairs(strata: Sequence[_Stratum]) -> Strata:
    """Return the differences of each two players: the first less the second, the first less the
    third.
    """
    above = np.triu_indices(strata[0].scores.shape[1], 1)
    columns = [_differences(stratum.scores, *above) for stratum in strata]
    cases, means, variances = (np.stack(each, axis=-1) for each in zip(*columns, strict=True))
    return Strata(np.array([stratum.weight for stratum in strata]), cases, means, variances)


def _differences(scores: Floats, one: Ints, other: Ints) -> tuple[Floats, Floats, Floats]:
    """Of each pair of players in a stratum: the number of cases, the mean difference, and the
    variance of a case.

    A player's mean may come from other cases than that of the other; what they share varies
    together.
    """
    counts = (~np.isnan(scores)).sum(axis=0)
    means = np.nanmean(scores, axis=0)
    # Sums of squares of these are variances of means, and their sums of products covariances.
    scaled = np.nan_to_num(scores - means) / np.sqrt(counts * np.maximum(counts - 1, 1))
    together = scaled.T @ scaled
    own = np.diag(together)
    variances = np.maximum(own[one] + own[other] - 2 * together[one, other], 0.0)
    cases = np.minimum(counts[one], counts[other])
    return cases * 1.0, means[one] - means[other], np.where(cases > 1, variances * cases, 0.0)


def ranks(best: int, worst: int) -> str:
    """Return the ranks that a player may have, for example 1-2."""
    return str(best) if best == worst else f"{best}-{worst}"


def band_letters(bands: Sequence[Sequence[str]]) -> dict[str, str]:
    """Return the letters of each player: one for each of its bands, which are given best first."""
    found = dict[str, str]()
    for at, band in enumerate(bands):
        letter = ascii_letters[at] if at < len(ascii_letters) else f"({at + 1})"
        for player in band:
            found[player] = found.get(player, "") + letter
    return found


def _strata(groups: Sequence[SeatGroup], players: Sequence[str], weight: float) -> list[_Stratum]:
    """Return the starts of a level; if everyone played all of a short list, each start by
    itself.
    """
    own = {group.player: group for group in groups}
    ranked = [own[player] for player in players]
    by_start = _table([(group.starts, group.scores) for group in ranked])
    listed = ranked[0].listed
    if listed is None or len(by_start) < listed or np.isnan(by_start).any():
        return [_Stratum(by_start, weight)]
    return [
        _Stratum(
            _table([(group.luck[at], group.scores[at]) for group, at in _on(ranked, start)]),
            weight / len(by_start),
        )
        for start in ranked[0].seen
    ]


def _on(groups: Sequence[SeatGroup], start: int) -> Iterator[tuple[SeatGroup, Flags]]:
    """Return which playings of each group are on a start."""
    return ((group, group.starts == start) for group in groups)


def _table(columns: Sequence[tuple[Ints, Floats]]) -> Floats:
    """Return the mean score for each label, a column per player; nan where a player has no
    result.
    """
    present = [(labels[~np.isnan(scores)], scores[~np.isnan(scores)]) for labels, scores in columns]
    known = _distinct(np.concatenate([labels for labels, _ in present]))
    means: Floats = np.full((len(known), len(columns)), np.nan)
    for column, (labels, scores) in enumerate(present):
        found, _ = cluster_means(scores, from_zero(labels, len(labels)))
        means[np.searchsorted(known, _distinct(labels)), column] = found
    return means


def _distinct(labels: Ints) -> Ints:
    """Numbers from 0, each once, in order; `np.unique` loads masked arrays for it."""
    return np.flatnonzero(np.bincount(labels))

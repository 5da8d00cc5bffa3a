"""Scores of people as one player: neither what one person did nor what was done on one start is
independent.

Their mean is that of every player.  Its interval is over starts or over persons, whichever is
wider; where ranks compare people with another player, what persons add is added to the luck of
starts.  One person alone is a player like any other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from quandary.statistics.bounds import BoundedMean
from quandary.statistics.clusters import weighted_moments
from quandary.statistics.estimates import Estimate, Floats, Ints
from quandary.statistics.intervals import pooled_estimate
from quandary.statistics.ranking import Doubt

from .level_groups import SeatGroup

PEOPLE = (
    "{name}: {count} people as one player; the interval is over starts or over persons, whichever "
    "is wider."
)
ONE_PERSON = "{name}: one person, so the interval says how sure the score is for this person only."


class _Playings(NamedTuple):
    """The playings of people on all levels of a score."""

    persons: Ints
    starts: Ints  # another number on another level
    scores: Floats
    worst: Floats
    best: Floats
    weights: Floats  # in the mean of `scores`
    all_weights: Floats  # in those of `worst` and `best`


def persons_of(own: Sequence[SeatGroup]) -> int:
    """Return how many people have played; 0 if it is no player of people."""
    numbers = [group.persons for group in own if group.persons is not None]
    return len(np.unique(np.concatenate(numbers))) if numbers else 0


def people_notes(own: Sequence[SeatGroup]) -> list[str]:
    """Return what the intervals of people are over, those of people who were helped by
    themselves.
    """
    names = sorted({group.player for group in own if group.is_of_people})
    counts = {name: persons_of([each for each in own if each.player == name]) for name in names}
    return [
        (ONE_PERSON if count == 1 else PEOPLE).format(name=name, count=count)
        for name, count in counts.items()
    ]


def over_persons(own: Sequence[SeatGroup], found: BoundedMean) -> BoundedMean:
    """Return a score with its interval over persons, if people have played and it is wider."""
    if not own[0].is_of_people or persons_of(own) < 2:
        return found
    played = _playings(own)
    there = ~np.isnan(played.scores)
    present = found.present and _wider(
        found.present,
        pooled_estimate(played.scores[there], played.persons[there], weights=played.weights[there]),
    )
    if not found.missing and present:
        return replace(found, present=present, worst=present, best=present)
    worst, best = (
        _wider(one, pooled_estimate(scores, played.persons, weights=played.all_weights))
        for one, scores in ((found.worst, played.worst), (found.best, played.best))
    )
    return replace(found, present=present, worst=worst, best=best)


def doubt_of_persons(own: Sequence[SeatGroup]) -> Doubt:
    """Return what persons add to the variance of a score beyond single playings."""
    if not own[0].is_of_people:
        return Doubt()
    played = _playings(own)
    there = ~np.isnan(played.scores)
    scores, weights = played.scores[there], played.weights[there]
    persons = np.unique(played.persons[there], return_inverse=True)[1]
    count = int(persons.max()) + 1
    if count < 2:
        return Doubt()
    pairs = np.stack([persons, played.starts[there]])
    single = np.unique(pairs, axis=1, return_inverse=True)[1].reshape(-1)
    by_person, alone = (
        weighted_moments(scores, clusters, weights).variance for clusters in (persons, single)
    )
    return Doubt(max(by_person - alone, 0.0), count - 1.0)


def _wider(one: Estimate, other: Estimate) -> Estimate:
    """Return the first, with the wider interval of the two."""
    if other.half <= one.half:
        return one
    return replace(one, low=min(other.low, one.mean), high=max(other.high, one.mean))


def _playings(own: Sequence[SeatGroup]) -> _Playings:
    per_puzzle = Counter((group.key.suite, group.key.puzzle) for group in own)
    parts = []
    for group in own:
        assert group.persons is not None
        weight = 1 / len(per_puzzle) / per_puzzle[group.key.suite, group.key.puzzle]
        weights = weight * _by_start(group.starts, group.there)
        every = weight * _by_start(group.starts, np.ones(len(group.starts), bool))
        columns = (group.persons, group.starts, group.scores, group.worst, group.best)
        parts.append((*columns, weights, every))
    joined = _Playings(*(np.concatenate(column) for column in zip(*parts, strict=True)))
    level = np.repeat(np.arange(len(own)), [len(group.starts) for group in own])
    return joined._replace(starts=joined.starts * len(own) + level)


def _by_start(starts: Ints, counted: Floats) -> Floats:
    """Return the weight of each playing in a mean over starts of means over playings."""
    counts = np.bincount(starts, counted)
    weights = counted / np.maximum(counts, 1)[starts] / max(int(np.count_nonzero(counts)), 1)
    return np.asarray(weights, np.float64)

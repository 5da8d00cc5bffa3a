"""Rules that guess labels from features, scored on starts that they were not fitted to.

The starts are divided into folds.  Each fold is held out in turn: a rule is fitted on the others,
and guesses the labels of this one.  Questions with the same start are in the same fold, because a
rule that had seen one of them could know the other.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

import numpy as np

from quandary.papers.finereason.fitted_rules import Cuts
from quandary.statistics.estimates import Flags, Floats, Ints

FOLDS, TREES = 5, 300


def numbered(things: Sequence[Hashable]) -> Ints:
    """A number for each thing, the same for equal ones."""
    numbers = {thing: number for number, thing in enumerate(dict.fromkeys(things))}
    return np.array([numbers[thing] for thing in things])


def folds_of(starts: Ints) -> Ints:
    """The fold of each question."""
    return starts % FOLDS


def single_share(values: Floats, labels: Flags, folds: Ints) -> float:
    """The share of labels that the best threshold on one feature gets right."""
    right = 0
    for held_out in _held_out(folds):
        said = _threshold_says(values[~held_out], labels[~held_out], values[held_out])
        right += int(np.count_nonzero(said == labels[held_out]))
    return right / len(labels)


def forest_share(table: Floats, labels: Flags, folds: Ints, positions: Ints | None = None) -> float:
    """The share of labels that a random forest gets right; the table has a column per feature.

    If `positions` are given, it is never fitted to one that it is asked about.
    """
    from sklearn.ensemble import RandomForestClassifier  # a second to import

    right = 0
    for held_out in _held_out(folds):
        known = ~held_out
        if positions is not None:
            known &= ~np.isin(positions, positions[held_out])
        forest = RandomForestClassifier(TREES, random_state=0).fit(table[known], labels[known])
        right += int(np.count_nonzero(forest.predict(table[held_out]) == labels[held_out]))
    return right / len(labels)


def _held_out(folds: Ints) -> Iterator[Flags]:
    return (folds == fold for fold in np.unique(folds))


def _threshold_says(known: Floats, labels: Flags, asked: Floats) -> Flags:
    """The labels of values by the threshold, in either direction, that fits known labels best."""
    cuts = Cuts(known)
    right = cuts.right(labels)  # if labels are true above the threshold
    is_above = right.max() >= len(labels) - right.min()
    threshold = cuts.thresholds[right.argmax() if is_above else right.argmin()]
    return (asked > threshold) == is_above

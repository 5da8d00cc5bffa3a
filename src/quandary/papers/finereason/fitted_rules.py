"""Blind rules fitted to the questions of a run: the best threshold on each feature, in words.

A rule is fitted on the questions that it is scored on, so its share overstates what it would get on
others, the more the fewer questions there are.  What the same fit gets if labels are shuffled says
how much of it is that alone.

`tasks/blind_rules.py` finds the same thresholds for `quandary check`, which does without numpy.
Here they are found hundreds of times for each level, which takes arrays.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from quandary.scoring.score_table import Ranged
from quandary.statistics.estimates import Flags, Floats

DRAWS = 200  # orders of the labels in which rules are fitted again


class BlindRule(NamedTuple):
    """The best threshold on one feature."""

    feature: str
    words: str  # for example: unsolvable if depth > 7
    right: Flags  # of each question


class Cuts:
    """The places at which a threshold can divide some questions by one feature."""

    def __init__(self, values: Floats) -> None:
        self.values = np.nan_to_num(values, nan=-1.0)  # what is not known is a value of its own
        self.order = np.argsort(self.values, kind="stable")
        ordered = self.values[self.order]
        # How many questions lie below each threshold; all of them: every label is the same.
        self.below = np.append(np.flatnonzero(np.diff(ordered)) + 1, len(ordered))
        self.thresholds = ordered[self.below - 1]

    def right(self, dead: Flags) -> Floats:
        """Return how many labels each threshold gets right if dead ends lie above it."""
        found = np.cumsum(dead[self.order])[self.below - 1]
        right: Floats = (self.below - found) + (dead.sum() - found)
        return right

    def most(self, dead: Flags) -> int:
        """Return how many labels the best threshold gets right, in either direction."""
        right = self.right(dead)
        return int(max(right.max(), len(dead) - right.min()))


def fitted_rules(features: Mapping[str, Floats], dead: Flags) -> list[BlindRule]:
    """Return the best rule of each feature, the best one first; `dead` are the labels of
    questions.
    """
    rules = [_fitted(name, values, dead) for name, values in features.items()]
    return sorted(rules, key=lambda rule: -rule.right.sum())


def shuffled_share(
    features: Mapping[str, Floats], dead: Flags, rng: np.random.Generator, draws: int = DRAWS
) -> Ranged:
    """Return the share that the best rule of all features gets if the labels are shuffled: mean,
    and the range of 95 % of the draws.
    """
    cuts = [Cuts(values) for values in features.values()]
    shares = list[float]()
    for _ in range(draws):
        shuffled = rng.permutation(dead)
        shares.append(max(one.most(shuffled) for one in cuts) / len(dead))
    low, high = np.quantile(shares, (0.025, 0.975))
    return Ranged(float(np.mean(shares)), float(low), float(high))


def _fitted(name: str, values: Floats, dead: Flags) -> BlindRule:
    cuts = Cuts(values)
    right = cuts.right(dead)
    above, below = int(right.argmax()), int(right.argmin())
    is_above = right[above] >= len(dead) - right[below]
    threshold = cuts.thresholds[above if is_above else below]
    predicted = (cuts.values > threshold) == is_above
    is_yes_or_no = bool(np.isin(cuts.values, (0, 1)).all())
    return BlindRule(
        name, _words(name, predicted, threshold, is_above, is_yes_or_no), predicted == dead
    )


def _words(
    name: str, predicted: Flags, threshold: float, is_above: bool, is_yes_or_no: bool
) -> str:
    if predicted.all() or not predicted.any():
        return f"always {'unsolvable' if predicted.all() else 'solvable'}"
    if is_yes_or_no:
        return f"unsolvable {'if' if is_above else 'unless'} {name}"
    return f"unsolvable if {name} {'>' if is_above else '<='} {threshold:g}"

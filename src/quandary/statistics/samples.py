"""Scores of several samples of one author on the same starts: their average, and the best of k.

Samples are drawn from what the author could write, and starts from the instances of each level, so
means vary with both: the variance is that over samples and that over starts, less the part that is
in both (as for means clustered in two ways).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb, nan

import numpy as np
from numpy.typing import ArrayLike

from .estimates import Estimate, Flags, Floats, Stratum, floats
from .intervals import average
from .strata import NOTHING, strata_of


def best_of_k_weights(count: int, k: int) -> Floats:
    """Return the weights of `count` scores in ascending order, whose weighted sum is the
    expectation of the maximum over k of them that are drawn without replacement.

    The j-th score is the maximum of comb(j - 1, k - 1) of the comb(count, k) choices.
    """
    if not 1 <= k <= count:
        raise ValueError(f"the best of {k} cannot be taken of {count} samples")
    choices = comb(count, k)
    return np.array([comb(place, k - 1) / choices for place in range(count)])


def best_of_k(scores: ArrayLike, k: int) -> float:
    """Return the expected maximum over k of some scores that are drawn without replacement."""
    ordered = np.sort(floats(scores))
    return float(best_of_k_weights(len(ordered), k) @ ordered)


@dataclass(frozen=True)
class Samples:
    """The scores of samples on the starts of each level, without gaps."""

    levels: tuple[Floats, ...]  # of each level: a row per sample, a column per start

    @cached_property
    def scores(self) -> Floats:
        """The score of each sample: the mean over levels of the means over starts."""
        return floats(np.mean([level.mean(axis=1) for level in self.levels], axis=0))

    def __len__(self) -> int:
        return len(self.levels[0])

    @property
    def starts(self) -> int:
        return sum(level.shape[1] for level in self.levels)

    def best(self) -> float:
        """Return the highest score of a sample: chosen by the scores that it has here, so
        too high.
        """
        return float(self.scores.max())

    def average(self) -> Estimate:
        """Return the mean over samples; see `best_of`."""
        return self.best_of(1)

    def best_of(self, k: int) -> Estimate:
        """Return the expected score of the best of k samples, chosen by the scores that they have
        here.

        The interval is over samples and starts.  There is none for the best of all samples, because
        they do not tell what others would be like: its ends are 0 and 1.
        """
        weights = self._weights(k)
        mean = float(weights @ self.scores)
        variance, freedom = self._variance(weights, k)
        fewest = min(len(self), self.starts)
        is_known = fewest > 1 and (k < len(self) or k == 1)
        if not is_known:
            cases = 1.0
        elif variance > NOTHING:
            cases = freedom + 1
        else:
            cases = float(fewest)
        own = Stratum(1.0, cases, mean, variance * cases if is_known else 0.0)
        return self._estimate(mean, (own,))

    def chosen_on_other_half(self, halves: Sequence[Flags]) -> Estimate | None:
        """Return the score of the sample that is best on one half of the starts, on the other half;
        the mean over both halves.  None if a half has no start of a level.

        `halves` says of each start of each level whether it is in the first half.  Where several
        samples are best, their mean counts.  The interval is over starts, for the chosen samples.
        """
        strata = list[Stratum]()
        for chosen in (halves, [~half for half in halves]):
            if any(half.all() or not half.any() for half in chosen):
                return None
            means = [level[:, half].mean(axis=1) for level, half in self._with(chosen)]
            seen = np.mean(means, axis=0)
            best = seen >= seen.max() - NOTHING
            for level, half in self._with(chosen):
                scored = level[best][:, ~half].mean(axis=0)
                strata.append(_stratum(scored, 0.5 / len(self.levels)))
        mean = float(sum(one.weight * one.mean for one in strata))
        return self._estimate(mean, tuple(strata))

    def _with(self, halves: Sequence[Flags]) -> zip[tuple[Floats, Flags]]:
        return zip(self.levels, halves, strict=True)

    def _weights(self, k: int) -> Floats:
        """Return the weight of each sample's score in the best of k; the same for equal scores."""
        order = np.argsort(self.scores, kind="stable")
        ordered = self.scores[order]
        by_place = best_of_k_weights(len(self), k)
        group = np.cumsum(np.concatenate([[False], np.diff(ordered) > NOTHING]))
        shared = np.bincount(group, by_place) / np.bincount(group)
        weights = np.empty(len(self))
        weights[order] = shared[group]
        return weights

    def _variance(self, weights: Floats, k: int) -> tuple[float, float]:
        """Return the variance of a weighted sum of scores, and its degrees of freedom."""
        of_samples = self._over_samples(k)
        seen = strata_of([_stratum(weights @ level, 1.0) for level in self.levels])
        of_starts, freedom = float(seen.variance), float(seen.freedom)
        in_both = sum(_interaction(level, weights) for level in self.levels) / len(self.levels) ** 2
        variance = max(of_samples, of_starts, of_samples + of_starts - in_both)
        parts = of_samples**2 / max(len(self) - 1, 1) + of_starts**2 / freedom
        return variance, (of_samples + of_starts) ** 2 / parts if parts else 0.0

    def _over_samples(self, k: int) -> float:
        """Return the variance over samples, by leaving out each of them."""
        count = len(self)
        if k >= count:
            return 0.0
        without = [best_of_k(np.delete(self.scores, one), k) for one in range(count)]
        return float(np.var(without)) * (count - 1)

    def _estimate(self, mean: float, strata: tuple[Stratum, ...]) -> Estimate:
        n, clusters = len(self) * self.starts, self.starts
        return average(
            [Estimate(mean, nan, nan, "none", nan, 0.0, n, clusters, strata)],
        )


def _stratum(values: Floats, weight: float) -> Stratum:
    variance = float(values.var(ddof=1)) if len(values) > 1 else 0.0
    return Stratum(weight, len(values), float(values.mean()), variance)


def _interaction(level: Floats, weights: Floats) -> float:
    """Return what the variation that belongs to single samples on single starts adds to the
    variance of a weighted sum of the samples' means.
    """
    samples, starts = level.shape
    if samples < 2 or starts < 2:
        return 0.0
    rest = level - level.mean(axis=1, keepdims=True) - level.mean(axis=0) + level.mean()
    variance = float((rest**2).sum()) / ((samples - 1) * (starts - 1))
    return float(variance * (weights @ weights) / starts)

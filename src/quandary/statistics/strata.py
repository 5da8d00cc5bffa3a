"""Means over strata with few cases each, such as levels with two seeds: how well they are known.

A stratum has n cases with mean m and variance s^2 (n - 1), and a weight w; weights add up to 1.
Two cases that agree do not show that a stratum never varies.  So its variance is taken to be
((n - 1) s^2 + v) / n, with n degrees of freedom.  Here v is the variance within all strata:

- Each counts by what it adds to the variance of the mean, w^2 / n^2.  For a stratum with one case,
  its squared distance from the mean of all stands in.  That holds differences between strata too,
  and so is rather too large.
- The spread of all cases around the mean counts like two degrees of freedom more.  What was seen
  within strata counts as many degrees as Satterthwaite's formula gives it: if few strata vary, few.
  If none does, v is the spread.

The variance of the mean is the sum of w^2 / n times these, but at least what it would be if all
strata varied alike.  Otherwise a rare failure in a stratum with many cases would make those with
few look safe.  That limit fades with more than `MANY` degrees of freedom.

`docs/statistics.md` says how often intervals made of it cover the true value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .estimates import Floats, Stratum, normal, students

SPREAD = 2.0  # degrees of freedom of the spread of all cases
MANY = 100.0  # degrees of freedom with which strata begin to be trusted to vary differently
FEW = 4.0  # of so many degrees of freedom, none shows that strata vary less than rates would
NOTHING = 1e-12  # a variance that is rounding alone


@dataclass(frozen=True)
class Strata:
    """The strata of a mean, or of many means at once: the last axis is that of strata."""

    weights: Floats  # their sum is 1
    cases: Floats
    means: Floats
    variances: Floats  # of a case

    @property
    def mean(self) -> Floats:
        """The mean over strata, by weight."""
        return np.asarray((self.weights * self.means).sum(axis=-1))

    @cached_property
    def equivalent_cases(self) -> Floats:
        """The number of cases of one stratum whose mean would be as certain, if all strata varied
        equally.
        """
        return np.asarray(1 / self._shares.sum(axis=-1))

    @property
    def fewest(self) -> Floats:
        """The fewest cases that the mean counts as, however its strata seem to vary.

        Scores within bounds and with a given mean vary most if they are right or wrong and their
        mean is the same in all strata.  Even if all luck were in the stratum with the fewest cases
        for its weight, the mean would vary no more than that of min(n / w) cases.  Luck is rarely
        all there: this is the geometric mean of that number and of the one for strata that vary
        alike.
        """
        return np.asarray(np.sqrt((self.cases / self.weights).min(axis=-1) * self.equivalent_cases))

    @cached_property
    def variance(self) -> Floats:
        """The variance of the mean."""
        seen = (self.weights * self._seen).sum(axis=-1)
        fading = MANY / (MANY + self._most_freedom)
        return np.asarray(
            np.maximum(self._added.sum(axis=-1), seen / self.equivalent_cases * fading)
        )

    @property
    def freedom(self) -> Floats:
        """The degrees of freedom of the variance, after Welch and Satterthwaite."""
        varies = self._added.sum(axis=-1) > NOTHING
        return np.where(varies, satterthwaite(self._added, self.cases), self._most_freedom)

    def equivalent(self, variance_of_case: Floats | float, confidence: float) -> Floats:
        """Return the number of cases whose mean would vary as much, if each had this variance.

        It is smaller where the variance of the mean is known from few degrees of freedom.  If
        nothing varies, it is the number that there are.
        """
        trust = (normal(confidence) / students(self.freedom, confidence)) ** 2
        with np.errstate(divide="ignore", invalid="ignore"):
            found = variance_of_case / self.variance * trust
        found = np.where(self.variance > NOTHING, found, self.equivalent_cases)
        most = self.equivalent_cases * np.maximum(1.0, self._most_freedom / FEW)
        return np.clip(found, self.fewest, np.maximum(most, self.fewest))

    @cached_property
    def _shares(self) -> Floats:
        """What the variance of a case adds to that of the mean, in each stratum."""
        return np.asarray(self.weights**2 / self.cases)

    @cached_property
    def _own_freedom(self) -> Floats:
        return np.maximum(self.cases - 1, 1.0)

    @cached_property
    def _most_freedom(self) -> Floats:
        """The degrees of freedom if all strata varied alike."""
        return satterthwaite(self._shares, self._own_freedom)

    @cached_property
    def _distances(self) -> Floats:
        """The squared distances from the mean of all, as they would be if it were known."""
        off = (self.means - self.mean[..., None]) ** 2
        return off * self._unbiased[..., None]

    @cached_property
    def _unbiased(self) -> Floats:
        """The factor of squared distances from a mean that the cases themselves give."""
        cases = self.equivalent_cases
        return np.where(cases > 1 + NOTHING, cases / np.maximum(cases - 1, NOTHING), 0)

    @cached_property
    def _seen(self) -> Floats:
        """The variance that was seen in each stratum."""
        return np.where(self.cases > 1, self.variances, self._distances)

    @cached_property
    def _added(self) -> Floats:
        """What each stratum adds to the variance of the mean."""
        inner = (self.cases - 1) * self.variances
        spread = (self.weights * inner / self.cases).sum(axis=-1) * self._unbiased
        spread += (self.weights * self._distances).sum(axis=-1)
        counts = self._shares / self.cases
        freedom = satterthwaite(counts * self._seen, self._own_freedom)
        within = (counts * self._seen).sum(axis=-1) / counts.sum(axis=-1)
        pooled = (freedom * within + SPREAD * spread) / (freedom + SPREAD)
        return np.asarray(self._shares * (inner + pooled[..., None]) / self.cases)


def satterthwaite(variances: Floats, freedom: Floats) -> Floats:
    """Return the degrees of freedom of a sum of variances, each known with some; 0 if all are 0."""
    total = variances.sum(axis=-1)
    squares = (variances**2 / freedom).sum(axis=-1)
    return np.where(squares > 0, total**2 / np.where(squares > 0, squares, 1.0), 0.0)


def strata_of(found: Sequence[Stratum]) -> Strata:
    """Strata as columns, with weights that add up to 1."""
    weights, cases, means, variances = np.array(found, dtype=np.float64).T
    return Strata(weights / weights.sum(), cases, means, variances)

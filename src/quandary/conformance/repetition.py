"""Checks of how many instances differ: a level that has few must say so, and say how many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from math import comb, exp, lgamma, log
from random import Random
from typing import Any

from quandary.catalogue.splits import FEWEST
from quandary.core.contract import InstanceCount, Puzzle
from quandary.core.mixins.families import families_of
from quandary.core.wrapper import task_of

from .case import Case

SHARE = 0.95  # of distinct instances; a level with fewer counts as small
ENOUGH = 2_000  # seeds, over which the share is defined
NOT_SMALL = 0.98  # a level with so large a share must not be called small
KEPT = 150  # instances that other checks look at too
CHANCE = 1e-6  # with which a sound level may be refused by fewer seeds


def small_levels_are_counted(case: Case) -> Iterator[str]:
    for key, few in case.puzzle.distinct_instances.items():
        if not isinstance(few, InstanceCount) or few.instances < 1 or not few.reason:
            yield (
                f"`distinct_instances[{key!r}]` is {few!r}; write InstanceCount(30, '30 pile "
                f"sizes'), with the number of distinct instances and the reason"
            )


def instances_are_distinct(case: Case) -> Iterator[str]:
    """Distinct by `canonical`; a task is as distinct as the puzzle that it asks about."""
    if task_of(case.puzzle):
        return
    for family in ("", *families_of(case.puzzle)):
        key = f"{case.level},family={family}" if family else case.level
        few, drawn = case.puzzle.distinct_instances.get(key), _drawn(case, key, family)
        is_known = few is None or isinstance(few, InstanceCount)
        if is_known and (sentence := _fault(few, key, drawn)):
            yield sentence


def _fault(few: InstanceCount | None, key: str, forms: Counter[Hashable]) -> str:
    distinct, drawn = len(forms), forms.total()
    is_complete = drawn >= ENOUGH
    if few is None:
        most = drawn * (1 - SHARE) if is_complete else _most_repeats(drawn)
        if drawn - distinct > most:
            return (
                f"only {distinct} of {drawn} instances are distinct by `canonical`; say how many "
                f"there are in `distinct_instances[{key!r}]`"
            )
    elif few.known != "at least" and distinct > few.instances:
        return (
            f"`distinct_instances[{key!r}]` says {few.known} {few.instances}, but {distinct} of "
            f"{drawn} instances are distinct by `canonical`"
        )
    elif few.instances >= FEWEST and (most := _at_most(few.instances, forms)):
        return (
            f"`distinct_instances[{key!r}]` says {few.known} {few.instances}, but {drawn} seeds "
            f"gave only {distinct} distinct instances, so there are about {most}"
        )
    elif is_complete and distinct >= NOT_SMALL * drawn:
        return (
            f"{distinct} of {drawn} instances are distinct by `canonical`; take {key!r} out of "
            f"`distinct_instances`"
        )
    return ""


def _drawn(case: Case, key: str, family: str) -> Counter[Hashable]:
    """Return the canonical forms that were drawn, and how often each was."""
    place = f"{case.name}/{key}"
    arguments: dict[str, Any] = {**case.arguments, **({"family": family} if family else {})}

    def make(seed: int) -> Puzzle:
        return case.puzzle.new(Random(f"{place}#{seed}"), **arguments)

    if key not in case.forms:
        kept = case.kept.setdefault(key, [])
        forms = case.forms[key] = Counter[Hashable]()
        for instance in case.drawn(place, make, case.draws.instances):
            forms[instance.canonical()] += 1
            if len(kept) < KEPT:
                kept.append(instance)
    return case.forms[key]


def _at_most(claimed: int, forms: Counter[Hashable]) -> int:
    """About how many instances there are, if that is far below a claimed number; otherwise 0.

    Far below is half of it, or so few that the level is not divided into splits.  Three things
    must say so.  Hardly any draw is of an instance that was drawn once only, so few are missing.
    Chao's estimate, which tells from those drawn once or twice how many rare ones are missing, is
    as low.  And if all instances were equally likely, so few would be drawn only by a negligible
    chance.
    """
    distinct, drawn = len(forms), forms.total()
    times = Counter(forms.values())
    estimate = distinct + times[1] * (times[1] - 1) // (2 * (times[2] + 1))
    if times[1] > (1 - SHARE) * drawn or (2 * estimate > claimed and estimate >= FEWEST):
        return 0
    # The number of ways to choose `distinct` instances, and the chance to draw no other one.
    log_chance = log(comb(claimed, distinct)) + drawn * log(distinct / claimed)
    return estimate if estimate < claimed and log_chance < log(CHANCE) else 0


def _most_repeats(drawn: int) -> int:
    """Return the most repetitions among fewer seeds that a sound level has but for a negligible
    chance.

    The share of repetitions only grows with the number of seeds, so at most 1 - SHARE of these
    are expected.
    """
    tail, repeats = 0.0, drawn
    while repeats and tail < CHANCE:
        tail += _binomial(drawn, repeats)
        repeats -= 1
    return repeats + 1


def _binomial(drawn: int, repeats: int) -> float:
    """Return the chance of so many repetitions; by logarithms, because the coefficients are too
    large.
    """
    ways = lgamma(drawn + 1) - lgamma(repeats + 1) - lgamma(drawn - repeats + 1)
    return exp(ways + repeats * log(1 - SHARE) + (drawn - repeats) * log(SHARE))

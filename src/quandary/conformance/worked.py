"""Checks of questions with worked answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from random import Random
from typing import Any

from quandary.core.mixins.families import families_of
from quandary.core.worked import Work, Worked

from .case import Case

DRAWN = 5  # instances per family
GROWN = 2  # the level from which on every rule is needed


def processes_leave_out_the_start(case: Case) -> Iterator[str]:
    """A first step may change nothing, but not in every instance.

    Where one step leads to the answer, its entry is the answer, which may well be the same as
    something given: left out, it would be missing.
    """
    for family, drawn in _by_family(case):
        longer = [one for one in drawn if one.asks_process and not _is_one_step(one.work())]
        firsts = [_plain(one.work().process[:1]) for one in longer]
        for field in fields(drawn[0]):
            values = [_plain([getattr(one, field.name)]) for one in longer]
            # A value that all instances share is a size, not a start.
            if firsts == values and any(value != values[0] for value in values):
                yield f"every process of family {family!r} begins with the start; leave it out"


def _is_one_step(work: Work) -> bool:
    """Return whether the process has one entry, and this is the answer."""
    return len(work.process) == 1 and work == Work.of_steps(work.process)


def every_rule_is_used(case: Case) -> Iterator[str]:
    for family, drawn in _by_family(case):
        for one in drawn if case.arguments["level"] >= GROWN else ():
            work = one.work()
            for rule in one.rules_in_play():
                if one.work(without=rule) == work:
                    yield f"in family {family!r} an instance is the same without the rule {rule!r}"


def _by_family(case: Case) -> Iterator[tuple[str, list[Worked]]]:
    if not issubclass(case.puzzle, Worked):
        return
    for family in families_of(case.puzzle):
        arguments = {**case.arguments, "family": family}
        luck = [Random(f"{case.name}/{case.level}#{seed}") for seed in range(DRAWN)]
        yield family, [case.puzzle.new(rng, **arguments) for rng in luck]


def _plain(value: Any) -> Any:
    """Return a value as a process would write it; the rows of a grid may be texts or lists."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        return str(value)
    inner = [_plain(one) for one in value]
    if inner and all(_is_row(one) for one in inner):
        return ["".join(one) for one in inner]
    return inner


def _is_row(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(x, str) and len(x) == 1 for x in value)

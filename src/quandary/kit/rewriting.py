"""Rewriting: rules change a state step by step; and rules made so that every one of them is used.

A state is any value: a text, a tuple of counts.  A rule is any value too; `apply` says what the
state is after it, or None where it does not apply:

    def apply(rule: tuple[str, str], text: str) -> str | None:
        old, new = rule
        return new + text[len(old) :] if text.startswith(old) else None

    in_circles("aab", [("aa", "b"), ("bb", "c")], apply)    # [Step(0, "bb"), Step(1, "c")]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Generic, NamedTuple, TypeAlias, TypeVar

Rule = TypeVar("Rule")
State = TypeVar("State")
Apply: TypeAlias = Callable[[Rule, State], State | None]
# New rules that may stand beside those that are there; the first that applies to a state is taken.
Make: TypeAlias = Callable[[State, Sequence[Rule]], Iterable[Rule]]

MOST = 1_000  # steps after which rewriting counts as endless


class Step(NamedTuple, Generic[State]):
    rule: int  # its place in the list of rules, from 0
    state: State  # after it


class Endless(ValueError):
    """Rewriting that does not end within the steps allowed."""


def once_each(start: State, rules: Sequence[Rule], apply: Apply[Rule, State]) -> list[Step[State]]:
    """Every rule once, in order: one step per rule, whether or not it changes the state."""
    steps, state = list[Step[State]](), start
    for place, rule in enumerate(rules):
        changed = apply(rule, state)
        state = state if changed is None else changed
        steps.append(Step(place, state))
    return steps


def in_circles(
    start: State, rules: Sequence[Rule], apply: Apply[Rule, State], most: int = MOST
) -> list[Step[State]]:
    """The rules in turn, after the last one the first again, each visit applying its rule once.

    It ends when no rule applies.  One step per application: rules that are passed over give none.
    """
    steps, state, place, idle = list[Step[State]](), start, 0, 0
    while idle < len(rules):
        changed = apply(rules[place], state)
        idle += 1
        if changed is not None:
            if len(steps) == most:
                raise Endless(f"the rules still apply after {most:,} steps")
            state, idle = changed, 0
            steps.append(Step(place, state))
        place = (place + 1) % len(rules)
    return steps


def planted_once(
    start: State, count: int, make: Make[State, Rule], apply: Apply[Rule, State]
) -> list[Rule] | None:
    """Rules for `once_each`, each of which applies when its turn comes; None if one is missing."""
    rules, state = list[Rule](), start
    for _ in range(count):
        rule = _first(make(state, rules), state, (), apply)
        after = None if rule is None else apply(rule, state)
        if rule is None or after is None:
            return None
        rules.append(rule)
        state = after
    return rules


def planted_in_circles(
    start: State,
    count: int,
    make: Make[State, Rule],
    apply: Apply[Rule, State],
    rng: Random,
    *,
    wait: float = 0.3,
    most: int = MOST,
) -> list[Rule] | None:
    """Rules for `in_circles`, each of which applies at least once, in at most so many steps.

    A rule is made where its turn comes, for the state that has been reached.  With the chance
    `wait`, or if every rule would have applied to a state that passed the place before, the place
    is left open in this circle.  Counts mostly fall, so that what applies later has applied before:
    they are planted with `wait=0`.  None if rules cannot be made or the steps do not suffice.
    That steps end, with all rules and without any one of them, is up to `make`: each rule should
    lower something that cannot fall forever.
    """
    rules: list[Rule | None] = [None] * count
    passed: list[list[State]] = [[] for _ in rules]
    state, place, idle, steps = start, 0, 0, 0
    while idle < count or None in rules:
        idle += 1
        if rules[place] is None and (idle > count or rng.random() >= wait):
            made = make(state, [rule for rule in rules if rule is not None])
            rules[place] = _first(made, state, passed[place], apply)
        there = rules[place]
        changed = None if there is None else apply(there, state)
        if changed is not None:
            state, idle, steps = changed, 0, steps + 1
        elif there is None:
            passed[place].append(state)
        if steps > most or idle > 2 * count:
            return None
        place = (place + 1) % count
    return [rule for rule in rules if rule is not None]


def _first(
    rules: Iterable[Rule], state: State, passed: Iterable[State], apply: Apply[Rule, State]
) -> Rule | None:
    """The first of the rules that applies to a state and to none of those that passed before."""
    for rule in rules:
        if apply(rule, state) is not None and all(apply(rule, other) is None for other in passed):
            return rule
    return None

"""Rewriting: rules change a state step by step; and planting: rules made so that all are used.

A state is any value that can be compared: a text, a tuple of counts.  A rule is any value too.
`apply` says what the state is after a rule, or None where the rule does not apply; a rule that
leaves the state as it is counts as one that does not apply.

    def apply(rule: tuple[str, str], text: str) -> str | None:
        old, new = rule
        return new + text[len(old) :] if text.startswith(old) else None

Instructions run once each, or in circles until a whole round changes nothing; both give a trace:

    once_each("aab", [("b", "c"), ("aa", "b")], apply)      # [Step(0, "aab"), Step(1, "bb")]
    in_circles("aab", [("aa", "b"), ("bb", "c")], apply)    # [Step(0, "bb"), Step(1, "c")]

Rules that are drawn and then tried are hardly ever all used.  So they are planted: `make` gets the
state that has been reached and the rules that there are, and offers rules for this state.

    def make(text: str, rules: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
        for size in (1, 2):
            yield text[:size], ""

    planted_once("aab", 2, make, apply)                     # [("a", ""), ("a", "")]

`make` also keeps out what must not stand beside the rules that there are, such as the same one
again.  A rule that is used can still be superfluous, where another one would do the same: for rules
in circles, `needs_all` tells.  Rules once each are all needed if each of them changes the state;
`ends_need_all` tells whether the end would differ too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
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
    """Return every rule once, in order: one step per rule, whether or not it changes the state."""
    steps, state = list[Step[State]](), start
    for place, rule in enumerate(rules):
        changed = _changed(rule, state, apply)
        state = state if changed is None else changed
        steps.append(Step(place, state))
    return steps


def in_circles(
    start: State, rules: Sequence[Rule], apply: Apply[Rule, State], most: int = MOST
) -> list[Step[State]]:
    """Return the rules in turn, after the last one the first again, each visit applying its rule
    once.

    It ends when a whole round changes nothing.  One step per change: rules that are passed over
    give none.
    """
    steps, state, place, idle = list[Step[State]](), start, 0, 0
    while idle < len(rules):
        changed = _changed(rules[place], state, apply)
        idle += 1
        if changed is not None:
            if len(steps) == most:
                raise Endless(f"the rules still apply after {most:,} steps")
            state, idle = changed, 0
            steps.append(Step(place, state))
        place = (place + 1) % len(rules)
    return steps


def needs_all(
    start: State, rules: Sequence[Rule], apply: Apply[Rule, State], steps: Sequence[Step[State]]
) -> bool:
    """Return whether the steps of `in_circles` use every rule and are others without any one of
    them.

    A rule counts as needed only if the state after its first step is another without it.
    """
    before, seen = start, set[int]()
    for place, state in steps:
        if place not in seen:
            turns = (rules[(place + turn) % len(rules)] for turn in range(1, len(rules)))
            instead = (_changed(rule, before, apply) for rule in turns)
            if next((other for other in instead if other is not None), None) == state:
                return False
            seen.add(place)
        before = state
    return len(seen) == len(rules)


def ends_need_all(start: State, rules: Sequence[Rule], apply: Apply[Rule, State]) -> bool:
    """Return whether every rule of `once_each` changes the state, and the end is another without
    it.
    """
    states = [start, *(step.state for step in once_each(start, rules, apply))]
    if any(one == other for one, other in pairwise(states)):
        return False
    for place in range(len(rules)):
        rest = once_each(states[place], rules[place + 1 :], apply)
        if (rest[-1].state if rest else states[place]) == states[-1]:
            return False
    return True


def planted_once(
    start: State, count: int, make: Make[State, Rule], apply: Apply[Rule, State]
) -> list[Rule] | None:
    """Rules for `once_each`, each of which applies when its turn comes; None if one is missing."""
    rules, state = list[Rule](), start
    for _ in range(count):
        rule = _first(make(state, rules), state, (), apply)
        after = None if rule is None else _changed(rule, state, apply)
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
        changed = None if there is None else _changed(there, state, apply)
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
    """Return the first of the rules that applies to a state and to none of those that passed
    before.
    """
    for rule in rules:
        fits = _changed(rule, state, apply) is not None
        if fits and all(_changed(rule, other, apply) is None for other in passed):
            return rule
    return None


def _changed(rule: Rule, state: State, apply: Apply[Rule, State]) -> State | None:
    """Return the state after a rule; None if it does not apply or changes nothing."""
    after = apply(rule, state)
    return None if after == state else after

"""Logic grids, solved exactly: the rows in which each thing can stand are bits of a number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from math import inf

from .rules import Link, Rows, Rule, bits


def open_domains(size: int, columns: int) -> list[int]:
    """Return the rows in which each thing can stand at first: one for the first column,
    else all.
    """
    return [1 << row for row in range(size)] + [(1 << size) - 1] * (size * (columns - 1))


def solutions(size: int, rules: Iterable[Rule], domains: list[int]) -> Iterator[Rows]:
    """Yield all tables that follow the rules within these domains, which are used up."""
    rules = list(rules)
    links = [link for rule in rules for link in rule.links]
    choices = [rule.choice for rule in rules if rule.choice]
    weights = [1] * len(domains)
    for named in chain.from_iterable([rule.things for rule in rules]):
        weights[named] += 1
    waiting = [(domains, [0] * len(domains))]
    while waiting:
        domains, settled = waiting.pop()
        if not _narrowed(size, links, choices, domains, settled[:]):
            continue
        if (thing := _next_thing(domains, weights)) is None:
            yield tuple([rows.bit_length() - 1 for rows in domains])
            continue
        for row in bits(domains[thing]):
            waiting.append(([*domains[:thing], 1 << row, *domains[thing + 1 :]], domains))


def _next_thing(domains: Sequence[int], weights: Sequence[int]) -> int | None:
    """Return the thing to branch on: one with few rows left that many rules name; None if all have
    one.

    A thing that no rule names fails in no row, so after it all that failed would be tried again.
    """
    found, least = None, inf
    for thing, rows in enumerate(domains):
        if rows & rows - 1 and (count := rows.bit_count() / weights[thing]) < least:
            found, least = thing, count
    return found


def _narrowed(
    size: int,
    links: Sequence[Link],
    choices: Sequence[Sequence[int]],
    domains: list[int],
    settled: list[int],
) -> bool:
    """Take out rows that the rules exclude, until none is left to take; False if no table fits.

    A column that is as in `settled` has no row to take out; these are used up.
    """
    before: list[int] = []
    while before != domains:
        before = domains[:]
        for a, b, onto_b, onto_a in links:
            domains[b] &= onto_b[domains[a]]
            domains[a] &= onto_a[domains[b]]
        for choice in choices:
            _narrow_choice(choice, domains)
        if 0 in domains:
            return False
        for first in range(size, len(domains), size):
            column = domains[first : first + size]
            if column == settled[first : first + size]:
                continue
            if not _narrow_column(first, column, domains):
                return False
            if column == domains[first : first + size]:
                settled[first : first + size] = column
    return True


def _narrow_choice(choice: Sequence[int], domains: list[int]) -> None:
    """Each thing of a choice stands with one on the other side; perhaps only one way is left."""
    if len(choice) == 3:
        a, b, c = choice
        domains[a] &= domains[b] | domains[c]
        if not domains[a] & domains[b]:
            domains[a] = domains[c] = domains[a] & domains[c]
        elif not domains[a] & domains[c]:
            domains[a] = domains[b] = domains[a] & domains[b]
        return
    a, b, c, d = choice
    straight = domains[a] & domains[c], domains[b] & domains[d]
    crossed = domains[a] & domains[d], domains[b] & domains[c]
    if not all(straight):
        domains[a], domains[b] = domains[d], domains[c] = crossed
    elif not all(crossed):
        domains[a], domains[b] = domains[c], domains[d] = straight
    else:
        domains[a], domains[b] = straight[0] | crossed[0], straight[1] | crossed[1]
        domains[c], domains[d] = straight[0] | crossed[1], straight[1] | crossed[0]


def _narrow_column(first: int, column: Sequence[int], domains: list[int]) -> bool:
    """Every row of a column has another thing; False if that cannot be."""
    once = twice = taken = 0
    for rows in column:
        twice |= once & rows
        once |= rows
        if not rows & rows - 1:
            if taken & rows or not rows:
                return False
            taken |= rows
    if once != (1 << len(column)) - 1:
        return False
    lone = once & ~twice & ~taken  # rows that only one thing can take
    for thing, rows in enumerate(column, first):
        if rows & rows - 1:
            domains[thing] = rows & lone or rows & ~taken
    return True

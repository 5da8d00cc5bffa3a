"""The ways to place the things that a rule names and that are not in the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from .rules import NOWHERE, Rows, Rule, Table, apart, bits, ways_to_be_apart, ways_to_choose


def count_ways(rule: Rule, rows: Rows, missing: Sequence[int], free: Sequence[int]) -> int:
    """Return how many ways there are; those of things that must only be apart are not listed."""
    if not rule.only_apart:
        return len(ways_of(rule, rows, missing, free))
    if _is_broken(rule, rows):
        return 0
    size, taken = len(rows) // len(free), 0
    for thing in rule.things:
        taken |= 1 << rows[thing] if rows[thing] != NOWHERE else 0
    return ways_to_be_apart(tuple(sorted([free[thing // size] & ~taken for thing in missing])))


def ways_of(rule: Rule, rows: Rows, missing: Sequence[int], free: Sequence[int]) -> list[Rows]:
    """Return all ways to place the missing things so that the rule is true; [()] if it is so
    already.
    """
    size = len(rows) // len(free)
    if rule.choice:
        return _ways_to_choose(rule, rows, missing, free, size)
    ways: list[Rows] = [] if _is_broken(rule, rows) else [()]
    for place, thing in enumerate(missing):
        left, nearby = free[thing // size], list[tuple[int, Table]]()
        for earlier, other in enumerate(missing[:place]):
            if other // size == thing // size:  # no two things of a column share a row
                nearby.append((earlier, apart(size)))
        for other, table in _links_to(thing, rule):
            if rows[other] != NOWHERE:
                left &= table[1 << rows[other]]
            elif other in missing[:place]:
                nearby.append((missing.index(other), table))
        ways = [(*way, row) for way in ways for row in bits(_left(left, nearby, way))]
    return ways


def _is_broken(rule: Rule, rows: Rows) -> bool:
    """Return whether two things that are linked stand where they cannot."""
    return any(
        rows[a] != NOWHERE and rows[b] != NOWHERE and not onto[1 << rows[a]] >> rows[b] & 1
        for a, b, onto, _ in rule.links
    )


def _ways_to_choose(
    rule: Rule, rows: Rows, missing: Sequence[int], free: Sequence[int], size: int
) -> list[Rows]:
    """Return the ways of a rule with a choice: there are few, so each is compared with the
    table.
    """
    things, free_cells = rule.things, 0
    for place, thing in enumerate(things):
        mask = free[thing // size] if rows[thing] == NOWHERE else 1 << rows[thing]
        free_cells |= mask << place * size
    places = [place for place, thing in enumerate(things) if rows[thing] == NOWHERE]
    same = [
        (one, two)
        for one, two in combinations(places, 2)
        if things[one] // size == things[two] // size
    ]
    return [
        tuple([way[place] for place in places])
        for way, cells in ways_to_choose(len(things), size)
        if not cells & ~free_cells and not any(way[one] == way[two] for one, two in same)
    ]


def _links_to(thing: int, rule: Rule) -> Iterator[tuple[int, Table]]:
    """Yield the things that a rule links to a thing, with what they leave to it."""
    for a, b, onto_b, onto_a in rule.links:
        if thing == b:
            yield a, onto_b
        elif thing == a:
            yield b, onto_a


def _left(rows: int, nearby: Sequence[tuple[int, Table]], way: Rows) -> int:
    for place, table in nearby:
        rows &= table[1 << way[place]]
    return rows

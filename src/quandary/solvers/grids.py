"""Logic grids, solved exactly: the rows in which each thing can stand are bits of a number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import islice

from .grid_clues import Clue
from .grid_rules import Link, Rows, Rule, bits, follows, rule_of

NOWHERE = -1  # the row of a thing that is not in the table


class Grid:
    """The clues of one puzzle, as rules."""

    def __init__(self, columns: int, measures: Sequence[float], clues: Iterable[Clue]) -> None:
        self.size, self.columns = len(measures), columns
        self.rules = [rule_of(clue, tuple(measures)) for clue in clues]
        self._placements: dict[tuple[int, ...], tuple[Rows, ...] | None] = {}

    def solutions(self, rows: Rows | None = None) -> Iterator[Rows]:
        """All solutions in which the things that have a row stand there."""
        domains = open_domains(self.size, self.columns)
        for thing, row in enumerate(rows or ()):
            domains[thing] = domains[thing] & 1 << row if row != NOWHERE else domains[thing]
        return solutions(self.size, self.rules, domains)

    @cached_property
    def only_solution(self) -> Rows | None:
        """The solution, if there is exactly one."""
        found = list(islice(self.solutions(), 2))
        return found[0] if len(found) == 1 else None

    def solution(self, rows: Rows) -> Rows | None:
        """A solution in which these things stand in their rows; None if there is none."""
        only = self.only_solution
        if only is None:
            return next(self.solutions(rows), None)
        agrees = all([row in (NOWHERE, there) for row, there in zip(rows, only, strict=True)])
        return only if agrees else None

    def placements(self, rows: Rows) -> list[tuple[Rows, ...] | None]:
        """For each clue the ways to place its missing things; None if nothing is missing.

        A way is the rows of these things, in the order in which the clue names them.  A clue that
        is false, or that has things missing but cannot become true, has no way: ().
        """
        free, known = self._free(rows), self._placements
        found = []
        for number, rule in enumerate(self.rules):
            there = [rows[thing] for thing in rule.things]
            gaps = [free[one // self.size] for one in rule.things if rows[one] == NOWHERE]
            key = (number, *there, *gaps)
            if key not in known:
                known[key] = self._ways(rule, rows, free)
            found.append(known[key])
        return found

    def completed(self, rows: Sequence[int]) -> Rows:
        """These rows, with the last thing of each column that has only one gap."""
        size, full = self.size, list(rows)
        for first in range(size, len(full), size):
            column = full[first : first + size]
            if column.count(NOWHERE) == 1:
                last = size * (size - 1) // 2 - sum(column) + NOWHERE
                full[first + column.index(NOWHERE)] = last
        return tuple(full)

    def _free(self, rows: Rows) -> list[int]:
        """For each column the rows without a thing."""
        size, free = self.size, [0]
        for first in range(size, len(rows), size):
            taken = 0
            for row in rows[first : first + size]:
                taken |= 1 << row if row != NOWHERE else 0
            free.append((1 << size) - 1 & ~taken)
        return free

    def _ways(self, rule: Rule, rows: Rows, free: Sequence[int]) -> tuple[Rows, ...] | None:
        missing = [thing for thing in rule.things if rows[thing] == NOWHERE]
        ways = tuple(_ways(rule, list(rows), missing, free, self.size))
        return None if ways == ((),) else ways


def _ways(
    rule: Rule, rows: list[int], missing: Sequence[int], free: Sequence[int], size: int
) -> Iterator[Rows]:
    """All ways to place the missing things so that the rule is true; () if it is so already."""
    if not missing:
        if follows(rule, rows):
            yield ()
        return
    thing, *others = missing
    left = free[thing // size]
    for other in rule.things:  # no two things of a column share a row
        if other // size == thing // size and rows[other] != NOWHERE:
            left &= ~(1 << rows[other])
    for a, b, onto_b, onto_a in rule.links:
        if thing == b and rows[a] != NOWHERE:
            left &= onto_b[1 << rows[a]]
        elif thing == a and rows[b] != NOWHERE:
            left &= onto_a[1 << rows[b]]
    for row in bits(left):
        rows[thing] = row
        for way in _ways(rule, rows, others, free, size):
            yield (row, *way)
    rows[thing] = NOWHERE


@lru_cache(maxsize=64)  # a few: each keeps the placements of its clues
def compiled(columns: int, measures: tuple[float, ...], clues: tuple[Clue, ...]) -> Grid:
    """The rules of a puzzle; shared by its positions."""
    return Grid(columns, measures, clues)


def open_domains(size: int, columns: int) -> list[int]:
    """The rows in which each thing can stand at first: one for the first column, else all."""
    return [1 << row for row in range(size)] + [(1 << size) - 1] * (size * (columns - 1))


def solutions(size: int, rules: Iterable[Rule], domains: list[int]) -> Iterator[Rows]:
    """All tables that follow the rules within these domains, which are used up."""
    rules = list(rules)
    links = [link for rule in rules for link in rule.links]
    choices = [rule.choice for rule in rules if rule.choice]
    waiting = [domains]
    while waiting:
        domains = waiting.pop()
        if not _narrowed(size, links, choices, domains):
            continue
        open_things = [(rows.bit_count(), thing) for thing, rows in enumerate(domains)]
        count, thing = min([one for one in open_things if one[0] > 1], default=(0, 0))
        if not count:
            yield tuple([rows.bit_length() - 1 for rows in domains])
        for row in bits(domains[thing]) if count else ():
            waiting.append([*domains[:thing], 1 << row, *domains[thing + 1 :]])


def _narrowed(
    size: int, links: Sequence[Link], choices: Sequence[Sequence[int]], domains: list[int]
) -> bool:
    """Take out rows that the rules exclude, until none is left to take; False if no table fits."""
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
            if not _narrow_column(first, size, domains):
                return False
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


def _narrow_column(first: int, size: int, domains: list[int]) -> bool:
    """Every row of a column has another thing; False if that cannot be."""
    once = twice = taken = 0
    column = domains[first : first + size]
    for rows in column:
        twice |= once & rows
        once |= rows
        if not rows & rows - 1:
            if taken & rows or not rows:
                return False
            taken |= rows
    if once != (1 << size) - 1:
        return False
    lone = once & ~twice & ~taken  # rows that only one thing can take
    for thing, rows in enumerate(column, first):
        if rows & rows - 1:
            domains[thing] = rows & lone or rows & ~taken
    return True

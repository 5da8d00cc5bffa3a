"""Logic grids, solved exactly: the rows in which each thing can stand are bits of a number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import islice

from .grid_clues import Clue
from .grid_rules import Link, Rows, Rule, bits, follows, rule_of

NOWHERE = -1  # the row of a thing that is not in the table
FEW = 100  # tables that are looked at to find an order of clues


class Grid:
    """The clues of one puzzle, as rules."""

    def __init__(self, columns: int, measures: Sequence[float], clues: Iterable[Clue]) -> None:
        self.size, self.columns = len(measures), columns
        self.rules = [rule_of(clue, tuple(measures)) for clue in clues]
        self._moves: dict[tuple[int, ...], tuple[str, ...] | None] = {}

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
        return only if _agree(rows, only) else None

    def moves(self, rows: Rows) -> list[tuple[str, ...] | None]:
        """For each clue the moves that apply it; None if all its things are there and it is true.

        A clue that is false, or that has things missing but cannot become true, has no move: ().
        """
        free, known, size = self._free(rows), self._moves, self.size
        found = []
        for number, rule in enumerate(self.rules, 1):
            there = [rows[thing] for thing in rule.things]
            gaps = [free[thing // size] for thing in rule.things if rows[thing] == NOWHERE]
            key = (number, *there, *gaps)
            if key not in known:
                known[key] = self._moves_of(number, rule, rows, free)
            found.append(known[key])
        return found

    def _moves_of(
        self, number: int, rule: Rule, rows: Rows, free: Sequence[int]
    ) -> tuple[str, ...] | None:
        missing = [thing for thing in rule.things if rows[thing] == NOWHERE]
        ways = list(_ways(rule, list(rows), missing, free, self.size))
        return None if ways == [()] else tuple([written(number, way) for way in ways])

    def is_over(self, rows: Rows) -> bool:
        """Whether some clue is false, or cannot become true."""
        return () in self.moves(rows)

    def applied(self, rows: Rows, move: str) -> Rows:
        """The rows after a move, which need not be allowed."""
        number, *places = map(int, move.split())
        missing = [thing for thing in self.rules[number - 1].things if rows[thing] == NOWHERE]
        placed = list(rows)
        for thing, place in zip(missing, places, strict=True):
            placed[thing] = place - 1
        return self.completed(placed)

    def move_towards(self, rows: Rows, goal: Rows, number: int) -> str:
        """The move that applies a clue as another table has it; "" if it places nothing."""
        missing = [thing for thing in self.rules[number - 1].things if rows[thing] == NOWHERE]
        return written(number, [goal[thing] for thing in missing]) if missing else ""

    def reaches(self, rows: Rows, goal: Rows) -> bool:
        """Whether moves lead from a table to another one.

        If the game is over there, it must not be over before the last move; orders of the clues are
        then tried, as far as FEW tables.
        """
        if rows == goal or not _agree(rows, goal):
            return False
        useful = [
            number
            for number, rule in enumerate(self.rules, 1)
            if NOWHERE not in [goal[thing] for thing in rule.things] and follows(rule, goal)
        ]
        if self._with_all(useful, rows, goal) != goal:
            return False
        return not self.is_over(goal) or self._ends_at(goal, useful, rows)

    def _with_all(self, useful: Sequence[int], rows: Rows, goal: Rows) -> Rows:
        for number in useful:
            if move := self.move_towards(rows, goal, number):
                rows = self.applied(rows, move)
        return rows

    def _ends_at(self, goal: Rows, useful: Sequence[int], rows: Rows) -> bool:
        seen, waiting = {rows}, [rows]
        while waiting and len(seen) < FEW:
            here = waiting.pop()
            moves = [self.move_towards(here, goal, number) for number in useful]
            for there in [self.applied(here, move) for move in moves if move]:
                if there == goal:
                    return True
                if there not in seen and not self.is_over(there):
                    seen.add(there)
                    waiting.append(there)
        return False

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


def written(number: int, way: Sequence[int]) -> str:
    """A move: the number of a clue, and the rows of the things it places, all from 1."""
    return " ".join([str(number), *[str(row + 1) for row in way]])


def _agree(rows: Rows, goal: Rows) -> bool:
    return all(here in (NOWHERE, there) for here, there in zip(rows, goal, strict=True))


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


@lru_cache(maxsize=64)  # a few: each keeps the moves of many tables
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

"""The moves of logic grids: each applies one clue, and places what it names and is missing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from itertools import islice
from typing import TypeAlias

from quandary.puzzles._shared.lazy_moves import LazyMoves

from .clues import Clue
from .rules import NOWHERE, Rows, follows, rule_of
from .solutions import open_domains, solutions
from .ways import count_ways, ways_of

Key: TypeAlias = tuple[int, ...]
FEW = 100  # tables that are looked at for each clue that may end a game


class Grid:
    """The clues of one puzzle, as rules."""

    def __init__(self, columns: int, measures: Sequence[float], clues: Iterable[Clue]) -> None:
        self.size, self.columns = len(measures), columns
        self.rules = [rule_of(clue, tuple(measures)) for clue in clues]
        self._counts: dict[Key, int | None] = {}
        self._moves: dict[Key, tuple[str, ...]] = {}

    def solutions(self, rows: Rows | None = None) -> Iterator[Rows]:
        """Return all solutions in which the things that have a row stand there."""
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
        """Return a solution in which these things stand in their rows; None if there is none."""
        only = self.only_solution
        if only is None:
            return next(self.solutions(rows), None)
        return only if _agree(rows, only) else None

    def moves(self, rows: Rows) -> Moves:
        """Return all moves, clue by clue; none if the game is over."""
        found = dict[Key, int]()
        for key, count in self._counts_by_clue(rows):
            if count == 0:
                return Moves(self, rows, {})
            if count:
                found[key] = count
        return Moves(self, rows, found)

    def is_over(self, rows: Rows, numbers: Sequence[int] = ()) -> bool:
        """Return whether a clue (or one of these) is false, or has things missing but cannot be
        true.
        """
        return any(count == 0 for _, count in self._counts_by_clue(rows, numbers))

    def _counts_by_clue(
        self, rows: Rows, numbers: Sequence[int] = ()
    ) -> Iterator[tuple[Key, int | None]]:
        """For each clue the number of ways to place its missing things; None if it is true already.

        The key of a clue tells all that its ways depend on, its number first.
        """
        free, known, size = self._free(rows), self._counts, self.size
        for number in numbers or range(1, len(self.rules) + 1):
            rule = self.rules[number - 1]
            there = [rows[thing] for thing in rule.things]
            gaps = [free[thing // size] for thing in rule.things if rows[thing] == NOWHERE]
            key = (number, *there, *gaps)
            if key not in known:
                count = count_ways(rule, rows, self.missing(rows, number), free)
                known[key] = count if gaps or not count else None
            yield key, known[key]

    def written(self, rows: Rows, key: Key) -> tuple[str, ...]:
        """Return the moves of a clue, by its key in a table."""
        if key not in self._moves:
            number = key[0]
            missing = self.missing(rows, number)
            ways = ways_of(self.rules[number - 1], rows, missing, self._free(rows))
            self._moves[key] = tuple([written(number, way) for way in ways])
        return self._moves[key]

    def missing(self, rows: Rows, number: int) -> list[int]:
        """Return the things that a clue names and that are not in the table, in its order."""
        return [thing for thing in self.rules[number - 1].things if rows[thing] == NOWHERE]

    def applied(self, rows: Rows, move: str) -> Rows:
        """Return the rows after a move, which need not be allowed."""
        number, *places = map(int, move.split())
        missing = self.missing(rows, number)
        return self.completed(_with(rows, missing, tuple([place - 1 for place in places])))

    def move_towards(self, rows: Rows, goal: Rows, number: int) -> str:
        """Return the move that applies a clue as another table has it; "" if it places nothing."""
        missing = self.missing(rows, number)
        return written(number, [goal[thing] for thing in missing]) if missing else ""

    def reaches(self, rows: Rows, goal: Rows) -> bool:
        """Return whether moves lead from a table to another one, at which the game may be over."""
        if rows == goal or not _agree(rows, goal) or self.is_over(rows):
            return False
        useful = [
            number
            for number, rule in enumerate(self.rules, 1)
            if NOWHERE not in [goal[thing] for thing in rule.things] and follows(rule, goal)
        ]
        if self._with_all(useful, rows, goal) != goal:
            return False
        lost_by = [key[0] for key, count in self._counts_by_clue(goal) if count == 0]
        return not lost_by or any(
            self._ends_with(last, rows, goal, useful, lost_by) for last in useful
        )

    def _with_all(self, useful: Sequence[int], rows: Rows, goal: Rows) -> Rows:
        for number in useful:
            if move := self.move_towards(rows, goal, number):
                rows = self.applied(rows, move)
        return rows

    def solvable_after(self, rows: Rows, move: str) -> bool:
        """Return whether a legal move leaves a solution."""
        if self.only_solution is None:
            return self.solution(self.applied(rows, move)) is not None
        number = int(move.split(" ", 1)[0])
        return _agree(rows, self.only_solution) and move == self.move_towards(
            rows, self.only_solution, number
        )

    def move_to(self, rows: Rows, goal: Rows) -> str | None:
        """Return the move that leads from a table to another one; None if there is none."""
        if not _agree(rows, goal) or self.is_over(rows):
            return None
        for number, rule in enumerate(self.rules, 1):
            if NOWHERE not in [goal[thing] for thing in rule.things] and follows(rule, goal):
                move = self.move_towards(rows, goal, number)
                if move and self.applied(rows, move) == goal:
                    return move
        return None

    def _ends_with(
        self, last: int, rows: Rows, goal: Rows, useful: Sequence[int], lost_by: Sequence[int]
    ) -> bool:
        """Return whether moves lead to a table where the game is over, and the last applies this
        clue.

        A clue by which the game is over stays so whatever is added.  So only those of the goal
        count, and the order of the other clues does not matter: the search asks which are applied.
        It gives up after FEW tables.
        """
        changed = {thing // self.size for thing in self.missing(rows, last)}
        seen, waiting = set[Rows](), [rows]
        while waiting and len(seen) < FEW:
            if (here := waiting.pop()) in seen:
                continue
            seen.add(here)
            if self.is_over(self._with_columns(here, goal, changed), lost_by):
                continue
            move = self.move_towards(here, goal, last)
            there = self.applied(here, move) if move else here
            if there == goal:
                return True
            for number in self._for_a_gap(there, goal, useful):
                waiting.append(self.applied(here, self.move_towards(here, goal, number)))
        return False

    def _with_columns(self, rows: Rows, goal: Rows, changed: Collection[int]) -> Rows:
        """Return the rows with all columns that the last move does not change: they are as in the
        goal.
        """
        size = self.size
        return tuple(
            [
                row if thing // size in changed else there
                for thing, (row, there) in enumerate(zip(rows, goal, strict=True))
            ]
        )

    def _for_a_gap(self, rows: Rows, goal: Rows, useful: Sequence[int]) -> list[int]:
        """Return the clues of which one at least must be applied to fill the first gap.

        They name a missing thing of its column: this one, or another, for the last is filled in.
        """
        size = self.size
        gaps = [thing for thing, row in enumerate(rows) if row == NOWHERE != goal[thing]]
        column = {thing for thing in gaps if thing // size == gaps[0] // size}
        return [number for number in useful if column & {*self.rules[number - 1].things}]

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


class Moves(LazyMoves):
    """The moves of a table; they can be hundreds, so they are written only when needed."""

    def __init__(self, grid: Grid, rows: Rows, counts: Mapping[Key, int]) -> None:
        self._grid, self._rows, self._counts = grid, rows, counts

    @cached_property
    def _listed(self) -> list[str]:
        return [move for key in self._counts for move in self._grid.written(self._rows, key)]

    def __len__(self) -> int:
        return sum(self._counts.values())

    def __contains__(self, move: object) -> bool:
        number = str(move).partition(" ")[0]
        return any(
            str(key[0]) == number and move in self._grid.written(self._rows, key)
            for key in self._counts
        )


def written(number: int, way: Sequence[int]) -> str:
    """Return a move: the number of a clue, and the rows of the things it places, all from 1."""
    return f"{number}{_places(tuple(way))}"


@cache  # ways are few, and a position can have hundreds of moves
def _places(way: Rows) -> str:
    return "".join([f" {row + 1}" for row in way])


def _agree(rows: Rows, goal: Rows) -> bool:
    return all(here in (NOWHERE, there) for here, there in zip(rows, goal, strict=True))


def _with(rows: Rows, missing: Sequence[int], way: Rows) -> list[int]:
    placed = list(rows)
    for thing, row in zip(missing, way, strict=True):
        placed[thing] = row
    return placed


@lru_cache(maxsize=8)  # a few: each keeps the moves of many tables
def compiled(columns: int, measures: tuple[float, ...], clues: tuple[Clue, ...]) -> Grid:
    """Return the rules of a puzzle; shared by its positions."""
    return Grid(columns, measures, clues)

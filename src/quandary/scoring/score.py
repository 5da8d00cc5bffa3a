"""A score: a small function over the table of results, and what is known of it before it is called.

    @score("Clean play", columns=("player", "illegal"))
    def clean_play(seats: pa.Table) -> list[Row]:
        '''Share of matches without an illegal move.'''

The scores of the papers and those of users are made with it: see docs/scores.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from .score_table import Cell, ScoreTable, score_table

if TYPE_CHECKING:
    import pyarrow as pa

Row: TypeAlias = Mapping[str, Cell]  # cells by the heads of their columns
# A score gives tables, or the rows of one table, whose formula is then its docstring.
Function: TypeAlias = "Callable[[pa.Table], Iterable[ScoreTable] | Iterable[Row]]"


@dataclass(frozen=True)
class Score:
    """A function over the table of seats, and what it needs."""

    title: str  # under which its tables are shown
    function: Function
    columns: tuple[str, ...]  # of the table of seats: see docs/records.md
    suites: tuple[str, ...] = ()  # whose runs it scores; none: those of all
    scored: str = "score"  # a column that has values in all rows that it scores
    summary: tuple[str, ...] = ()  # keys of the tables with which `quandary run` ends

    def __call__(self, seats: pa.Table) -> list[ScoreTable]:
        """The tables of the seats of its suites; without rows where it scores nothing."""
        made = list(self.function(seats))
        tables = [each for each in made if isinstance(each, ScoreTable)]
        rows = [each for each in made if isinstance(each, Mapping)]
        if len(tables) + len(rows) < len(made) or (tables and rows):
            raise TypeError("it gives something else than tables, or rows that are dictionaries")
        return [self._table(rows)] if rows else tables

    def _table(self, rows: Sequence[Row]) -> ScoreTable:
        head = tuple(rows[0])
        if any(tuple(row) != head for row in rows):
            raise ValueError("its rows have different columns")
        formula = " ".join((self.function.__doc__ or "").split())
        if not formula:
            raise ValueError("it has no docstring, which says what the numbers of its rows are")
        cells = [list(row.values()) for row in rows]
        return score_table(self.function.__name__, self.title, formula, head, cells)


def score(
    title: str,
    *,
    columns: Iterable[str],
    suites: Iterable[str] = (),
    scored: str = "score",
    summary: Iterable[str] = (),
) -> Callable[[Function], Score]:
    """Makes a score of a function; the arguments are those of `Score`."""

    def made(function: Function) -> Score:
        return Score(title, function, tuple(columns), tuple(suites), scored, tuple(summary))

    return made

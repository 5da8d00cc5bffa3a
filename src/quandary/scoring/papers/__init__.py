"""The scores of the papers, each by its own formula and under its own name.

Every module here is a paper: it has `NAME`, `SUITES` (whose runs it scores; none: those of all),
`SCORED`, `SUMMARY`, `COLUMNS` (of the table of seats, see docs/records.md) and `tables(seats)`.  A
further paper is a further file; those who show tables take them from `paper_tables`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Protocol, cast

from quandary.scoring.groups import COPIED, SeatColumns, without_copies
from quandary.scoring.score_table import ScoreTable

if TYPE_CHECKING:
    import pyarrow as pa


class Paper(Protocol):
    """What a module of this package has."""

    NAME: str
    SUITES: tuple[str, ...]
    SCORED: str  # a column that has values in all rows that the paper scores
    SUMMARY: tuple[str, ...]  # keys of the tables with which `quandary run` ends
    COLUMNS: tuple[str, ...]

    def tables(self, seats: pa.Table) -> Iterator[ScoreTable]:
        """The paper's tables of the seats of its suites; without rows where it scores nothing."""


def papers() -> list[Paper]:
    """All papers, in the order of their modules' names."""
    names = sorted(module.name for module in iter_modules(__path__))
    return [cast(Paper, import_module(f"{__name__}.{name}")) for name in names]


def papers_of(suites: Collection[str]) -> list[Paper]:
    """The papers that score runs of some suites."""
    return [
        paper for paper in papers() if not paper.SUITES or not set(paper.SUITES).isdisjoint(suites)
    ]


def columns() -> tuple[str, ...]:
    """All columns that papers need; to be read with `quandary.results.table.seats`."""
    names = (name for paper in papers() for name in paper.COLUMNS)
    return tuple(dict.fromkeys(["suite", *COPIED, *names]))


def paper_tables(
    seats: pa.Table, among: Collection[Paper] | None = None
) -> Iterator[tuple[Paper, list[ScoreTable]]]:
    """Each paper that scores a suite among the seats, with its tables that have rows.

    `among` are the papers that are asked for; all, if it is None.  A match that is in several
    runs counts once.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    names = pc.unique(seats["suite"].cast(pa.string())).to_pylist()
    for paper in papers_of(names) if among is None else among:
        suites = pa.array(paper.SUITES or names, pa.string())
        own = pc.is_in(seats["suite"].cast(pa.string()), value_set=suites)
        once = without_copies(SeatColumns(seats.filter(own))).table
        found = [table for table in paper.tables(once) if table.rows]
        if found:
            yield paper, found

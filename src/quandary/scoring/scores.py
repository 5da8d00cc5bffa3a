"""All scores, those of the papers and those of users, and their tables on some results."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from quandary.catalogue.papers import papers
from quandary.core.errors import UserError
from quandary.scoring.groups import COPIED, SeatColumns, without_copies
from quandary.scoring.score_table import ScoreTable

from . import outside_scores
from .score import Score

if TYPE_CHECKING:
    import pyarrow as pa


class Scored(NamedTuple):
    """The tables of a score on some results."""

    score: Score
    tables: list[ScoreTable]
    error: str = ""  # why there are no tables: a sentence


def scores() -> list[Score]:
    """Those of the papers, by their names, then those of users."""
    return [*_of_papers(), *outside_scores.found().usable.values()]


@cache
def _of_papers() -> tuple[Score, ...]:
    places = [place.split(":") for paper in papers() for place in paper.scores]
    return tuple(getattr(import_module(module), name) for module, name in places)


def refused() -> dict[str, str]:
    """Names of users' scores that cannot be used, and why."""
    return dict(outside_scores.found().refused)


def scores_of(suites: Collection[str]) -> list[Score]:
    """Return the scores of runs of some suites."""
    return [
        score for score in scores() if not score.suites or not set(score.suites).isdisjoint(suites)
    ]


def columns() -> tuple[str, ...]:
    """Return all columns that scores need; to be read with `quandary.results.table.seats`."""
    names = (name for score in scores() for name in score.columns)
    return tuple(dict.fromkeys(["suite", *COPIED, *names]))


def score_tables(seats: pa.Table, among: Collection[Score] | None = None) -> Iterator[Scored]:
    """Yield each score of a suite among the seats, with its tables that have rows.

    `among` are the scores that are asked for; all, if it is None.  A match that is in several
    runs counts once.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    names = pc.unique(seats["suite"].cast(pa.string())).to_pylist()
    for score in scores_of(names) if among is None else among:
        suites = pa.array(score.suites or names, pa.string())
        own = pc.is_in(seats["suite"].cast(pa.string()), value_set=suites)
        once = without_copies(SeatColumns(seats.filter(own))).table
        try:
            found = [table for table in score(once.select(score.columns)) if table.rows]
        except UserError as reason:  # a score of a user that is broken hides no other
            yield Scored(score, [], str(reason))
            continue
        if found:
            yield Scored(score, found)

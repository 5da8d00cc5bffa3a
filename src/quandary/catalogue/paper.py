"""The offers of a paper: suites, seeds, an import, a published grading, scores.

Parts are given as the names of modules, which are imported when they are needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Import(NamedTuple):
    """The import of problems that a paper published."""

    command: str  # a module: see `ImportCommand` of `quandary.papers.imports`
    summary: str  # what is imported, in the help of `quandary import`
    place: int  # among the imports in that help


class Paper(NamedTuple):
    """A paper, and what it has; everything but its names may be missing."""

    name: str  # as in `quandary import NAME`
    title: str  # what it is called in sentences
    package: str
    suites: tuple[str, ...] = ()  # names of suites, whose files NAME.toml are in the package
    seeds: str = ""  # a package with a module per puzzle: see `quandary.catalogue.published_seeds`
    scores: tuple[str, ...] = ()  # "module:name" of each: see `quandary.scoring.score`
    # Columns of the table of seats: runs that have values there end with a summary of its scores.
    summaries: tuple[str, ...] = ()
    summarises_suites: bool = False  # whether runs of its suites do too
    imports: Import | None = None
    grading: str = ""  # a module: see `PublishedGrading` of `quandary.papers.regrading`
    submission: str = ""  # a module: see `SubmissionForm` of `quandary.papers.submissions`
    programs: tuple[str, ...] = ()  # puzzles for which models write programs in it
    labels: str = ""  # the name of a file in the package: see `quandary.labelling.label_sets`
    advice: Mapping[str, str] = {}  # how a puzzle without published seeds is played, by its name

"""What papers offer: suites, seeds, imports, gradings and scores.

Importing `quandary` registers a function that finds them, and those who need a part of a paper ask
for it here, so no package below `quandary.papers` names a paper or imports one.  Parts are given
as the names of modules, which are imported when they are needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import NamedTuple


class Import(NamedTuple):
    """What a paper published that can be imported and played."""

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
    scores: tuple[str, ...] = ()  # "module:name" of each: see `quandary.scoring.scores`
    imports: Import | None = None
    grading: str = ""  # a module: see `PublishedGrading` of `quandary.papers.regrading`
    advice: Mapping[str, str] = {}  # how a puzzle without published seeds is played, by its name


_finders: list[Callable[[], Iterable[Paper]]] = []


def register(find: Callable[[], Iterable[Paper]]) -> None:
    """Ask `find` for papers when they are needed for the first time."""
    _finders.append(find)


@cache
def papers() -> tuple[Paper, ...]:
    """All papers, by name."""
    return tuple(
        sorted((paper for find in _finders for paper in find()), key=lambda paper: paper.name)
    )


def paper_named(name: str) -> Paper | None:
    """The paper of that name; None if there is none."""
    return next((paper for paper in papers() if paper.name == name), None)

"""All papers, for code that needs a part of one.

Importing `quandary` registers a function that finds them, so no package below `quandary.papers`
names a paper or imports one.
"""

from __future__ import annotations

from functools import cache

TYPE_CHECKING = False  # see quandary/__init__.py
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .paper import Paper

_finders: list[Callable[[], Iterable[Paper]]] = []


def register(find: Callable[[], Iterable[Paper]]) -> None:
    """Ask `find` for papers when they are needed for the first time."""
    _finders.append(find)


@cache
def papers() -> tuple[Paper, ...]:
    """Return all papers, by name."""
    found = [paper for find in _finders for paper in find()]
    return tuple(sorted(found, key=lambda paper: paper.name))


def paper_named(name: str) -> Paper | None:
    """Return the paper of that name; None if there is none."""
    return next((paper for paper in papers() if paper.name == name), None)

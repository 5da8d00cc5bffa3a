"""Finding puzzles by name; `drawing` makes instances of them.

A puzzle's name is that of its file or folder; there is no list to keep.  Puzzles from outside the
package are found by `outside`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from quandary.core import codec
from quandary.core.contract import Puzzle, Seat
from quandary.core.errors import UserError, unknown
from quandary.core.naming import name_of
from quandary.core.wrapper import Task
from quandary.tasks.next_state import NextState
from quandary.tasks.published_wording import PublishedWording, Unscored
from quandary.tasks.question_game import QuestionGame
from quandary.tasks.state_check import StateCheck
from quandary.tasks.whole import Whole

from . import external, loading
from .discovery import HOME, built_in

REGISTERED: dict[str, type[Puzzle]] = {}  # classes that are known for a while: see `registered`
WRAPPERS: dict[str, type[Task]] = {
    wrapper.task: wrapper
    for wrapper in (QuestionGame, Whole, StateCheck, NextState, PublishedWording, Unscored)
}


def modules() -> dict[str, str]:
    """Return puzzle name -> module: the package's in the order of the groups, then others."""
    usable, _ = _outside(external.surroundings())
    return built_in() | {name: puzzle.module for name, puzzle in usable.items()}


@cache
def _outside(
    where: external.Surroundings | None,
) -> tuple[dict[str, external.OutsidePuzzle], dict[str, str]]:
    return external.sort_out(external.find(where), {*built_in(), *WRAPPERS})


def names() -> list[str]:
    return list(modules())


def refused() -> dict[str, str]:
    """Return names of puzzles from outside that cannot be used, and why."""
    return dict(_outside(external.surroundings())[1])


def group(name: str) -> str:
    """Return the folder a puzzle lives in, below `puzzles`: "duels", "questions/words".

    From outside it is "outside", or the name of the distribution.
    """
    if name in built_in():
        return built_in()[name].removeprefix(HOME + ".").rpartition(".")[0].replace(".", "/")
    if name in REGISTERED:
        return "outside"
    puzzle = _outside(external.surroundings())[0][name]
    return "outside" if puzzle.kind == "folder" else puzzle.origin


def load(name: str) -> type[Puzzle]:
    """Return the puzzle of that name.  Only its own file is imported."""
    known = WRAPPERS.get(name) or REGISTERED.get(name)
    return known or _load(name, external.surroundings())


@cache
def _load(name: str, where: external.Surroundings | None) -> type[Puzzle]:
    usable, refusals = _outside(where)
    if name in refusals:
        raise UserError(refusals[name])
    if name in usable:
        return loading.load_outside(usable[name])
    if name not in built_in():
        raise unknown("puzzle", name, names())
    return loading.load_built_in(name, built_in()[name])


@contextmanager
def registered(puzzle: type[Puzzle]) -> Iterator[None]:
    """Register a class that was defined anywhere, by its name, for a while."""
    name = name_of(puzzle)
    if name in WRAPPERS or puzzle.__module__.startswith(HOME + "."):
        yield
        return
    REGISTERED[name] = puzzle
    try:
        yield
    finally:
        del REGISTERED[name]


def from_json(text: str | bytes) -> Puzzle:
    """Return the position that JSON stands for; its puzzle is looked up by name."""
    return codec.unpack(codec.decode(text), load)


def from_view_json(text: str | bytes) -> tuple[Puzzle, Seat]:
    """Return the view a seat was sent, as a position with None for what it may not know."""
    return codec.unpack_view(codec.decode(text), load)

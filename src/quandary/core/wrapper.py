"""Puzzles that ask about another puzzle, such as `whole:` or a question played as a game.

Authors of puzzles need none of this: it is what `quandary.tasks` is built on.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from .puzzle import Puzzle


class Task(Puzzle):
    """A way of asking that is no puzzle of its own."""

    task: ClassVar[str]  # its prefix in a spec, and its name in records


class Wrapper(Task):
    """A task on another puzzle."""

    @property
    @abstractmethod
    def inner(self) -> Puzzle:
        """The puzzle that it asks about."""

    @property
    def split_by(self) -> tuple[Puzzle, ...]:
        """The positions whose canonical forms decide to which split an instance belongs."""
        return split_by(self.inner)

    @classmethod
    def version_increment(cls, inner: type[Puzzle]) -> int:
        """Return by how much the task raises the version of the puzzle that it asks about.

        How often its names came to stand for other instances, or its answers to be judged
        otherwise.
        """
        return 0


def task_of(puzzle: type[Puzzle]) -> str:
    """Return the prefix of a task; "" for a puzzle of its own."""
    return puzzle.task if issubclass(puzzle, Task) else ""


def inner_of(puzzle: Puzzle) -> Puzzle | None:
    """Return the puzzle that a task asks about; None for a puzzle of its own."""
    return puzzle.inner if isinstance(puzzle, Wrapper) else None


def innermost(puzzle: Puzzle) -> Puzzle:
    """Return the puzzle that a spec names, without the tasks around it."""
    while isinstance(puzzle, Wrapper):
        puzzle = puzzle.inner
    return puzzle


def split_by(puzzle: Puzzle) -> tuple[Puzzle, ...]:
    """Return the positions whose canonical forms decide to which split an instance belongs."""
    return puzzle.split_by if isinstance(puzzle, Wrapper) else (puzzle,)


def version_of(puzzle: Puzzle) -> int:
    """Return the version of an instance: that of its puzzle, raised by the tasks on it."""
    if not isinstance(puzzle, Wrapper):
        return puzzle.version
    return version_of(puzzle.inner) + puzzle.version_increment(type(puzzle.inner))

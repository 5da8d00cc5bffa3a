"""Best play as far as it is known: the worth of moves, and the best raw value."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import ClassVar, Literal

from ..game import Game
from ..moves import Move
from ..puzzle import Puzzle
from ..secrecy import Seat


class JudgedMoves(Game):
    """A game that knows the worth of its moves, if that is quick to compute."""

    # The limits within which `judge` works, if it has any. What was judged with other limits, or
    # with another `version`, is judged again.
    judge_budget: ClassVar[tuple[int, ...]] = ()

    @abstractmethod
    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """Return the expected score of each option under best play; None if it takes too long to
        find.

        Called on a view.
        """


class Objective(Puzzle):
    """A puzzle with a raw value, such as points or probes, that has a known or bounded best."""

    @property
    def better(self) -> Literal["high", "low"]:
        """Which raw value is better."""
        return "high"

    def reference(self) -> float | None:
        """Return the best raw value that is possible with full information, or a proven bound."""
        return None

    def reference_is_bound(self) -> bool:
        """Return whether `reference` is only a bound, so that perhaps no value is as good."""
        return False


def judge(view: Game, seat: Seat) -> Mapping[Move, float] | None:
    """Return the expected score of each option under best play; None where it is not known."""
    return view.judge(seat) if isinstance(view, JudgedMoves) else None


def better(puzzle: Puzzle) -> Literal["high", "low"]:
    """Return which raw value of a puzzle is better."""
    return puzzle.better if isinstance(puzzle, Objective) else "high"


def reference(puzzle: Puzzle) -> float | None:
    """Return the best raw value of an instance, or a proven bound; None where it is not known."""
    return puzzle.reference() if isinstance(puzzle, Objective) else None


def reference_is_bound(puzzle: Puzzle) -> bool:
    """Return whether the reference of an instance is only a bound."""
    return isinstance(puzzle, Objective) and puzzle.reference_is_bound()

"""Turns of other kinds: luck, several seats at once, fouls and free text."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from functools import cache
from random import Random
from typing import ClassVar, Self, cast

from ..game import Game
from ..moves import Move
from ..puzzle import Language
from ..secrecy import Seat


class ChanceMoves(Game):
    """A game in which luck moves: `options` may name the seat CHANCE."""

    def chance(self, rng: Random) -> Move:
        """Return one draw, for `options` of {CHANCE: None}."""
        raise NotImplementedError


class SimultaneousMoves(Game):
    """A game that can make the simultaneous moves of several seats faster than one by one."""

    @abstractmethod
    def after_round(self, moves: Mapping[Seat, Move]) -> Self:
        """Return the position after all seats that move at once have made one of their options.

        The same as `after` for each of them, in the order of `moves`.
        """


class Fouls(Game):
    """A game that goes on after an illegal move."""

    @abstractmethod
    def foul(self, seat: Seat, move: Move) -> Self | None:
        """Return the position after `seat` makes the illegal `move`; None if that loses the
        match.
        """


class FreeText(Game):
    """A game in which any text is a move: its `options` are {seat: None}."""

    # The move that stands for a reply without a readable answer, where such replies count as turns.
    # None: there is no such move, so the seat is asked again.
    no_answer: ClassVar[Move | None] = None

    @abstractmethod
    def sample(self, rng: Random) -> Move:
        """Return a well-formed move; called on a view."""

    def feedback(self, language: Language = "en") -> str:
        """Return what became of the last answer, if the position does not show it; otherwise ""."""
        return ""


def draw_of_chance(position: Game, rng: Random) -> Move:
    """Return one draw of luck, for `options` of {CHANCE: None}."""
    return cast(ChanceMoves, position).chance(rng)  # conformance checks that it is one


def after_round(position: Game, moves: Mapping[Seat, Move]) -> Game:
    """Return the position after all seats that move at once have made one of their options."""
    if _makes_rounds(type(position)):
        return position.after_round(moves)  # type: ignore[attr-defined, no-any-return]
    return after_each(position, moves)


@cache
def _makes_rounds(game: type[Game]) -> bool:
    """Asked of the class and remembered, because this runs on every round."""
    return issubclass(game, SimultaneousMoves)


def after_each(position: Game, moves: Mapping[Seat, Move]) -> Game:
    """Return the position after each seat has made its move, one after the other."""
    for seat, move in moves.items():
        position = position.after(seat, move)
    return position


def after_foul(position: Game, seat: Seat, move: Move) -> Game | None:
    """Return the position after an illegal move; None if that loses the match."""
    return position.foul(seat, move) if isinstance(position, Fouls) else None


def no_answer_of(position: Game) -> Move | None:
    """Return the move that stands for a reply without a readable answer, if there is one."""
    return position.no_answer if isinstance(position, FreeText) else None


def feedback_of(view: Game, language: Language = "en") -> str:
    """Return what became of the last answer, if the position does not show it; otherwise ""."""
    return view.feedback(language) if isinstance(view, FreeText) else ""


def sample_of(view: Game, rng: Random) -> Move:
    """Return a well-formed move, for `options` of free text."""
    if not isinstance(view, FreeText):
        raise NotImplementedError(f"{type(view).__name__} is no `FreeText`")
    return view.sample(rng)

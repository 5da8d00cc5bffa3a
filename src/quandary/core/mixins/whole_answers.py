"""Whole answers: all moves of a one-seat game, given in one answer, as `whole:` asks for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..game import Game
from ..moves import Move
from ..puzzle import Language
from ..words import say_in


class Implied(list[Move]):
    """Moves that follow from what a player wrote instead of them, such as a full grid."""


class WholeAnswers(Game):
    """A game for one seat in which one answer gives all moves, in a form of its own.

    Any other game takes one move per line.
    """

    def moves(self, text: str) -> Sequence[Move]:
        """Return all moves of a whole game, read from one answer, or Unreadable.

        It depends on the notation alone, as `read` does.  `Implied`, if moves were not written.
        """
        return move_per_line(self, text)

    def whole_form(self, language: Language = "en") -> str:
        """Return how all moves are written in one answer: see `moves`."""
        return _one_per_line(language)


def moves_in(game: Game, text: str) -> Sequence[Move]:
    """Return all moves of a whole one-seat game, read from one answer, or Unreadable."""
    return game.moves(text) if isinstance(game, WholeAnswers) else move_per_line(game, text)


def whole_form(game: Game, language: Language = "en") -> str:
    """Return how all moves of a game are written in one answer."""
    return game.whole_form(language) if isinstance(game, WholeAnswers) else _one_per_line(language)


def move_per_line(game: Game, text: str) -> list[Move]:
    """Return the move on each line of an answer."""
    notation = game.notation()
    return read_each(
        game, notation.lines(text) if notation else filter(str.strip, text.splitlines())
    )


def read_each(game: Game, lines: Iterable[str]) -> list[Move]:
    """Return the move on each line; each different line is read once, for long answers
    repeat few.
    """
    lines = list(lines)
    moves = {line: game.read(0, line) for line in dict.fromkeys(lines)}
    return [moves[line] for line in lines]


def _one_per_line(language: Language) -> str:
    say = say_in(__name__, language)
    return say(
        "Give all your moves in one answer: one move per line and nothing else, in the order "
        "they are played."
    )

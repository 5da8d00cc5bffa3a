"""Games: puzzles that are played move by move."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar, Literal, NamedTuple, Self, TypeAlias, final

from .errors import Ambiguous, Illegal, NoAnswer, Unreadable, UserError, unknown_seat
from .moves import Move, Notation, Number
from .puzzle import Language, Puzzle
from .secrecy import Seat
from .words import labels_of

# Who may act, and the moves open to each; None stands for free text.
Options: TypeAlias = Mapping[Seat, Collection[Move] | None]
CHANCE: Seat = -1  # the seat of luck; its options may carry weights: {"hit": 9, "miss": 1}

Ruled: TypeAlias = Literal["goal", "no_move", "dead_end", "limit"]  # the rules ended the match
# Causes for which a seat loses, except "infrastructure": then no seat loses, and the match has no
# scores.
FailureCause: TypeAlias = Literal[
    "illegal", "unreadable", "syntax", "crash", "memory", "flood", "timeout", "resigned",
    "infrastructure",
]  # fmt: skip
# "unfinished": saved before the match was over.
Cause: TypeAlias = Ruled | FailureCause | Literal["unfinished"]


class Ending(NamedTuple):
    """The cause of the end of a match, and the seat that caused a failure."""

    cause: Cause = "goal"
    offender: Seat | None = None


class Game(Puzzle, speaks_with=("quandary.core.moves.notation",)):
    """A puzzle played move by move: `options` lists moves, `after` makes one, `scores` judges."""

    seats: ClassVar[int] = 2

    @abstractmethod
    def options(self) -> Options:
        """Return the seats that may act now, with their legal moves in a fixed order; empty at the
        end.

        Called once per ply, on the true position; `legal` calls it on views too, where a seat's own
        moves must be the same.  A large set of moves may be a lazy Collection.
        If several seats move at once, each is asked without seeing the others' moves, and `after`
        takes those moves one by one.  {CHANCE: None} means too many outcomes to list: see
        `ChanceMoves`.
        """

    @final
    def legal(self, seat: Seat = 0) -> Sequence[Move]:
        """Return the legal moves of a seat; empty if it is not to move, or if any text is an
        answer.

        Of a view, those of the seat whose view it is; it may not know those of the others.
        """
        if type(seat) is not int or not 0 <= seat < self.seats:
            raise unknown_seat("it", seat, self.seats)
        moves = self.options().get(seat) or ()
        return moves if isinstance(moves, Sequence) else tuple(moves)

    @abstractmethod
    def after(self, seat: Seat, move: Move) -> Self:
        """Return the position after `seat` makes one of its options.

        The move is not checked: engine, solvers and strategies pass legal moves only.  Where
        `options` are None there is no list to check against, so `after` itself raises Illegal,
        for an impossible draw of chance too.
        """

    @final
    def play(self, seat: Seat, move: Move) -> Self:
        """Return the position after `seat` makes a move; Illegal if the rules do not allow it."""
        if not isinstance(move, str):
            raise Illegal(f"seat {seat} cannot play {move!r}: a move is a text")
        options = self.options()
        listed = options.get(seat, ())
        if listed is not None and move not in listed:
            reason = (
                "the rules do not allow it here"
                if seat in options
                else "it is not that seat's turn"
            )
            raise Illegal(f"seat {seat} cannot play {move!r}: {reason}")
        return self.after(seat, move)

    @abstractmethod
    def scores(self) -> tuple[float, ...]:
        """Return one number from 0.0 to 1.0 per seat; final once `options` is empty."""

    def ending(self) -> Ending:
        """Return why the game is over; called once `options` is empty."""
        return Ending("goal")

    def values(self) -> tuple[float, ...] | None:
        """Return one raw value per seat (points, probes); None if there is none to report."""
        return None

    def notation(self) -> Notation | None:
        """Return how moves are written in every position of a match; None if `read` is
        overridden.
        """
        return None

    @classmethod
    def level_notation(cls, **level: Any) -> Notation | None:
        """Return the notation with the largest bounds of a level, by which moves are numbered."""
        return None

    def how(self, language: Language = "en") -> str:
        """Return how a move is written, with an example."""
        notation, say = self.notation(), self.say(language)
        if notation is None:
            return ""
        return notation.how(say, {name: say.label(name) for name in notation.fields})

    def read(self, seat: Seat, text: str) -> Move:
        """Return the move that `text` names, legal or not, or Unreadable.

        It depends on the notation alone, never on the options.
        """
        notation = self.notation()
        if notation is None:
            return " ".join(text.split()).casefold()
        try:
            labels = labels_of(type(self))
        except ValueError as reason:  # a broken translation
            raise UserError(f"{reason}.") from None
        return notation.read(text, labels)

    def translated(self, answer: Move, language: Language) -> str:
        """Return a move as it is shown in a language; it is read as the same one.

        What chance draws is never read, and may be shown as a sentence.
        """
        notation = self.notation() if language != "en" else None
        return notation.translated(answer, self.say(language).label) if notation else answer

    def why_illegal(self, seat: Seat, move: Move, language: Language = "en") -> str:
        """Return why the rules do not allow a move, in a sentence; "" if this is not known.

        Called on a view, with a move that `read` gave and that is not among the options.
        """
        say, notation = self.say(language), self.notation()
        for name, value in notation.parse(move).items() if notation else ():
            field = notation.fields[name] if notation else None
            if isinstance(field, Number) and not field.low <= int(value) <= field.high:
                return say(
                    "The {field} must be from {low} to {high}, not {value}.",
                    value=value,
                    field=say.label(name),
                    low=field.low,
                    high=field.high,
                )
        return ""


def refusal(game: Game, reason: Unreadable, language: Language = "en") -> str:
    """Return what a player is told after a reply that could not be read."""
    say = game.say(language)
    if isinstance(reason, NoAnswer):
        return say("Your last reply held no answer.")
    if isinstance(reason, Ambiguous):
        return say.lines(
            say("Your reply names more than one move; give exactly one."), game.how(language)
        )
    return say.stored(reason.phrase, reason.values) if reason.phrase else game.how(language)


def illegal_feedback(view: Game, seat: Seat, move: Move, language: Language = "en") -> str:
    """Return what a player is told after an illegal move."""
    say = view.say(language)
    return view.why_illegal(seat, move, language) or say("The rules do not allow this move here.")


def solved(position: Game) -> bool:
    """Return whether a one-seat game has reached its goal."""
    return position.scores() == (1.0,) and not position.options()

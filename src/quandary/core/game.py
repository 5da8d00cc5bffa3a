"""Games: puzzles that are played move by move."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, ClassVar, Literal, NamedTuple, Self, TypeAlias, final

from .errors import Ambiguous, Illegal, NoAnswer, Unreadable, UserError, unknown_seat
from .moves import Move, Notation, Number
from .puzzle import Language, Puzzle
from .question import AskedQuestion
from .secrecy import Seat
from .words import labels_of

# Who may act, and the moves open to each; None stands for free text.
Options: TypeAlias = Mapping[Seat, Collection[Move] | None]
CHANCE: Seat = -1  # the seat of luck; its options may carry weights: {"hit": 9, "miss": 1}

Ruled: TypeAlias = Literal["goal", "no_move", "dead_end", "limit"]  # the rules ended the match
# Causes by which a seat loses, except "infrastructure": then no seat loses, and the match has no
# scores.
FailureCause: TypeAlias = Literal[
    "illegal", "unreadable", "syntax", "crash", "memory", "flood", "timeout", "resigned",
    "infrastructure",
]  # fmt: skip
# "unfinished": saved before the match was over.
Cause: TypeAlias = Ruled | FailureCause | Literal["unfinished"]


class Ending(NamedTuple):
    """Why a match is over, and which seat caused a failure."""

    cause: Cause = "goal"
    offender: Seat | None = None


class Implied(list[Move]):
    """Moves that follow from what a player wrote instead of them, such as a full grid."""


class Game(Puzzle):
    """A puzzle played move by move: `options` lists moves, `after` makes one, `scores` judges."""

    speaks_with = ("quandary.core.moves.notation",)
    seats: ClassVar[int] = 2
    # The bounds within which `judge` works, if it has any: what was judged under others, or under
    # another `version`, is judged again.
    judge_budget: ClassVar[tuple[int, ...]] = ()
    luck: ClassVar[bool] = False  # whether chance moves during the game
    # The move that stands for a reply without a readable answer, where such replies count as turns.
    # None: there is no such move, so the seat is asked again.
    no_answer: ClassVar[Move | None] = None
    # How often the names of state tasks on this game alone came to stand for other instances.
    state_task_version: ClassVar[int] = 0

    @abstractmethod
    def options(self) -> Options:
        """The seats that may act now, with their legal moves in a fixed order; empty at the end.

        Called once per ply, on the true position; `legal` calls it on views too, where a seat's own
        moves must be the same.  A large set of moves may be a lazy Collection.
        If several seats move at once, each is asked without seeing the others' moves, and `after`
        takes those moves one by one, or `after_round` all of them.  {CHANCE: None} means too many
        outcomes to list: see `chance`.
        """

    @final
    def legal(self, seat: Seat = 0) -> Sequence[Move]:
        """The legal moves of a seat; empty if it is not to move, or if any text is an answer.

        Of a view, those of the seat whose view it is; it may not know those of the others.
        """
        if type(seat) is not int or not 0 <= seat < self.seats:
            raise unknown_seat("it", seat, self.seats)
        moves = self.options().get(seat) or ()
        return moves if isinstance(moves, Sequence) else tuple(moves)

    @abstractmethod
    def after(self, seat: Seat, move: Move) -> Self:
        """The position after `seat` makes one of its options.

        The move is not checked: engine, solvers and strategies pass legal moves only.  Where
        `options` are None there is no list to check against, so `after` itself raises Illegal,
        for an impossible draw of chance too.
        """

    def after_round(self, moves: Mapping[Seat, Move]) -> Self:
        """The position after all seats that move at once have made one of their options.

        The same as `after` for each of them, in the order of `moves`; a game can be quicker, if it
        does not make the positions in between.
        """
        position = self
        for seat, move in moves.items():
            position = position.after(seat, move)
        return position

    @final
    def play(self, seat: Seat, move: Move) -> Self:
        """The position after `seat` makes a move; Illegal if the rules do not allow it."""
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
        """One number from 0.0 to 1.0 per seat; final once `options` is empty."""

    @property
    def is_scored(self) -> bool:
        """Whether its matches have scores; not where it asks a question without a key."""
        return True

    def ending(self) -> Ending:
        """Why the game is over; called once `options` is empty."""
        return Ending("goal")

    def values(self) -> tuple[float, ...] | None:
        """One raw objective per seat (points, probes); None if there is none to report."""
        return None

    def notation(self) -> Notation | None:
        """How moves are written in every position of a match; None if `read` is overridden."""
        return None

    @classmethod
    def level_notation(cls, **level: Any) -> Notation | None:
        """The notation with the largest bounds of a level, by which moves are numbered."""
        return None

    def how(self, language: Language = "en") -> str:
        """How a move is written, with an example."""
        notation, say = self.notation(), self.say(language)
        if notation is None:
            return ""
        return notation.how(say, {name: say.label(name) for name in notation.fields})

    def read(self, seat: Seat, said: str) -> Move:
        """The move that `said` names, legal or not, or Unreadable.

        It depends on the notation alone, never on the options.
        """
        notation = self.notation()
        if notation is None:
            return " ".join(said.split()).casefold()
        try:
            labels = labels_of(type(self))
        except ValueError as reason:  # a broken translation
            raise UserError(f"{reason}.") from None
        return notation.read(said, labels)

    def translated(self, answer: Move, language: Language) -> str:
        notation = self.notation() if language != "en" else None
        return notation.translated(answer, self.say(language).label) if notation else answer

    def refusal(self, reason: Unreadable, language: Language = "en") -> str:
        """What a player is told after a reply that could not be read."""
        say = self.say(language)
        if isinstance(reason, NoAnswer):
            return say("Your last reply held no answer.")
        if isinstance(reason, Ambiguous):
            return say.lines(
                say("Your reply names more than one move; give exactly one."), self.how(language)
            )
        return say.stored(reason.phrase, reason.values) if reason.phrase else self.how(language)

    def why_illegal(self, seat: Seat, move: Move, language: Language = "en") -> str:
        """Why the rules do not allow a move, in a sentence; "" where this is not known.

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

    @final
    def illegal_feedback(self, seat: Seat, move: Move, language: Language = "en") -> str:
        """What a player is told after an illegal move; called on a view, as `why_illegal` is."""
        say = self.say(language)
        return self.why_illegal(seat, move, language) or say(
            "The rules do not allow this move here."
        )

    def feedback(self, language: Language = "en") -> str:
        """What became of the last answer, if the position does not show it; otherwise ""."""
        return ""

    def asked_question(self) -> AskedQuestion | None:
        """The question that this game asks, with the answers so far; None if it asks none."""
        return None

    def foul(self, seat: Seat, move: Move) -> Self | None:
        """The position after `seat` makes the illegal `move`; None if that loses the match."""
        return None

    def chance(self, rng: Random) -> Move:
        """One draw, for `options` of {CHANCE: None}."""
        raise NotImplementedError

    def sample(self, rng: Random) -> Move:
        """A well-formed move, for `options` of free text."""
        raise NotImplementedError

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """The expected score of each option under best play; None if it takes too long to find."""
        return None

    def moves(self, said: str) -> Sequence[Move]:
        """All moves of a whole one-seat game, read from one answer, or Unreadable.

        As with `read`, it depends on the notation alone.  `Implied`, if moves were not written.
        """
        notation = self.notation()
        lines = notation.lines(said) if notation else filter(str.strip, said.splitlines())
        return self.read_all(lines)

    @final
    def read_all(self, lines: Iterable[str]) -> list[Move]:
        """The move on each line; each different line is read once, for long answers repeat few."""
        lines = list(lines)
        moves = {line: self.read(0, line) for line in dict.fromkeys(lines)}
        return [moves[line] for line in lines]

    def whole_form(self, language: Language = "en") -> str:
        """How all moves are written in one answer: see `moves`."""
        say = self.say(language)
        return say(
            "Give all your moves in one answer: one move per line and nothing else, in the order "
            "they are played."
        )

    def state_form(self, language: Language = "en") -> str:
        """How `state` writes a position, in a sentence; "" if that needs no explanation."""
        return ""

    def branches(self) -> Collection[Move]:
        """The moves a search must try: all options, or fewer if their order does not matter."""
        return self.options().get(0) or ()

    def appearance(self) -> Hashable:
        """What can be seen of a position without solving it, and might tell whether it is solvable.

        State tasks choose between two positions that have it in common.
        """
        return None

    def gaps(self) -> int | None:
        """How many cells are still empty, in a puzzle that fills cells; None in any other."""
        return None

    def leads_to(self, other: Self) -> bool | None:
        """Whether legal moves, any number of them, lead from here to another position of the match;
        None where that is not known cheaply.
        """
        return None

    def move_to(self, other: Self) -> Move | None:
        """The legal move that leads to another position of the match, compared as it is written;
        None if there is none.
        """
        written = other.state()
        moves = self.options().get(0) or ()
        return next((move for move in moves if self.after(0, move).state() == written), None)

    def solvable(self) -> bool:
        """Whether the goal can be reached, exactly; one seat, no luck, nothing hidden."""
        return solved(self) or any(_solvable(self.after(0, move)) for move in self.branches())

    def solvable_after(self, move: Move) -> bool:
        """Whether the goal can be reached after a legal move; quicker than making the move and
        asking again, where a position knows all its solutions.
        """
        return self.after(0, move).solvable()


def solved(position: Game) -> bool:
    """Whether a one-seat game has reached its goal."""
    return position.scores() == (1.0,) and not position.options()


@lru_cache(maxsize=1 << 18)
def _solvable(position: Game) -> bool:
    return position.solvable()

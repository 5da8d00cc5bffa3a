"""What a puzzle is.

A puzzle is an immutable value: its fields are the position, its methods the rules.
A `Game` is played move by move; a `Question` is put once and its answer checked.
`Attempt` plays a question as a game, so all that is built on this file knows only games.

Three kinds of call keep secrets safe.
On the true position, by the engine alone: `options`, `after`, `play`, `foul`, `chance`, `scores`,
`values`, `ending`,
`check`, `reference`.
On a view (`seen_by(seat)`), because their results reach a player: `text`, `scene`, `read`, `moves`,
`state`, `restate`, `judge`,
`sample`, `solution`, `world` and every strategy.
On nothing hidden at all: `rules`.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, lru_cache
from random import Random
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    NamedTuple,
    Self,
    TypeAlias,
    TypeVar,
    final,
    get_args,
    get_type_hints,
)

import msgspec

from .answers import Answer
from .bounds import checked
from .errors import Ambiguous, Illegal, Unreadable
from .moves import Move as Move  # a short text: logs, replays, prompts and players share one form
from .moves import Notation
from .scene import Scene
from .source import Source
from .words import Say, labels_of, languages_of, say_for

Seat: TypeAlias = int
Options: TypeAlias = Mapping[
    Seat, Collection[Move] | None
]  # who may act, and how; None is free text
Strategy: TypeAlias = Callable[
    [Any, Seat, Random, int], Move
]  # (view, seat, luck, budget in positions looked at) -> move
Language: TypeAlias = str  # "en" or "zh"
Form: TypeAlias = Literal["line", "block", "json"]
CHANCE: Seat = -1  # where the dice sit; its options may carry weights: {"hit": 9, "miss": 1}

Ruled: TypeAlias = Literal["goal", "no_move", "dead_end", "limit"]  # the rules ended the match
# a seat lost it; or, by infrastructure, nobody did, and the match has no scores
FailureCause: TypeAlias = Literal[
    "illegal", "unreadable", "syntax", "crash", "memory", "flood", "timeout", "resigned", "infrastructure"
]  # fmt: skip
Cause: TypeAlias = (
    Ruled | FailureCause | Literal["unfinished"]
)  # unfinished: saved before it was over

T = TypeVar("T")
Secret = Annotated[T, "secret"]  # a field no player sees
Private = Annotated[T, "private"]  # a tuple with one entry a seat; each seat sees its own


class Ending(NamedTuple):
    """Why a match is over, and whose fault it was where it was a fault."""

    cause: Cause = "goal"
    offender: Seat | None = None


@dataclass(frozen=True)
class Verdict:
    """What a checker says of an answer."""

    score: float  # 0.0 wrong to 1.0 right
    kind: str = ""  # what is wrong, for counting: "length", "not_a_word"
    feedback: str = ""  # the same in a sentence, shown before the next try
    value: float | None = (
        # raw objective of this answer; None where right is all there is, or nothing was reached
        None
    )
    parts: tuple[tuple[str, float], ...] = ()  # sub-scores: answer, process


class Puzzle(ABC):
    """What games and questions share: instances, words, pictures and secrecy."""

    version: ClassVar[int] = 1  # raised when rules or instances change, never for a refactoring
    task: ClassVar[str] = (
        ""  # its prefix in a spec, if it asks about another puzzle: see `quandary.tasks`
    )
    levels: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "only": {}
    }  # easiest first: arguments of `new`
    speaks_with: ClassVar[tuple[str, ...]] = ()  # modules whose phrases this puzzle says too
    # Variants with rules of their own, key -> a few words.  Where there are any, `new` takes
    # `family: str | None = None` (None draws one) and an instance has its key in the field
    # `family`.
    families: ClassVar[Mapping[str, str]] = {}
    # Why there are few distinct instances, where there are: "LEVEL" for all instances of a level,
    # and "LEVEL,family=KEY" for those of one family.
    small: ClassVar[Mapping[str, str]] = {}
    loaded_from: ClassVar[Source | None] = None  # set by the loader; None within the package

    def __init_subclass__(cls, **keywords: Any) -> None:
        """Arguments of `new` are checked, whoever calls it: see `core.bounds`."""
        super().__init_subclass__(**keywords)
        if isinstance(new := cls.__dict__.get("new"), classmethod):
            cls.new = checked(new)  # type: ignore[assignment, method-assign]

    @property
    def form(self) -> Form:
        """The shape of a reply."""
        return "line"

    @property
    def better(self) -> Literal["high", "low"]:
        """Which raw value is better."""
        return "high"

    @property
    def languages(self) -> tuple[Language, ...]:
        """What `rules` and `text` can speak: English, and every language that has a file beside the
        puzzle's.
        """
        return languages_of(type(self))

    @final
    def say(self, language: Language = "en") -> Say:
        """How this puzzle speaks a language: see `quandary.core.words`."""
        return say_for(type(self), language)

    @property
    def inner(self) -> Puzzle | None:
        """The puzzle that this one asks about in another way; None where it asks about nothing but
        itself.
        """
        return None

    @classmethod
    @abstractmethod
    def new(cls, rng: Random, *args: Any, **level: Any) -> Self:
        """A fresh instance.  All its luck comes from `rng`; its keywords are the level."""

    @abstractmethod
    def rules(self, language: Language = "en") -> str:
        """How it is played and how a move or an answer is written; the same for everything
        `sibling` gives.
        """

    @abstractmethod
    def text(self, seat: Seat, language: Language = "en") -> str:
        """This position in words, whole.  Called on a view, so it cannot leak."""

    def scene(self, seat: Seat, language: Language = "en") -> Scene | None:
        """The position as shapes, for SVG and PNG; None draws `text` in a box.

        Called on a view.
        """
        return None

    def reference(self) -> float | None:
        """The best raw value anyone who saw everything could reach here, or a proven bound;
        computed when asked.
        """
        return None

    def sibling(self, rng: Random, **level: Any) -> Self:
        """Another instance of the same family under the same drawn rules, for worked examples."""
        if self.families:
            level["family"] = family_of(self)
        return type(self).new(rng, **level)

    @final
    @classmethod
    def draw_family(cls, rng: Random) -> str:
        """The key of a family, each with the same chance."""
        return list(cls.families)[int(rng.random() * len(cls.families))]

    def canonical(self) -> Hashable:
        """Equal for instances a player would call the same; keeps training and test sets apart."""
        return self

    def seen_by(self, seat: Seat) -> Self:
        """This position with what `seat` may not know replaced by None."""
        veils = veils_of(type(self))
        if not veils:
            return self
        seen = object.__new__(
            type(self)
        )  # as `replace`, at a fifth of its price: every ply of every match pays it
        fields_of_view = seen.__dict__
        fields_of_view.update(self.__dict__)
        for name, mark in veils:
            fields_of_view[name] = (
                None if mark == "secret" else _veil(mark, fields_of_view[name], seat)
            )
        return seen

    def world(self, rng: Random) -> Self:
        """Called on a view: a whole position its owner could not tell from the true one."""
        changes: dict[str, Any] = {}
        for name, mark in veils_of(type(self)):
            if mark != "nested":
                raise NotImplementedError(
                    f"{type(self).__name__} hides `{name}`, so it must say how to imagine it"
                )
            changes[name] = _nested(getattr(self, name), lambda inner: inner.world(rng))
        return replace(self, **changes) if changes else self  # type: ignore[type-var]

    def state(self) -> str:
        """The position as a player writes it down; `restate` reads it back."""
        return msgspec.json.encode(self).decode()

    def restate(self, said: str) -> Self:
        """The position `said` describes, or Unreadable.

        Called on a view of any position of the same match.
        """
        try:
            return msgspec.json.decode(said, type=type(self))
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as reason:
            raise Unreadable(
                "Write the position as one JSON object ({reason}).", reason=reason
            ) from None


class Game(Puzzle):
    """Played move by move: `options` says who may do what, `after` does it, `scores` ends it."""

    speaks_with = ("quandary.core.moves.notation",)
    seats: ClassVar[int] = 2
    luck: ClassVar[bool] = False  # whether chance moves while it is played
    house: ClassVar[
        Mapping[str, str]
    ] = {}  # level -> the strategy a newcomer plays against; else "random"

    @property
    def strategies(self) -> Mapping[str, Strategy]:
        """This game's own players by name; "oracle" is the strongest."""
        return {}

    @abstractmethod
    def options(self) -> Options:
        """Who may act now and the moves open to each, in a fixed order; empty when the game is
        over.

        Called once a ply, on the true position.  A large set of moves may be a lazy Collection.
        Several seats move at once: each is asked without seeing the others' moves, which `after`
        then
        takes one after the other.  {CHANCE: None} means too many outcomes to list: see `chance`.
        """

    @final
    def legal(self, seat: Seat = 0) -> Sequence[Move]:
        """The legal moves of a seat; empty where it is not to move, or where any text is an answer."""
        moves = self.options().get(seat) or ()
        return moves if isinstance(moves, Sequence) else tuple(moves)

    @abstractmethod
    def after(self, seat: Seat, move: Move) -> Self:
        """The position after `seat` makes one of its options.

        Unchecked: the engine, solvers and strategies call it.
        """

    @final
    def play(self, seat: Seat, move: Move) -> Self:
        """The position after `seat` makes a move; Illegal if the rules do not allow it."""
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
        """One number from 0.0 to 1.0 a seat; final once `options` is empty."""

    def ending(self) -> Ending:
        """Why the game is over; asked once `options` is empty."""
        return Ending("goal")

    def values(self) -> tuple[float, ...] | None:
        """Raw objective a seat (points, probes); None where the score is all there is, or nothing
        was reached.
        """
        return None

    def notation(self) -> Notation | None:
        """How moves are written, the same in every position of a match; None where `read` is the
        puzzle's own.
        """
        return None

    @classmethod
    def level_notation(cls, **level: Any) -> Notation | None:
        """The notation with the largest bounds that instances of a level have: moves are numbered
        by it.
        """
        return None

    def how(self, language: Language = "en") -> str:
        """How a move is written, with an example."""
        notation, say = self.notation(), self.say(language)
        if notation is None:
            return ""
        return notation.how(say, {name: say.label(name) for name in notation.fields})

    def read(self, seat: Seat, said: str) -> Move:
        """The move `said` writes, legal or not, or Unreadable.

        Notation only: it never looks at options.
        """
        notation = self.notation()
        if notation is None:
            return " ".join(said.split()).casefold()
        return notation.read(said, labels_of(type(self)))

    def refusal(self, reason: Unreadable, language: Language = "en") -> str:
        """What a player is told whose reply could not be read."""
        say = self.say(language)
        if isinstance(reason, Ambiguous):
            return say.lines(
                say("Your reply names more than one move; give exactly one."), self.how(language)
            )
        return say.stored(reason.phrase, reason.values) if reason.phrase else self.how(language)

    def feedback(self, language: Language = "en") -> str:
        """What became of the last answer, where that is not part of the position; "" where there is
        nothing to say.
        """
        return ""

    def foul(self, seat: Seat, move: Move) -> Self | None:
        """The position after `seat` breaks the rules with `move`; None where that loses the match."""
        return None

    def chance(self, rng: Random) -> Move:
        """One draw, where `options` says {CHANCE: None}."""
        raise NotImplementedError

    def sample(self, rng: Random) -> Move:
        """A well-formed move where `options` is free text."""
        raise NotImplementedError

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """The expected final score of each option under best play, where it can be known in bounded
        time.
        """
        return None

    def moves(self, said: str) -> Sequence[Move]:
        """All the moves of a whole game in one answer (one seat), or Unreadable; notation only, as
        `read`.
        """
        return [self.read(0, line) for line in said.splitlines() if line.strip()]

    def whole_form(self, language: Language = "en") -> str:
        """How all moves are written in one answer: see `moves`."""
        say = self.say(language)
        return say(
            "Give all your moves in one answer: one move a line, in the order they are played."
        )

    def branches(self) -> Collection[Move]:
        """The moves a search must try: all of seat 0's, or fewer where their order does not matter."""
        return self.options().get(0) or ()

    def solvable(self) -> bool:
        """Whether some line of play reaches the goal (one seat, no luck, nothing hidden); exact."""
        return solved(self) or any(_solvable(self.after(0, move)) for move in self.branches())


class Question(Puzzle):
    """Put once and checked; retries and their feedback are `Attempt`'s business."""

    speaks_with = ("quandary.core.answers",)
    retry: ClassVar[bool] = (
        True  # whether a second try can show anything; not where a wrong answer names the right one
    )

    @abstractmethod
    def check(self, answer: str, language: Language = "en") -> Verdict:
        """Judge an answer; never raises, whatever the text.

        The language words the feedback and nothing else.
        """

    @abstractmethod
    def solution(self) -> str:
        """One answer that `check` accepts, the best one known where answers differ in value.

        Called on a view.
        """

    def answer_shape(self) -> Answer | None:
        """What an answer looks like, for how-to sentences, schemas and forms; None where it has no
        shape of its own.
        """
        return None

    @abstractmethod
    def sample(self, rng: Random) -> str:
        """A well-formed answer such as a guesser gives, right or wrong.  Called on a view."""


@cache
def name_of(puzzle: type[Puzzle]) -> str:
    """A puzzle's one name: that of its file, or of its class where the file is named otherwise."""
    if puzzle.task:
        return puzzle.task
    file = puzzle.__module__.rpartition(".")[2]
    if class_name(file) == puzzle.__name__:
        return file
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", puzzle.__name__).lower()


def class_name(name: str) -> str:
    """What the class of a puzzle is called: `card_nim` has `CardNim`."""
    return "".join(word.capitalize() for word in name.split("_"))


def innermost(puzzle: Puzzle) -> Puzzle:
    """The puzzle itself, however often it is wrapped: the one a spec names."""
    while puzzle.inner is not None:
        puzzle = puzzle.inner
    return puzzle


def family_of(puzzle: Puzzle) -> str:
    """The key of the family that an instance is of; "" where its puzzle has no families."""
    inner = innermost(puzzle)
    return getattr(inner, "family", "") if inner.families else ""


def solved(position: Game) -> bool:
    """Whether a one-seat game stands at its goal."""
    return position.scores() == (1.0,) and not position.options()


@lru_cache(maxsize=1 << 18)
def _solvable(position: Game) -> bool:
    return position.solvable()


@cache
def veils_of(cls: type[Puzzle]) -> tuple[tuple[str, str], ...]:
    """The fields a view changes: (name, "secret" | "private" | "nested")."""
    hints = get_type_hints(cls, include_extras=True)
    marks = ((field.name, _mark(hints[field.name])) for field in fields(cls))  # type: ignore[arg-type]
    return tuple((name, mark) for name, mark in marks if mark)


def _mark(hint: Any) -> str:
    for note in getattr(hint, "__metadata__", ()):
        if note in ("secret", "private"):
            return str(note)
    kinds = (hint, *_parts(hint))
    return (
        "nested"
        if any(isinstance(kind, type) and issubclass(kind, Puzzle) for kind in kinds)
        else ""
    )


def _parts(hint: Any) -> Iterator[Any]:
    for part in get_args(hint):
        yield part
        yield from _parts(part)


def _veil(mark: str, value: Any, seat: Seat) -> Any:
    if mark == "private":
        hidden = [None] * len(value)
        hidden[seat] = value[seat]
        return tuple(hidden)
    return _nested(value, lambda inner: inner.seen_by(seat))


def _nested(value: Any, change: Callable[[Puzzle], Puzzle]) -> Any:
    if isinstance(value, Puzzle):
        return change(value)
    return tuple(_nested(item, change) for item in value) if isinstance(value, tuple) else value

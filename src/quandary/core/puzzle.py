"""The base of games and questions."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Mapping
from random import Random
from typing import Any, ClassVar, Literal, NamedTuple, Self, TypeAlias, final

from .bounds import checked
from .errors import UserError
from .hook_names import refuse_names_without_effect
from .moves import Move
from .scene import Scene
from .secrecy import Seat, Viewable
from .words import Say, languages_of, say_for

Language: TypeAlias = str  # "en" or "zh"
# (view, seat, luck, how many positions may be searched) -> move or answer
Strategy: TypeAlias = Callable[[Any, Seat, Random, int], Move]
# What the strongest player of a puzzle is.  "optimal": its moves or answers are proven best;
# "equilibrium": no opponent can expect more than its share against it; "search": best within a
# budget; "heuristic": rules of thumb.
Strongest: TypeAlias = Literal["optimal", "equilibrium", "search", "heuristic"]


class InstanceCount(NamedTuple):
    """The number of distinct instances of a level whose seeds repeat them, and the reason."""

    instances: int
    reason: str
    known: Literal["exactly", "about", "at least"] = "exactly"
    published: int = 0  # how many of these are in a benchmark: they all belong to test

    def __str__(self) -> str:
        number = f"{self.instances:,} {'instance' if self.instances == 1 else 'instances'}"
        return f"{number if self.known == 'exactly' else f'{self.known} {number}'}: {self.reason}"


class Puzzle(Viewable):
    """The base of games and questions: instances, words, pictures and secrecy."""

    _speaks_with: ClassVar[tuple[str, ...]] = ()

    version: ClassVar[int] = 1  # raised when rules or instances change, never for a refactoring
    # The first version with the same rules: positions since then can be read.
    rules_since: ClassVar[int] = 1
    # Level -> arguments of `new`, from easy to hard.
    levels: ClassVar[Mapping[str, Mapping[str, Any]]] = {"only": {}}
    # Whether the rules are drawn with the instance; its siblings have the same rules.
    drawn_rules: ClassVar[bool] = False
    # Where fewer than 95 of 100 instances are distinct by `canonical`, over 2,000 seeds: "LEVEL" ->
    # how many there are in a whole level, "LEVEL,family=KEY" -> how many in one family.
    distinct_instances: ClassVar[Mapping[str, InstanceCount]] = {}
    # What the player `oracle` is, for all levels or by level; None if it is not declared.
    strongest: ClassVar[Strongest | Mapping[str, Strongest] | None] = None

    # Level -> the strategy that a newcomer plays against, as NAME or NAME@BUDGET; if not listed,
    # "random" for several seats and "oracle" for one.
    house: ClassVar[Mapping[str, str]] = {}
    # The level for a person who names none; "" for the first.
    usual_level: ClassVar[str] = ""

    def __init_subclass__(cls, speaks_with: tuple[str, ...] = (), **keywords: Any) -> None:
        """Check the names of its hooks, and make `new` check its arguments on every call.

        `speaks_with` names other modules whose phrases the puzzle uses:
        `class Rook(Game, speaks_with=("my_puzzles._chess",))`.
        """
        super().__init_subclass__(**keywords)
        refuse_names_without_effect(cls)
        if not isinstance(cls.levels, Mapping):  # nothing can be named without them
            raise TypeError(
                f"`levels` of {cls.__name__} must be a dict of levels and the arguments of `new`, "
                f'such as {{"easy": {{"size": 3}}}}, not a {type(cls.levels).__name__}.'
            )
        if speaks_with:
            cls._speaks_with = speaks_with
        if isinstance(new := cls.__dict__.get("new"), classmethod):
            cls.new = checked(new)  # type: ignore[assignment, method-assign]

    @property
    def languages(self) -> tuple[Language, ...]:
        """English, and every language with a translation file beside the puzzle's file."""
        try:
            return languages_of(type(self))
        except ValueError as reason:
            raise UserError(f"{reason}.") from None

    @final
    def say(self, language: Language = "en") -> Say:
        """Return how this puzzle speaks a language: see `quandary.core.words`."""
        try:
            return say_for(type(self), language)
        except ValueError as reason:  # an unknown language, or a broken translation
            raise UserError(f"{reason}.") from None

    @property
    def strategies(self) -> Mapping[str, Strategy]:
        """This puzzle's own players by name; "oracle" is the strongest."""
        return {}

    @classmethod
    @abstractmethod
    def new(cls, rng: Random, *args: Any, **level: Any) -> Self:
        """Return a fresh instance; all its luck comes from `rng`, and the keywords are the
        level.
        """

    @abstractmethod
    def rules(self, language: Language = "en") -> str:
        """Return the rules and how to write a move or an answer; every `sibling` has the same
        rules.
        """

    @abstractmethod
    def text(self, seat: Seat, language: Language = "en") -> str:
        """Return the whole position in words; called on a view, so it cannot leak secrets."""

    def scene(self, seat: Seat, language: Language = "en") -> Scene | None:
        """Return the position as shapes; None draws `text` in a box.

        Called on a view.
        """
        return None

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        """Return what the colours of `scene` mean: colour -> a few words.

        Called on a view.  Colours that this scene does not use may be listed too.
        """
        say = self.say(language)
        return {"mark": say("what you can choose now")}

    def sibling(self, rng: Random, **level: Any) -> Self:
        """Return another instance under the same drawn rules, for worked examples."""
        return type(self).new(rng, **level)

    def equivalent(self, rng: Random) -> Self:
        """Return this position turned, mirrored or renamed at random: the same task.

        Equal luck gives the same symmetry in every position of a match.
        """
        return self

    def canonical(self) -> Hashable:
        """Return what decides the task that is left, secrets included; keeps training and test sets
        apart.

        Equal for equivalent positions, different for any others that leave different tasks.
        It is a position, or built of text, whole numbers, truth values, None and tuples alone.
        """
        return self


def strongest_at(puzzle: type[Puzzle], level: str) -> Strongest | None:
    """Return what the strongest player of a puzzle is at a level; None if it is not declared."""
    declared = puzzle.strongest
    if declared is None or isinstance(declared, str):
        return declared
    return declared.get(level)

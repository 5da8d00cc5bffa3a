"""What games and questions share, and how puzzles are named."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Hashable, Mapping
from functools import cache
from random import Random
from typing import Any, ClassVar, Literal, NamedTuple, Self, TypeAlias, final

import msgspec

from .bounds import checked
from .errors import Unreadable, UserError
from .moves import Move
from .scene import Scene
from .secrecy import Seat, Viewable
from .source import Source
from .words import Say, languages_of, say_for

Language: TypeAlias = str  # "en" or "zh"
# "json_fence": an object in a fence that names JSON, as the prompts of a paper ask for it.
Form: TypeAlias = Literal["line", "block", "json", "json_fence"]
# (view, seat, luck, how many positions may be searched) -> move or answer
Strategy: TypeAlias = Callable[[Any, Seat, Random, int], Move]
# What the strongest player of a puzzle is.  "optimal": its moves or answers are proven best;
# "equilibrium": no opponent can expect more than its share against it; "search": best within a
# budget; "heuristic": rules of thumb.
Strongest: TypeAlias = Literal["optimal", "equilibrium", "search", "heuristic"]


class InstanceCount(NamedTuple):
    """How many distinct instances there are, where seeds repeat them, and why so few."""

    instances: int
    reason: str
    known: Literal["exactly", "about", "at least"] = "exactly"
    published: int = 0  # of these, in a benchmark: they belong to test, so they cannot be divided

    def __str__(self) -> str:
        number = f"{self.instances:,} {'instance' if self.instances == 1 else 'instances'}"
        return f"{number if self.known == 'exactly' else f'{self.known} {number}'}: {self.reason}"


class Puzzle(Viewable):
    """What games and questions share: instances, words, pictures and secrecy."""

    version: ClassVar[int] = 1  # raised when rules or instances change, never for a refactoring
    # The first version with the same rules: positions since then can still be read, see `upgraded`.
    rules_since: ClassVar[int] = 1
    # The prefix in a spec, for a puzzle that asks about another puzzle: see `quandary.tasks`.
    task: ClassVar[str] = ""
    # Level -> arguments of `new`, from easy to hard.
    levels: ClassVar[Mapping[str, Mapping[str, Any]]] = {"only": {}}
    speaks_with: ClassVar[tuple[str, ...]] = ()  # other modules whose phrases this puzzle uses
    # The language of a puzzle about words: translations change its rules, not its words.
    word_language: ClassVar[Language | None] = None
    kept_words: ClassVar[tuple[str, ...]] = ()  # words of that language in translated sentences
    # Variants with their own rules: key -> a few words.  If there are any, `new` takes
    # `family: str | None = None` (None draws one), and an instance stores its key in `family`.
    families: ClassVar[Mapping[str, str]] = {}
    # Whether the rules are drawn with the instance; its siblings have the same ones.
    drawn_rules: ClassVar[bool] = False
    # Where fewer than 95 of 100 instances are distinct by `canonical`, over 2,000 seeds: "LEVEL" ->
    # how many there are in a whole level, "LEVEL,family=KEY" -> how many in one family.
    distinct_instances: ClassVar[Mapping[str, InstanceCount]] = {}
    # What the player `oracle` is, for all levels or by level; None if it is not declared.
    strongest: ClassVar[Strongest | Mapping[str, Strongest] | None] = None

    # Level -> the strategy that a newcomer plays against, as NAME or NAME@BUDGET; if not listed,
    # "random" for several seats and "oracle" for one.
    house: ClassVar[Mapping[str, str]] = {}
    # The level that a person plays who names none; "" for the first.
    usual_level: ClassVar[str] = ""

    loaded_from: ClassVar[Source | None] = None  # set by the loader; None within the package

    def __init_subclass__(cls, **keywords: Any) -> None:
        """Make `new` check its arguments on every call: see `core.bounds`."""
        super().__init_subclass__(**keywords)
        if isinstance(new := cls.__dict__.get("new"), classmethod):
            cls.new = checked(new)  # type: ignore[assignment, method-assign]

    @classmethod
    def upgraded(cls, fields: dict[str, Any], version: int) -> dict[str, Any]:
        """The stored fields of a position of an earlier version, with those that this one has."""
        return fields

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
        """English, and every language with a translation file beside the puzzle's file."""
        try:
            return languages_of(type(self))
        except ValueError as reason:
            raise UserError(f"{reason}.") from None

    @final
    def say(self, language: Language = "en") -> Say:
        """How this puzzle speaks a language: see `quandary.core.words`."""
        try:
            return say_for(type(self), language)
        except ValueError as reason:  # an unknown language, or a broken translation
            raise UserError(f"{reason}.") from None

    @property
    def strategies(self) -> Mapping[str, Strategy]:
        """This puzzle's own players by name; "oracle" is the strongest."""
        return {}

    @property
    def inner(self) -> Puzzle | None:
        """The puzzle that this one asks about in another way, if there is one."""
        return None

    @classmethod
    def raises(cls, inner: type[Puzzle]) -> int:
        """By how much a task raises the version of the puzzle that it asks about: how often its
        names came to stand for other instances, or its answers to be judged otherwise.
        """
        return 0

    @property
    def split_by(self) -> tuple[Puzzle, ...]:
        """The positions whose canonical forms decide to which split an instance belongs."""
        return (self,)

    @property
    def published_prompt(self) -> str:
        """All that a model is sent, in a paper's own words; "" where we word it."""
        return ""

    @classmethod
    @abstractmethod
    def new(cls, rng: Random, *args: Any, **level: Any) -> Self:
        """A fresh instance; all its luck comes from `rng`, and the keywords are the level."""

    @abstractmethod
    def rules(self, language: Language = "en") -> str:
        """The rules and how to write a move or an answer; every `sibling` has the same rules."""

    @abstractmethod
    def text(self, seat: Seat, language: Language = "en") -> str:
        """The whole position in words; called on a view, so it cannot leak secrets."""

    def scene(self, seat: Seat, language: Language = "en") -> Scene | None:
        """The position as shapes; None draws `text` in a box.

        Called on a view.
        """
        return None

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        """What the colours of `scene` mean: colour -> a few words.

        Called on a view.  Colours that this scene does not use may be listed too.
        """
        say = self.say(language)
        return {"mark": say("what you can choose now")}

    def reference(self) -> float | None:
        """The best raw value that is possible with full information, or a proven bound."""
        return None

    def reference_is_bound(self) -> bool:
        """Whether `reference` is only a bound, so that perhaps no value is as good."""
        return False

    def sibling(self, rng: Random, **level: Any) -> Self:
        """Another instance of the same family under the same drawn rules, for worked examples."""
        if self.families:
            level["family"] = family_of(self)
        return type(self).new(rng, **level)

    @final
    @classmethod
    def draw_family(cls, rng: Random) -> str:
        """The key of a family, drawn uniformly."""
        return list(cls.families)[int(rng.random() * len(cls.families))]

    def equivalent(self, rng: Random) -> Self:
        """This position turned, mirrored or renamed at random, so that the same task is left.

        Equal luck gives the same symmetry in every position of a match.
        """
        return self

    def canonical(self) -> Hashable:
        """What decides the task that is left, secrets included; keeps training and test sets apart.

        Equal for equivalent positions, different for any others that leave different tasks.
        It is a position, or built of text, whole numbers, truth values, None and tuples alone.
        """
        return self

    def translated(self, answer: Move, language: Language) -> str:
        """A move or an answer as it is shown in a language; it is read as the same one.

        What chance draws is never read, and may be shown as a sentence.
        """
        return answer

    def state(self) -> str:
        """The position as a player writes it down; `restate` reads it back."""
        return msgspec.json.encode(self).decode()

    def shown_state(self, language: Language) -> str:
        """`state` as it is shown in a language, with its words translated; `restate` reads it."""
        return self.state()

    def restate(self, said: str) -> Self:
        """The position that `said` describes, or Unreadable.

        Called on a view of any position of the same match.
        """
        try:
            return msgspec.json.decode(said, type=type(self))
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as reason:
            raise Unreadable(
                "Write the position as one JSON object ({reason}).", reason=reason
            ) from None


@cache
def name_of(puzzle: type[Puzzle]) -> str:
    """The name of a puzzle: that of its file, or of its class if the file has another name."""
    if puzzle.task:
        return puzzle.task
    file = puzzle.__module__.rpartition(".")[2]
    if class_name(file) == puzzle.__name__:
        return file
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", puzzle.__name__).lower()


def class_name(name: str) -> str:
    """The class name of a puzzle: `CardNim` for `card_nim`."""
    return "".join(word.capitalize() for word in name.split("_"))


def strongest_at(puzzle: type[Puzzle], level: str) -> Strongest | None:
    """What the strongest player of a puzzle is at a level; None if it is not declared."""
    declared = puzzle.strongest
    if declared is None or isinstance(declared, str):
        return declared
    return declared.get(level)


def innermost(puzzle: Puzzle) -> Puzzle:
    """The puzzle that a spec names, without the tasks around it."""
    while puzzle.inner is not None:
        puzzle = puzzle.inner
    return puzzle


def version_of(puzzle: Puzzle) -> int:
    """The version of an instance: that of its puzzle, raised by the tasks on it."""
    if (inner := puzzle.inner) is None:
        return puzzle.version
    return version_of(inner) + puzzle.raises(type(inner))


def family_of(puzzle: Puzzle) -> str:
    """The key of an instance's family; "" if its puzzle has no families."""
    inner = innermost(puzzle)
    return getattr(inner, "family", "") if inner.families else ""


def family_words(puzzle: Puzzle, language: Language = "en") -> str:
    """One line about an instance's family."""
    inner, say = innermost(puzzle), innermost(puzzle).say(language)
    family = family_of(inner)
    return say(
        "family {family}: {words}", family=family, words=say.stored(inner.families[family], {})
    )

"""Questions with worked answers, after LogicGame: an answer, and the process that leads to it.

A category says how an instance is drawn, how it is worked out, and its words:

    @dataclass(frozen=True)
    class Doubling(Worked):
        number: int
        steps: int

        families = {"a": "a number is doubled again and again"}
        sizes = {"a": grown(steps=(1, 2, 4, 8))}
        without_process = {"a": (0,)}

        @classmethod
        def draw(
            cls, rng: Random, family: str, level: int, *, steps: Annotated[int, Between(1, 50)]
        ) -> Self | None:
            return cls(family, level, rng.randint(1, 9), steps)

        def work(self, without: Hashable = None) -> Work:
            return Work.of_steps(str(self.number * 2**step) for step in range(1, self.steps + 1))

`new` takes the keywords of `draw`; one that is not given is that of `sizes`.
"""

from __future__ import annotations

import inspect
from abc import abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple, Self, TypeAlias, TypeVar

from .answers import Answer, JsonObject, ListOf, Number, Text
from .bounds import Between, argument_text
from .contract import Families, Language, PublishedAnswers, Verdict
from .descriptions import Doc
from .json_answers import asked, judge_json, written
from .words import Say

Place: TypeAlias = tuple[int, ...]  # the indices of an entry in nested lists
Entry: TypeAlias = str | int

Made = TypeVar("Made", bound="Worked")
TRIES = 1_000  # instances that are drawn before `new` gives up


class Work(NamedTuple):
    """A worked answer: lists of strings or of whole numbers, or lists of such lists."""

    answer: Sequence[Any]
    process: Sequence[Any]

    @classmethod
    def of_steps(cls, steps: Iterable[Any]) -> Work:
        """Return one entry per step; the last one is the answer, a text as a list of one."""
        process = list(steps)
        return cls(_as_answer(process[-1]), process)

    @classmethod
    def repeated(cls, answer: Sequence[Any]) -> Work:
        """Return an answer that is asked for again as its process."""
        return cls(answer, answer)


class Words(NamedTuple):
    """The words that ask for an answer."""

    answer: str  # what "answer" holds, as the end of a sentence
    process: str  # what "process" holds
    example: Work  # shows only the format


def grown(**sizes: Sequence[Any]) -> list[dict[str, Any]]:
    """Return the sizes of a family at each level: grown(size=(2, 3, 5, 7), moves=(2, 4, 6, 9))."""
    return [dict(zip(sizes, level, strict=True)) for level in zip(*sizes.values(), strict=True)]


@dataclass(frozen=True)
class Worked(Families, PublishedAnswers):
    """A category: families that grow over the levels 0 to 3, with an answer and a process."""

    family: Annotated[str, Doc("the family of the question, which decides its rules")]
    level: Annotated[int, Doc("the level, from 0 to 3")]

    form = "json"
    levels = {str(level): {"level": level} for level in range(4)}
    # Family -> the keywords of `draw` at each level.
    sizes: ClassVar[Mapping[str, Sequence[Mapping[str, Any]]]] = {}
    # Family -> the levels at which the answer alone is asked for.
    without_process: ClassVar[Mapping[str, Collection[int]]] = {}

    def __init_subclass__(cls, **keywords: Any) -> None:
        if isinstance(draw := cls.__dict__.get("draw"), classmethod):
            cls.new = _new_from(draw.__func__)  # type: ignore[method-assign]
        super().__init_subclass__(**keywords)

    if TYPE_CHECKING:  # derived from `draw` when a category is defined

        @classmethod
        def new(cls, rng: Random, *args: Any, **level: Any) -> Self: ...

    @classmethod
    @abstractmethod
    def draw(cls, rng: Random, family: str, level: int, *args: Any, **sizes: Any) -> Self | None:
        """Try to make an instance; None if it is not good enough, and then it is tried again."""

    def redraw(self, rng: Random, *args: Any, **sizes: Any) -> Self | None:
        """Try to make an instance of the same family, under the rules that this one has drawn."""
        return type(self).draw(rng, self.family, self.level, **sizes)

    @abstractmethod
    def work(self, without: Hashable = None) -> Work:
        """Return the right answer and process, perhaps without one of the `rules_in_play`."""

    @abstractmethod
    def explain(self, say: Say) -> str:
        """Return the rules, without how the answer is written."""

    @abstractmethod
    def words(self, say: Say) -> Words:
        """Return how the answer is asked for."""

    def rules_in_play(self) -> Sequence[Hashable]:
        """Return the rules that can be taken away; none where a family has one rule that does not
        grow.
        """
        return ()

    def uses_every_rule(self) -> bool:
        """Return whether each rule in play makes a difference."""
        return all(self.work(without=rule) != self._worked for rule in self.rules_in_play())

    def accepts(self, answer: object) -> bool:
        """Return whether an answer other than ours is right too."""
        return False

    def accepts_as_published(self, answer: object) -> bool:
        """Return the same where the question was asked in published words, which may allow more."""
        return self.accepts(answer)

    @property
    def asks_process(self) -> bool:
        return self.level not in self.without_process.get(self.family, ())

    def rules(self, language: Language = "en") -> str:
        say = self.say(language)
        answer, process, example = self.words(say)
        shown = written(example.answer, example.process if self.asks_process else None)
        how = asked(language, shown, answer, process if self.asks_process else "")
        return say.lines(self.explain(say), how)

    def sibling(self, rng: Random, **level: Any) -> Self:
        usual = self.sizes[self.family][self.level]
        sizes = {**usual, **_given(level)}
        return _first(lambda: self.redraw(rng, **sizes), sizes, usual)

    def check(self, answer: str, language: Language = "en") -> Verdict:
        return self._judged(answer, language, self.accepts)

    def check_as_published(self, answer: str, language: Language = "en") -> Verdict:
        return self._judged(answer, language, self.accepts_as_published)

    def _judged(
        self, answer: str, language: Language, accepts: Callable[[object], bool]
    ) -> Verdict:
        work = self._worked
        process = work.process if self.asks_process else None
        return judge_json(answer, work.answer, process, language, accepts=accepts)

    def solution(self) -> str:
        return self._written(self._worked)

    def sample(self, rng: Random) -> str:
        """Return our own work with entries exchanged, as if in a hurry."""
        return self._written(Work(*exchanged(self._worked.answer, self._worked.process, rng)))

    def answer_shape(self) -> Answer:
        shapes = {"answer": _shape(self._worked.answer)}
        if self.asks_process:
            shapes["process"] = _shape(self._worked.process)
        return JsonObject(shapes)

    @cached_property
    def _worked(self) -> Work:
        return self.work()

    def _written(self, work: Work) -> str:
        return written(work.answer, work.process if self.asks_process else None)


def _new_from(draw: Callable[..., Any]) -> Any:
    """Return the method `new` of a category, with the keywords of its `draw`, all of them
    optional.
    """

    def new(
        cls: type[Worked],
        /,
        rng: Random,
        *,
        level: int = 0,
        family: str | None = None,
        **given: Any,
    ) -> Worked:
        family = family or cls.draw_family(rng)
        usual = cls.sizes[family][level]
        sizes = {**usual, **_given(given)}
        return _first(lambda: cls.draw(rng, family, level, **sizes), sizes, usual)

    plain = inspect.signature(new).parameters
    own = [
        one for one in inspect.signature(draw).parameters.values() if one.kind is one.KEYWORD_ONLY
    ]
    optional = [one.replace(default=None, annotation=f"{one.annotation} | None") for one in own]
    parameters = [one for one in plain.values() if one.kind is not one.VAR_KEYWORD]
    new.__signature__ = inspect.Signature([*parameters, *optional])  # type: ignore[attr-defined]
    new.__annotations__ = {
        "rng": Random,
        "level": Annotated[int, Between(0, 3)],
        "family": str | None,
        **{one.name: one.annotation for one in optional},
    }
    new.__wrapped__ = draw  # type: ignore[attr-defined]  # its module resolves the names of types
    return classmethod(new)


def _given(sizes: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: size
        for name, size in sizes.items()
        if size is not None and name not in ("level", "family")
    }


def _first(
    draw: Callable[[], Made | None], sizes: Mapping[str, Any], usual: Mapping[str, Any]
) -> Made:
    for _ in range(TRIES):
        if (made := draw()) is not None:
            return made
    raise ValueError(
        f"{TRIES:,} tries with {_listed(sizes)} made no instance; sizes that do are "
        f"{_listed(usual)}"
    )


def _listed(sizes: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={argument_text(size)}" for name, size in sizes.items())


def _shape(value: object) -> Answer:
    """Return lists as deep as those of a value; their lengths are not told."""
    if isinstance(value, str):
        return Text()
    if isinstance(value, int):
        return Number()
    return ListOf(_shape(value[0] if isinstance(value, Sequence) and value else ""))


def exchanged(
    answer: Sequence[Any], process: Sequence[Any], rng: Random
) -> tuple[Sequence[Any], Sequence[Any]]:
    """Return a guess at both; where the last entry of the process is the answer, it stays so."""
    if process and answer in (process, process[-1], [process[-1]]):
        guess = _exchanged(process, rng)
        return (guess if answer == process else _as_answer(guess[-1])), guess
    return _exchanged(answer, rng), _exchanged(process, rng)


def _as_answer(entry: Any) -> Sequence[Any]:
    return [entry] if isinstance(entry, Entry) else entry


def _exchanged(value: Sequence[Any], rng: Random) -> list[Any]:
    """Exchange two different entries; if all are alike, replace one by another."""
    places = list(_places(value))
    if not places:
        return list(value)
    entries = {place: _at(value, place) for place in places}
    one = places[-1] if rng.random() < 0.5 else rng.choice(places)  # the end counts most
    others = [place for place in places if entries[place] != entries[one]]
    if others:
        other = rng.choice(others)
        entries[one], entries[other] = entries[other], entries[one]
    else:
        entries[one] = _another(entries[one])
    return [_replaced(inner, entries, (place,)) for place, inner in enumerate(value)]


def _another(entry: Entry) -> Entry:
    if isinstance(entry, int):
        return entry + 1
    return entry[1:] + entry[:1] if len(set(entry)) > 1 else entry * 2


def _places(value: Any, before: Place = ()) -> Iterator[Place]:
    if isinstance(value, Entry):
        yield before
    else:
        for place, inner in enumerate(value):
            yield from _places(inner, (*before, place))


def _at(value: Any, place: Place) -> Entry:
    for index in place:
        value = value[index]
    entry: Entry = value
    return entry


def _replaced(value: Any, entries: dict[Place, Entry], before: Place) -> Any:
    if isinstance(value, Entry):
        return entries[before]
    return [_replaced(inner, entries, (*before, place)) for place, inner in enumerate(value)]

"""String synthesis: methods combine blocks into others until there are too few blocks.

From LogicGame, with its kinds of blocks and numbers of methods.  Blocks in square brackets are
given at the start; they are combined into blocks in braces, and at level 3 these into blocks in
round brackets, of which one method makes two kinds at once.  The methods have their turns in
circles, and a turn uses a method once.  Every kind of block is taken or made by some method, and
every method is used.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from operator import mul
from random import Random
from typing import Annotated, Self

from quandary.bases.synthesis import Synthesis
from quandary.core.bounds import Between, Range
from quandary.core.contract import Few, Language, Seat
from quandary.core.words import Say
from quandary.kit.worked import Words, Work, grown
from quandary.solvers.synthesis import (
    UNITS,
    Course,
    Packed,
    PackedMethod,
    are_different,
    pick,
    some_of,
    unpacked,
)

BLOCKS = ("[A]", "[B]", "[C]", "{A}", "{B}", "{C}", "(A)", "(B)", "(C)")
SPACED = [f"{block} " for block in BLOCKS]
FEW = "one method, and up to nine blocks of each of three kinds"
TWO_ALIKE = 0.3  # the chance that a method of family a takes two blocks of one kind
MADE_TWICE = 0.3  # the chance that a method makes two blocks of its kind
WAYS = 20  # in which blocks to take are tried


@dataclass(frozen=True)
class StringSynthesis(Synthesis):
    families = {
        "a": "a method takes one block of each of some kinds, or two blocks of one kind",
        "b": "some methods take several blocks of one kind together with others, or three of one",
    }
    sizes = {
        "a": grown(
            kinds=(3, 4, 6, 9),
            methods=(1, 3, 4, 6),
            amounts=((1, 9), (1, 7), (2, 7), (3, 8)),
            steps=((1, 9), (4, 9), (5, 10), (7, 12)),
        ),
        "b": grown(
            kinds=(3, 4, 6, 9),
            methods=(1, 3, 4, 6),
            amounts=((1, 9), (1, 9), (3, 9), (5, 12)),
            steps=((1, 9), (3, 8), (4, 9), (7, 12)),
        ),
    }
    version = 3
    small = {
        "0": Few(2_754, FEW),
        "0,family=a": Few(810, FEW),
        "0,family=b": Few(1_944, FEW),
    }

    @classmethod
    def draw(
        cls,
        rng: Random,
        family: str,
        level: int,
        *,
        kinds: Annotated[int, Between(3, 9)],
        methods: Annotated[int, Between(1, 8)],
        amounts: Annotated[Range, Between(1, 20)],
        steps: Annotated[Range, Between(1, 40)],
    ) -> Self | None:
        made = _methods(rng, family, kinds, methods)
        if made is None:
            return None
        return cls.started(rng, family, level, Course(made, kinds), 3, amounts, steps)

    @property
    def names(self) -> Sequence[str]:
        return BLOCKS[: len(self.counts)]

    @property
    def tiers(self) -> Sequence[range]:
        kinds = len(self.counts)
        return [range(at, min(at + 3, kinds)) for at in range(0, kinds, 3)]

    def work(self, without: Hashable = None) -> Work:
        run = self.run(without)
        answer = list(map(str, run.end))
        if self.level == 0:
            return Work.repeated(answer)
        texts = [f"{_written(takes)} -> {_written(makes)}" for takes, makes in run.methods]
        return Work(answer, [texts[place] for place in run.used])

    def explain(self, say: Say) -> str:
        return say.lines(
            say(
                "There are blocks of {n} kinds: {names}.", n=len(self.names), names=self._named(say)
            ),
            say("They are combined by this method:")
            if len(self.methods) == 1
            else say("They are combined by these methods:"),
            *(
                say(
                    "Method {number}: combine {taken} into {made}.",
                    number=number,
                    taken=self.amounts(method.takes, say),
                    made=self.amounts(method.makes, say),
                )
                for number, method in enumerate(self.methods, start=1)
            ),
            self.turns(say),
        )

    def amount(self, number: int, kind: int, say: Say) -> str:
        return say("{number} {block}", number=number, block=BLOCKS[kind])

    def words(self, say: Say) -> Words:
        numbers = [str(number % 2) for number in range(len(self.counts))]
        answer = say(
            "the list of the numbers of blocks of each kind at the end, as strings, in the order "
            "{names}, with 0 for kinds of which there are none.",
            names=self._named(say),
        )
        if self.level == 0:
            return Words(answer, say('the same list as in "answer".'), Work.repeated(numbers))
        return Words(
            answer,
            say(
                "the list of all uses of methods, in order, each as one string: the blocks that "
                "are taken, then ->, then the blocks that are made. Each block is written as often "
                "as it is taken or made, in the order {names}, with one blank between blocks and "
                "on both sides of ->. Methods that are passed over add no entry.",
                names=self._named(say),
            ),
            Work(numbers, ["[A] [A] [C] -> {A}"]),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        given = self.amounts(self.counts, say)
        if all(self.counts):
            return say("At the start there are {given}.", given=given)
        return say("At the start there are {given}, and no other blocks.", given=given)

    def canonical(self) -> Hashable:
        return self.level == 0, super().canonical()

    def _named(self, say: Say) -> str:
        return say.list(self.names)


def _written(counts: Sequence[int]) -> str:
    return "".join(map(mul, SPACED, counts)).rstrip()


def _methods(rng: Random, family: str, kinds: int, number: int) -> list[PackedMethod] | None:
    """Try to draw different methods, of which one at least is the family's own."""
    methods: dict[Packed, Packed] = {}  # what is made, by what is taken
    for made in _products(rng, kinds, number):
        if made[0] >= 6:
            own, sources = "a", rng.sample(UNITS[3:6], 2)
        else:
            own, sources = family, UNITS[: min(3, made[0])]
        fewest = len(sources) if number == 1 else 0
        for _ in range(WAYS):
            if (takes := _takes(rng, own, sources, fewest)) not in methods:
                break
        number_made = 2 if len(made) == 1 and rng.random() < MADE_TWICE else 1
        methods[takes] = number_made * sum([UNITS[kind] for kind in made])
    drawn = list(methods.items())
    rng.shuffle(drawn)
    covers = all(unpacked(sum(methods), kinds)[: min(3, kinds - 1)])
    is_good = covers and (family == "a" or _has_own(drawn, kinds)) and are_different(drawn)
    return drawn if is_good and len(drawn) == number else None


def _has_own(methods: Sequence[PackedMethod], kinds: int) -> bool:
    """Whether some method is of family b alone."""
    taken = [unpacked(takes, kinds) for takes, _ in methods]
    return any(max(counts) > 1 and sum(counts) > 2 for counts in taken)


def _products(rng: Random, kinds: int, number: int) -> list[tuple[int, ...]]:
    """The kinds that each method makes."""
    top = rng.sample(range(6, kinds), kinds - 6) if kinds > 6 else []
    groups = [tuple(sorted(top[:2])), *((kind,) for kind in top[2:])] if top else []
    low = range(2 if kinds <= 4 else 3, min(kinds, 6))
    more = number - len(groups) - len(low)
    if more < 0:
        raise ValueError(f"{kinds} kinds need {number - more} methods or more")
    again = rng.choices(low if kinds == 3 else range(3, min(kinds, 6)), k=more) if more else []
    return [*groups, *((kind,) for kind in [*low, *again])]


def _takes(rng: Random, family: str, sources: Sequence[Packed], fewest: int) -> Packed:
    """Blocks of so many of the sources or more."""
    if family == "a":
        if fewest < 2 and rng.random() < TWO_ALIKE:
            return 2 * pick(rng, sources)
        return sum(some_of(rng, sources, pick(rng, range(max(fewest, 2), len(sources) + 1))))
    chosen = some_of(rng, sources, pick(rng, range(max(fewest, 1), len(sources) + 1)))
    if len(chosen) == 1:
        return chosen[0] * pick(rng, (2, 3))
    return sum([source * pick(rng, (1, 2)) for source in chosen])

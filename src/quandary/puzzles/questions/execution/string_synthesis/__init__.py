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

from quandary.core.answers import Answer, JsonObject, ListOf, Text
from quandary.core.bounds import Between, Range
from quandary.core.contract import InstanceCount, Language, Seat
from quandary.core.words import Say
from quandary.core.worked import Words, Work, grown
from quandary.puzzles.questions.execution._shared.synthesis import Synthesis
from quandary.puzzles.questions.execution._shared.synthesis.solver import Course

from .solver import drawn_methods

BLOCKS = ("[A]", "[B]", "[C]", "{A}", "{B}", "{C}", "(A)", "(B)", "(C)")
SPACED = [f"{block} " for block in BLOCKS]
FEW = "one method, and up to nine blocks of each of three kinds"


@dataclass(frozen=True)
class StringSynthesis(Synthesis):
    drawn_rules = True
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
    distinct_instances = {
        "0": InstanceCount(2_754, FEW),
        "0,family=a": InstanceCount(810, FEW),
        "0,family=b": InstanceCount(1_944, FEW),
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
        made = drawn_methods(rng, family, kinds, methods)
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

    def answer_shape(self) -> Answer:
        uses = ListOf(Text(), lines=self.level > 0)  # a use of a method holds spaces
        return JsonObject({"answer": ListOf(Text()), "process": uses})

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

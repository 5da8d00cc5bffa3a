"""Synthesis and decomposition: methods turn goods into products, in four stories.

From LogicGame, with its numbers of goods, products and methods.  The methods have their turns in
circles, and a turn uses a method once: the published "only once per cycle" says nothing more.
Every good is taken by some method, every product is made by one, and every method is used.  The
stories differ in their kinds of methods; each level has those of the levels before it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Annotated, Self

from quandary.core.bounds import Between, Range
from quandary.core.contract import Doc, InstanceCount, Language, Seat
from quandary.core.words import Say
from quandary.core.worked import Words, Work, grown
from quandary.puzzles.questions.execution._shared.synthesis import Synthesis
from quandary.puzzles.questions.execution._shared.synthesis.solver import (
    KINDS,
    drawn_kinds,
    story_course,
)

GOODS, PRODUCTS = "ABCDE", "XYZ"
FEW = "two methods for few goods and products"
WAYS = 20  # in which a drawn kind of method is tried


@dataclass(frozen=True)
class SynthesisAndDecomposition(Synthesis):
    goods: Annotated[int, Doc("how many of the kinds are raw goods; the others are products")]

    drawn_rules = True
    families = {
        "a": "crops are exchanged for products",
        "b": "machines are taken apart",
        "c": "molecules are extracted from samples",
        "d": "dishes are made of ingredients",
    }
    sizes = {
        "a": grown(
            goods=(2, 3, 3, 4),
            products=(1, 1, 2, 2),
            kinds=(1, 2, 3, 3),
            methods=(2, 3, 4, 5),
            amounts=((2, 8), (2, 6), (2, 6), (3, 7)),
            steps=((3, 6), (4, 9), (4, 9), (6, 12)),
        ),
        "b": grown(
            goods=(2, 3, 3, 3),
            products=(1, 1, 2, 3),
            kinds=(1, 1, 2, 3),
            methods=(2, 3, 4, 5),
            amounts=((2, 9), (2, 8), (2, 6), (3, 7)),
            steps=((3, 6), (4, 9), (4, 9), (6, 12)),
        ),
        "c": grown(
            goods=(3, 2, 3, 4),
            products=(2, 2, 2, 2),
            kinds=(1, 2, 2, 3),
            methods=(2, 3, 3, 4),
            amounts=((2, 6), (3, 7), (2, 7), (3, 7)),
            steps=((3, 6), (4, 9), (4, 9), (6, 12)),
        ),
        "d": grown(
            goods=(2, 3, 3, 5),
            products=(2, 2, 2, 3),
            kinds=(1, 2, 2, 3),
            methods=(2, 3, 4, 5),
            amounts=((2, 6), (2, 6), (2, 6), (2, 6)),
            steps=((3, 6), (4, 9), (4, 9), (6, 12)),
        ),
    }
    version = 3
    distinct_instances = {
        "0": InstanceCount(45_000, FEW, "at least"),
        "0,family=a": InstanceCount(7_000, FEW, "at least"),
        "0,family=b": InstanceCount(2_400, FEW, "at least"),
        "0,family=d": InstanceCount(14_000, FEW, "at least"),
    }

    @classmethod
    def draw(
        cls,
        rng: Random,
        family: str,
        level: int,
        *,
        goods: Annotated[int, Between(2, 5)],
        products: Annotated[int, Between(1, 3)],
        kinds: Annotated[int, Between(1, 3)],
        methods: Annotated[int, Between(1, 8)],
        amounts: Annotated[Range, Between(1, 20)],
        steps: Annotated[Range, Between(1, 40)],
    ) -> Self | None:
        known = KINDS[family][:kinds]
        if methods < kinds:
            raise ValueError(f"{kinds} kinds of methods need {kinds} methods or more")
        if products == 1 and {"refine", "combine"} & set(known):
            raise ValueError(f"{kinds} kinds of methods need 2 products or more in family {family}")
        wanted = drawn_kinds(rng, known, methods)
        for _ in range(WAYS):
            course = story_course(rng, family, wanted, goods, products)
            made = course and cls.started(
                rng, family, level, course, goods, amounts, steps, goods=goods
            )
            if made:
                return made
        return None

    @property
    def names(self) -> Sequence[str]:
        return GOODS[: self.goods] + PRODUCTS[: len(self.counts) - self.goods]

    @property
    def tiers(self) -> Sequence[range]:
        return [range(self.goods), range(self.goods, len(self.counts))]

    def work(self, without: Hashable = None) -> Work:
        process = [list(map(str, counts)) for counts in self.run(without).states]
        return Work(process[-1] if process else list(map(str, self.counts)), process)

    def explain(self, say: Say) -> str:
        return say.lines(
            self._story(say),
            *(self._method(say, place) for place in range(len(self.methods))),
            self.turns(say),
        )

    def _story(self, say: Say) -> str:
        tiers = self.names[: self.goods], self.names[self.goods :]
        goods, products = (self.listed(tier, say) for tier in tiers)
        values = {"goods": goods, "products": products, "n": len(tiers[1])}
        if self.family == "a":
            return say(
                "A farmer grows the crops {goods}, and can get the {n:product|products} {products} "
                "for them by these methods:",
                **values,
            )
        if self.family == "b" and any(any(one.takes[self.goods :]) for one in self.methods):
            return say(
                "An engineer can turn old machines of the types {goods} into parts of "
                "{n:type|the types} {products} or into other machines, and parts into other parts, "
                "by these methods:",
                **values,
            )
        if self.family == "b" and any(any(one.makes[: self.goods]) for one in self.methods):
            return say(
                "An engineer can turn old machines of the types {goods} into parts of "
                "{n:type|the types} {products}, or into other machines, by these methods:",
                **values,
            )
        if self.family == "b":
            return say(
                "An engineer can turn old machines of the types {goods} into parts of "
                "{n:type|the types} {products} by these methods:",
                **values,
            )
        if self.family == "c":
            return say(
                "A laboratory has samples of the types {goods}, and can get molecules of "
                "{n:type|the types} {products} out of them by these methods:",
                **values,
            )
        return say(
            "A cook has the ingredients {goods}, and can make the {n:dish|dishes} {products} by "
            "these methods:",
            **values,
        )

    def _method(self, say: Say, place: int) -> str:
        taken, made = (self.amounts(counts, say) for counts in self.methods[place])
        text = {
            "a": say("Exchange {taken} for {made}.", taken=taken, made=made),
            "b": say("Turn {taken} into {made}.", taken=taken, made=made),
            "c": say("Use up {taken} to get {made}.", taken=taken, made=made),
            "d": say("Use up {taken} to make {made}.", taken=taken, made=made),
        }[self.family]
        return say("Method {number}: {text}", number=place + 1, text=text)

    def amount(self, number: int, kind: int, say: Say) -> str:
        values = {"n": number, "name": self.names[kind]}
        goods, products = {
            "a": (
                say("{n} {n:unit|units} of crop {name}", **values),
                say("{n} {n:unit|units} of product {name}", **values),
            ),
            "b": (
                say("{n} {n:machine|machines} of type {name}", **values),
                say("{n} {n:part|parts} of type {name}", **values),
            ),
            "c": (
                say("{n} {n:unit|units} of sample {name}", **values),
                say("{n} {n:unit|units} of molecule {name}", **values),
            ),
            "d": (
                say("{n} {n:unit|units} of ingredient {name}", **values),
                say("{n} {n:unit|units} of dish {name}", **values),
            ),
        }[self.family]
        return goods if kind < self.goods else products

    def words(self, say: Say) -> Words:
        last = [str(number % 3) for number in range(len(self.names))]
        return Words(
            say(
                "the list of the amounts at the end, as strings, in the order {names}, with 0 "
                "where there is nothing.",
                names=say.list(self.names),
            ),
            say(
                "the list of such lists after each use of a method, in order. The amounts at the "
                "start are not included, and methods that are passed over add no entry; the "
                "amounts at the end are included."
            ),
            Work.of_steps([last[::-1], last]),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        given = self.amounts(self.counts, say)
        return say("At the start there are {given}, and nothing else.", given=given)

"""Logical equations: find which number each letter stands for.

From LogicGame, with its sizes.  The numbers are listed, and each belongs to one letter; relations
between letters tell which.  They are equations at first, and other relations join them at level 3.
Exactly one solution fits, and no relation is superfluous at any level.  The process is the answer
once more, as in the paper, and is not asked for at level 0.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Annotated, Self

from quandary.core.boards import TEXT_WIDTH, board, captions, cards, stack
from quandary.core.bounds import Between
from quandary.core.contract import Doc, InstanceCount, Language, Seat
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.core.worked import Words, Work, Worked, grown

from .solver.drawing import FROM_OTHERS, drawn_relations
from .solver.relations import Relation, fitting, least_form, orders_of, renamed, values_left
from .words import LETTERS, relation_words

UNKNOWN = "*"


@dataclass(frozen=True)
class LogicalEquations(Worked):
    numbers: Annotated[tuple[int, ...], Doc("the numbers that the letters stand for, in any order")]
    relations: Annotated[tuple[Relation, ...], Doc("the relations between the letters")]

    families = {
        "a": "all numbers are different",
        "b": "from level 1 on, some numbers are listed more than once",
    }
    sizes = {
        "a": grown(letters=(2, 4, 5, 7), relations=(1, 2, 3, 5), largest=(9, 9, 9, 9)),
        "b": grown(letters=(2, 4, 5, 7), relations=(1, 2, 3, 5), largest=(20, 9, 9, 9)),
    }
    without_process = {"a": (0,), "b": (0,)}
    distinct_instances = {
        "0": InstanceCount(708, "two letters and one equation"),
        "0,family=a": InstanceCount(117, "two numbers from 1 to 9 and one equation"),
        "0,family=b": InstanceCount(591, "two numbers from 1 to 20 and one equation"),
    }

    @classmethod
    def draw(
        cls,
        rng: Random,
        family: str,
        level: int,
        *,
        letters: Annotated[int, Between(2, 7)],
        relations: Annotated[int, Between(1, 6)],
        largest: Annotated[int, Between(2, 99)],
    ) -> Self | None:
        if letters > largest:
            raise ValueError(
                f"there are fewer than {letters} numbers up to {largest}; take a larger number as "
                f"`largest`"
            )
        numbers = rng.sample(range(1, largest + 1), k=letters)
        if family == "b" and letters > 2:
            numbers = rng.choices(range(1, largest + 1), k=letters)
            if not max(2, letters - 2) <= len(set(numbers)) < letters:
                return None
        values = rng.sample(numbers, k=letters)
        found = drawn_relations(rng, values, level, relations)
        return None if found is None else cls(family, level, tuple(sorted(numbers)), found)

    def rules_in_play(self) -> Sequence[Hashable]:
        return range(len(self.relations))

    def work(self, without: Hashable = None) -> Work:
        """Return the numbers of the letters; without a relation, those that are certain."""
        return Work.repeated(
            [str(some[0]) if len(some) == 1 else UNKNOWN for some in self._values_left(without)]
        )

    def solutions(self, without: Hashable = None) -> int:
        """Return how many ways there are to give the letters numbers."""
        return self._left(without).bit_count()

    def _left(self, without: Hashable = None) -> int:
        numbers = tuple(sorted(self.numbers))
        left = orders_of(numbers)
        for place, relation in enumerate(self.relations):
            if place != without:
                left &= fitting(relation, numbers)
        return left

    def _values_left(self, without: Hashable = None) -> list[list[int]]:
        return values_left(sorted(self.numbers), self._left(without))

    def explain(self, say: Say) -> str:
        return say.lines(
            say(
                "Every letter stands for one of the listed numbers. There are as many numbers as "
                "letters, and every entry of the list belongs to exactly one letter, so a number "
                "that is listed twice belongs to two letters. Find the number of every letter such "
                "that all relations are true. There is exactly one solution."
            ),
            say(
                "As in algebra, 2X is 2 times X. For example, X × Y = 4X - 2 is true if X is 2 and "
                "Y is 3."
            ),
            self.level >= FROM_OTHERS
            and say(
                "X is a divisor of Y if Y divided by X is a whole number. A letter is not the "
                "largest (smallest) if some other letter stands for a larger (smaller) number."
            ),
        )

    def words(self, say: Say) -> Words:
        return Words(
            say("the list of the numbers of all letters, in alphabetical order, as strings."),
            say('a copy of "answer".'),
            Work.repeated(["12", "10", "11"]),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        return say.lines(
            say("Letters: {letters}", letters=say.list(LETTERS[: len(self.numbers)])),
            say("Numbers: {numbers}", numbers=say.list(self.numbers)),
            *say.numbered(relation_words(say, relation) for relation in self.relations),
        )

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Return a gap for each letter, the numbers, and the relations."""
        say, count = self.say(language), len(self.numbers)
        relations = say.numbered(relation_words(say, relation) for relation in self.relations)
        return stack(
            board([[""] * count], column_names=LETTERS[:count]),
            cards([*map(str, self.numbers)], title=say("The numbers")),
            captions(*relations, size=0.5, width=TEXT_WIDTH, indent="   "),
        )

    def equivalent(self, rng: Random) -> Self:
        """With other names of the letters, and the relations in another order."""
        names = rng.sample(range(len(self.numbers)), k=len(self.numbers))
        relations = [renamed(relation, names) for relation in self.relations]
        return replace(self, relations=tuple(rng.sample(relations, k=len(relations))))

    def canonical(self) -> Hashable:
        form = least_form(self.relations, self._values_left())
        return self.family, self.asks_process, tuple(sorted(self.numbers)), form

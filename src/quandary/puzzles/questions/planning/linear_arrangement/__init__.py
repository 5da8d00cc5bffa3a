"""Linear arrangement: put things in a row by conditions, and tell what is known after each.

From LogicGame, with its sizes.  A place is known when it has the same thing in every order that
fits the conditions so far: exact entailment, where one published process leaves a forced value
open and another one lacks an entry.  One order is left at the end, and no condition is idle:
without it some entry of the process would be another one.  At levels 2 and 3, half of the entries
or more tell something new.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Annotated, Self

from quandary.algorithms.entailment import is_one, telling
from quandary.core.boards import TEXT_WIDTH, board, captions, stack
from quandary.core.bounds import Between
from quandary.core.contract import Doc, InstanceCount, Language, Seat
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.core.worked import Words, Work, Worked, grown

from .solver import LETTERS, Clue, drawn_clues, form, left_after, orders_of, renamed, turned
from .words import clue_words, row_words, things_words

# What the clues of a family say; each at most twice, and at most one thing has its place told.
KINDS = {
    "a": ("at", "not_at", "before", "between", "apart"),
    "b": ("at", "not_at", "before", "next_to", "not_next_to", "apart", "farther"),
    "c": ("at", "not_at", "before", "just_before", "next_to", "between", "apart"),
    "d": ("at", "not_at", "before", "just_before", "not_next_to", "between"),
}
DRAWN = {family: (*kinds, *kinds[1:]) for family, kinds in KINDS.items()}
GRADUAL = 4  # conditions from which on half of them or more tell something


@dataclass(frozen=True)
class LinearArrangement(Worked):
    things: Annotated[int, Doc("how many things are arranged")]
    clues: Annotated[
        tuple[Clue, ...],
        Doc("the conditions in order: each a list of statements, all of them true"),
    ]

    families = {
        "a": "books on a shelf",
        "b": "pupils in a row",
        "c": "letters in boxes",
        "d": "a timetable of subjects",
    }
    sizes = {family: grown(things=(3, 4, 5, 6), conditions=(2, 3, 5, 6)) for family in KINDS}
    distinct_instances = {
        "0": InstanceCount(186, "two conditions on three things", published=3),
        "0,family=a": InstanceCount(31, "two conditions on three books", published=1),
        "0,family=b": InstanceCount(47, "two conditions on three pupils", published=1),
        "0,family=c": InstanceCount(56, "two conditions on three letters"),
        "0,family=d": InstanceCount(52, "two conditions on three subjects", published=1),
        "1": InstanceCount(6_729, "three conditions on four things", published=2),
        "1,family=a": InstanceCount(956, "three conditions on four books"),
        "1,family=b": InstanceCount(2_280, "three conditions on four pupils"),
        "1,family=c": InstanceCount(2_185, "three conditions on four letters", published=1),
        "1,family=d": InstanceCount(1_308, "three conditions on four subjects", published=1),
    }

    @classmethod
    def draw(
        cls,
        rng: Random,
        family: str,
        level: int,
        *,
        things: Annotated[int, Between(3, len(LETTERS))],
        conditions: Annotated[int, Between(2, 9)],
    ) -> Self | None:
        clues = drawn_clues(rng, things, DRAWN[family], conditions)
        if clues is None:
            return None
        names = LETTERS[:things]
        order = "".join(rng.sample(names, k=things))
        made = cls(family, level, things, renamed(clues, names, order))
        return made if made._tells_gradually() and made.uses_every_rule() else None

    def is_unique(self) -> bool:
        """Return whether one order fits all conditions."""
        return is_one(left_after(self.things, self.clues)[-1])

    def _tells_gradually(self) -> bool:
        entries = len(self.clues)
        return entries < GRADUAL or 2 * telling(self.work().process) >= entries

    def rules_in_play(self) -> Sequence[Hashable]:
        return range(len(self.clues))

    def work(self, without: Hashable = None) -> Work:
        orders, left = orders_of(self.things), left_after(self.things, self.clues, without)
        return Work.of_steps("".join(orders.agreed(some)) for some in left)

    def explain(self, say: Say) -> str:
        return say.lines(
            row_words(say, self.family),
            say(
                "All conditions are true, and exactly one order fits all of them. Find it. What "
                "the conditions do not mention may be true or false."
            ),
        )

    def words(self, say: Say) -> Words:
        if self.family == "d":
            which = say("the letters of the subjects in the order of their lessons")
        elif self.family == "c":
            which = say("the letters in the order of the boxes, from left to right")
        else:
            which = say("the letters in the order of the places, from left to right")
        return Words(
            say("a list with one string: {which}, without blanks.", which=which),
            say(
                "a list with one string per condition, in order. Each string is as long as that of "
                "the answer, with the letter in every position that is known after this condition, "
                "and * in every other position. A position is known if every order that fits this "
                "condition and those before it has the same letter there; later conditions do not "
                "count, nor does the fact that only one order is left in the end. An entry may be "
                "the same as the previous one."
            ),
            Work.of_steps(["****", "**C*", "**C*", "DACB"]),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        names = things_words(say, self.family, LETTERS[: self.things])
        return say.lines(names, *self._conditions(say))

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Return the places, which are empty, between the things and the conditions."""
        say = self.say(language)
        return stack(
            captions(things_words(say, self.family, LETTERS[: self.things]), size=0.5),
            board([[""] * self.things], column_names=list(map(str, range(1, self.things + 1)))),
            captions(*self._conditions(say), size=0.5, width=TEXT_WIDTH, indent="   "),
        )

    def _conditions(self, say: Say) -> Sequence[str]:
        return say.numbered(clue_words(say, self.family, clue) for clue in self.clues)

    def equivalent(self, rng: Random) -> Self:
        """With other names, perhaps from right to left, or from the last lesson to the first."""
        names = LETTERS[: self.things]
        clues = renamed(self.clues, names, "".join(rng.sample(names, k=self.things)))
        return replace(self, clues=turned(clues, self.things) if rng.random() < 0.5 else clues)

    def canonical(self) -> Hashable:
        return self.family, self.things, form(self.things, self.clues)

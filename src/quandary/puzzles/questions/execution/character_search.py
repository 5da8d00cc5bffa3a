"""Character search: letters that were moved in the alphabet are moved back.

From LogicGame, with its sizes.  How far letters are moved is drawn.  The published English wording
calls a move towards z "backward"; here the way is told by examples.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from random import Random
from string import ascii_lowercase
from typing import Annotated, Self

from quandary.core.bounds import Between
from quandary.core.contract import Doc, InstanceCount, Language, Seat
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.core.worked import Words, Work, Worked, grown
from quandary.puzzles.questions.execution._shared.string_picture import string_picture

WAYS = {"a": (1,), "b": (-1,), "c": (-1, 1)}  # family -> towards z or a, at places in turn
FARTHEST = 12  # fewer than half of the letters, so that no move is the same as one the other way
FEW = "26 letters and 12 distances"


@dataclass(frozen=True)
class CharacterSearch(Worked):
    moved: Annotated[str, Doc("the letters after they were moved")]
    shifts: Annotated[
        tuple[int, ...],
        Doc("how far letters were moved towards z, for places in turn; negative towards a"),
    ]

    drawn_rules = True
    families = {
        "a": "all letters were moved towards the end of the alphabet",
        "b": "all letters were moved towards the beginning of the alphabet",
        "c": "letters at odd places were moved towards the beginning, the others towards the end",
    }
    sizes = {family: grown(length=(1, 3, 6, 12)) for family in "ab"} | {
        "c": grown(length=(1, 3, 6, 13))
    }
    without_process = {"a": (0,), "b": (0,)}
    distinct_instances = {
        "0": InstanceCount(936, "three families of 312"),
        **{f"0,family={family}": InstanceCount(312, FEW) for family in "abc"},
    }

    @classmethod
    def draw(
        cls, rng: Random, family: str, level: int, *, length: Annotated[int, Between(1, 100)]
    ) -> Self | None:
        distance = rng.randint(1, FARTHEST)
        shifts = tuple(way * distance for way in WAYS[family])
        return cls(family, level, "", shifts).redraw(rng, length=length)

    def redraw(self, rng: Random, **sizes: int) -> Self | None:
        made = replace(self, moved="".join(rng.choices(ascii_lowercase, k=sizes["length"])))
        return made if self.level < 2 or made.uses_every_rule() else None

    def rules_in_play(self) -> Sequence[Hashable]:
        return ("circle", *range(len(self.shifts)))

    def work(self, without: Hashable = None) -> Work:
        letters = []
        for place, letter in enumerate(self.moved):
            turn = place % len(self.shifts)
            back = _shifted(letter, -self.shifts[turn])
            is_round = (back > letter) == (self.shifts[turn] > 0)
            stays = without == turn or (without == "circle" and is_round)
            letters.append(letter if stays else back)
        return Work.repeated(letters)

    def explain(self, say: Say) -> str:
        return say.lines(
            say(
                "A string of letters was encrypted letter by letter; find the original string. It "
                "need not be a real word."
            ),
            *self._moves(say),
            say("The alphabet is a circle: after z comes a again, and before a comes z."),
        )

    def _moves(self, say: Say) -> list[str]:
        distance = abs(self.shifts[0])
        values = {"n": distance, "d": _shifted("d", -distance), "k": _shifted("k", distance)}
        later = say(
            "Each letter was replaced by the one {n} {n:place|places} later in the alphabet: k "
            "became {k}.",
            **values,
        )
        earlier = say(
            "Each letter was replaced by the one {n} {n:place|places} earlier in the alphabet: d "
            "became {d}.",
            **values,
        )
        by_place = [
            say(
                "Places are counted from the left, from 1. Each letter at an odd place was "
                "replaced by the one {n} {n:place|places} earlier in the alphabet: d became {d}.",
                **values,
            ),
            say(
                "Each letter at an even place was replaced by the one {n} {n:place|places} later: "
                "k became {k}.",
                **values,
            ),
        ]
        return {"a": [later], "b": [earlier], "c": by_place}[self.family]

    def words(self, say: Say) -> Words:
        return Words(
            say("the letters of the original string, in order: a list of one-letter strings."),
            say('the same list as in "answer".'),
            Work.repeated(["x", "y", "z"]),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        return say("The encrypted string: {string}", string=self.moved)

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Return the string in cells, and the rules."""
        say = self.say(language)
        rules = self._moves(say)
        return string_picture(say("The encrypted string"), self.moved, rules)

    def canonical(self) -> Hashable:
        return self.family, self.asks_process, self.moved, self.shifts


def _shifted(letter: str, distance: int) -> str:
    return ascii_lowercase[(ascii_lowercase.index(letter) + distance) % len(ascii_lowercase)]

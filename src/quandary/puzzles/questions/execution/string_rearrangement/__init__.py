"""String rearrangement: the digits of written numbers are reversed or added up, part by part.

From LogicGame, with its ways to write numbers.  The paper does not say what becomes of zeros that
come to the front; here they stay.  Each instance has a number of every way that its rules name, on
which the rule makes a difference.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Annotated, Self

from quandary.core.boards import cards
from quandary.core.bounds import Between, Range
from quandary.core.contract import Doc, Language, Seat
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.core.worked import Words, Work, Worked, grown

from .solver import FORMATS, drawn, format_of, parts_added, parts_reversed


@dataclass(frozen=True)
class StringRearrangement(Worked):
    formats: Annotated[int, Doc("how many of the formats of numbers the rules name")]
    numbers: Annotated[tuple[str, ...], Doc("the numbers as they are written")]

    families = {
        "a": "the digits of each part of a number are reversed",
        "b": "the digits of each part of a number are added up",
    }
    sizes = {
        family: grown(
            formats=(1, 2, 4, 5), numbers=(1, 2, 4, 5), digits=((4, 6), (3, 5), (2, 5), (2, 5))
        )
        for family in families
    }
    without_process = {"a": (0,), "b": (0,)}

    @classmethod
    def draw(
        cls,
        rng: Random,
        family: str,
        level: int,
        *,
        formats: Annotated[int, Between(1, 5)],
        numbers: Annotated[int, Between(1, 12)],
        digits: Annotated[Range, Between(2, 12)],
    ) -> Self | None:
        known = FORMATS[:formats]
        if numbers < formats:  # no number for some rule
            return None
        wanted = [*known, *rng.choices(known, k=numbers - formats)]
        rng.shuffle(wanted)
        made = cls(family, level, formats, tuple(drawn(rng, one, digits) for one in wanted))
        is_varied = len(set(made.numbers)) == numbers
        return made if is_varied and made.uses_every_rule() else None

    def rules_in_play(self) -> Sequence[Hashable]:
        return FORMATS[: self.formats]

    def work(self, without: Hashable = None) -> Work:
        change = parts_reversed if self.family == "a" else parts_added
        return Work.repeated(
            [one if format_of(one) == without else change(one) for one in self.numbers]
        )

    def explain(self, say: Say) -> str:
        rules = _reversing(say) if self.family == "a" else _adding(say)
        listed = say.numbered(rules[: self.formats])
        if self.family == "a":
            one = say("Write the digits of the given integer in reverse order.")
            several = say("Reverse the digits of every given number as follows:")
            note = say("A minus sign before a number stays as it is.")
            zeros = say("Zeros count like other digits and are never dropped: -120 becomes -021.")
            decimals = say(
                "Zeros count like other digits and are never dropped: -120 becomes -021, and 7.05 "
                "becomes 7.50."
            )
        else:
            one = say("Replace the given integer by the sum of its digits.")
            several = say("Add up the digits of every given number as follows:")
            note = say(
                "A minus sign before a number stays as it is: -57 becomes -12. A sum is not added "
                "up again."
            )
            zeros, decimals = "", say("Zeros at the end of a sum are kept: 1.55 becomes 1.10.")
        task = [one] if self.formats == len(self.numbers) == 1 else [several, *listed]
        return say.lines(*task, note, zeros if self.formats == 1 else decimals)

    def words(self, say: Say) -> Words:
        is_one = len(self.numbers) == 1
        return Words(
            say("a list with one string, the new number.")
            if is_one
            else say("the list of the new numbers as strings, in the order of the given numbers."),
            say('the same list as in "answer".'),
            Work.repeated(["18"] if is_one else ["18", "7.4"]),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        if len(self.numbers) == 1:
            return say("The number: {number}", number=self.numbers[0])
        return say("The numbers: {numbers}", numbers=say.list(self.numbers))

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        say = self.say(language)
        title = say("The number") if len(self.numbers) == 1 else say("The numbers")
        return cards(self.numbers, columns=1, size=(8.0, 1.0), title=title)

    def equivalent(self, rng: Random) -> Self:
        return replace(self, numbers=tuple(rng.sample(self.numbers, len(self.numbers))))

    def canonical(self) -> Hashable:
        """In whatever order the numbers are given."""
        return self.family, self.asks_process, self.formats, tuple(sorted(self.numbers))


def _reversing(say: Say) -> list[str]:
    return [
        say("An integer: write its digits in reverse order."),
        say(
            "A decimal: reverse the digits before the point, and reverse the digits after it. The "
            "two parts stay where they are: 12.34 becomes 21.43."
        ),
        say(
            "A fraction: reverse the digits of the numerator, and reverse those of the "
            "denominator. Both stay where they are, and the fraction is not reduced: 12/34 becomes "
            "21/43."
        ),
        say(
            "A percentage: reverse the digits before the percent sign, which stays: 12% becomes "
            "21%."
        ),
        say(
            "A complex number: reverse the digits of the real part and of the imaginary part by "
            "rules 1 and 2, and change the sign between the two parts, + to - and - to +. The i "
            "stays at the end: -12+3.45i becomes -21-3.54i."
        ),
    ]


def _adding(say: Say) -> list[str]:
    return [
        say("An integer: write the sum of its digits instead."),
        say(
            "A decimal: write the sum of the digits before the point, the point, and the sum of "
            "the digits after it: 12.89 becomes 3.17."
        ),
        say(
            "A fraction: write the sum of the digits of the numerator over the sum of the digits "
            "of the denominator, not reduced: 12/24 becomes 3/6."
        ),
        say(
            "A percentage: write the sum of the digits before the percent sign, which stays: 12% "
            "becomes 3%."
        ),
        say(
            "A complex number: change the real part and the imaginary part by rules 1 and 2, and "
            "change the sign between the two parts, + to - and - to +. The i stays at the end: "
            "-12+3.45i becomes -3-3.9i."
        ),
    ]

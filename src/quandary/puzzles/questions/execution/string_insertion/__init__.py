"""String insertion: instructions, carried out once each, insert letters beside parts of a string.

From LogicGame, with its sizes.  The paper does not say what happens where a part occurs twice; here
a letter is inserted at every place.  Instructions are planted: each is made for the string that has
been reached, so that all of them change it, and one at least looks for letters that stand together
only because of an insertion.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from string import ascii_uppercase
from typing import Annotated, Any, Self

from quandary.core.bounds import Between, Range
from quandary.core.contract import Doc, InstanceCount, Language, Seat
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.core.worked import Words, Work, Worked, grown
from quandary.puzzles.questions.execution._shared.renaming import Names, exchanged_names, in_order
from quandary.puzzles.questions.execution._shared.rewriting import (
    ends_need_all,
    once_each,
    planted_once,
)
from quandary.puzzles.questions.execution._shared.string_picture import string_picture

from .solver import Insertion, Side, drawn_pattern, inserted

SIDES: dict[str, tuple[Side, ...]] = {"a": ("after",), "b": ("before", "after")}
PATTERNS = {"a": ((3, 3),) * 4, "b": ((3, 3), (3, 4), (4, 4), (4, 4))}  # their sizes, by level
LONGER = 4  # letters more in some other strings for drawn instructions
FEW = "one instruction on three of five or six letters"


@dataclass(frozen=True)
class StringInsertion(Worked):
    instructions: Annotated[
        tuple[Insertion, ...], Doc("the instructions in order: pattern, letter, side")
    ]
    string: Annotated[str, Doc("the string before the first instruction")]

    drawn_rules = True
    families = {
        "a": "letters are inserted after parts of a string",
        "b": "letters are inserted before or after parts of a string",
    }
    sizes = {
        family: grown(
            rules=(1, 3, 4, 5),
            alphabet=(3, 3, 4, 5),
            pattern=PATTERNS[family],
            letters=((5, 6), (9, 15), (16, 17), (20, 28)),
        )
        for family in families
    }
    without_process = {"a": (0,), "b": (0,)}
    distinct_instances = {
        "0": InstanceCount(3_482, FEW),
        "0,family=a": InstanceCount(1_741, FEW),
        "0,family=b": InstanceCount(3_482, FEW),
    }

    @classmethod
    def draw(
        cls,
        rng: Random,
        family: str,
        level: int,
        *,
        rules: Annotated[int, Between(1, 8)],
        alphabet: Annotated[int, Between(2, 8)],
        pattern: Annotated[Range, Between(2, 5)],
        letters: Annotated[Range, Between(5, 60)],
    ) -> Self | None:
        names = ascii_uppercase[:alphabet]
        string = "".join(rng.choices(names, k=rng.randint(*letters)))

        def make(reached: str, made: Sequence[Insertion]) -> Iterator[Insertion]:
            taken = {rule.pattern for rule in made}
            if part := drawn_pattern(rng, string, reached, rng.randint(*pattern), taken):
                yield Insertion(part, rng.choice(names), rng.choice(SIDES[family]))

        planted = planted_once(string, rules, make, inserted)
        if not planted or (rules > 1 and all(rule.pattern in string for rule in planted)):
            return None
        made = cls(family, level, tuple(planted), string)
        return made if made._is_good() else None

    def redraw(self, rng: Random, *, letters: Range, **sizes: Any) -> Self | None:
        """Return what the instructions look for, in any order, with letters between."""
        parts = [rule.pattern for rule in self.instructions]
        least = sum(map(len, parts))
        size = rng.randint(max(least, letters[0]), max(least, letters[1]) + LONGER)
        names = sorted(set("".join([self.string, *parts])))
        parts += rng.choices(names, k=size - least)
        rng.shuffle(parts)
        other = replace(self, string="".join(parts))
        return other if other.string != self.string and other._is_good() else None

    def _is_good(self) -> bool:
        return ends_need_all(self.string, self.instructions, inserted)

    def rules_in_play(self) -> Sequence[Hashable]:
        return range(len(self.instructions))

    def work(self, without: Hashable = None) -> Work:
        rules = [rule for place, rule in enumerate(self.instructions) if place != without]
        strings = [step.state for step in once_each(self.string, rules, inserted)]
        return Work([strings[-1] if strings else self.string], strings)

    def explain(self, say: Say) -> str:
        listed = say.numbered(_worded(rule, say) for rule in self.instructions)
        return say.lines(
            say("Carry out this instruction on a string, once:")
            if len(listed) == 1
            else say(
                "Carry out these instructions on a string, once each, in the order of their "
                "numbers, each of them on the string that the one before has left:"
            ),
            *listed,
            say(
                "An instruction inserts its letter once for each occurrence of the whole group of "
                'letters after "every", even where occurrences overlap. Only occurrences in the '
                "string before the instruction count, not those that its own insertions create. If "
                "there is none, the string stays as it is."
            ),
        )

    def words(self, say: Say) -> Words:
        return Words(
            say("a list with one string, the string after the instruction.")
            if len(self.instructions) == 1
            else say("a list with one string, the string after the last instruction."),
            say(
                "the list of the strings after each instruction, in order, with one entry for "
                "every instruction, also for one that changes nothing. The string before the first "
                "instruction is not included; the string after the last one is."
            ),
            Work.of_steps(["XYXZ", "XYXXZ", "YXYXXZ"]),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        return say("The string: {string}", string=self.string)

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Return the string in cells, and the rules."""
        say = self.say(language)
        rules = say.numbered(_worded(rule, say) for rule in self.instructions)
        return string_picture(say("The string"), self.string, rules)

    def equivalent(self, rng: Random) -> Self:
        return self._renamed(exchanged_names(rng, self._letters()))

    def canonical(self) -> Hashable:
        """With the letters named in the order in which they come."""
        one = self._renamed(in_order(self._letters(), ascii_uppercase))
        return self.asks_process, one.string, one.instructions

    def _letters(self) -> str:
        """Return each of them once, in the order in which they come."""
        rules = (rule.pattern + rule.letter for rule in self.instructions)
        return "".join(dict.fromkeys("".join([self.string, *rules])))

    def _renamed(self, names: Names) -> Self:
        rules = tuple(
            Insertion(rule.pattern.translate(names), rule.letter.translate(names), rule.side)
            for rule in self.instructions
        )
        return replace(self, instructions=rules, string=self.string.translate(names))


def _worded(rule: Insertion, say: Say) -> str:
    """Return an instruction as a sentence."""
    if rule.side == "after":
        return say('Insert "{new}" right after every "{old}".', new=rule.letter, old=rule.pattern)
    return say('Insert "{new}" right before every "{old}".', new=rule.letter, old=rule.pattern)

"""Questions with worked answers that have one fault each."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random
from typing import Annotated, Self

from quandary.core.bounds import Between
from quandary.core.contract import Doc, Language, Seat
from quandary.core.words import Say
from quandary.core.worked import Words, Work, Worked, grown


@dataclass(frozen=True)
class SoundWorked(Worked):
    """Add numbers one after the other.  Nothing is wrong with it."""

    start: Annotated[int, Doc("the number at first")]
    numbers: Annotated[tuple[int, ...], Doc("what is added")]

    families = {"a": "a number to which others are added"}
    sizes = {"a": grown(count=(2, 3, 5, 8))}
    without_process = {"a": (0,)}

    @classmethod
    def draw(
        cls, rng: Random, family: str, level: int, *, count: Annotated[int, Between(1, 50)]
    ) -> Self | None:
        numbers = tuple(rng.randint(1, 99) for _ in range(count))
        return cls(family, level, rng.randint(100, 999), numbers)

    def rules_in_play(self) -> Sequence[Hashable]:
        return range(len(self.numbers))

    def work(self, without: Hashable = None) -> Work:
        added = [number for place, number in enumerate(self.numbers) if place != without]
        return Work.of_steps(list(map(str, accumulate(added, initial=self.start)))[1:])

    def explain(self, say: Say) -> str:
        return say("Add each of the other numbers to the first one, in order.")

    def words(self, say: Say) -> Words:
        return Words(
            say("a list with the last sum."),
            say("the list of the sums."),
            Work.of_steps(["12", "15"]),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        return " ".join(map(str, (self.start, *self.numbers)))


@dataclass(frozen=True)
class ProcessHoldsTheStart(SoundWorked):
    """Lists the number that nothing has been added to."""

    def work(self, without: Hashable = None) -> Work:
        work = super().work(without)
        return Work(work.answer, [str(self.start), *work.process])


@dataclass(frozen=True)
class AlwaysGuessed(SoundWorked):
    """Guesses with its solution."""

    def sample(self, rng: Random) -> str:
        return self.solution()


@dataclass(frozen=True)
class AnyAnswer(SoundWorked):
    """Calls every answer right."""

    without_process = {"a": range(4)}

    def accepts(self, answer: object) -> bool:
        return True


@dataclass(frozen=True)
class IdleRule(SoundWorked):
    """Has a rule that does nothing."""

    def rules_in_play(self) -> Sequence[Hashable]:
        return (*super().rules_in_play(), "carry")


@dataclass(frozen=True)
class RulesOfAnInstance(SoundWorked):
    """Tells in its rules what its instance alone has."""

    def explain(self, say: Say) -> str:
        return say("Add each of the other numbers to {start}, in order.", start=self.start)


WORKED_FAULTS = {  # broken puzzle -> words its fault must be named with
    ProcessHoldsTheStart: "begins with the start",
    AlwaysGuessed: "`sample` is right in all of 20 instances",
    AnyAnswer: "`sample` is right in all of 20 instances",
    RulesOfAnInstance: "say `drawn_rules = True`",
    IdleRule: "is the same without the rule 'carry'",
}

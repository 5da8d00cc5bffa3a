"""Puzzles with one fault each, to show that the conformance suite names it."""

from __future__ import annotations

import random
import re
import sys
import time
from collections.abc import Hashable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from types import ModuleType
from typing import Annotated, Any, NamedTuple, Self

from quandary.core.answers import Answer, ListOf, Number, Text
from quandary.core.contract import (
    CHANCE,
    ChanceMoves,
    Doc,
    Ending,
    Families,
    Fouls,
    Game,
    HiddenInformation,
    InstanceCount,
    JudgedMoves,
    Language,
    Move,
    Objective,
    Options,
    Private,
    Question,
    Seat,
    Secret,
    SimultaneousMoves,
    StateTasks,
    Verdict,
    WholeAnswers,
)
from quandary.core.errors import Illegal, Unreadable
from quandary.core.moves import Notation
from quandary.core.moves import Number as MoveNumber
from quandary.core.scene import Box, Label, Scene
from quandary.tasks import state_task
from quandary.tasks.delegation import Fits, anything
from quandary.tasks.state_check import StateCheck


@dataclass(frozen=True)
class Sound(Game):
    """Take one to three stones; the last stone wins.  Nothing is wrong with it."""

    stones: Annotated[int, Doc("stones left")]
    turn: Annotated[Seat, Doc("the seat to move")] = 0

    levels = {"only": {}}
    distinct_instances = {"only": InstanceCount(997, "one for each pile size")}

    @classmethod
    def new(cls, rng: Random) -> Sound:
        return cls(rng.randint(20, 10_000) % 997 + 5)

    def options(self) -> Options:
        moves = [str(count) for count in range(1, min(3, self.stones) + 1)]
        return {self.turn: moves} if moves else {}

    def after(self, seat: Seat, move: Move) -> Sound:
        return replace(self, stones=self.stones - int(move), turn=1 - seat)

    def scores(self) -> tuple[float, ...]:
        return (0.5, 0.5) if self.stones else (float(self.turn), 1.0 - self.turn)

    def read(self, seat: Seat, text: str) -> Move:
        if text.strip() not in ("1", "2", "3"):
            raise Unreadable("Write 1, 2 or 3.")
        return text.strip()

    def rules(self, language: Language = "en") -> str:
        return "Take one to three stones; whoever takes the last one wins."

    def text(self, seat: Seat, language: Language = "en") -> str:
        return f"{self.stones} stones"


@dataclass(frozen=True)
class GlobalRandom(Sound):
    @classmethod
    def new(cls, rng: Random) -> GlobalRandom:
        return cls(random.randint(5, 10_000))


@dataclass(frozen=True)
class SeedIgnored(Sound):
    distinct_instances = {}

    @classmethod
    def new(cls, rng: Random) -> SeedIgnored:
        return cls(50)


@dataclass(frozen=True)
class LuckInPlay(Sound):
    def after(self, seat: Seat, move: Move) -> LuckInPlay:
        return replace(
            self, stones=max(0, self.stones - int(move) - random.randint(0, 5)), turn=1 - seat
        )


@dataclass(frozen=True)
class ListInside(Sound):
    past: list[str] = field(default_factory=list)


@dataclass
class NotFrozen(Game):
    stones: int
    turn: Seat = 0

    levels = {"only": {}}
    options, scores, read, rules, text = (
        Sound.options,
        Sound.scores,
        Sound.read,
        Sound.rules,
        Sound.text,
    )

    @classmethod
    def new(cls, rng: Random) -> NotFrozen:
        return cls(rng.randint(5, 1_000))

    def after(self, seat: Seat, move: Move) -> NotFrozen:
        return NotFrozen(self.stones - int(move), 1 - seat)


@dataclass(frozen=True)
class ChangesItself(Sound):
    def after(self, seat: Seat, move: Move) -> ChangesItself:
        object.__setattr__(self, "stones", self.stones - 1)
        return replace(self, stones=max(0, self.stones - int(move)), turn=1 - seat)


@dataclass(frozen=True)
class CrashOnOddText(Sound):
    def read(self, seat: Seat, text: str) -> Move:
        return str(int(text.split()[0]))


@dataclass(frozen=True)
class SilentRefusal(Sound):
    def read(self, seat: Seat, text: str) -> Move:
        if text.strip() not in ("1", "2", "3"):
            raise Unreadable
        return text.strip()


@dataclass(frozen=True)
class Endless(Sound):
    def after(self, seat: Seat, move: Move) -> Endless:
        return replace(self, turn=1 - seat)


@dataclass(frozen=True)
class EndlessLuck(ChanceMoves, Sound):
    """Rolls dice for ever, and asks no player."""

    def options(self) -> Options:
        return {CHANCE: ("odd", "even")}

    def after(self, seat: Seat, move: Move) -> EndlessLuck:
        return self


@dataclass(frozen=True)
class DuplicateOptions(Sound):
    def options(self) -> Options:
        return {self.turn: ["1", "1"]} if self.stones else {}


class _FindsEverything(list[Move]):
    def __contains__(self, move: object) -> bool:
        return True


@dataclass(frozen=True)
class FindsUnlistedMoves(Sound):
    def options(self) -> Options:
        return {seat: _FindsEverything(moves or ()) for seat, moves in super().options().items()}


@dataclass(frozen=True)
class StrangerMoves(Sound):
    def options(self) -> Options:
        return {self.turn + 2: ["1"]} if self.stones else {}


@dataclass(frozen=True)
class WrongScoreShape(Sound):
    def scores(self) -> tuple[float, ...]:
        return (1.0,)


@dataclass(frozen=True)
class ScoreTooHigh(Sound):
    def scores(self) -> tuple[float, ...]:
        return (3.0, 0.0)


@dataclass(frozen=True)
class StrangeCause(Sound):
    def ending(self) -> Ending:
        return Ending("timeout")


@dataclass(frozen=True)
class UnreadableOptions(Sound):
    def read(self, seat: Seat, text: str) -> Move:
        if text.strip() not in ("one", "two", "three"):
            raise Unreadable("Write one, two or three.")
        return text.strip()


@dataclass(frozen=True)
class RulesNameTheInstance(Sound):
    def rules(self, language: Language = "en") -> str:
        return f"Take one to three of {self.stones} stones."


@dataclass(frozen=True)
class DeadLevel(Sound):
    levels = {"only": {"height": 3}}


@dataclass(frozen=True)
class CheatingStrategy(Sound):
    def cheat(self, seat: Seat, rng: Random, budget: int) -> Move:
        return "9"

    strategies = {"cheat": cheat}


@dataclass(frozen=True)
class GhostHouse(Sound):
    house = {"only": "champion"}


@dataclass(frozen=True)
class PictureOutside(Sound):
    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        return Scene(2, 2, (Box(5, 5),))


@dataclass(frozen=True)
class WordsOutside(Sound):
    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        return Scene(4, 2, (Label(0, 1, "far too long for so small a picture", anchor="start"),))


@dataclass(frozen=True)
class UnknownColour(Sound):
    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        return Scene(2, 2, (Box(0, 0, fill="mauve"),))


sys.modules["undocumented"] = ModuleType("undocumented")


@dataclass(frozen=True)
class UnexplainedColour(Sound):
    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        return Scene(2, 2, (Box(0, 0, fill="sky" if self.stones % 2 else "paper"),))


@dataclass(frozen=True)
class NotDescribed(Sound):
    """A field of which programs are not told what it is."""

    more: int = 0


@dataclass(frozen=True)
class Inner:
    amount: int


class Pair(NamedTuple):
    one: Annotated[int, Doc("the first number")]
    other: int


@dataclass(frozen=True)
class Outer:
    pairs: Annotated[tuple[Pair, ...], Doc("pairs of numbers")] = ()


@dataclass(frozen=True)
class InnerNotDescribed(Sound):
    """A field of a class inside a field of which programs are not told what it is."""

    inners: Annotated[tuple[Inner | None, ...], Doc("amounts")] = ()


@dataclass(frozen=True)
class EntryNotDescribed(Sound):
    """An entry of a named tuple, inside a class, of which programs are not told what it is."""

    outer: Annotated[Outer, Doc("all pairs")] = Outer()


@dataclass(frozen=True)
class NoDocstring(Sound):
    __module__ = "undocumented"  # for this file has a docstring


@dataclass(frozen=True)
class BadBetter(Objective, Sound):
    better = "higher"


@dataclass(frozen=True)
class HouseOfNoLevel(Sound):
    house = {"hard": "random"}


@dataclass(frozen=True)
class UsualLevelOfNoName(Sound):
    usual_level = "normal"


@dataclass(frozen=True)
class SmallOfNoLevel(Sound):
    distinct_instances = {"tiny": InstanceCount(3, "there are three piles")}


@dataclass(frozen=True)
class RandomText(Sound):
    def text(self, seat: Seat, language: Language = "en") -> str:
        return f"{self.stones} stones, {random.choice(['bright', 'dark', 'round', 'flat'])} ones"


@dataclass(frozen=True)
class RandomRules(Sound):
    """Speaks with one voice, yet moves the global random."""

    def rules(self, language: Language = "en") -> str:
        return random.choice(["Take one to three stones."])


@dataclass(frozen=True)
class GlobalRandomStrategy(Sound):
    def gamble(self, seat: Seat, rng: Random, budget: int) -> Move:
        return random.choice(list(self.options()[seat] or ()))

    strategies = {"gamble": gamble}


@dataclass(frozen=True)
class MovingStrategy(Sound):
    """Has a strategy that always takes one stone, yet moves the global random."""

    def careful(self, seat: Seat, rng: Random, budget: int) -> Move:
        return random.choice(["1"])

    strategies = {"careful": careful}


@dataclass(frozen=True)
class FoulStaysPut(Fouls, Sound):
    def read(self, seat: Seat, text: str) -> Move:
        return text.strip()

    def foul(self, seat: Seat, move: Move) -> FoulStaysPut:
        return self


@dataclass(frozen=True)
class LeakedSecret(HiddenInformation, Sound):
    """Hides a number, but its options follow from it."""

    hidden: Annotated[Secret[int], Doc("hidden")] = 0

    @classmethod
    def new(cls, rng: Random) -> LeakedSecret:
        return cls(rng.randint(20, 900), 0, rng.randint(0, 1))

    def possible_position(self, rng: Random) -> LeakedSecret:
        return replace(self, hidden=rng.randint(0, 1))

    def options(self) -> Options:
        return {self.turn: ["1", "2"][: 1 + self.hidden]} if self.stones > 2 else {}


@dataclass(frozen=True)
class ShownSecret(LeakedSecret):
    """Hides a number, but its views do not."""

    def options(self) -> Options:
        return {self.turn: ["1"]} if self.stones else {}

    def seen_by(self, seat: Seat) -> ShownSecret:
        return self


@dataclass(frozen=True)
class CachedSecret(ShownSecret):
    """Hides a number, but its views keep what was computed from it."""

    def seen_by(self, seat: Seat) -> CachedSecret:
        seen = copy(self)
        object.__setattr__(seen, "hidden", None)
        return seen

    @cached_property
    def doubled(self) -> int:
        return 2 * self.hidden


@dataclass(frozen=True)
class HidesNothing(HiddenInformation, Sound):
    """Has all that secrets need, and none."""

    def possible_position(self, rng: Random) -> HidesNothing:
        return self


@dataclass(frozen=True)
class StillHidden(HiddenInformation, Sound):
    """Hides a number, and imagines none."""

    hidden: Annotated[Secret[int], Doc("hidden")] = 0

    @classmethod
    def new(cls, rng: Random) -> Self:
        return cls(rng.randint(20, 900), 0, rng.randint(0, 9))

    def possible_position(self, rng: Random) -> Self:
        return self


@dataclass(frozen=True)
class PublicEntry(HiddenInformation, Sound):
    """Copies the card of one seat to a public field."""

    cards: Annotated[Private[tuple[int, ...]], Doc("the card of each seat")] = (0, 0)
    dealt: Annotated[tuple[int, int], Doc("two numbers")] = (0, 0)

    @classmethod
    def new(cls, rng: Random) -> PublicEntry:
        cards = rng.randint(1, 9), rng.randint(1, 9)
        return cls(rng.randint(20, 900), 0, cards, (rng.randint(1, 9), cards[1]))

    def possible_position(self, rng: Random) -> PublicEntry:
        cards = tuple(card or rng.randint(1, 9) for card in self.cards)
        return replace(self, cards=cards)


@dataclass(frozen=True)
class NoWorld(Sound):
    hands: Private[tuple[int, ...]] = (1, 2)


@dataclass(frozen=True)
class SeenChoice(Game):
    """Both choose at once, but the first choice is public."""

    chosen: tuple[str, ...] = ("", "")
    start: int = 0

    @classmethod
    def new(cls, rng: Random) -> SeenChoice:
        return cls(start=rng.randrange(10**9))

    def options(self) -> Options:
        return {seat: ["a", "b"] for seat in (0, 1) if not self.chosen[seat]}

    def after(self, seat: Seat, move: Move) -> SeenChoice:
        return replace(
            self, chosen=tuple(move if i == seat else old for i, old in enumerate(self.chosen))
        )

    def scores(self) -> tuple[float, ...]:
        return (0.5, 0.5)

    def rules(self, language: Language = "en") -> str:
        return "Choose a or b."

    def text(self, seat: Seat, language: Language = "en") -> str:
        return "Choose."


@dataclass(frozen=True)
class OtherRound(SimultaneousMoves, SeenChoice):
    """Both choose at once, but a round leads elsewhere than the two choices."""

    def after_round(self, moves: Mapping[Seat, Move]) -> OtherRound:
        return replace(self, chosen=(moves[0], moves[1]), start=self.start + 1)


@dataclass(frozen=True)
class Unsolvable(StateTasks, Game):
    """A one-seat game whose goal is out of reach."""

    start: int
    at: int = 0

    seats = 1

    @classmethod
    def new(cls, rng: Random) -> Unsolvable:
        return cls(rng.randrange(10**9))

    def options(self) -> Options:
        return {0: ["on"]} if self.at < 3 else {}

    def after(self, seat: Seat, move: Move) -> Unsolvable:
        return replace(self, at=self.at + 1)

    def scores(self) -> tuple[float, ...]:
        return (0.0,)

    def rules(self, language: Language = "en") -> str:
        return "Go on."

    def text(self, seat: Seat, language: Language = "en") -> str:
        return f"At {self.at}."


@dataclass(frozen=True)
class SoundSolo(StateTasks, Game):
    """Take one or two stones a turn until exactly none is left of those to take.

    Nothing is wrong with it.
    """

    start: Annotated[int, Doc("the number at first")]
    left: Annotated[int, Doc("moves left")] = 7

    seats = 1

    @classmethod
    def new(cls, rng: Random) -> SoundSolo:
        return cls(rng.randrange(10**9))

    def options(self) -> Options:
        return {0: ["1", "2"]} if self.left > 0 else {}

    def after(self, seat: Seat, move: Move) -> SoundSolo:
        return replace(self, left=self.left - int(move))

    def scores(self) -> tuple[float, ...]:
        return (float(self.left == 0),)

    def read(self, seat: Seat, text: str) -> Move:
        if text.strip() not in ("1", "2"):
            raise Unreadable("Write 1 or 2.")
        return text.strip()

    def rules(self, language: Language = "en") -> str:
        return "Take one or two stones a turn; end with none left, and none too many."

    def text(self, seat: Seat, language: Language = "en") -> str:
        return f"{self.left} left"


@dataclass(frozen=True)
class FalseSolvable(SoundSolo):
    """Hopes on where it has lost."""

    def after(self, seat: Seat, move: Move) -> FalseSolvable:
        return replace(self, left=self.left - 2)

    def solvable(self) -> bool:
        return True


@dataclass(frozen=True)
class NeverSolvable(SoundSolo):
    def solvable(self) -> bool:
        return False


@dataclass(frozen=True)
class BlindAtTheGoal(SoundSolo):
    """Has won, and does not know it."""

    def after(self, seat: Seat, move: Move) -> BlindAtTheGoal:
        return replace(self, left=self.left - 1)

    def solvable(self) -> bool:
        return self.left > 0


@dataclass(frozen=True)
class AlwaysSolvableAfter(SoundSolo):
    """Sees its end, but not that a move misses it."""

    def solvable_after(self, move: Move) -> bool:
        return True


@dataclass(frozen=True)
class HopefulInBetween(SoundSolo):
    """Says that one stone too many can still be taken."""

    def solvable(self) -> bool:
        return self.left >= 0 and self.left != 3


@dataclass(frozen=True)
class LeadsEverywhere(SoundSolo):
    def leads_to(self, other: Self) -> bool:
        return True


@dataclass(frozen=True)
class LeadsNowhere(SoundSolo):
    def leads_to(self, other: Self) -> bool:
        return False


@dataclass(frozen=True)
class NoBranches(SoundSolo):
    def solvable(self) -> bool:
        return self.left >= 0

    def branches(self) -> Sequence[Move]:
        return []


@dataclass(frozen=True)
class StrangeBranches(SoundSolo):
    def branches(self) -> Sequence[Move]:
        return ["1", "2", "3"]


@dataclass(frozen=True)
class OneMoveToAll(SoundSolo):
    def move_to(self, other: Self) -> Move:
        return "1"


@dataclass(frozen=True)
class SeldomOptimal(SoundSolo):
    """Has an oracle that takes too many in one instance of seven."""

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        return "2" if self.start % 7 == 3 else "1"

    strategies = {"oracle": oracle}
    strongest = "optimal"


@dataclass(frozen=True)
class BrokenMoves(WholeAnswers, SoundSolo):
    def moves(self, text: str) -> Sequence[Move]:
        return [str(int(word)) for word in text.split()]


@dataclass(frozen=True)
class SoundQuestion(Question):
    """Double a number.  Nothing is wrong with it."""

    number: Annotated[int, Doc("the number that is asked about")]

    @classmethod
    def new(cls, rng: Random) -> SoundQuestion:
        return cls(rng.randrange(10_000, 49_999))

    def check(self, answer: str, language: Language = "en") -> Verdict:
        right = answer.strip() == str(2 * self.number)
        return Verdict(1.0) if right else Verdict(0.0, "wrong", "That is not the double.")

    def solution(self) -> str:
        return str(2 * self.number)

    def sample(self, rng: Random) -> str:
        return str(rng.randrange(10_000))

    def rules(self, language: Language = "en") -> str:
        return "Double the number."

    def text(self, seat: Seat, language: Language = "en") -> str:
        return str(self.number)


@dataclass(frozen=True)
class BadForm(SoundQuestion):
    form = "table"


@dataclass(frozen=True)
class CheckerRaises(SoundQuestion):
    def check(self, answer: str, language: Language = "en") -> Verdict:
        return Verdict(float(int(answer) == 2 * self.number), "wrong", "No.")


@dataclass(frozen=True)
class RefusesItsSolution(SoundQuestion):
    def solution(self) -> str:
        return str(2 * self.number + 1)


@dataclass(frozen=True)
class RefusesSomeSolutions(SoundQuestion):
    """Gives a wrong solution to one number in seven."""

    def solution(self) -> str:
        return str(2 * self.number + (self.number % 7 == 0))


@dataclass(frozen=True)
class AcceptsNonsense(SoundQuestion):
    def check(self, answer: str, language: Language = "en") -> Verdict:
        return Verdict(1.0)


@dataclass(frozen=True)
class GivesAway(SoundQuestion):
    def text(self, seat: Seat, language: Language = "en") -> str:
        return f"The double of {self.number}, which is {2 * self.number}?"


@dataclass(frozen=True)
class SceneTells(SoundQuestion):
    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        return Scene(5, 1, tuple(Box(x, 0, text=digit) for x, digit in enumerate(self.solution())))


@dataclass(frozen=True)
class JsonTells(SoundQuestion):
    """Keeps its solution in a field that is not Secret."""

    double: tuple[int, ...] = ()

    @classmethod
    def new(cls, rng: Random) -> JsonTells:
        number = rng.randrange(10_000, 49_999)
        return cls(number, (number, 2 * number))

    def check(self, answer: str, language: Language = "en") -> Verdict:
        return (
            Verdict(1.0)
            if answer.strip() == self.solution()
            else Verdict(0.0, "wrong", "That is not the double.")
        )

    def solution(self) -> str:
        return f"{self.number} {2 * self.number}"


@dataclass(frozen=True)
class FeedbackTells(SoundQuestion):
    def check(self, answer: str, language: Language = "en") -> Verdict:
        if not answer.strip().isdigit():
            return Verdict(0.0, "no_number", "Write a number.")
        right = answer.strip() == str(2 * self.number)
        return Verdict(1.0) if right else Verdict(0.0, "wrong", f"It is {2 * self.number}.")


@dataclass(frozen=True)
class AcceptsAnyNumber(SoundQuestion):
    def check(self, answer: str, language: Language = "en") -> Verdict:
        return (
            Verdict(1.0)
            if answer.strip().isdigit()
            else Verdict(0.0, "wrong", "That is no number.")
        )


@dataclass(frozen=True)
class SilentChecker(SoundQuestion):
    def check(self, answer: str, language: Language = "en") -> Verdict:
        return Verdict(float(answer.strip() == str(2 * self.number)))


@dataclass(frozen=True)
class FickleChecker(SoundQuestion):
    def check(self, answer: str, language: Language = "en") -> Verdict:
        right = answer.strip() == str(2 * self.number)
        return Verdict(1.0) if right else Verdict(random.random() / 2, "wrong", "No.")


@dataclass(frozen=True)
class SoundShape(SoundQuestion):
    """Says that its answer is a number.  Nothing is wrong with it."""

    def answer_shape(self) -> Answer:
        return Number(0)


@dataclass(frozen=True)
class SolutionOutOfShape(SoundShape):
    """Expects smaller numbers than its solutions."""

    def answer_shape(self) -> Answer:
        return Number(0, 9_999)


@dataclass(frozen=True)
class SampleOutOfShape(SoundShape):
    def sample(self, rng: Random) -> str:
        return f"{rng.randrange(10_000)} or so"


@dataclass(frozen=True)
class LinesInOneField(SoundShape):
    """Expects one line, and solves itself in two."""

    def check(self, answer: str, language: Language = "en") -> Verdict:
        right = answer.split() == self.solution().split()
        return Verdict(1.0) if right else Verdict(0.0, "wrong", "That is not the double.")

    def solution(self) -> str:
        return f"{self.number}\n{2 * self.number}"

    def answer_shape(self) -> Answer:
        return Text()


@dataclass(frozen=True)
class DataJudgedDifferently(SoundShape):
    """Expects a JSON list, and accepts only one without blanks."""

    def check(self, answer: str, language: Language = "en") -> Verdict:
        right = answer.strip() == self.solution()
        return Verdict(1.0) if right else Verdict(0.0, "wrong", "That is not the double.")

    def solution(self) -> str:
        return f"[{self.number},{2 * self.number}]"

    def sample(self, rng: Random) -> str:
        return f"[{self.number},{rng.randrange(10_000)}]"

    def answer_shape(self) -> Answer:
        return ListOf(Number(0))


@dataclass(frozen=True)
class PlayRefuses(Sound):
    """Lists a move that it then refuses."""

    def after(self, seat: Seat, move: Move) -> PlayRefuses:
        if move == "3":
            raise Illegal("not three")
        return replace(self, stones=self.stones - int(move), turn=1 - seat)


@dataclass(frozen=True)
class LooksAtTheClock(Sound):
    def text(self, seat: Seat, language: Language = "en") -> str:
        return f"{self.stones} stones" + "!" * (time.time() < 0)


def _stones_on_file() -> int:
    with open(__file__) as file:  # noqa: PTH123
        return len(file.readline())


@dataclass(frozen=True)
class ReadsAFile(Sound):
    @classmethod
    def new(cls, rng: Random) -> ReadsAFile:
        return cls(rng.randint(5, 900) + _stones_on_file())


@dataclass(frozen=True)
class ImportsWithin(Sound):
    def scores(self) -> tuple[float, ...]:
        import os

        return (0.5, 0.5) if self.stones and os else (float(self.turn), 1.0 - self.turn)


@dataclass(frozen=True)
class BothWin(Sound):
    def scores(self) -> tuple[float, ...]:
        return (1.0, 1.0)


@dataclass(frozen=True)
class InvertedJudge(JudgedMoves, Sound):
    def judge(self, seat: Seat) -> Mapping[Move, float]:
        return {
            move: float((self.stones - int(move)) % 4 != 0) for move in self.options()[seat] or ()
        }


@dataclass(frozen=True)
class WordlessStones(Sound):
    """Does not say how many stones there are."""

    def text(self, seat: Seat, language: Language = "en") -> str:
        return "There are some stones."


@dataclass(frozen=True)
class WordlessNumber(SoundQuestion):
    """Does not say which number to double."""

    def text(self, seat: Seat, language: Language = "en") -> str:
        return "The double, please."


@dataclass(frozen=True)
class HiddenCountdown(SoundSolo):
    """Ends after some moves, and does not say after how many."""

    moves_left: int = 0

    @classmethod
    def new(cls, rng: Random) -> HiddenCountdown:
        return cls(rng.randrange(10**9), moves_left=rng.randint(4, 6))

    def options(self) -> Options:
        return super().options() if self.moves_left else {}

    def after(self, seat: Seat, move: Move) -> HiddenCountdown:
        return replace(self, left=self.left - int(move), moves_left=self.moves_left - 1)


@dataclass(frozen=True)
class LowReference(Objective, SoundQuestion):
    """Values its solution above what it calls the best."""

    def check(self, answer: str, language: Language = "en") -> Verdict:
        return replace(
            super().check(answer, language), value=float(answer.strip() == str(2 * self.number))
        )

    def reference(self) -> float:
        return 0.5


@dataclass(frozen=True)
class BeatenByItsOracle(Objective, SoundSolo):
    """Counts stones too many, fewer are better, and its oracle leaves fewer than it says anyone
    could.
    """

    better = "low"

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        return str(2 - self.left % 2)

    strategies = {"oracle": oracle}
    strongest = "heuristic"

    def values(self) -> tuple[float, ...]:
        return (float(-self.left),)

    def reference(self) -> float:
        return 1.0


@dataclass(frozen=True)
class LowReferenceOfSome(LowReference):
    """Underrates only the instances whose number is a multiple of three, as the first is not."""

    def reference(self) -> float:
        return 1.0 if self.number % 3 else 0.5


@dataclass(frozen=True)
class BeatenDuel(Objective, Sound):
    """Counts the stones each side has taken, and says that nobody can take more than two."""

    taken: tuple[int, int] = (0, 0)

    def after(self, seat: Seat, move: Move) -> BeatenDuel:
        first, second = self.taken
        count = int(move)
        taken = (first + count, second) if seat == 0 else (first, second + count)
        return replace(self, stones=self.stones - count, turn=1 - seat, taken=taken)

    def values(self) -> tuple[float, ...]:
        return (float(self.taken[0]), float(self.taken[1]))

    def reference(self) -> float:
        return 2.0


@dataclass(frozen=True)
class ReferenceOfNothing(LowReference):
    def reference(self) -> float:
        return float("nan")


@dataclass(frozen=True)
class NamelessOracle(Sound):
    """Does not say what its strongest player is."""

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        return str(self.stones % 4 or 1)

    strategies = {"oracle": oracle}


@dataclass(frozen=True)
class BoastfulOracle(JudgedMoves, Sound):
    """Takes one stone at a time and calls that proven."""

    def judge(self, seat: Seat) -> Mapping[Move, float]:
        return {
            move: float((self.stones - int(move)) % 4 == 0) for move in self.options()[seat] or ()
        }

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        return "1"

    strategies = {"oracle": oracle}
    strongest = "optimal"


@dataclass(frozen=True)
class FlatteringJudge(JudgedMoves, Sound):
    """Plays well, and finds all moves but the last equally good."""

    def judge(self, seat: Seat) -> Mapping[Move, float]:
        moves = self.options()[seat] or ()
        return {move: float(self.stones > 3 or int(move) == self.stones) for move in moves}

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        return str(self.stones % 4 or 1)

    strategies = {"oracle": oracle}
    strongest = "optimal"


@dataclass(frozen=True)
class BoastfulQuestion(SoundQuestion):
    """Its own solution is only half right."""

    def check(self, answer: str, language: Language = "en") -> Verdict:
        if answer.strip() == str(2 * self.number):
            return Verdict(0.5, value=1.0)
        return super().check(answer, language)


@dataclass(frozen=True)
class StrongestOfNoKind(NamelessOracle):
    strongest = "best"  # type: ignore[assignment]


@dataclass(frozen=True)
class MoveOfNoKind(Sound):
    """The example in its rules is not a move that it reads."""

    def rules(self, language: Language = "en") -> str:
        return "Take one to three stones; the last one wins. Write it, for example: take two"


@dataclass(frozen=True)
class QuotedMoveOfNoKind(Sound):
    def rules(self, language: Language = "en") -> str:
        return "Take one to three stones. For example, `2` takes two of them and `1 2` three."


@dataclass(frozen=True)
class AnswerOfNoKind(SoundQuestion):
    """Knows what a number is, and shows an example without one."""

    def check(self, answer: str, language: Language = "en") -> Verdict:
        if not answer.strip().isdigit():
            return Verdict(0.0, "not_a_number", "Write a number.")
        return super().check(answer, language)

    def rules(self, language: Language = "en") -> str:
        return "Double the number. Answer with a number, for example: twenty"


@dataclass(frozen=True)
class OneForAll(Sound):
    def canonical(self) -> str:
        return "stones"


@dataclass(frozen=True)
class SoundSymmetry(Sound):
    """Stones in two heaps, of which either may stand on the left.  Nothing is wrong with it."""

    other: Annotated[int, Doc("stones of the other pile")] = 0

    distinct_instances = {
        "only": InstanceCount(995, "one for each pair of heaps that can be drawn")
    }

    @classmethod
    def new(cls, rng: Random) -> SoundSymmetry:
        stones = rng.randint(10, 1_004)
        return cls(stones // 2, other=stones - stones // 2)

    def options(self) -> Options:
        moves = [
            f"{side} {count}"
            for side, heap in (("left", self.stones), ("right", self.other))
            for count in range(1, min(3, heap) + 1)
        ]
        return {self.turn: moves} if moves else {}

    def after(self, seat: Seat, move: Move) -> SoundSymmetry:
        side, count = move.split()
        name = "stones" if side == "left" else "other"
        return replace(self, **{name: getattr(self, name) - int(count), "turn": 1 - seat})

    def scores(self) -> tuple[float, ...]:
        over = not self.stones and not self.other
        return (float(self.turn), 1.0 - self.turn) if over else (0.5, 0.5)

    def read(self, seat: Seat, text: str) -> Move:
        move = text.strip().lower()
        if not re.fullmatch(r"(left|right) [123]", move):
            raise Unreadable("Write a side and a number, for example: left 2")
        return move

    def rules(self, language: Language = "en") -> str:
        return "Take one to three stones from one heap; whoever takes the last one of both wins."

    def text(self, seat: Seat, language: Language = "en") -> str:
        return f"{self.stones} stones on the left, {self.other} on the right"

    def equivalent(self, rng: Random) -> Self:
        return rng.choice((self, replace(self, stones=self.other, other=self.stones)))

    def canonical(self) -> Hashable:
        return tuple(sorted((self.stones, self.other)))


@dataclass(frozen=True)
class SideMatters(SoundSymmetry):
    """Calls heaps alike that its canonical form tells apart."""

    def canonical(self) -> Hashable:
        return self.stones, self.other


@dataclass(frozen=True)
class AlikeTakesAHeap(SoundSymmetry):
    """Takes away a heap, which its canonical form does not notice."""

    def equivalent(self, rng: Random) -> Self:
        return replace(self, stones=0)

    def canonical(self) -> Hashable:
        return self.stones + self.other > 0


@dataclass(frozen=True)
class AlikeLeadsElsewhere(SoundSymmetry):
    """Offers as many moves after `equivalent`, but they lead elsewhere."""

    def equivalent(self, rng: Random) -> Self:
        return replace(self, stones=self.stones // 4 * 4 + 3)

    def canonical(self) -> Hashable:
        return self.stones // 4, self.other


@dataclass(frozen=True)
class AlikeOnAWhim(SoundSymmetry):
    def equivalent(self, rng: Random) -> Self:
        return random.choice((self, replace(self, stones=self.other, other=self.stones)))


@dataclass(frozen=True)
class AlikeOfAnotherKind(SoundSymmetry):
    def equivalent(self, rng: Random) -> Any:
        return SoundSymmetry(self.stones, self.turn, self.other)


@dataclass(frozen=True)
class AlikeIsWorthMore(Objective, SoundQuestion):
    """Calls the number and the next one alike, though more can be reached with it."""

    def equivalent(self, rng: Random) -> Self:
        return replace(self, number=self.number ^ 1)

    def canonical(self) -> Hashable:
        return self.number >> 1

    def reference(self) -> float:
        return float(2 * self.number)


@dataclass(frozen=True)
class CanonicalIsASet(SoundSymmetry):
    """Is in no order, so its JSON differs from process to process."""

    def canonical(self) -> Hashable:
        return frozenset((self.stones, self.other))


@dataclass(frozen=True)
class CanonicalIsAFraction(Sound):
    def canonical(self) -> Hashable:
        return ("share", (self.stones / 3,))


@dataclass(frozen=True)
class CanonicalIsAnAddress(Sound):
    """Remembers which object it is."""

    def canonical(self) -> Hashable:
        return self.__dict__.setdefault("address", id(self))


@dataclass(frozen=True)
class FewOnTheSly(Sound):
    """Has 41 instances and does not say so."""

    distinct_instances = {}

    @classmethod
    def new(cls, rng: Random) -> FewOnTheSly:
        return cls(rng.randint(100, 140))


@dataclass(frozen=True)
class FewAfterTurning(SoundSymmetry):
    """Has many instances, but few that are not alike."""

    distinct_instances = {}

    @classmethod
    def new(cls, rng: Random) -> FewAfterTurning:
        return cls(rng.randint(10, 400), other=rng.randint(10, 400))

    def canonical(self) -> Hashable:
        return (self.stones + self.other) % 7, self.turn


@dataclass(frozen=True)
class MoreThanItSays(Sound):
    distinct_instances = {"only": InstanceCount(30, "one for each pile size")}


@dataclass(frozen=True)
class SmallInWordsOnly(Sound):
    distinct_instances = {"only": "there are few"}  # type: ignore[dict-item]


@dataclass(frozen=True)
class SoundFoul(Fouls, LeakedSecret):
    """Hides a number, and writes down who breaks the rules.  Nothing is wrong with it."""

    revealed: Annotated[tuple[int, ...], Doc("what fouls have revealed")] = ()

    def options(self) -> Options:
        return {self.turn: ["1"]} if self.stones > 0 and len(self.revealed) < 3 else {}

    def foul(self, seat: Seat, move: Move) -> SoundFoul:
        return replace(self, revealed=(*self.revealed, seat))

    def text(self, seat: Seat, language: Language = "en") -> str:
        return f"{self.stones} stones, fouls: {self.revealed}"


@dataclass(frozen=True)
class FoulTells(SoundFoul):
    """Hides a number, and tells it to whoever breaks the rules."""

    def foul(self, seat: Seat, move: Move) -> FoulTells:
        return replace(self, revealed=(*self.revealed, self.hidden))


@dataclass(frozen=True)
class StrictAboutBlanks(SoundQuestion):
    def check(self, answer: str, language: Language = "en") -> Verdict:
        return (
            Verdict(1.0)
            if answer == str(2 * self.number)
            else Verdict(0.0, "wrong", "That is not the double.")
        )


@dataclass(frozen=True)
class FirstWordOnly(SoundQuestion):
    def check(self, answer: str, language: Language = "en") -> Verdict:
        right = answer.split()[:1] == [str(2 * self.number)]
        return Verdict(1.0) if right else Verdict(0.0, "wrong", "That is not the double.")


@dataclass(frozen=True)
class LostInExpressions(SoundQuestion):
    def check(self, answer: str, language: Language = "en") -> Verdict:
        right = re.fullmatch(r"(\d+)+", answer) is not None and int(answer) == 2 * self.number
        return Verdict(1.0) if right else Verdict(0.0, "wrong", "That is not the double.")


@dataclass(frozen=True)
class OneLevelTwice(Sound):
    levels = {"easy": {"most": 100}, "hard": {"most": 900}}

    @classmethod
    def new(cls, rng: Random, *, most: int = 100) -> OneLevelTwice:
        return cls(rng.randint(5, 100))


@dataclass(frozen=True)
class SoundFamilies(Families, SoundQuestion):
    """Double or treble a number, as the family says.  Nothing is wrong with it."""

    family: Annotated[str, Doc("which rule holds")] = "double"

    families = {"double": "twice the number", "treble": "three times the number"}

    @classmethod
    def new(cls, rng: Random, *, family: str | None = None) -> Self:
        family = family or cls.draw_family(rng)
        return cls(rng.randrange(10_000, 33_333), family)

    def check(self, answer: str, language: Language = "en") -> Verdict:
        right = answer.strip() == self.solution()
        return Verdict(1.0) if right else Verdict(0.0, "wrong", "That is not the product.")

    def solution(self) -> str:
        return str((2 if self.family == "double" else 3) * self.number)

    def rules(self, language: Language = "en") -> str:
        return f"Give the {self.family} of the number."


@dataclass(frozen=True)
class SiblingForgetsFamily(SoundFamilies):
    """Draws another family for its worked examples."""

    def sibling(self, rng: Random, **level: Any) -> Self:
        return type(self).new(rng, **level)

    def rules(self, language: Language = "en") -> str:
        return "Give the product."

    def text(self, seat: Seat, language: Language = "en") -> str:
        return f"The {self.family} of {self.number}?"


@dataclass(frozen=True)
class NewIgnoresFamily(SoundFamilies):
    @classmethod
    def new(cls, rng: Random, *, family: str | None = None) -> Self:
        return cls(rng.randrange(10_000, 33_333), cls.draw_family(rng))


@dataclass(frozen=True)
class NewTakesNoFamily(SoundFamilies):
    @classmethod
    def new(cls, rng: Random) -> Self:
        return cls(rng.randrange(10_000, 33_333), cls.draw_family(rng))


@dataclass(frozen=True)
class UndeclaredFamily(SoundFamilies):
    @classmethod
    def new(cls, rng: Random, *, family: str | None = None) -> Self:
        return cls(rng.randrange(10_000, 33_333), family or rng.choice(("double", "fourfold")))


@dataclass(frozen=True)
class FamiliesInNameOnly(SoundFamilies):
    """Has two families that a player cannot tell apart."""

    def solution(self) -> str:
        return str(2 * self.number)

    def rules(self, language: Language = "en") -> str:
        return "Double the number."


@dataclass(frozen=True)
class OneFamilyIsSmall(SoundFamilies):
    """Has one instance in one of its families, and does not say so."""

    @classmethod
    def new(cls, rng: Random, *, family: str | None = None) -> Self:
        family, number = family or cls.draw_family(rng), rng.randrange(10_000, 33_333)
        return cls(12_345 if family == "treble" else number, family)


@dataclass(frozen=True)
class SmallOfNoFamily(SoundFamilies):
    distinct_instances = {"only,family=fourfold": InstanceCount(3, "there are three numbers")}


@dataclass(frozen=True)
class AnyDraw(ChanceMoves, Sound):
    """Adds as many stones as the text of a draw is long, whatever it says."""

    drawn: bool = False

    def options(self) -> Options:
        return super().options() if self.drawn else {CHANCE: None}

    def chance(self, rng: Random) -> Move:
        return "more" * rng.randint(2, 9)

    def after(self, seat: Seat, move: Move) -> Sound:
        if seat == CHANCE:
            return replace(self, stones=self.stones + len(move), drawn=True)
        return super().after(seat, move)

    def text(self, seat: Seat, language: Language = "en") -> str:
        return f"{self.stones} stones" if self.drawn else f"{self.stones} stones and some more"


@dataclass(frozen=True)
class CrashingDraw(AnyDraw):
    """It relies on draws being numbers."""

    def chance(self, rng: Random) -> Move:
        return str(rng.randint(2, 9))

    def after(self, seat: Seat, move: Move) -> Sound:
        return super().after(seat, "x" * int(move) if seat == CHANCE else move)


@dataclass(frozen=True)
class MissingValue(Sound):
    """Its text names the last move before there is one."""

    last: Move | None = None

    def after(self, seat: Seat, move: Move) -> Sound:
        return replace(super().after(seat, move), last=move)

    def text(self, seat: Seat, language: Language = "en") -> str:
        return f"{self.stones} stones, the last move was {self.last}"


@dataclass(frozen=True)
class MissingLabel(Sound):
    """Its picture has a caption that nobody wrote."""

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        return Scene(4, 2, (Label(2, 1, f"{None}"),))


@dataclass(frozen=True)
class FarFewerThanItSays(Sound):
    """Ten pile sizes, called many, so that the level would be divided into splits."""

    distinct_instances = {"only": InstanceCount(9_100, "one for each pile size")}

    @classmethod
    def new(cls, rng: Random) -> FarFewerThanItSays:
        return cls(rng.randint(20, 29))


@dataclass(frozen=True)
class CanonicalIsAHash(Sound):
    """Equal within a process, and another one in the next process."""

    def canonical(self) -> Hashable:
        return hash(str(self.stones))


@dataclass(frozen=True)
class BeatenAlthoughOptimal(Sound):
    """Its oracle always takes one stone."""

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        return "1"

    strategies = {"oracle": oracle}
    strongest = "optimal"


@dataclass(frozen=True)
class BeatenByTheCareful(SoundSolo):
    """Its oracle takes too many at the end, and another strategy does not."""

    def careful(self, seat: Seat, rng: Random, budget: int) -> Move:
        return "1"

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        return "2"

    strategies = {"careful": careful, "oracle": oracle}
    strongest = "optimal"


@dataclass(frozen=True)
class MoveOutOfBounds(Sound):
    """Its rules give a move as an example that can never be legal."""

    def notation(self) -> Notation:
        return Notation("{stones}", stones=MoveNumber(1, 3))

    def read(self, seat: Seat, text: str) -> Move:
        return Game.read(self, seat, text)

    def rules(self, language: Language = "en") -> str:
        return f"{super().rules(language)}\nFor example: 9"


@dataclass(frozen=True)
class PublicCopy(HiddenInformation, Sound):
    """Its secret stands in a public field too."""

    hidden: Secret[int] = 0
    copied: int = 0

    @classmethod
    def new(cls, rng: Random) -> PublicCopy:
        hidden = rng.randrange(1_000)
        return cls(rng.randint(20, 10_000) % 997 + 5, 0, hidden, hidden)

    def possible_position(self, rng: Random) -> PublicCopy:
        return replace(self, hidden=rng.randrange(1_000))


@dataclass(frozen=True)
class TextOfTheWhole(HiddenInformation, Sound):
    """Its views show nothing, but the whole position shows the secret to any seat."""

    hidden: Secret[int] = 0

    @classmethod
    def new(cls, rng: Random) -> TextOfTheWhole:
        return cls(rng.randint(20, 10_000) % 997 + 5, 0, rng.randrange(1_000))

    def possible_position(self, rng: Random) -> TextOfTheWhole:
        return replace(self, hidden=rng.randrange(1_000))

    def text(self, seat: Seat, language: Language = "en") -> str:
        return f"{self.stones} stones" + (f", {self.hidden} hidden" if self.hidden else "")


@dataclass(frozen=True)
class LegalOfTheWhole(TextOfTheWhole):
    """A seat that asks its view for its legal moves gets none."""

    def options(self) -> Options:
        return super().options() if self.hidden is not None else {}

    def text(self, seat: Seat, language: Language = "en") -> str:
        return f"{self.stones} stones"


@dataclass(frozen=True)
class SoundTree(StateTasks, Game):
    """Reach a number in six steps.  Nothing is wrong with it or with its state tasks."""

    number: Annotated[int, Doc("the number so far")]
    goal: Annotated[int, Doc("the number to reach")]
    left: Annotated[int, Doc("moves left")] = 6

    seats = 1

    @classmethod
    def new(cls, rng: Random) -> Self:
        start = end = cls(rng.randrange(997), 0)
        while end.left:
            end = end.after(0, rng.choice(STEPS))
        return replace(start, goal=end.number)

    def options(self) -> Options:
        return {0: STEPS} if self.left else {}

    def after(self, seat: Seat, move: Move) -> Self:
        number = 2 * self.number if move == "double" else self.number + int(move.split()[1])
        return replace(self, number=number % 997, left=self.left - 1)

    def scores(self) -> tuple[float, ...]:
        return (float(self.number == self.goal and not self.left),)

    def rules(self, language: Language = "en") -> str:
        return (
            "Make the goal of the number in exactly the steps that are left. A step is `double`, "
            "`add 5` or `add 31`; from 997 on, 997 is taken away."
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        return f"Number: {self.number}. Goal: {self.goal}. Steps left: {self.left}."


STEPS = ("double", "add 5", "add 31")


@dataclass(frozen=True)
class StateTells(SoundTree):
    """Writes a blank after a dead end."""

    def state(self) -> str:
        return super().state() + " " * (not self.solvable())


@dataclass(frozen=True)
class HidesItsPuzzle(StateCheck):
    """Shows the position alone."""

    def text(self, seat: Seat, language: Language = "en") -> str:
        return self.position.state()


@dataclass(frozen=True)
class TellsTheLabel(StateCheck):
    """Plays dead ends to their ends, so that they have no moves left."""

    @classmethod
    def drawn(
        cls,
        rng: Random,
        start: Game,
        fits: Fits = anything,
        is_alike: bool = True,
        *,
        label: state_task.Label = "either",
        depth: tuple[int, int] | None = None,
    ) -> Iterator[Self]:
        for task in super().drawn(rng, start, fits, is_alike, label=label, depth=depth):
            position = task.position
            while not task.answer and position.options():
                position = position.after(0, STEPS[0])
            yield replace(task, position=position, tried=None)


BROKEN_TASKS = {  # broken `check:` on SoundTree -> words its fault must be named with
    HidesItsPuzzle: "the state task hides its puzzle",
    TellsTheLabel: "the sampler tells the label: the number of legal moves is enough",
}

FAULTS = {  # broken puzzle -> words its fault must be named with
    GlobalRandom: "the same seed gave two different instances",
    SeedIgnored: "seeds 0 and 1 gave the same instance",
    LuckInPlay: "two results for one move",
    ListInside: "cannot be hashed",
    NotFrozen: "@dataclass(frozen=True)",
    ChangesItself: "`play`",
    CrashOnOddText: "`read` raised",
    SilentRefusal: "a refusal is empty",
    Endless: "is not over after 50000 moves",
    EndlessLuck: "is not over after 50000 moves of chance",
    DuplicateOptions: "contain a move twice",
    FindsUnlistedMoves: "found in the options but not listed",
    StrangerMoves: "there are 2 seats",
    WrongScoreShape: "there are 2 seats",
    ScoreTooHigh: "from 0.0 to 1.0",
    StrangeCause: "the rules end a match by 'timeout'",
    UnreadableOptions: "is refused",
    RulesNameTheInstance: "`rules` differ between an instance and its siblings",
    DeadLevel: "arguments it does not take: height",
    CheatingStrategy: "makes an illegal move: '9'",
    GhostHouse: "'champion', which is not a strategy",
    PictureOutside: "a shape outside its edges",
    WordsOutside: "a shape outside its edges",
    UnknownColour: "the unknown colour 'mauve'",
    UnexplainedColour: "uses 'sky', but `legend` does not say what it means",
    NotDescribed: "the field `more` has no description",
    InnerNotDescribed: "the field `amount` of `Inner`, which `inners` holds, has no description",
    EntryNotDescribed: "the field `other` of `Pair`, which `outer` holds, has no description",
    NoDocstring: "it has no docstring",
    BadForm: "`form` is 'table'",
    BadBetter: "`better` is 'higher'",
    HouseOfNoLevel: "`house` names the level 'hard'",
    UsualLevelOfNoName: "`usual_level` is 'normal', which is not a level",
    SmallOfNoLevel: "`distinct_instances` names the level 'tiny'",
    RandomText: "`text` of one position differs",
    RandomRules: "uses the global random: what is shown",
    GlobalRandomStrategy: "different moves for one view and equal luck",
    MovingStrategy: "uses the global random: its luck",
    FoulStaysPut: "does not change the position",
    LeakedSecret: "the options of seat",
    ShownSecret: "shows the secret `hidden`",
    CachedSecret: "carries `doubled`, which is not a declared field",
    HidesNothing: "nothing is hidden: declare fields",
    StillHidden: "still hides `hidden`",
    PublicEntry: "the public field `dealt[1]` always equals `cards[1]`",
    NoWorld: "needs `HiddenInformation` and its own `possible_position`",
    SeenChoice: "can see the simultaneous choice",
    OtherRound: "`after_round` leads elsewhere",
    Unsolvable: "an instance cannot be solved",
    FalseSolvable: "`solvable` is True where the game is over and not solved",
    NeverSolvable: "`solvable` wrongly denies it",
    BlindAtTheGoal: "`solvable` is False where the game is over and solved",
    AlwaysSolvableAfter: "`solvable_after` is True for '2', and `solvable` then False",
    HopefulInBetween: "`solvable` is False for a position, but it is True for one of those after",
    LeadsEverywhere: "`leads_to` is True where no move is left",
    LeadsNowhere: "`leads_to` is False for the position after",
    NoBranches: "`branches` gives 0 moves and none of them leads to a solution",
    StrangeBranches: "`branches` holds '3', which is not among the options",
    OneMoveToAll: "`move_to` gives '1' for the position after '2'",
    SeldomOptimal: "the oracle does not solve seldom_optimal/only#",
    BrokenMoves: "`moves` raised ValueError",
    CheckerRaises: "`check` raised ValueError",
    RefusesItsSolution: "refuses the puzzle's own solution",
    RefusesSomeSolutions: "of refuses_some_solutions/only#",
    AcceptsNonsense: "the checker accepts",
    AcceptsAnyNumber: "different guesses",
    GivesAway: "the text gives the solution away",
    SceneTells: "the scene gives the solution away",
    JsonTells: "the JSON gives the solution away",
    FeedbackTells: "the feedback to guesses gives the solution away",
    SilentChecker: "no kind or no feedback",
    FickleChecker: "two verdicts on one answer",
    SolutionOutOfShape: "does not fit `answer_shape`: Number(low=0, high=9999)",
    SampleOutOfShape: " or so' does not fit `answer_shape`",
    LinesInOneField: "does not fit the form of `answer_shape`",
    DataJudgedDifferently: "is judged differently if it is given as JSON data",
    PlayRefuses: "it raised Illegal: not three",
    LooksAtTheClock: "text uses `time`",
    ReadsAFile: "_stones_on_file uses `open`",
    ImportsWithin: "scores uses `os`",
    BothWin: "those of two seats must sum to 1",
    InvertedJudge: "but it ends the match with 1.0",
    WordlessStones: "two positions with the same text have different options",
    WordlessNumber: "two positions with the same text have different solutions",
    HiddenCountdown: "`text` of seat 0 leaves out what matters",
    LowReference: "`reference` is 0.5, but the puzzle's own solution reaches 1.0",
    BeatenByItsOracle: "`reference` is 1.0, but the oracle reaches 0.0",
    LowReferenceOfSome: "`reference` is 0.5, but the puzzle's own solution reaches 1.0",
    BeatenDuel: "`reference` is 2.0, but a random match reaches",
    ReferenceOfNothing: "`reference` is nan",
    NamelessOracle: "it has an `oracle` but does not say what that is",
    BoastfulOracle: "`strongest` is 'optimal', but the oracle plays '1'",
    FlatteringJudge: "then reaches 0 against itself: one of the two is wrong",
    BoastfulQuestion: "`strongest` is 'optimal', but the puzzle's own solution scores 0.5",
    StrongestOfNoKind: "`strongest` is 'best'; choose one of optimal",
    MoveOfNoKind: "the example 'take two' in the rules cannot be read (en)",
    QuotedMoveOfNoKind: "the example '1 2' in the rules cannot be read (en)",
    AnswerOfNoKind: "the example 'twenty' in the rules cannot be read (en)",
    OneForAll: "`canonical` is the same for all of 20 instances",
    SideMatters: "`canonical` differs between a position and one from `equivalent`",
    AlikeTakesAHeap: "`equivalent` changes the task: its numbers of legal moves differ",
    AlikeLeadsElsewhere: "`equivalent` changes the task: its positions after one move differ",
    AlikeOnAWhim: "`equivalent` differs for equal luck",
    AlikeOfAnotherKind: "`equivalent` of a AlikeOfAnotherKind is a SoundSymmetry",
    AlikeIsWorthMore: "`equivalent` changes `reference` from",
    CanonicalIsASet: "`canonical` contains a frozenset",
    CanonicalIsAFraction: "`canonical` contains a float",
    CanonicalIsAnAddress: "`canonical` differs for equal instances",
    FewOnTheSly: "instances are distinct by `canonical`; say how many there are in "
    "`distinct_instances['only']`",
    FewAfterTurning: "of 100 instances are distinct by `canonical`",
    MoreThanItSays: "`distinct_instances['only']` says exactly 30, but ",
    SmallInWordsOnly: "`distinct_instances['only']` is 'there are few'; write InstanceCount(",
    FoulTells: "reveals secrets: what follows depends on them",
    StrictAboutBlanks: "differently with blanks around it",
    FirstWordOnly: "accepts the solution with more after it",
    OneLevelTwice: "the same instances for 'easy' and 'hard'",
    SiblingForgetsFamily: "a `sibling` of an instance of family 'double' is of 'treble'",
    NewIgnoresFamily: "was asked for family 'double' and made 'treble'",
    NewTakesNoFamily: "`new` does not take `family`",
    UndeclaredFamily: "the family 'fourfold', which `families` does not name",
    FamiliesInNameOnly: "families 'double' and 'treble' have the same rules and texts",
    OneFamilyIsSmall: "say so in `distinct_instances['only,family=treble']`",
    SmallOfNoFamily: "`distinct_instances` names the family 'fourfold', which does not exist",
    MissingValue: "`text` says None where a value is missing",
    MissingLabel: "`scene` says None where a value is missing",
    AnyDraw: "chance cannot draw '', but `after` accepts it",
    CrashingDraw: "chance cannot draw '', but `after` raises ValueError",
    FarFewerThanItSays: "seeds gave only 10 distinct instances, so there are about 10",
    CanonicalIsAHash: "canonical uses `hash`, which differs from process to process",
    BeatenAlthoughOptimal: "against itself, and only 0 against 'random'",
    BeatenByTheCareful: "but the oracle reaches the score 0, and 'careful' reaches 1",
    MoveOutOfBounds: "the example '9' in the rules is out of the bounds",
    PublicCopy: "the public field `copied` always equals `hidden`, which is hidden",
    TextOfTheWhole: "`text` of the whole position for seat 0 differs from that of its view",
    StateTells: "the sampler tells the label: the length of the state is enough",
    LegalOfTheWhole: "`legal` of seat 0 differs between a position and its view",
}

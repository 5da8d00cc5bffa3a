"""Puzzles with a hook that does not take or return what the contract says."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from broken_puzzles import Sound, SoundQuestion, SoundSolo
from quandary.core.bounds import Range
from quandary.core.contract import Game, Language, Move, Options, Puzzle, Seat


@dataclass(frozen=True)
class NothingNew(Sound):
    @classmethod
    def new(cls, rng: Random) -> Any:
        cls(7)


@dataclass(frozen=True)
class NewOfAnInstance(Sound):
    def new(self, rng: Random) -> Sound:  # type: ignore[override]
        return Sound(7)


@dataclass(frozen=True)
class NewWithoutLuck(Sound):
    @classmethod
    def new(cls) -> NewWithoutLuck:  # type: ignore[override]
        return cls(7)


@dataclass(frozen=True)
class NumberForARange(Sound):
    levels = {"only": {"stones": 60}}

    @classmethod
    def new(cls, rng: Random, *, stones: Range = (20, 90)) -> NumberForARange:
        return cls(rng.randint(*stones))


@dataclass(frozen=True)
class ListedOptions(Sound):
    def options(self) -> Any:
        return ["1", "2"]


@dataclass(frozen=True)
class OptionsInASet(Sound):
    def options(self) -> Options:
        return {seat: set(moves or ()) for seat, moves in super().options().items()}


@dataclass(frozen=True)
class OptionsOnce(Sound):
    def options(self) -> Any:
        return {seat: (move for move in moves or ()) for seat, moves in super().options().items()}


@dataclass(frozen=True)
class OptionsOfNumbers(Sound):
    def options(self) -> Any:
        return {seat: [1, 2] for seat in super().options()}


@dataclass(frozen=True)
class OptionsInOneText(Sound):
    def options(self) -> Any:
        return {seat: "".join(moves or ()) for seat, moves in super().options().items()}


@dataclass(frozen=True)
class OptionsOfASeat(Sound):
    def options(self, seat: Seat) -> Options:  # type: ignore[override]
        return super().options()


@dataclass(frozen=True)
class NothingAfter(Sound):
    def after(self, seat: Seat, move: Move) -> Any:
        replace(self, stones=self.stones - int(move), turn=1 - seat)


@dataclass(frozen=True)
class NoText(Sound):
    def text(self, seat: Seat, language: Language = "en") -> Any:
        self.stones.__format__("d")


@dataclass(frozen=True)
class TextOfNoSeat(Sound):
    def text(self, language: Language = "en") -> str:  # type: ignore[override]
        return f"{self.stones} stones"


@dataclass(frozen=True)
class ListedScores(Sound):
    def scores(self) -> Any:
        return list(super().scores())


@dataclass(frozen=True)
class NoEnding(Sound):
    def ending(self) -> Any:
        pass


@dataclass(frozen=True)
class NotationInText(Sound):
    def notation(self) -> Any:
        return "{count}"


@dataclass(frozen=True)
class ListedStrategies(Sound):
    strategies: Any = ("oracle",)  # type: ignore[misc]


@dataclass(frozen=True)
class VersionInText(Sound):
    version: Any = "1"  # type: ignore[misc]


@dataclass(frozen=True)
class ListedCanonical(Sound):
    def canonical(self) -> Hashable:
        return [self.stones]  # type: ignore[return-value]


@dataclass(frozen=True)
class GapsInText(SoundSolo):
    def gaps(self) -> Any:
        return "many"


@dataclass(frozen=True)
class ListedAppearance(SoundSolo):
    def appearance(self) -> Hashable:
        return [self.left]  # type: ignore[return-value]


@dataclass(frozen=True)
class BranchesOfNumbers(SoundSolo):
    def branches(self) -> Collection[Any]:
        return [1, 2]


@dataclass(frozen=True)
class CheckerOfBooleans(SoundQuestion):
    def check(self, answer: str, language: Language = "en") -> Any:
        return answer.strip() == self.solution()


@dataclass(frozen=True)
class CheckerOfOneLanguage(SoundQuestion):
    def check(self, answer: str) -> Any:  # type: ignore[override]
        return super().check(answer)


@dataclass(frozen=True)
class SolutionInData(SoundQuestion):
    def solution(self) -> Any:
        return 2 * self.number


@dataclass(frozen=True)
class ShapeInADict(SoundQuestion):
    def answer_shape(self) -> Any:
        return {"type": "number"}


class Unfinished(Game):
    options, scores, rules, new = Sound.options, Sound.scores, Sound.rules, Sound.new


HOOK_FAULTS: dict[type[Puzzle], str] = {  # broken puzzle -> the one sentence about it
    NothingNew: "`new` must return a NothingNew, not None",
    NewOfAnInstance: "`new` must be a class method: write @classmethod above `def new(cls, rng: "
    "Random, *args: Any, **level: Any) -> Self`",
    NewWithoutLuck: "`new` takes (cls), but it is called with (cls, rng): write `def new(cls, rng: "
    "Random, *args: Any, **level: Any) -> Self`",
    NumberForARange: "`levels` gives 'stones' of 'only' the value 60, but `new` takes tuple[int, "
    "int]: write (60, 60)",
    ListedOptions: "`options` must return a dict {seat: list of moves}, not a list such as ['1', "
    "'2']",
    OptionsInASet: "`options` must list the moves of a seat in a fixed order, as a list or tuple, "
    "not as a set: it has another order in another process",
    OptionsOnce: "`options` must give the moves of a seat as a list or tuple, not as a generator",
    OptionsOfNumbers: "`options` must list moves as texts (str), not 1",
    OptionsInOneText: "`options` must give the moves of a seat as a list or tuple, not as '123'",
    OptionsOfASeat: "`options` takes (self, seat), but it is called with (self): write `def "
    "options(self) -> Options`",
    NothingAfter: "`after` must return a NothingAfter, not None",
    NoText: "`text` must return a text (str), not None",
    TextOfNoSeat: "`text` takes (self, [language]), but it is called with (self, seat, [language]):"
    ' write `def text(self, seat: Seat, language: Language = "en") -> str`',
    ListedScores: "`scores` must return a tuple of numbers, not a list such as [0.0, 1.0]",
    NoEnding: "`ending` must return an Ending, not None",
    NotationInText: "`notation` must return a Notation or None, not '{count}'",
    ListedStrategies: '`strategies` must be a dict such as {"oracle": oracle}, not a tuple such as '
    "('oracle',)",
    VersionInText: "`version` must be a whole number (int), not '1'",
    ListedCanonical: "`canonical` must return something that can be hashed, such as a tuple, not a "
    "list such as [200]",
    GapsInText: "`gaps` must return a whole number (int) or None, not 'many'",
    ListedAppearance: "`appearance` must return something that can be hashed, such as a tuple, not "
    "a list such as [7]",
    BranchesOfNumbers: "`branches` must return Collection[str], not a list such as [1, 2]",
    CheckerOfBooleans: "`check` must return a Verdict, not True",
    CheckerOfOneLanguage: "`check` takes (self, answer), but it is called with (self, answer, "
    "[language]): "
    'write `def check(self, answer: str, language: Language = "en") -> Verdict`',
    SolutionInData: "`solution` must return a text (str), not 82008",
    ShapeInADict: "`answer_shape` must return an Answer or None, not a dict such as {'type': "
    "'number'}",
}

"""Positions with equal canonical forms that leave different tasks are found, and no others."""

from __future__ import annotations

import time
from collections.abc import Hashable
from dataclasses import dataclass, replace
from itertools import count, islice
from random import Random

import pytest

from broken_canonical import (
    FORGOTTEN,
    ForgottenHand,
    ForgottenMoves,
    SoundDifference,
    SoundFouls,
    SoundRuns,
    SoundSum,
)
from broken_puzzles import Sound
from quandary.conformance import Violation, distinct
from quandary.conformance.case import ALL_DRAWS, Case
from quandary.conformance.collisions import equal_forms_leave_the_same_task
from quandary.conformance.same_task import difference
from quandary.core.contract import CHANCE, ChanceMoves, Game, Language, Move, Options, Puzzle, Seat
from quandary.puzzles.duels.bid_that import BidThat
from quandary.puzzles.questions.words.anagram_scribble import AnagramScribble
from quandary.puzzles.solo.exclusivity_probes import ExclusivityProbes
from quandary.puzzles.solo.game_of_24 import GameOf24

SOUND = (
    AnagramScribble,
    BidThat,
    pytest.param(ExclusivityProbes, marks=pytest.mark.heavy),
    SoundFouls,
    SoundSum,
    SoundDifference,
    SoundRuns,
)
PLACES = [(puzzle, level) for puzzle in FORGOTTEN for level in puzzle.levels]


def _complaints(puzzle: type[Puzzle], level: str = "only") -> list[str]:
    case = Case.of(puzzle, level, range(1), ALL_DRAWS)
    return list(islice(equal_forms_leave_the_same_task(case), 1))


@pytest.mark.parametrize(
    ("puzzle", "level"), PLACES, ids=[f"{puzzle.__name__}/{level}" for puzzle, level in PLACES]
)
def test_what_a_form_leaves_out_is_found_at_every_level(puzzle: type[Puzzle], level: str) -> None:
    """The sentence names the field, and the whole of a position."""
    sentence = _complaints(puzzle, level)[0]

    assert "`canonical` is equal for two positions that leave different tasks: " in sentence
    assert FORGOTTEN[puzzle] in sentence  # type: ignore[index]
    assert f'the one is "{puzzle.__name__}(' in sentence


@pytest.mark.parametrize("puzzle", SOUND, ids=lambda puzzle: puzzle.__name__)
def test_right_forms_are_not_blamed(puzzle: type[Puzzle]) -> None:
    """The puzzles of which the broken ones are variants."""
    assert [] == _complaints(puzzle, next(iter(puzzle.levels), "only"))


def test_one_fault_of_several_levels_is_listed_once() -> None:
    """However different the positions are that show it."""
    levels = list(ForgottenHand.levels)
    found = [
        Violation("nim", level, "forms", _complaints(ForgottenHand, level)[0]) for level in levels
    ]

    assert [3] == [violation.places for violation in distinct(found)]


def test_what_is_found_does_not_depend_on_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even if it always tells that hours have passed."""
    found, hours = _complaints(ForgottenMoves), count(step=3_600)
    monkeypatch.setattr(time, "process_time", lambda: float(next(hours)))

    assert found == _complaints(ForgottenMoves) != []


def test_moves_that_lead_to_the_same_task_count_as_one() -> None:
    """4 and 2 + 2 are the same value, though there are more ways to write a move."""
    one, other = GameOf24(("4", "4", "3")), GameOf24(("(2 + 2)", "4", "3"))
    assert one.canonical() == other.canonical()
    assert len(one.legal()) != len(other.legal())

    assert "" == difference(one, other, Random(0))


def test_turned_questions_are_the_same_task() -> None:
    """Also those that can be turned in many ways."""
    one = SoundSum.new(Random(1))
    for seed in range(10):
        assert "" == difference(one, one.equivalent(Random(seed)), Random(0))
    assert "different" not in difference(one, replace(one, number=5), Random(0))
    assert "scores 1 in one and 0 in the other" in difference(
        one, replace(one, number=5), Random(0)
    )


@dataclass(frozen=True)
class Dice(ChanceMoves, Sound):
    """A stone may fall off the table before each move, and the form does not say how likely."""

    weight: int = 1
    rolled: bool = False

    def options(self) -> Options:
        if self.stones and not self.rolled:
            return {CHANCE: {"falls": self.weight, "stays": 10}}
        return super().options()

    def after(self, seat: Seat, move: Move) -> Dice:
        if seat == CHANCE:
            return replace(self, stones=self.stones - (move == "falls"), rolled=True)
        return replace(self, stones=self.stones - int(move), turn=1 - seat, rolled=False)

    def canonical(self) -> Hashable:
        return self.stones, self.turn, self.rolled


def test_how_likely_luck_is_belongs_to_the_task() -> None:
    """The positions that can follow are the same, but not how likely they are."""
    assert "different positions can follow" in difference(Dice(9), Dice(9, weight=5), Random(0))
    assert "" == difference(Dice(9), Dice(9), Random(0))


@dataclass(frozen=True)
class Counted(Game):
    """Stones in a row, and their number, which follows from them and is not in the form."""

    row: tuple[int, ...]
    number: int
    total: int

    @classmethod
    def new(cls, rng: Random) -> Counted:
        return cls.of(tuple(rng.choices((1, 2, 3), k=rng.randint(5, 9))))

    @classmethod
    def of(cls, row: tuple[int, ...]) -> Counted:
        return cls(row, len(row), sum(row))

    def __post_init__(self) -> None:
        if self.total != sum(self.row):
            raise ValueError("the total does not fit the row")

    def options(self) -> Options:
        return {self.number % 2: ["left", "right"]} if self.number else {}

    def after(self, seat: Seat, move: Move) -> Counted:
        return Counted.of(self.row[1:] if move == "left" else self.row[:-1])

    def scores(self) -> tuple[float, ...]:
        return (0.5, 0.5)

    def rules(self, language: Language = "en") -> str:
        return "Take an end."

    def text(self, seat: Seat, language: Language = "en") -> str:
        return " ".join(map(str, self.row))

    def canonical(self) -> Hashable:
        return self.row


def test_positions_that_cannot_be_are_not_compared() -> None:
    """Lengths of fields fit each other, and a position may refuse what does not fit."""
    assert [] == _complaints(Counted)

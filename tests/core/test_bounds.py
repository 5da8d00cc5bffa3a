"""Bounds of the arguments of `new`."""

from __future__ import annotations

from dataclasses import dataclass
from inspect import signature
from random import Random
from typing import Annotated, Any, Literal

import pytest

from quandary.catalogue import drawing, registry
from quandary.catalogue.arguments import argument
from quandary.core.bounds import Between, Range, argument_text, check_arguments
from quandary.core.contract import Language, Puzzle, Question, Seat, Verdict
from quandary.core.errors import UserError

MOST = 26


@dataclass(frozen=True)
class Boxed(Question):
    """A question whose arguments have all kinds of bounds."""

    side: int

    levels = {"only": {"side": 5, "stones": (3, 4)}, "wrong": {"side": 99}}

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        side: Annotated[int, Between(2, MOST)] = 8,
        stones: Annotated[Range, Between(1, 10_000)] = (20, 40),
        dealt: Annotated[Range, Between(1)] | None = None,
        share: Annotated[float, Between(0, 1)] = 0.5,
        free: int = 0,
        rule: Literal["short", "long"] = "short",
    ) -> Boxed:
        """A box."""
        return cls(side)

    def rules(self, language: Language = "en") -> str:
        return "Answer."

    def text(self, seat: Seat, language: Language = "en") -> str:
        return str(self.side)

    def check(self, answer: str, language: Language = "en") -> Verdict:
        return Verdict(1.0)

    def solution(self) -> str:
        return ""

    def sample(self, rng: Random) -> str:
        return ""


class Wider(Boxed):
    """A question that takes over `new` from another one."""


@pytest.mark.parametrize("puzzle", [Boxed, Wider])
@pytest.mark.parametrize(
    "level",
    [
        {},
        {"side": 2},
        {"side": MOST},
        {"stones": (1, 10_000)},
        {"stones": (7, 7)},
        {"dealt": None},
        {"dealt": (1, 10**9)},
        {"share": 0},
        {"share": 1.0},
        {"free": -(10**9)},
    ],
)
def test_arguments_within_their_bounds_are_taken(
    puzzle: type[Boxed], level: dict[str, Any]
) -> None:
    assert type(puzzle.new(Random(1), **level)) is puzzle


@pytest.mark.parametrize("puzzle", [Boxed, Wider])
@pytest.mark.parametrize(
    ("level", "sentence"),
    [
        ({"side": 1}, "side=1 is out of bounds; write 2 to 26"),
        ({"side": 27}, "side=27 is out of bounds; write 2 to 26"),
        ({"stones": (0, 5)}, "stones=0..5 is out of bounds; write a range within 1 to 10000"),
        (
            {"stones": (5, 10_001)},
            "stones=5..10001 is out of bounds; write a range within 1 to 10000",
        ),
        ({"stones": (9, 3)}, "stones=9..3 is empty; write the lower end first"),
        ({"dealt": (0, 0)}, "dealt=0 is out of bounds; write a range within 1 or more"),
        ({"share": 1.5}, "share=1.5 is out of bounds; write 0 to 1"),
        ({"share": float("nan")}, "share=nan is out of bounds; write 0 to 1"),
        ({"free": 1, "side": 0}, "side=0 is out of bounds; write 2 to 26"),
    ],
)
def test_arguments_out_of_bounds_are_refused_in_one_sentence(
    puzzle: type[Boxed], level: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ValueError) as refused:
        puzzle.new(Random(1), **level)
    assert str(refused.value) == sentence

    with pytest.raises(ValueError) as refused:
        check_arguments(puzzle.new, level)
    assert str(refused.value) == sentence


def test_specs_are_refused_with_the_sentence() -> None:
    with registry.registered(Boxed):
        assert drawing.instance("boxed/only,side=26,dealt=none#1") == Boxed(26)
        with pytest.raises(UserError, match=r"side=27 is out of bounds; write 2 to 26\.$"):
            drawing.instance("boxed/only,side=27#1")
        with pytest.raises(UserError, match=r"side=99 is out of bounds; write 2 to 26\.$"):
            drawing.instance("boxed/wrong#1")


def test_texts_are_read_by_the_types_within_the_bounds() -> None:
    read = {
        key: argument(Boxed, key, text)
        for key, text in {"side": "27", "stones": "3..9", "dealt": "none", "share": "0.25"}.items()
    }

    assert read == {"side": 27, "stones": (3, 9), "dealt": None, "share": 0.25}
    assert argument(Boxed, "dealt", "4") == (4, 4)


def test_a_checked_method_looks_like_the_one_it_checks() -> None:
    keywords = list(signature(Boxed.new).parameters)

    assert keywords == ["rng", "side", "stones", "dealt", "share", "free", "rule"]
    assert Boxed.new.__doc__ == "A box."
    assert Boxed.new.__name__ == "new"


def test_a_puzzle_without_a_way_to_be_made_stays_abstract() -> None:
    class Unmade(Puzzle):
        """A puzzle that lacks everything."""

    assert "new" in Unmade.__abstractmethods__


@pytest.mark.parametrize(
    ("value", "text"),
    [(8, "8"), ((3, 4), "3..4"), ((3, 3), "3"), (True, "true"), (None, "none"), (0.5, "0.5")],
)
def test_arguments_are_written_as_specs_have_them(value: object, text: str) -> None:
    assert argument_text(value) == text

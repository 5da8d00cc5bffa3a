"""Where records begin."""

from __future__ import annotations

from dataclasses import replace

import pytest

from quandary.catalogue import drawing
from quandary.core.contract import Game, Verdict
from quandary.matches.codec import record_from_json, record_json
from quandary.matches.origin import check_origin
from quandary.matches.record import Record, ReplayMismatch
from quandary.puzzles.duels.card_nim import CardNim
from quandary.tasks.question_game import QuestionGame

OTHER = CardNim(1, ((1,), (1,)))


def record(name: str, start: Game) -> Record:
    return Record(name, ("a",) * start.seats, start, (), (), None, None, "infrastructure")


@pytest.mark.parametrize(
    ("name", "tries", "language"),
    [
        ("card_nim/easy#1", 1, "en"),
        ("card_nim/easy,stones=5..9@train#3", 1, "en"),
        ("reversi/1#2", 3, "zh"),
        ("anagram_scribble/easy#1", 1, "en"),
        ("whole:tidy_tower/easy#1", 2, "en"),
        ("check:sudoku/easy#1", 3, "en"),
        ("next:game_of_24/easy#1", 2, "en"),
    ],
)
def test_a_record_begins_with_the_instance_it_is_named_after(
    name: str, tries: int, language: str
) -> None:
    """Games, questions of so many tries in some language, and tasks; another seed is another
    beginning.
    """
    played = record(name, drawing.game(name, tries=tries, language=language))
    check_origin(record_from_json(record_json(played)))

    with pytest.raises(ReplayMismatch, match="does not start from the instance"):
        check_origin(replace(played, name=f"{name}7"))


def test_a_name_of_ones_own_begins_anywhere() -> None:
    """What is no spec promises no instance."""
    check_origin(record("our first match", OTHER))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"start": OTHER}, "does not start from"),
        (
            {"start": drawing.game("card_nim/easy#1"), "name": "card_nim/esy#1"},
            "is not that of an instance .* did you mean 'easy'",
        ),
        (
            {"start": drawing.game("islands/easy#1"), "name": "whole:islands/easy#1"},
            "is not that of an instance",
        ),
    ],
)
def test_a_record_that_begins_elsewhere_is_unfaithful(
    changes: dict[str, object], reason: str
) -> None:
    """Neither a position of somebody's own nor a name without an instance passes."""
    with pytest.raises(ReplayMismatch, match=reason):
        check_origin(replace(record("card_nim/easy#1", OTHER), **changes))  # type: ignore[arg-type]


@pytest.mark.parametrize("changes", [{"tries": 0}, {"said": (("x", Verdict(0.0)),)}])
def test_an_attempt_begins_at_its_beginning(changes: dict[str, object]) -> None:
    """A question can be tried at least once, and nothing is answered yet."""
    start = drawing.game("islands/easy#1")
    assert isinstance(start, QuestionGame)

    with pytest.raises(ReplayMismatch):
        check_origin(record("islands/easy#1", replace(start, **changes)))  # type: ignore[arg-type]


def test_a_question_that_shows_its_answer_is_tried_once() -> None:
    """More tries at a state check than the one there is are a forgery."""
    start = drawing.game("check:sudoku/easy#1", tries=3)
    assert isinstance(start, QuestionGame)

    with pytest.raises(ReplayMismatch):
        check_origin(record("check:sudoku/easy#1", replace(start, tries=3)))

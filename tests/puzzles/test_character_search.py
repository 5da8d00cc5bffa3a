"""Character search: known words, and what is drawn."""

from __future__ import annotations

import pytest

from quandary.catalogue import drawing
from quandary.puzzles.questions.execution.character_search import CharacterSearch


def test_the_example_of_the_specification() -> None:
    work = CharacterSearch("a", 1, "bqi", (2,)).work()

    assert work.answer == work.process == ["z", "o", "g"]


@pytest.mark.parametrize(
    ("family", "moved", "shifts", "original"),
    [
        ("a", "abcxyz", (3,), "xyzuvw"),
        ("b", "abcxyz", (-3,), "defabc"),
        ("c", "abcxyz", (-3, 3), "dyfubw"),  # the first letter is at an odd place
        ("a", "m", (12,), "a"),
        ("a", "l", (12,), "z"),
    ],
)
def test_words_by_hand(family: str, moved: str, shifts: tuple[int, ...], original: str) -> None:
    assert "".join(CharacterSearch(family, 1, moved, shifts).work().answer) == original


@pytest.mark.parametrize(
    ("rule", "without"), [("circle", "abcuvw"), (0, "abcxyz")], ids=["circle", "every"]
)
def test_rules_that_are_taken_away(rule: object, without: str) -> None:
    """Letters that such a rule would move stay."""
    work = CharacterSearch("a", 1, "abcxyz", (3,)).work(without=rule)  # type: ignore[arg-type]

    assert "".join(work.answer) == without


def test_the_rules_say_how_letters_move() -> None:
    for family in "abc":
        made = drawing.instance(f"character_search/2,family={family}#1")
        assert isinstance(made, CharacterSearch)
        for line in made.rules().splitlines():
            if " became " in line:
                plain, _, moved = line.partition(" became ")
                place = "odd" not in line and family == "c"
                question = CharacterSearch(family, 2, "a" * place + moved[0], made.shifts)
                assert question.work().answer[-1] == plain[-1]

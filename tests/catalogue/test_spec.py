"""Names of instances."""

from __future__ import annotations

import pytest

from quandary.catalogue.spec import Spec
from quandary.core.errors import UserError


@pytest.mark.parametrize(
    "text",
    [
        "sudokill/easy#7",
        "tidy_tower/normal,variant=published#2",
        "check:sudoku/hard#7",
        "next:game_of_24/easy#7",
        "whole:tidy_tower/easy#1",
        "logical_equations/2,family=b#1",
        "sudoku/normal@train#7",
        "card_nim/easy,stones=5..9,top=3@dev#12",
    ],
)
def test_a_spec_reads_back_as_it_was_written(text: str) -> None:
    """Reading and writing a name are inverse."""
    assert text == str(Spec.parse(text))


def test_one_instance_has_one_name() -> None:
    """The test split is the default, arguments have one order, and seeds have no leading zeros."""
    assert str(Spec.parse(" sudoku/normal@test#07 ")) == "sudoku/normal#7"
    assert str(Spec.parse("card_nim/easy,top=3,stones=5#1")) == "card_nim/easy,stones=5,top=3#1"


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("sudokill", "name/level#seed"),
        ("sudokill/easy", "name/level#seed"),
        ("sudokill/easy#x", "whole number"),
        ("sudokill/easy#-1", "whole number"),
        (f"sudokill/easy#{'1' * 19}", "at most 18 digits"),
        ("chek:sudoku/easy#1", "did you mean 'check'"),
        ("sudoku/easy@tran#1", "did you mean 'train'"),
        ("sudoku/easy,a=1,a=2#1", "twice"),
        ("", "name/level#seed"),
    ],
)
def test_a_wrong_name_gets_advice(text: str, advice: str) -> None:
    """What is no name is refused with a sentence that says what to write."""
    with pytest.raises(UserError, match=advice):
        Spec.parse(text)

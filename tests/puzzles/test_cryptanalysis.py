"""Cryptanalysis: known clues, exact entailment, unique codes, and what is told."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from proofs.second_workings.cryptanalysis import every_code, work

from quandary.catalogue.drawing import instance
from quandary.puzzles.questions.planning.cryptanalysis import KINDS, LOCK, Cryptanalysis
from quandary.puzzles.questions.planning.cryptanalysis.solver.codes import (
    Clue,
    Kind,
    Said,
    codes_of,
)

LEVELS = [(family, level) for family in "abcd" for level in range(4)]


def lock(*clues: tuple[str, Said], places: str = "99") -> Cryptanalysis:
    row = tuple(Clue(tuple(guess), (said,)) for guess, said in clues)
    return Cryptanalysis("a", 1, LOCK._replace(places=places), row)


def digits(right: int, placed: int | None = None, value: str = "") -> Said:
    return Said("digits", (), value, right, placed)


def test_the_worked_example_of_the_specification():
    """58 one in place; 52 none; 28 the other too large; 08 the other too small."""
    question = lock(
        ("58", digits(1, 1)),
        ("52", digits(0)),
        ("28", digits(1, value="<")),
        ("08", digits(1, value=">")),
    )

    assert question.work() == (["18"], ["**", "*8", "*8", "18"])


def test_ranges_end_with_the_only_value():
    """Both ends belong to a range, and a range of one value is written once."""
    clues = [("5", ">"), ("8", "<"), ("7", "<")]
    row = tuple(Clue((guess,), (Said("part", (0,), sign),)) for guess, sign in clues)
    question = Cryptanalysis("a", 0, Kind("#", (0, 10)), row)

    assert question.work() == (["6"], [["6", "10"], ["6", "7"], ["6"]])


def test_capital_letters_come_before_their_small_letters():
    clues = [("B", ">"), ("H", "<"), ("F", ">"), ("G", ">")]
    row = tuple(Clue((guess,), (Said("part", (0,), sign),)) for guess, sign in clues)
    question = Cryptanalysis("c", 0, Kind("z"), row)

    assert question.work() == (["g"], [["b", "z"], ["b", "g"], ["f", "g"], ["g"]])


def test_numbers_are_in_order_of_their_digits_first():
    """4A is less than 5B although it is compared as a whole; a part can be told beside it."""
    clues = (
        Clue(tuple("5B8"), (Said("part", (0, 1), "<"), Said("part", (1,), "="))),
        Clue(tuple("3B6"), (Said("part", (0, 1), ">"), Said("part", (2,), "<"))),
        Clue(tuple("4B2"), (Said("part", (0, 1), "="), Said("part", (2,), ">"))),
        Clue(tuple("4B5"), (Said("part", (2,), "<"),)),
    )
    question = Cryptanalysis("c", 2, KINDS["c"][2], clues)

    # 3 is left, because 4 is the digit of the first number.
    assert question.work() == (["4B3"], ["*B*", "4B*", "4B*", "4B3"])


def test_facts_of_numbers():
    """Even is wrong, above 4 is wrong, 1 is wrong."""
    facts = (Said("is_even", (0,)), Said("above", (0,), "4"), Said("equal", (0,), "1"))
    question = Cryptanalysis("d", 0, Kind("#", (1, 9)), tuple(Clue((), (one,)) for one in facts))

    assert question.work() == (["3"], [["1", "3", "5", "7", "9"], ["1", "3"], ["3"]])


def test_no_code_that_fits_is_told():
    with pytest.raises(ValueError, match="no candidate fits"):
        lock(("58", digits(2, 2)), ("58", digits(0))).work()


@pytest.mark.parametrize(("family", "level"), LEVELS)
def test_one_code_is_left(family: str, level: int):
    """Counted by crossing out; all clues are true of it, and none is idle at any level."""
    compare(family, level, range(5))


def compare(family: str, level: int, seeds: range) -> None:
    for seed in seeds:
        question = Cryptanalysis.new(Random(seed), family=family, level=level)
        answer, process = question.work()

        assert (answer, process) == work(question)
        assert "*" not in "".join(answer)
        assert len(process) == len(question.clues) == question.sizes[family][level]["clues"]
        assert question.uses_every_rule()


@pytest.mark.parametrize(("family", "level"), LEVELS)
def test_something_is_known_before_the_last_clue(family: str, level: int):
    """And half of the entries tell something new; the process is that of the second working."""
    for seed in range(30):
        question = instance(f"cryptanalysis/{level},family={family}#{seed}")
        _, process = work(question)
        codes = ["".join(code) for code in every_code(question.kind)]
        unknown: str | list[str] = "*" * len(codes[0])
        if (family, level) == ("d", 0):
            unknown = codes
        elif level == 0 or (family, level) == ("c", 1):
            unknown = [codes[0], codes[-1]]
        elif family == "d":
            unknown = ["*"] * len(question.kind.places)
        new = [one != other for one, other in pairwise([unknown, *process])]

        assert any(new[:-1])
        assert 2 * sum(new) >= len(new)


def test_no_guess_is_made_twice():
    for family, level in LEVELS:
        question = Cryptanalysis.new(Random(1), family=family, level=level)
        guesses = [clue.guess for clue in question.clues if clue.guess]

        assert len(set(guesses)) == len(guesses)


def test_two_digits_are_compared_in_one_way():
    """In family a the wrong one of two digits is too large, in family b too small."""
    for family, sign in (("a", "<"), ("b", ">")):
        made = [Cryptanalysis.new(Random(seed), family=family, level=1) for seed in range(10)]
        said = {one.value for question in made for clue in question.clues for one in clue.said}

        assert said == {"", sign}


def test_codes_are_those_of_a_second_list():
    """How many there are, and which."""
    counts = {
        "99": 90, "999": 720, "99Z": 7_020, "99FF": 16_200, "9F": 60, "9F9": 540, "9F9F": 3_240,
    }  # fmt: skip
    for kind in (kind for kinds in KINDS.values() for kind in kinds):
        codes = codes_of(kind)
        listed = list(codes.listed(codes.everything)) if kind.places != "99FF" else []
        if listed:
            assert sorted(listed) == sorted(every_code(kind))
        assert codes.everything.bit_count() == counts.get(kind.places, len(listed))


def test_what_clues_say():
    question = Cryptanalysis(
        "a",
        3,
        KINDS["a"][3],
        (
            Clue(tuple("12A"), (digits(1, 0, ">"), Said("letters"))),
            Clue(tuple("61H"), (digits(1, 0, "<"), Said("between", value="AH"))),
            Clue(tuple("34E"), (digits(1, 1), Said("letters", value=">"))),
            Clue(tuple("54F"), (digits(0), Said("letters"))),
        ),
    )

    assert question.work() == (["3G1"], ["***", "**1", "**1", "3G1"])
    assert question.text(0).splitlines() == [
        (
            "1. Guess 12A: 1 digit is right, but in the wrong place, the wrong one is too small; "
            "no letter is right."
        ),
        (
            "2. Guess 61H: 1 digit is right, but in the wrong place, the wrong one is too large; "
            "the letter of the code comes after A and before H."
        ),
        (
            "3. Guess 34E: 1 digit is right and in the right place; "
            "no letter is right, the wrong one is too early."
        ),
        "4. Guess 54F: no digit is right; no letter is right.",
    ]
    assert question.text(0, "zh").splitlines()[2] == (
        "3. 猜测 34E：有 1 个数字正确，而且位置也对；没有字母正确，错的字母太靠前。"
    )


def test_siblings_keep_the_kind_of_code():
    """Also one that is not drawn here, such as the published lock with letters up to Z."""
    question = Cryptanalysis("a", 2, LOCK._replace(places="99J"), ())

    assert question.sibling(Random(1)).kind == question.kind


@pytest.mark.parametrize("kind", [Kind("9" * 9), Kind("#", (0, 10**30))])
def test_codes_out_of_reach_are_refused(kind: Kind) -> None:
    """As those of a problem that was changed by hand."""
    with pytest.raises(ValueError, match="out of reach"):
        codes_of(kind)

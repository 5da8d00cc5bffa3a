"""String splitting: known strings, where rules cut, and what is drawn."""

from __future__ import annotations

import pytest

from quandary.catalogue.drawing import instance
from quandary.puzzles.questions.execution.string_splitting import StringSplitting
from quandary.puzzles.questions.execution.string_splitting.solver import Cut

FAMILIES = [(family, level) for family in "ab" for level in range(4)]
LENGTHS = [(9, 15), (20, 25), (20, 25), (22, 27)]


def drawn(family: str, level: int, seeds: int) -> list[StringSplitting]:
    return [instance(f"string_splitting/{level},family={family}#{seed}") for seed in range(seeds)]


def pieces(string: str, *cuts: Cut) -> str:
    answer, process = StringSplitting("a", 2, cuts, string).work()
    assert answer == process and "".join(answer) == string
    return " ".join(answer)


def test_the_worked_example() -> None:
    assert pieces("a7b77c", Cut("after", "7")) == "a7 b7 7 c"


@pytest.mark.parametrize(
    ("cut", "string", "after"),
    [
        (Cut("before", "digit", "letter"), "1A23B4", "1A 23B 4"),
        (Cut("before", "digit", "letter", "letter"), "A1B23C4", "A 1B23C4"),
        (Cut("after", "digit", "letter", "letter"), "A1B23C4", "A1 B23C4"),
        (Cut("before", "letter", "digit"), "1A23B4C", "1 A23 B4 C"),
        (Cut("after", "1", right="digit"), "11A12B1", "1 1A1 2B1"),
        (Cut("before", "1", "digit"), "11A21B1", "1 1A2 1B1"),
        (Cut("before", "B"), "BABBC", "BA B BC"),
        (Cut("after", "B"), "BABBCB", "B AB B CB"),
        (Cut("before", "letter", "B", "B"), "BBBAB", "B BB AB"),
        (Cut("before", "DD"), "ADDDD", "A D D DD"),
        (Cut("after", "DD"), "ADDDDD", "ADD D D D"),
        (Cut("after", "IJ"), "IJAIJ", "IJ AIJ"),
    ],
)
def test_rules_cut_at_every_place_but_not_at_the_ends(cut: Cut, string: str, after: str) -> None:
    assert pieces(string, cut) == after


def test_several_rules_cut_the_string_as_it_is_given() -> None:
    """The 1 of the second rule still has a digit on its right where the first rule has cut."""
    cuts = Cut("before", "2"), Cut("after", "1", right="digit"), Cut("before", "C")

    assert pieces("A12C1D13", *cuts) == "A1 2 C1D1 3"


@pytest.mark.parametrize(("family", "level"), FAMILIES)
def test_sizes_and_rules(family: str, level: int) -> None:
    """Sizes are the paper's; each rule cuts where no other one does."""
    for made in drawn(family, level, 20):
        low, high = LENGTHS[level]
        places = [cut.places(made.string) for cut in made.cuts]

        assert low <= len(made.string) <= high
        assert len(made.cuts) == (1, 1, 2, 3)[level]
        assert all(bool(cut.left and cut.right) == (level == 1) for cut in made.cuts)
        assert any(letter.isdigit() for letter in made.string) == (family == "a")
        for place, own in enumerate(places):
            others = set[int]().union(*places[:place], *places[place + 1 :])
            assert own - others


def test_renamed_characters_are_the_same_task() -> None:
    one = StringSplitting("a", 1, (Cut("after", "7", right="digit"),), "AB72B")
    other = StringSplitting("a", 1, (Cut("after", "1", right="digit"),), "XA13A")

    assert one.canonical() == other.canonical()
    assert one.canonical() != StringSplitting("a", 1, one.cuts, "AB27B").canonical()


def test_rules_in_words() -> None:
    cuts = (
        Cut("before", "digit", "letter"),
        Cut("after", "1", right="digit"),
        Cut("before", "letter", "B", "C"),
        Cut("before", "digit", "letter", "letter"),
        Cut("after", "letter", "P", "P"),
        Cut("after", "IJ"),
    )
    rules = StringSplitting("a", 3, cuts, "")

    assert [line.partition("Cut directly ")[2] for line in rules.rules().splitlines()[1:7]] == [
        "before every digit that has a letter directly on its left.",
        'after every "1" that has a digit directly on its right.',
        'before every letter that has "B" directly on its left and "C" directly on its right.',
        "before every digit that stands directly between two letters.",
        'after every letter that stands directly between two "P"s.',
        'after every "IJ".',
    ]
    assert rules.rules("zh").splitlines()[1:7] == [
        "1. 在每个左边紧挨着字母的数字前面切一刀。",
        "2. 在每个右边紧挨着数字的“1”后面切一刀。",
        "3. 在每个左边紧挨着“B”、右边紧挨着“C”的字母前面切一刀。",
        "4. 在每个左右两边都紧挨着字母的数字前面切一刀。",
        "5. 在每个左右两边都紧挨着“P”的字母后面切一刀。",
        "6. 在每个“IJ”后面切一刀。",
    ]

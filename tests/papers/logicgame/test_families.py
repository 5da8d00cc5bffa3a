"""The families of published items, by the words of an item or by its place."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from quandary.catalogue import registry
from quandary.core.mixins.families import families_of
from quandary.papers.logicgame.categories import CATEGORIES
from quandary.papers.logicgame.families import SAME_WORDS, at_place, family_at
from quandary.papers.logicgame.imported import load
from quandary.papers.logicgame.reading import ReadItem, ReadPair, reader_of
from quandary.papers.logicgame.summary import NONE, family_counts

# How many there are: 76, each of them with four items, one of each level.
FAMILIES = {
    **dict.fromkeys(("character_search", "new_operator", "element_operations", "logic_puzzle"), 3),
    **dict.fromkeys(("synthesis_and_decomposition", "slide_2048", "linear_arrangement"), 4),
    **dict.fromkeys(("mutual_restriction", "cryptanalysis"), 4),
}
SAME = [(name, level) for name, levels in SAME_WORDS.items() for level in levels]


@pytest.fixture(scope="module")
def read(data: Path) -> list[ReadPair]:
    return load(data / "logicgame").pairs


def items(pairs: list[ReadPair]) -> list[tuple[int, ReadItem]]:
    """Those with a question, and the places of their families."""
    both = [(pair.place, one) for pair in pairs for one in (pair.en, pair.zh)]
    return [(place, one) for place, one in both if one.question]


def test_each_family_has_four_items(data: Path) -> None:
    """One of each level in each language, and no puzzle of ours has fewer families or more."""
    pairs = load(data / "logicgame").pairs
    levels = Counter((pair.en.item.category, pair.place) for pair in pairs)

    assert {FAMILIES.get(name, 2) for name in CATEGORIES.values()} == {2, 3, 4}
    assert sum(FAMILIES.get(name, 2) for name in CATEGORIES.values()) == 76
    assert levels == {
        (name, place): 4 for name in CATEGORIES.values() for place in range(FAMILIES.get(name, 2))
    }
    for name in {*CATEGORIES.values()} & {*registry.names()}:
        assert len(families_of(registry.load(name))) == FAMILIES.get(name, 2), name


def test_each_item_is_of_the_family_of_its_place(read: list[ReadPair]) -> None:
    for place, one in items(read):
        assert one.question is not None
        assert one.question.family == family_at(one.item.category, place), one.item.qid


def test_the_table_has_a_row_for_each_family(read: list[ReadPair]) -> None:
    """With four items; families of which none is read have no name there."""
    rows = family_counts(read)
    named = Counter(row.category for row in rows)

    assert all(row.items == (4, 4) for row in rows)
    assert named == {name: FAMILIES.get(name, 2) for name in named}
    assert all(
        row.family in registry.load(row.category).families or row.family == NONE for row in rows
    )


def test_all_cryptanalysis_is_read_in_all_families(read: list[ReadPair]) -> None:
    rows = [row for row in family_counts(read) if row.category == "cryptanalysis"]

    assert [(row.family, row.read) for row in rows] == [(family, (4, 4)) for family in "abcd"]


@pytest.mark.parametrize(("category", "level"), SAME)
def test_families_that_are_listed_have_the_same_words(
    read: list[ReadPair], category: str, level: int
) -> None:
    """Their reader takes all items of the level for one family, and ours have the same words and
    the same key in each.
    """
    same, reader = SAME_WORDS[category][level], reader_of(category)
    own = [
        (place, one)
        for place, one in items(read)
        if (one.item.category, one.item.level) == (category, level)
        and family_at(category, place) in same
    ]

    found = {family_at(category, place) for place, _ in own}
    assert {same[0]} != found <= set(same)
    assert {reader(one.item.prompt, level).family for _, one in own} == {same[0]}
    for place, one in own:
        made = one.question
        assert made is not None and made.family == family_at(category, place)
        for family in same:
            other = replace(made, family=family)
            assert other.rules() == made.rules() and other.text(0) == made.text(0)
            assert other.solution() == made.solution()
            assert at_place(other, place) == made


def test_words_come_before_places(read: list[ReadPair]) -> None:
    """A prompt that tells its family keeps it, wherever it stands."""
    for place, one in items(read):
        made, category = one.question, one.item.category
        assert made is not None
        for other in range(FAMILIES.get(category, 2)):
            same = SAME_WORDS.get(category, {}).get(made.level, "")
            if other != place and family_at(category, other) not in same:
                assert at_place(made, other) == made

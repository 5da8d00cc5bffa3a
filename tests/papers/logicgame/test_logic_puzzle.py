"""The published items of the logic puzzle."""

from __future__ import annotations

from pathlib import Path

import pytest
from proofs.second_workings.logic_puzzle import solutions, work

from quandary.papers.logicgame.items import FILES, Item, Pair, pairs, read_items
from quandary.papers.logicgame.prompts import NotRead
from quandary.papers.logicgame.readers.logic_puzzle import read
from quandary.papers.logicgame.reading import read_pair

# Worked out by hand from the prompts: row and column of each number, from 1.
BY_HAND = {
    ("a", 0): "22 21 12",
    ("b", 0): "21 22 11",
    ("a", 1): "23 13 22 31",
}


def _pairs(data: Path) -> list[Pair]:
    english, chinese = (read_items(data / "logicgame", FILES[one], one) for one in ("en", "zh"))
    return [one for one in pairs(english, chinese) if one.en.category == "logic_puzzle"]


def _why(item: Item) -> str:
    """Why the reader has no question for an item; "" if it has one."""
    try:
        read(item.prompt, item.level)
    except NotRead as reason:
        return str(reason)
    return ""


def test_items_are_read_alike_in_both_languages(data: Path) -> None:
    read_pairs = list(map(read_pair, _pairs(data)))
    made = [one.question for pair in read_pairs for one in (pair.en, pair.zh) if one.question]

    assert not any(pair.differs for pair in read_pairs)
    assert 6 + 7 == len(made)
    assert {"a": 6, "b": 7} == {
        family: sum(one.family == family for one in made) for family in "ab"
    }
    for one in made:
        assert 1 == len(solutions(one.grid, one.bound, dict(one.told)))
        assert work(one) == one.work()


def test_items_by_hand(data: Path) -> None:
    made = {
        (pair.zh.question.family, pair.zh.question.level): pair.zh.question
        for pair in map(read_pair, _pairs(data))
        if pair.zh.question
    }

    for place, cells in BY_HAND.items():
        assert [list(cell) for cell in cells.split()] == made[place].work().answer


def test_what_the_reader_leaves_out_and_why(data: Path) -> None:
    left_out = {
        (item.language, item.number): _why(item)
        for pair in _pairs(data)
        for item in (pair.en, pair.zh)
        if _why(item)
    }

    assert {("en", 59), ("zh", 149), ("en", 149)} == {
        item for item, why in left_out.items() if "does not have the number" in why
    }
    assert 8 == sum("products" in why for why in left_out.values())
    assert 11 == len(left_out)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("2*2 grid", "3*2 grid", "its grid has 2 rows of 2, not 3 of 2"),
        ("\n2,3\n", "\n2,2\n", "its grid does not have just the numbers 1 to 3"),
        ("(between 1-3)", "(between 1-4)", "it names several numbers as the greatest one"),
        ("number 3 in", "number 2 in", r"the cell \(1,2\) does not have the number 2"),
        ("(1,2) as", "(1,9) as", r"the cell \(1,9\) does not have the number 3"),
        ("equal to 4", "equal to 9", "not exactly one choice of cells fits"),
        ("equal to 4", "equal to four", "0 places fit"),
        ("sum", "product", "products"),
        ("each row", "no row", "not understood"),
    ],
)
def test_what_is_not_understood_is_told(data: Path, old: str, new: str, why: str) -> None:
    item = next(pair.en for pair in _pairs(data) if pair.en.level == 0)
    assert old in item.prompt
    with pytest.raises(NotRead, match=why):
        read(item.prompt.replace(old, new), item.level)

"""The published items of eight queens."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from proofs.second_workings.eight_queens import solutions, work

from quandary.papers.logicgame.items import FILES, Item, Pair, pairs, read_items
from quandary.papers.logicgame.prompts import NotRead
from quandary.papers.logicgame.readers.eight_queens import read
from quandary.papers.logicgame.reading import read_pair
from quandary.tasks.published_wording import PublishedWording

from .prompts import prompts

# The columns of the queens, from the top row, by hand; 0 in a row without one.
BY_HAND = [
    "201", "102", "3142", "2413", "415263", "415263", "17582463", "35714286",
]  # fmt: skip


def test_all_boards_are_read_alike_in_both_languages(data: Path) -> None:
    """Their two levels 0 differ in what they ask for: see below."""
    made = {
        language: [read(item["contexts"][0], item["level"]) for item in items]
        for language in ("en", "zh")
        if (items := prompts(data, language, "eight_queens"))
    }

    assert made["en"] == made["zh"]
    assert [(one.level, one.family) for one in made["en"]] == [
        (level, family) for level in range(4) for family in "ab"
    ]
    for one in made["en"]:
        assert len(solutions(one.board)) == 1 and work(one) == one.work()


def test_boards_by_hand(data: Path) -> None:
    made = [
        read(item["contexts"][0], item["level"]) for item in prompts(data, "zh", "eight_queens")
    ]
    answers = [["".join(row) for row in one.work().answer] for one in made]

    assert ["".join(str(row.find("1") + 1) for row in rows) for rows in answers] == BY_HAND


def paired(data: Path) -> list[Pair]:
    english, chinese = (read_items(data / "logicgame", FILES[one], one) for one in ("en", "zh"))
    return [one for one in pairs(english, chinese) if one.en.category == "eight_queens"]


def chinese(data: Path) -> list[Item]:
    return [pair.zh for pair in paired(data)]


def test_one_item_asks_for_a_process_in_english_alone(data: Path) -> None:
    """So English 72 is left out; no other item is."""
    made = [one for pair in map(read_pair, paired(data)) for one in (pair.en, pair.zh)]

    left_out = [(one.item.language, one.item.number, one.why) for one in made if one.why]
    assert len(made) == 16
    assert left_out == [("en", 72, "it asks for a process, and our question does not")]


def test_zero_is_right_for_a_forbidden_cell(data: Path) -> None:
    """In published words, which say that X must not become a queen, and no more."""
    for item in chinese(data):
        question = read(item.prompt, item.level)
        published = PublishedWording(question, item.prompt)
        text = question.solution()
        assert published.check(text).score == question.check(text).score == 1.0

        plain = text.replace("X", "0")
        assert published.check(plain).score == 1.0
        assert question.check(plain).score == float(question.family == "a")
        key = json.loads(plain)
        key["answer"][0][0] = "X"
        assert published.check(json.dumps(key)).score == 0.0


@pytest.mark.parametrize(
    ("place", "old", "new", "why"),
    [
        (2, "4*4", "5*5", "its rows have 4, 4, 4, 4 cells, not 5 times 5"),
        (2, "0001", "001", "its rows have 4, 4, 3, 4 cells"),
        (2, "0001", "0002", "its rows have 4, 4, 4 cells"),
        (2, "total of four", "total of six", "it asks for 6 queens on 4 x 4 cells"),
        (2, "total of four", "total of some", "0 places fit"),
        (2, "0001", "0000", "not exactly one placement fits"),
        (2, "0001", "1001", "not exactly one placement fits"),
        (2, "0001", "X001", "its rules and its board disagree"),
        (3, "000X", "0000", "its rules and its board disagree"),
        (2, "row, column", "row, row", "not understood: 'Given a 4"),
        (3, "not allowed for", "welcome for", "its rules and its board disagree"),
        (2, "should be the same", "should be different", "not understood: .Please gen"),
    ],
)
def test_what_is_not_understood_is_told(
    data: Path, place: int, old: str, new: str, why: str
) -> None:
    item = paired(data)[place].en
    assert old in item.prompt
    with pytest.raises(NotRead, match=why):
        read(item.prompt.replace(old, new), item.level)

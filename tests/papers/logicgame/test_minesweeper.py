"""The published items of minesweeper."""

from __future__ import annotations

from pathlib import Path

import pytest
from proofs.second_workings.minesweeper import work

from quandary.papers.logicgame.prompts import NotRead
from quandary.papers.logicgame.readers.minesweeper import read

from .prompts import prompts, read_prompts

# The mines that are certain after each round, by hand: x from the left and y from the bottom.
# Published processes leave out what is certain in the first round of 269.
BY_HAND = {
    268: ["12 21"],
    272: ["21"],
    269: ["13", "13"],
    273: ["21 22", "13 21 22"],
    270: ["", "14 31 32 42 44", "14 21 31 32 42 44"],
    274: ["", "13 31 43 44", "13 31 33 43 44"],
    275: ["", "22", "22", "22 23 25 34 41 43 55"],
}
ITEMS = [268, 272, 269, 273, 270, 274, 271, 275]  # by level and family


def test_items_are_read_alike_in_both_languages(data: Path) -> None:
    """271 changes a clue in its last round, and the Chinese of 269 has two first rounds."""
    english, refused = read_prompts(data, "en", "minesweeper")
    chinese, refused_too = read_prompts(data, "zh", "minesweeper")

    assert refused == {271: "round 4 changes or hides earlier clues"}
    assert refused_too == {242: "its rounds are 1, 1", 246: refused[271]}
    assert [made for number, made in english.items() if number != 269] == list(chinese.values())
    assert [(made.level, made.family) for made in english.values()] == [
        (level, family) for level in range(4) for family in "ab" if (level, family) != (3, "a")
    ]


def test_processes_by_hand(data: Path) -> None:
    made, _ = read_prompts(data, "en", "minesweeper")
    found = {
        number: [" ".join(map("".join, entry)) for entry in one.work().process]
        for number, one in made.items()
    }

    assert found == BY_HAND
    assert all(work(one) == one.work() for one in made.values())


def test_the_board_that_changes_would_have_a_solution(data: Path) -> None:
    """If the clue in its last round stayed as it was: 11 mines, two of them certain at once."""
    prompt = prompts(data, "en", "minesweeper")[ITEMS.index(271)]["contexts"][0]
    before, last = prompt.rsplit("2**31", 1)
    mended = read.find(f"{before}2**21{last}", 3)

    assert len(mended.work().answer) == 11
    assert mended.work().process[0] == [["2", "4"], ["3", "4"]]
    assert work(mended) == mended.work()


@pytest.mark.parametrize(
    ("item", "old", "new", "why"),
    [
        (270, "n=4", "n=5", "the rows of round 1 have 4, 4, 4, 4 cells, not 5"),
        (270, "***3\n", "***\n", "the rows of round 2 have 4, 4, 4, 3 cells, not 4"),
        (270, "***3\n", "***9\n", "round 3 changes or hides earlier clues"),
        (270, "second", "third", "its rounds are 1, 3, 3"),
        (270, "second", "fifth", "its rounds are 1, fifth, 3"),
        (270, "1**3", "***3", "more than one arrangement of mines fits"),
        (270, "1**3", "3**3", "no arrangement of mines fits"),
        (270, "1**3", "A**3", "the rows of round 3 have 4, 4, 4 cells, not 4"),
        (270, "Question:", "Question:\n****\n", "it has clues before its first round"),
        (270, "eight surrounding", "four surrounding", "not understood: 'In the Minesweeper"),
        (274, "mines=5", "mines=9", "no arrangement of mines fits"),
        (274, "mines=5", "mines=many", "its clues are not those of its rules"),
        (274, "D0", "0", "the rows of round 3|its clues are not those"),
        (274, "A represents up", "A represents left", "not understood: '2. Letters"),
        (274, "bottom-left", "top-left", "not understood: 'What are the coord"),
        (274, "after each round", "after all rounds", "not understood: 'Generate"),
    ],
)
def test_what_is_not_understood_is_told(
    data: Path, item: int, old: str, new: str, why: str
) -> None:
    published = prompts(data, "en", "minesweeper")[ITEMS.index(item)]
    prompt = published["contexts"][0]

    assert old in prompt
    with pytest.raises(NotRead, match=why):
        read(prompt.replace(old, new), published["level"])

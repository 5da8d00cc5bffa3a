"""The published items of path movement."""

from __future__ import annotations

from pathlib import Path

import pytest

from quandary.papers.logicgame.prompts import NotRead
from quandary.papers.logicgame.readers.path_movement import read

from .prompts import prompts, read_prompts

# Where the piece stands after each command, by hand: row and column from 1.
BY_HAND = {
    52: ["12"],
    144: ["21"],
    53: ["23", "22", "23", "24", "34"],
    145: ["34", "31", "21", "31", "34"],
    146: ["34", "44", "45", "46", "45"],
    55: ["34", "33", "34", "35", "35", "35"],
    147: ["45", "55", "55", "55", "55"],
}


def test_items_are_read_alike_in_both_languages(data: Path) -> None:
    """But for item 54, whose English grid has lost the ends of its rows."""
    english, refused = read_prompts(data, "en", "path_movement")
    chinese, none = read_prompts(data, "zh", "path_movement")

    assert list(refused) == [54] and "A AA A" in refused[54] and not none
    assert list(english.values()) == [made for at, made in chinese.items() if at != 136]
    assert (chinese[136].family, chinese[136].commands) == ("a", "ijllk")


def test_walks_by_hand(data: Path) -> None:
    read_items, _ = read_prompts(data, "en", "path_movement")
    walks = {}
    for number, made in read_items.items():
        grids = ["".join(map("".join, grid)) for grid in made.work().process]
        places = [divmod(grid.index("B"), len(made.grid)) for grid in grids]
        walks[number] = [f"{row + 1}{column + 1}" for row, column in places]

    assert walks == BY_HAND


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("it will reappear", "it will vanish", 'not understood: \'If "B" moves outside'),
        ("moving left", "moving down", "no family has these commands"),
        ("A B", "A A", "its grid has 0 B and 0 X"),
        ("A B", "X B", "its grid has 1 B and 1 X"),
        ("A B", "C B", "not a letter of the rules: C"),
        ("A B", "A B A", "its rows have 2, 3 letters"),
        ("instruction is i", "instruction is x", "not understood: 'If the given instruction is x"),
    ],
)
def test_what_is_not_understood_is_told(data: Path, old: str, new: str, reason: str) -> None:
    text = prompts(data, "en", "path_movement")[0]["contexts"][0]

    with pytest.raises(NotRead, match=reason):
        read(text.replace(old, new), 0)

"""The published items of mahjong."""

from __future__ import annotations

from pathlib import Path

import pytest

from quandary.papers.logicgame.prompts import NotRead
from quandary.papers.logicgame.readers.mahjong import read

from .prompts import prompts, read_prompts

BY_HAND = ["1", "1", "1 2", "1 2", "2 0 1", "3 3 1", "2 0 1 3"]


def test_items_are_read_alike_in_both_languages(data: Path) -> None:
    """The last one is left out: 8 tiles are announced, and 7 given."""
    english, refused = read_prompts(data, "en", "mahjong")
    chinese, as_well = read_prompts(data, "zh", "mahjong")
    made = list(english.values())

    assert refused == {291: "it announces 8 tiles and gives 7"}
    assert list(as_well.values()) == list(refused.values()) and made == list(chinese.values())
    assert "".join(one.family for one in made) == "abababa"
    assert [" ".join(one.work().process) for one in made] == BY_HAND
    assert all(one.work().answer == [one.work().process[-1]] for one in made)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("two cards with the same number in hand", "two cards", "not understood: 'If there are tw"),
        ("consecutive sequence", "nice sequence", "not understood"),
        ("number 3.", "number 4.", "its calls have the numbers"),
        ('"Pong." Peng"', '"Chi." Chi"', "its calls take precedence as in"),
        ("7. Removing", "Removing", "its rules have the numbers 1, 2, 3, 4, 5, 6, 8"),
        ("Then, one card is removed", "Then, two cards are removed", "not understood: 'Each time"),
        ("there are 7 cards", "there are 13 cards", "it announces 13 tiles and gives 7"),
        ("A1, A2, A5, B1", "A1, A2, D5, B1", "it has tiles of another kind: D5"),
        ("remove an A5 card", "remove an A6 card", "A6 is removed and not held"),
        (" and remove an A5 card", "", "3 tiles are added and 1 removed"),
        ("Round 2", "Round 1", "not understood: 'Round 1: Add a B2"),
        ("Add a B3 card", "Steal a B3 card", "not understood: 'Round 1: Steal"),
        ("Given the initial cards", "Given", "the hand is not found"),
    ],
)
def test_what_is_not_understood(data: Path, old: str, new: str, reason: str) -> None:
    text = prompts(data, "en", "mahjong")[5]["contexts"][0]

    assert text.count(old) == 1
    with pytest.raises(NotRead, match=reason):
        read(text.replace(old, new), 2)


def test_groups_that_do_not_fit_the_hand(data: Path) -> None:
    text = prompts(data, "zh", "mahjong")[4]["contexts"][0]

    with pytest.raises(NotRead, match="13 tiles and one more do not make its groups and a pair"):
        read(text.replace("恒等于4", "恒等于3"), 2)

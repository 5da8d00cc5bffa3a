"""Mahjong: known hands, when a hand wins, and rounds with every call."""

from __future__ import annotations

from itertools import combinations_with_replacement
from random import Random

import pytest
from proofs.second_workings import mahjong as second

from quandary.catalogue.drawing import instance
from quandary.puzzles.questions.execution.mahjong import CALLS, Mahjong
from quandary.puzzles.questions.execution.mahjong.solver import call_of, is_hu

FAMILIES = [(family, level) for family in "ab" for level in range(4)]


def process(family: str, calls: int, hand: str, added: str, removed: str = "") -> str:
    tiles = tuple(hand) if family == "a" else tuple(hand.split())
    made = Mahjong(family, 3, calls, tiles, tuple(added.split()), tuple(removed.split()))
    work = made.work()
    assert work.answer == [work.process[-1]]
    return " ".join(work.process)


def test_the_worked_example() -> None:
    assert process("a", 2, "BBDE", "B F", "D") == "1 0"


def test_rounds_solved_by_hand() -> None:
    hand = "A5 A6 B8 B8 C7 C9 C9"

    assert process("a", 3, "DEFLLNNNSSSZZ", "Z A G N", "L D S") == "3 0 2 1"
    assert process("b", 4, hand, "C9 C8 A9 C9", "B8 C9 C7") == "4 3 1 2"
    assert process("b", 3, hand, "C9 C8 A9 C9", "B8 C9 C7") == "2 3 1 2"
    assert process("b", 2, hand, "C9 C8 A9 C9", "B8 C9 C7") == "2 0 1 2"
    assert process("b", 1, hand, "C9 C8 A9 C9", "B8 C9 C7") == "1 0 1 1"


@pytest.mark.parametrize(
    ("family", "hand", "tile", "call"),
    [
        ("a", "FFGH", "F", "hu"),  # F F, F G H
        ("a", "FFGI", "F", "peng"),
        ("a", "FGHK", "H", "chi"),  # one H alone is no peng
        ("a", "YZAB", "Z", ""),  # A does not follow Z
        ("a", "ACXX", "B", "hu"),  # in the middle
        ("a", "DEXY", "F", "chi"),  # at the end
        ("b", "A1 B1 C3 C4", "C1", "peng"),
        ("b", "A1 A1 C3 C4", "A1", "pure_peng"),
        ("b", "A1 A1 C3 C4", "B5", "hu"),  # runs of several suits
        ("b", "A1 B1 C3 C4", "B5", "chi"),  # a pair of two suits is none
        ("b", "A1 B1 C2 C2", "C1", "hu"),  # three equal numbers of three suits
        ("b", "A8 B9 C4 C6", "C1", ""),  # 1 does not follow 9
    ],
)
def test_calls(family: str, hand: str, tile: str, call: str) -> None:
    tiles = list(hand) if family == "a" else hand.split()

    assert call_of(tiles, tile, CALLS[family]) == call


def test_winning_hands_by_trying_all() -> None:
    """All hands of five of eight numbered tiles, and of eight of six letters."""
    numbered = combinations_with_replacement(["A1", "A2", "B2", "A3", "B3", "C3", "A4", "A5"], 5)
    lettered = combinations_with_replacement("ABCDEF", 8)
    for tiles in (*numbered, *lettered):
        assert is_hu(tiles[:-1], tiles[-1]) == second.wins(tuple(sorted(tiles)))


@pytest.mark.parametrize(("family", "level"), FAMILIES)
def test_sizes(family: str, level: int) -> None:
    for seed in range(10):
        made = instance(f"mahjong/{level},family={family}#{seed}")
        calls = {"a": (1, 2, 3, 3), "b": (1, 2, 3, 4)}[family][level]

        assert len(made.hand) == {"a": 13, "b": 7}[family]
        assert (len(made.added), len(made.removed)) == (level + 1, level)
        assert made.rules_in_play() == CALLS[family][:calls]
        numbers = set(made.work().process)
        assert numbers <= set("01234"[: calls + 1])
        if level >= 2:
            assert numbers >= set("1234"[:calls])


@pytest.mark.parametrize(("family", "level"), FAMILIES)
def test_every_number_comes_last(family: str, level: int) -> None:
    """No answer can be told from the level alone."""
    calls = {"a": (1, 2, 3, 3), "b": (1, 2, 3, 4)}[family][level]
    rng = Random(0)
    made = [Mahjong.new(rng, level=level, family=family) for _ in range(60)]
    last = [one.work().answer[0] for one in made]

    passes = level < 2 or len(made[0].added) > calls
    assert set(last) == set("01234"[not passes : calls + 1])
    assert max(map(last.count, last)) <= 42


def test_images_are_the_same_task() -> None:
    for seed in range(10):
        made = instance(f"mahjong/3#{seed}")
        image = made.equivalent(Random(seed))

        assert image.canonical() == made.canonical() and image.work() == made.work()
    letters = Mahjong("a", 0, 1, tuple("AABC"), ("A",), ())
    assert letters.canonical() == Mahjong("a", 0, 1, tuple("XYZZ"), ("Z",), ()).canonical()
    assert letters.canonical() != Mahjong("a", 0, 2, tuple("AABC"), ("A",), ()).canonical()


@pytest.mark.parametrize(
    ("sizes", "reason"),
    [
        ({"family": "a", "level": 0, "calls": 4}, "family a has 3 calls: take calls=3"),
        ({"family": "b", "level": 3, "rounds": 3}, "at level 3, 4 calls need 4 rounds or more"),
    ],
)
def test_sizes_out_of_reach(sizes: dict[str, object], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Mahjong.new(Random(0), **sizes)

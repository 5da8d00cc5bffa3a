"""PuzzlePlex's instances of card nim."""

from __future__ import annotations

import pytest

from quandary.papers.puzzleplex.seeds.card_nim import instance
from quandary.puzzles.duels.card_nim import winning_cards


@pytest.mark.parametrize(
    ("level", "sizes"),
    [
        ("easy", [(24, 18), (21, 11), (27, 18), (27, 9), (39, 16)]),
        ("normal", [(48, 36), (43, 23), (55, 37), (55, 19), (79, 32)]),
    ],
)
def test_piles_and_hands(level: str, sizes: list[tuple[int, int]]) -> None:
    """Stones and top card of seeds 1 to 5; both hold all cards up to it."""
    starts = [instance(level, seed) for seed in range(1, 6)]

    assert [(stones, (tuple(range(1, top + 1)),) * 2) for stones, top in sizes] == [
        (start.stones, start.hands) for start in starts
    ]


@pytest.mark.parametrize(
    ("level", "first_wins"),
    [("easy", [False, True, False, False, False]), ("normal", [False, True, False, False, True])],
)
def test_winners(level: str, first_wins: list[bool]) -> None:
    """Under perfect play, seeds 1 to 5; the first card never wins at once."""
    starts = [instance(level, seed) for seed in range(1, 6)]

    assert first_wins == [bool(winning_cards(*start.hands, start.stones)) for start in starts]
    assert all(max(start.hands[0]) < start.stones for start in starts)

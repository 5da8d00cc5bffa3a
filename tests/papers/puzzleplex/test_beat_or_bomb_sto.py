"""PuzzlePlex's instances of beat or bomb with hidden hands."""

from __future__ import annotations

import pytest

from quandary.papers.puzzleplex.seeds.beat_or_bomb_sto import instance

RANKS = ["A", *map(str, range(2, 11)), "J", "Q", "K"]
CRASHING = {9, 11, 12, 17, 24, 25, 27, 38, 40, 41, 44, 50}


@pytest.mark.parametrize(
    ("level", "seed", "hands"),
    [
        ("easy", 1, ("A 2 5 6 8 9", "2 3 4 5 7 10")),
        ("easy", 2, ("A 2 3 4 10", "2 3 4 5 6")),
        ("normal", 1, ("A 2 3 4 5 6 8 9 J Q", "A 2 3 4 5 6 7 8 Q K")),
    ],
)
def test_hands(level: str, seed: int, hands: tuple[str, str]) -> None:
    """Both hands, in the order of seats."""
    assert (
        tuple(tuple(RANKS.index(card) + 1 for card in hand.split()) for hand in hands)
        == instance(level, seed).hands
    )


@pytest.mark.parametrize("seed", range(1, 51))
def test_deals_of_twelve_cards_are_refused(seed: int) -> None:
    """Those normal seeds crashed the published code; all others deal two hands of one size and one
    total.
    """
    if seed in CRASHING:
        with pytest.raises(ValueError, match="12 cards"):
            instance("normal", seed)
        return
    first, second = instance("normal", seed).hands

    assert (sum(first), len(first)) == (sum(second), len(second))
    assert first != second

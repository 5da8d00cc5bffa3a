"""Bid that, as a Vickrey auction: prices, a position solved by hand, and truthful bidding."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from quandary.puzzles.duels.bid_that_vickrey import BidThatVickrey

PAPER = BidThatVickrey((60, 50, 40), (100, 100))


def _after(match: BidThatVickrey, *bids: tuple[int, int]) -> BidThatVickrey:
    for first, second in bids:
        match = match.play(0, str(first)).play(1, str(second))
    return match


def test_the_paper_s_example() -> None:
    """Bids of 60 and 25 for the item of 60: the first pays 25, and has 75 of 100 left."""
    after = _after(PAPER, (60, 25))

    assert ((75, 100), (60, 0)) == (after.funds, after.collected)
    assert "you got it for 25" in after.text(0)
    assert "your opponent got it for 25" in after.text(1)
    assert "你出价 60，对手出价 25；你以 25 的价格得到。" in after.text(0, "zh")
    assert "你出价 25，对手出价 60；对手以 25 的价格得到。" in after.text(1, "zh")


@pytest.mark.parametrize("said", ["60", "我出价 60", "出价：６０"])
def test_bids_are_read_in_both_languages(said: str) -> None:
    """One number, whatever is said around it."""
    assert "60" == PAPER.read(0, said)


def test_a_bid_out_of_bounds_has_a_reason() -> None:
    """It names what is left of the own funds after the price, not after the bid."""
    view = _after(PAPER, (60, 25)).play(1, "9").seen_by(0)

    for move in ("76", "-1"):
        assert move not in view.legal(0)
        assert "You have 75 left, so a bid must be from 0 to 75." == view.why_illegal(0, move)
        assert "你的剩余资金为 75，出价必须在 0 到 75 之间。" == view.why_illegal(0, move, "zh")


def test_the_winner_pays_what_the_loser_bid() -> None:
    """Either seat; nothing against nothing; and equal bids sell nothing."""
    after = _after(PAPER, (60, 61), (1, 0), (30, 30))

    assert ((100, 40), (50, 60)) == (after.funds, after.collected)
    assert ((0.0, 1.0), {}) == (after.scores(), after.options())


def test_one_more_than_half_is_the_bid_for_the_first_of_three_items() -> None:
    """Solved by hand: bought for 50 the item wins, bought for 51 it loses, so 51 is the best bid.

    The buyer for 50 has 50 left and bids them: who outbids it pays them and has no more left for
    the last item, which makes 50 against 60 at best.  The buyer for 51 has 49 left; the other bids
    all, pays at most that, and has 51 or more in the end.
    """
    cheap, dear, start = (
        _after(PAPER, (100, 50)).judge(0),
        _after(PAPER, (100, 51)).judge(1),
        PAPER.judge(0),
    )
    assert cheap and dear and start

    assert 1.0 == cheap["50"]
    assert 1.0 == dear["100"]
    assert 0.5 == start["51"] == max(start.values())
    assert {0.0} == {start[str(bid)] for bid in range(51)}


def test_truthful_bids_the_worth_as_far_as_it_can() -> None:
    """What the item is worth, or all that is left."""
    view = _after(PAPER, (60, 59)).seen_by(0)

    assert "60" == PAPER.truthful(0, Random(0), 1)
    assert "41" == view.truthful(0, Random(0), 1)


def test_truthful_bidding_is_a_mistake() -> None:
    """It loses the paper's match to a player who makes it pay and then outbids what it has left."""
    start = PAPER.judge(0)
    assert start

    assert 0.0 == start[PAPER.truthful(0, Random(0), 1)]
    match = PAPER
    for reply in ("59", "100", "59"):
        match = match.play(0, match.seen_by(0).truthful(0, Random(0), 1)).play(1, reply)
    assert ((60, 90), (0.0, 1.0)) == (match.collected, match.scores())


@cache
def _best_reply(match: BidThatVickrey) -> float:
    """The most that the second seat gets out of a truthful first seat, by trying all bids."""
    options = match.options()
    if not options:
        return match.scores()[1]
    waiting = match.play(0, match.truthful(0, Random(0), 1))
    return max(_best_reply(waiting.play(1, bid)) for bid in options[1] or ())


@pytest.mark.parametrize(
    "level",
    [
        {"items": (3, 3), "values": (4, 16)},
        {"items": (4, 4), "values": (2, 7)},
        {"items": (5, 5), "funds": (5, 6)},
    ],
)
def test_truthful_bidding_loses_for_certain_to_a_best_reply(
    level: dict[str, tuple[int, int]],
) -> None:
    """In every small match that is drawn, whether funds fit what items are worth or are scarce."""
    for seed in range(4):
        assert 1.0 == _best_reply(BidThatVickrey.new(Random(seed), **level))

"""Bid that: sales, notations, levels, positions solved by hand."""

from __future__ import annotations

from random import Random

import pytest

from quandary.core.contract import Ending
from quandary.core.errors import Unreadable
from quandary.core.game import refusal
from quandary.core.moves import Number
from quandary.puzzles.duels.bid_that import BidThat

PAPER = BidThat((60, 50, 40), (100, 100))


def _after(match: BidThat, *bids: tuple[int, int]) -> BidThat:
    for first, second in bids:
        match = match.play(0, str(first)).play(1, str(second))
    return match


def test_the_paper_s_example() -> None:
    """Bids of 60 and 25 for the item of 60: the first pays 60, and has 40 of 100 left."""
    after = _after(PAPER, (60, 25))

    assert ((40, 100), (60, 0), (60.0, 0.0)) == (after.funds, after.collected, after.values())


def test_an_item_goes_to_the_higher_bid_or_to_nobody() -> None:
    """The second seat buys in the same way; equal bids cost nothing, and the item is gone."""
    after = _after(PAPER, (60, 25), (0, 1), (7, 7))

    assert ((40, 99), (60, 50)) == (after.funds, after.collected)
    assert ((60, 25), (0, 1), (7, 7)) == after.bids
    assert ({}, Ending("goal")) == (after.options(), after.ending())


def test_bids_stay_within_the_funds() -> None:
    """From nothing to all that is left, for each seat its own."""
    after = _after(BidThat((5, 6, 7), (3, 3)), (2, 0))

    assert {0: ("0", "1"), 1: ("0", "1", "2", "3")} == after.options()
    assert {0: ("0",), 1: ("0", "1", "2", "3")} == _after(after, (1, 0)).options()


def test_a_bid_waits_unseen_for_the_other() -> None:
    """Whoever bids first, nothing is sold or shown until both have; then both bids are open."""
    waiting = PAPER.play(1, "25")

    assert ({0}, PAPER.funds, ()) == (set(waiting.options()), waiting.funds, waiting.bids)
    assert PAPER.seen_by(0) == waiting.seen_by(0)
    assert PAPER.text(0) == waiting.seen_by(0).text(0)
    assert "You have bid 25 for it." in waiting.seen_by(1).text(1)
    assert ((60, 25),) == waiting.play(0, "60").bids


@pytest.mark.parametrize(
    ("bids", "scores"),
    [
        ([(60, 25), (1, 0), (0, 1)], (1.0, 0.0)),
        ([(60, 25), (0, 50), (0, 50)], (0.0, 1.0)),
        ([(9, 9), (0, 0), (50, 50)], (0.5, 0.5)),
        ([(9, 9), (0, 0), (50, 51)], (0.0, 1.0)),
    ],
)
def test_the_larger_worth_wins(bids: list[tuple[int, int]], scores: tuple[float, float]) -> None:
    """Only the worth of items counts, not their number or the funds; equal worth is half a win."""
    assert scores == _after(PAPER, *bids).scores()


@pytest.mark.parametrize(
    ("said", "move"),
    [
        ("60", "60"), ("[60]", "60"), ("bid = [60]", "60"), ("bid = 60", "60"), ("Bid: 60", "60"),
        ("I bid $60.\n", "60"), ("**60**", "60"), ('{"bid": 60}', "60"), ("007", "7"),
        ("For item 2 of 3: bid = [ 7 ]", "7"), ("101", "101"), ("-5", "-5"), ("60 means 60", "60"),
    ],
)  # fmt: skip
def test_notations_that_are_read(said: str, move: str) -> None:
    """One number however it is dressed, legal or not; the one in brackets where there is such."""
    assert move == PAPER.read(0, said)


@pytest.mark.parametrize(
    "said",
    [
        "",
        "all of it",
        "60 or 61",
        "2.5",
        "1,000",
        "٦٠",
        "9" * 10,
        "[60, 25]",
        "[]",
        "1e3",
        "6 0",
        "[" * 50_000,
    ],
)
def test_words_that_are_no_bid(said: str) -> None:
    """Several numbers, broken ones or none, and the refusal says how a bid is written."""
    with pytest.raises(Unreadable) as refused:
        PAPER.read(0, said)
    assert "one whole number" in refusal(PAPER, refused.value)
    assert "例如：5" in refusal(PAPER, refused.value, "zh")


@pytest.mark.parametrize(
    "said", ["６０", "我出价 60", "出价：60", "出 60 元。", "报价60", "这件拍品我出 60"]
)
def test_notations_that_are_read_in_chinese(said: str) -> None:
    """One number, whatever is said around it."""
    assert "60" == PAPER.read(0, said)


@pytest.mark.parametrize("move", ["41", "-1", "100", "99999"])
def test_a_bid_out_of_bounds_has_a_reason(move: str) -> None:
    """It names the own funds, whatever the opponent has and has bid in this round."""
    for reply in ("25", "100"):
        view = _after(PAPER, (60, 25)).play(1, reply).seen_by(0)

        assert move not in view.legal(0)
        assert "You have 40 left, so a bid must be from 0 to 40." == view.why_illegal(0, move)
        assert "你的剩余资金为 40，出价必须在 0 到 40 之间。" == view.why_illegal(0, move, "zh")


@pytest.mark.parametrize(
    ("level", "count", "low", "high"), [("easy", 3, 0.59, 0.7), ("normal", 5, 0.59, 0.7)]
)
def test_easy_and_normal_give_funds_for_about_two_thirds(
    level: str, count: int, low: float, high: float
) -> None:
    """Items worth 20 to 80 each, and equal funds of 60 to 70 in a hundred of their worth."""
    matches = [BidThat.new(Random(seed), **BidThat.levels[level]) for seed in range(500)]

    assert {count} == {len(match.items) for match in matches}
    assert set(range(20, 81)) == {item for match in matches for item in match.items}
    assert all(match.funds[0] == match.funds[1] for match in matches)
    assert all(low < match.funds[0] / sum(match.items) <= high for match in matches)


@pytest.mark.parametrize(
    ("level", "words"),
    [
        ({"items": (0, 3)}, "items=0..3 is out of bounds; write a range within 1 to 20"),
        ({"items": (3, 21)}, "items=3..21 is out of bounds; write a range within 1 to 20"),
        ({"values": (0, 9)}, "values=0..9 is out of bounds; write a range within 1 or more"),
        ({"share": (0, 50)}, "share=0..50 is out of bounds; write a range within 1 or more"),
        ({"funds": (0, 5)}, "funds=0..5 is out of bounds; write a range within 1 to 10000"),
        ({"funds": (5, 10_001)}, "funds=5..10001 is out of bounds"),
        ({"items": (20, 20), "values": (1, 1_000)}, "funds could be more than 10000"),
    ],
)
def test_sizes_that_make_no_match_are_refused(
    level: dict[str, tuple[int, int]], words: str
) -> None:
    """With a sentence on what may be."""
    with pytest.raises(ValueError, match=words):
        BidThat.new(Random(0), **level)


@pytest.mark.parametrize(("level", "highest"), [("easy", 168), ("normal", 280), ("hard", 19)])
def test_no_match_of_a_level_begins_with_more_than_its_notation_allows(
    level: str, highest: int
) -> None:
    """Three and five items of up to 80, of which 70 in a hundred; and the funds of hard."""
    sizes = BidThat.levels[level]
    funds = [BidThat.new(Random(seed), **sizes).funds[0] for seed in range(200)]

    assert Number(0, highest) == BidThat.level_notation(**sizes).fields["bid"]
    assert max(funds) <= highest


def test_half_the_funds_are_the_price_of_the_first_of_three_items() -> None:
    """Solved by hand: bought for 50 the item wins, bought for 51 it loses, so 50 is the best bid.

    The buyer for 50 has 50 left and bids them: who outbids it has less left for the last item.
    The buyer for 51 has 49, so the other bids 50 and then 50 again, which nothing beats, and has
    items worth 90 against 60.
    """
    cheap, dear, start = (
        _after(PAPER, (50, 0)).judge(0),
        _after(PAPER, (51, 0)).judge(1),
        PAPER.judge(0),
    )
    assert cheap and dear and start

    assert 1.0 == cheap["50"]
    assert 1.0 == dear["50"]
    assert {"50": 0.5} == {bid: worth for bid, worth in start.items() if worth}


def test_the_last_item_takes_all() -> None:
    """With more funds one above the other's wins for sure; with less nothing does."""
    last = _after(BidThat((10, 20, 30), (9, 9)), (4, 0), (0, 6))
    rich, poor = last.judge(0), last.judge(1)

    assert {"0": 0.0, "1": 0.0, "2": 0.0, "3": 0.0, "4": 1.0, "5": 1.0} == rich
    assert poor and {0.0} == set(poor.values())


def test_nothing_is_judged_that_is_too_large_or_settled() -> None:
    """Easy and hard matches are judged throughout, normal ones for the last three items.

    A seat whose bid waits gets no verdict.
    """
    for level, first in (("easy", 0), ("normal", 2), ("hard", 0)):
        match = BidThat.new(Random(1), **BidThat.levels[level])
        while match.options():
            done = len(match.bids)

            assert [done >= first] * 2 == [
                match.seen_by(seat).judge(seat) is not None for seat in (0, 1)
            ]
            assert match.play(0, "1").seen_by(0).judge(0) is None
            match = _after(match, (1, 0) if done % 2 else (0, 1))


@pytest.mark.parametrize("level", ["easy", "hard"])
def test_the_oracle_makes_no_mistake_where_it_is_judged(level: str) -> None:
    """Every bid it makes is worth the most, against an opponent who bids by luck."""
    rng = Random(2)
    for seed in range(4):
        match = BidThat.new(Random(seed), **BidThat.levels[level])
        while options := match.options():
            view, reply = match.seen_by(0), rng.choice(list(options[1] or ()))
            bid, worth = view.strategies["oracle"](view, 0, rng, 1_000), view.judge(0)
            assert worth

            assert max(worth.values()) == pytest.approx(worth[bid], abs=1e-9)
            match = _after(match, (int(bid), int(reply)))


def test_proportional_spreads_its_funds() -> None:
    """As much of the funds left as the item is of the worth left."""
    bids = [
        _after(PAPER, *before).proportional(0, Random(0), 1)
        for before in ([], [(40, 41)], [(40, 41), (56, 55)])
    ]

    assert ["40", "55", "44"] == bids


def test_the_text_tells_the_match_from_the_seat_s_side() -> None:
    """Worths, the whole log, both funds and what both have."""
    told = _after(PAPER, (60, 25), (9, 9)).seen_by(1).text(1)

    assert (
        "Item 1, worth 60: you bid 25, your opponent bid 60; your opponent got it for 60." in told
    )
    assert "Item 2, worth 50: you bid 9, your opponent bid 9; nobody got it." in told
    assert "You: funds 100, items worth 0\nOpponent: funds 40, items worth 60" in told
    assert "Now up for sale: item 3 of 3, worth 40" in told


def test_the_text_is_told_in_chinese() -> None:
    """The same lines, from the seat's side, up to the last item and after it."""
    match = _after(PAPER, (60, 25), (9, 9))

    assert match.play(1, "7").seen_by(1).text(1, "zh").splitlines() == [
        "各件拍品的价值（按拍卖顺序）：60 50 40",
        "第 1 件，价值 60：你出价 25，对手出价 60；对手以 60 的价格得到。",
        "第 2 件，价值 50：你出价 9，对手出价 9；谁也没有得到。",
        "你：剩余资金 100，所得拍品总价值 0",
        "对手：剩余资金 40，所得拍品总价值 60",
        "正在拍卖：第 3 件（共 3 件），价值 40",
        "你已对这件拍品出价 7。",
    ]
    assert "所有拍品都已拍卖完毕。" in _after(match, (0, 1)).text(0, "zh")

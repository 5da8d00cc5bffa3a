"""Auctions: what positions are worth, against brute force and plain backward induction; ladders;
how strong the players are."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from random import Random

import pytest

from matrix_games import value_of
from quandary.algorithms.equilibrium import equilibrium
from quandary.puzzles.duels._shared.auction import Auction
from quandary.puzzles.duels._shared.auction.solver import (
    BidEquilibrium,
    Ladder,
    Sale,
    _worth,
    bid_equilibrium,
    solve,
    worth,
    worths,
)
from quandary.puzzles.duels.bid_that import BidThat
from quandary.puzzles.duels.bid_that_vickrey import BidThatVickrey

PUZZLES: tuple[type[Auction], ...] = (BidThat, BidThatVickrey)
both = pytest.mark.parametrize("puzzle", PUZZLES)


@cache
def _brute_force(match: Auction) -> Fraction:
    """The first seat's expected score: every bid and every reply, played by the rules, in
    fractions."""
    if not match.options():
        return Fraction(match.scores()[0])
    bids, replies = (match.options()[seat] or () for seat in (0, 1))
    return value_of(
        [[_brute_force(match.play(0, bid).play(1, reply)) for reply in replies] for bid in bids]
    )


@cache
def _plain(sale: Sale) -> float:
    """The same for larger matches: all bids and no shortcut, the matrix games solved as they
    are."""
    lots, own, other, lead, second_price = sale
    if not lots:
        return 0.5 if lead == 0 else float(lead > 0)
    rest, item = lots[1:], lots[0]

    def entry(bid: int, reply: int) -> float:
        price = min(bid, reply) if second_price else max(bid, reply)
        if bid == reply:
            return _plain(Sale(rest, own, other, lead, second_price))
        if bid > reply:
            return _plain(Sale(rest, own - price, other, lead + item, second_price))
        return _plain(Sale(rest, own, other - price, lead - item, second_price))

    return equilibrium(
        [[entry(bid, reply) for reply in range(other + 1)] for bid in range(own + 1)]
    ).value


def _sale(rng: Random, lots: int, funds: int, second_price: bool, most: int = 9) -> Sale:
    values = tuple(rng.randint(2, most) for _ in range(lots))
    return Sale(
        values, rng.randint(0, funds), rng.randint(0, funds), rng.randint(-most, most), second_price
    )


@both
def test_positions_are_worth_what_brute_force_says(puzzle: type[Auction]) -> None:
    """Up to three items and four coins: the worth, and the best bid's worth for both seats; some
    of it takes mixing."""
    rng, mixed = Random(1), 0
    for _ in range(120):
        lots, own, other, lead, _ = _sale(rng, rng.randint(1, 3), 4, puzzle.second_price, most=4)
        match = puzzle(lots, (own, other), (max(lead, 0), max(-lead, 0)))
        value = _brute_force(match)
        mixed += value not in (0, Fraction(1, 2), 1)

        assert float(value) == pytest.approx(worth(match.sale(0)), abs=1e-9)
        assert float(value) == pytest.approx(max(worths(match.sale(0))), abs=1e-9)
        assert 1 - float(value) == pytest.approx(max(worths(match.sale(1))), abs=1e-9)
    assert mixed >= 4


@pytest.mark.parametrize("second_price", [False, True])
@pytest.mark.parametrize(
    ("lots", "funds", "times"), [(2, 14, 60), (3, 9, 40), (4, 6, 15), (5, 3, 15)]
)
def test_shortcuts_change_nothing(lots: int, funds: int, times: int, second_price: bool) -> None:
    """Bids left out, choices sifted, mixes by recurrence and sure wins: the worth is that of the
    whole matrices."""
    rng = Random(lots)
    for _ in range(times):
        sale = _sale(rng, lots, funds, second_price)

        assert _plain(sale) == pytest.approx(worth(sale), abs=1e-9)
        assert _plain(sale) == pytest.approx(bid_equilibrium(sale).value, abs=1e-9)


def _sure(game: Ladder, found: BidEquilibrium) -> tuple[float, float]:
    """The least our mix gets and the most theirs gives away, over all replies."""

    def entry(one: int, two: int) -> float:
        return game.level if one == two else game.won[one] if one > two else game.lost[two]

    least = min(
        sum(share * entry(one, two) for one, share in found.own.items()) for two in game.theirs
    )
    most = max(
        sum(share * entry(one, two) for two, share in found.other.items()) for one in game.mine
    )
    return least, most


@pytest.mark.parametrize("entries", [None, (0.0, 0.5, 1.0), (0.0, 1.0)])
@pytest.mark.parametrize("rising", [False, True])
def test_nobody_gains_by_leaving_the_mix_of_a_ladder(
    entries: Sequence[float] | None, rising: bool
) -> None:
    """Any ladder, whether or not its worths rise and fall as an auction's do: no reply of either
    side gains 1e-9."""
    rng = Random(3)
    for _ in range(300):
        mine, theirs = (range(rng.randint(-3, 0), rng.randint(1, 14)) for _ in range(2))
        drawn = [
            [rng.choice(entries) if entries else rng.random() for _ in side]
            for side in (mine, theirs)
        ]
        if rising:
            drawn = [sorted(drawn[0], reverse=True), sorted(drawn[1])]
        won, lost = (
            dict(zip(side, table, strict=True))
            for side, table in zip((mine, theirs), drawn, strict=True)
        )
        game = Ladder(mine, theirs, won, lost, rng.choice(entries) if entries else rng.random())
        found = solve(game)

        assert [1.0, 1.0] == pytest.approx([sum(mix.values()) for mix in (found.own, found.other)])
        assert min(*found.own.values(), *found.other.values()) >= 0.0
        assert [found.value, found.value] == pytest.approx(_sure(game, found), abs=1e-9)


@both
def test_each_bid_is_worth_what_its_reply_makes_of_it(puzzle: type[Auction]) -> None:
    """Played out by the rules against the equilibrium reply, for all bids, those above the
    other's funds too."""
    rng = Random(4)
    for _ in range(25):
        lots, own, other, lead, _ = _sale(rng, 3, 20, puzzle.second_price)
        match = puzzle(lots, (own, other), (max(lead, 0), max(-lead, 0)))
        replies = bid_equilibrium(match.sale(0)).other
        expected = [
            sum(
                share * worth(match.play(0, bid).play(1, str(reply)).sale(0))
                for reply, share in replies.items()
            )
            for bid in match.options()[0] or ()
        ]

        assert expected == pytest.approx(worths(match.sale(0)), abs=1e-9)


@pytest.mark.parametrize("second_price", [False, True])
def test_both_sides_agree_on_large_sales(second_price: bool) -> None:
    """What one side expects the other does without, and more funds or a larger lead never hurt."""
    rng = Random(5)
    for _ in range(12):
        lots = tuple(rng.randint(20, 80) for _ in range(3))
        sale = Sale(
            lots, rng.randint(30, 60), rng.randint(30, 60), rng.randint(-60, 60), second_price
        )
        value = bid_equilibrium(sale).value

        assert 1.0 - value == pytest.approx(bid_equilibrium(sale.swapped()).value, abs=1e-9)
        assert bid_equilibrium(sale._replace(own=sale.own + 1)).value >= value - 1e-9
        assert bid_equilibrium(sale._replace(lead=sale.lead + 1)).value >= value - 1e-9


@pytest.mark.parametrize("second_price", [False, True])
def test_one_bid_is_best_where_both_stand_alike(second_price: bool) -> None:
    """The highest that is no worse won than lost, or the lowest no worse lost than won, gets
    half against every reply."""
    rng = Random(6)
    for _ in range(20):
        funds = rng.randint(5, 30)
        sale = Sale(tuple(rng.randint(20, 80) for _ in range(3)), funds, funds, 0, second_price)
        won = [sale.won(price) for price in range(funds + 1)]
        if second_price:
            best = next((bid for bid in range(funds) if won[bid] <= 0.5), funds)
            replies = [
                won[reply] if reply < best else 1 - won[best]
                for reply in range(funds + 1)
                if reply != best
            ]
        else:
            best = max(bid for bid in range(funds + 1) if won[bid] >= 0.5 or bid == 0)
            replies = [
                won[best] if reply < best else 1 - won[reply]
                for reply in range(funds + 1)
                if reply != best
            ]

        assert min(replies) >= 0.5 - 1e-9
        assert 0.5 == pytest.approx(worths(sale)[best], abs=1e-9)


@pytest.mark.parametrize("second_price", [False, True])
@pytest.mark.parametrize(("lots", "most"), [(3, 60), (4, 20), (5, 12), (6, 9)])
def test_the_count_of_positions_is_not_too_low(lots: int, most: int, second_price: bool) -> None:
    """A budget is kept: no more games are solved than were announced, from eight coins a side
    on."""
    rng = Random(7)
    for _ in range(9 - lots):
        funds = (rng.randint(8, most), rng.randint(8, most))
        for own, other, lead in ((*funds, rng.randint(-40, 40)), (funds[0], funds[0], 0)):
            sale = Sale(
                tuple(rng.randint(20, 80) for _ in range(lots)), own, other, lead, second_price
            )
            _worth.cache_clear()
            bid_equilibrium(sale)

            assert _worth.cache_info().misses <= sale.positions()


def _mean_score(
    puzzle: type[Auction], strategy: str, other: str, level: str, instances: int
) -> float:
    """The mean score over instances that are played from both seats, with a budget of 1,000
    positions."""
    total = 0.0
    for seed in range(instances):
        start, rng = puzzle.new(Random(f"{level}#{seed}"), **puzzle.levels[level]), Random(seed)
        for seats in ((strategy, other), (other, strategy)):
            match = start
            while options := match.options():
                bids = [
                    match.strategies[name](match.seen_by(seat), seat, rng, 1_000)
                    if name in match.strategies
                    else rng.choice(list(options[seat] or ()))
                    for seat, name in enumerate(seats)
                ]
                match = match.play(0, bids[0]).play(1, bids[1])
            total += match.scores()[seats.index(strategy)]
    return total / (2 * instances)


@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
def test_proportional_bids_beat_random_ones_that_are_paid(level: str) -> None:
    """Four matches in five and more, over 200 matches; where the lower bid is paid it is not so
    clear."""
    assert _mean_score(BidThat, "proportional", "random", level, 100) > 0.8


@pytest.mark.heavy
@both
@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
def test_house_opponents_beat_random_bids(puzzle: type[Auction], level: str) -> None:
    """Four matches in five and more, over 60 matches."""
    assert _mean_score(puzzle, puzzle.house[level], "random", level, 30) > 0.8


@pytest.mark.heavy
@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
@pytest.mark.parametrize(
    ("puzzle", "other"),
    [(puzzle, other) for puzzle in PUZZLES for other in list(puzzle.strategies)[:-1]],
)
def test_the_oracle_beats_the_other_players(puzzle: type[Auction], other: str, level: str) -> None:
    """Two matches in three and more, over 60 matches, where the error is at most 13 in a
    hundred."""
    assert _mean_score(puzzle, "oracle", other, level, 30) > 0.67

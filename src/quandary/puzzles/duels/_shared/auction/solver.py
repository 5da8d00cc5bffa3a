"""Sealed-bid auctions between two bidders: the worth of positions under best play.

Only items count in the end, so funds are worth what they can still buy.  Each item up for sale is a
matrix game, and the worth of a position follows by backward induction from the last item.  These
games are ladders: the higher of two choices wins and alone determines what follows.  A choice is
the bid itself if the winner pays its own bid, and the negated bid if it pays the lower one.  Most
choices of a ladder are never better than a neighbour; the others are usually mixed so that all of
them are equally good, which takes one pass over them.  Such a mix is checked by best replies among
all choices; if there is none, `quandary.algorithms.equilibrium` solves the remaining game.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from random import Random
from typing import NamedTuple, TypeAlias

from quandary.algorithms.equilibrium import equilibrium
from quandary.core.bounds import Range

Mix: TypeAlias = Mapping[int, float]  # how often each choice is made
WORK = 120_000  # most positions times bids that are searched: well under a second
TOLERANCE = 1e-11  # the most that a best reply may gain


class Sale(NamedTuple):
    """The rest of a match from the point of view of one bidder."""

    lots: tuple[int, ...]  # the items left, by worth
    own: int  # funds
    other: int
    lead: int  # how much more this bidder has collected
    second_price: bool

    def swapped(self) -> Sale:
        return Sale(self.lots, self.other, self.own, -self.lead, self.second_price)

    def bids(self) -> range:
        """Return the bids to consider: none needs to be higher than the other's funds plus one."""
        return range(min(self.own, self.other + 1) + 1)

    def positions(self) -> int:
        """Return an upper estimate of the matrix games to solve; half of them if both sides are
        equal.
        """
        own, other, left = self.own + 1, self.other + 1, len(self.lots)
        games = 1 if left < 2 else own + other if left < 4 else 5 ** (left - 4) * own * other
        return (games + 1) // 2 if own == other and not self.lead else games

    def within(self, budget: int) -> bool:
        """Return whether it can be solved with a budget of positions, and quickly."""
        return self.positions() <= budget and self.positions() * max(self.own, self.other) <= WORK

    def won(self, price: int) -> float:
        """Return the expected score after buying the first lot."""
        return worth(
            Sale(
                self.lots[1:],
                self.own - price,
                self.other,
                self.lead + self.lots[0],
                self.second_price,
            )
        )

    def lost(self, price: int) -> float:
        return worth(
            Sale(
                self.lots[1:],
                self.own,
                self.other - price,
                self.lead - self.lots[0],
                self.second_price,
            )
        )


class Ladder(NamedTuple):
    """A matrix game in which the higher choice wins and alone determines the worth to us."""

    mine: Sequence[int]  # rising
    theirs: Sequence[int]
    won: Mapping[int, float]  # by our choice
    lost: Mapping[int, float]  # by theirs
    level: float  # equal choices

    def swapped(self) -> Ladder:
        won, lost = (
            {choice: 1.0 - worth for choice, worth in table.items()}
            for table in (self.lost, self.won)
        )
        return Ladder(self.theirs, self.mine, won, lost, 1.0 - self.level)


class BidEquilibrium(NamedTuple):
    """An equilibrium: its worth to us, and how often each side makes each choice."""

    value: float
    own: Mix
    other: Mix


def score(lead: int) -> float:
    return 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5


def worth(sale: Sale) -> float:
    """Return the expected score under best play."""
    lots, own, other, lead, _ = sale
    if len(lots) < 2:  # nothing is left to save for
        return score(lead + ((own > other) - (own < other)) * sum(lots))
    if abs(lead) > sum(lots):
        return score(lead)
    if own == other and not lead:
        return 0.5
    if own < other:
        return 1.0 - worth(sale.swapped())
    sure = own // (other + 1)  # lots that can be bought by bidding one more than the other can
    if sure and lead + 2 * sum(sorted(lots)[-sure:]) > sum(lots):
        return 1.0
    return _worth(sale)


@lru_cache(maxsize=1 << 17)
def _worth(sale: Sale) -> float:
    return solve(ladder(sale)).value


def bid_equilibrium(sale: Sale) -> BidEquilibrium:
    """Return an equilibrium of the bids for the first lot."""
    value, own, other = solve(ladder(sale))
    return BidEquilibrium(
        value, *({abs(choice): share for choice, share in mix.items()} for mix in (own, other))
    )


def planned_bid(sale: Sale, rng: Random, budget: int) -> int | None:
    """Return a bid drawn from an equilibrium, computed with fewer, larger coins if the budget is
    small.

    None if the budget is too small even for two coins.
    """
    rough = sale
    coins = most = max(sale.own, sale.other, 1)
    while not rough.within(budget):
        coins = (coins - 1) // 2 * 2  # even, because half of the funds is an important bid
        if not coins:
            return None
        own, other = round(sale.own * coins / most), round(sale.other * coins / most)
        rough = sale._replace(own=own, other=other)
    mix = bid_equilibrium(rough).own
    bid = rng.choices(list(mix), list(mix.values()))[0]
    return min(sale.own, round(bid * most / coins))


def worths(sale: Sale) -> list[float]:
    """Return the worth of each bid, from 0 to all funds, against an equilibrium reply."""
    game = ladder(sale)
    found = payoffs(game, solve(game).other)
    above = range(len(found), sale.own + 1)
    if sale.second_price:
        return found[::-1] + [found[0] for _ in above]
    return found + [sale.won(bid) for bid in above]


def ladder(sale: Sale) -> Ladder:
    """Return the bids for the first lot, as a ladder.

    If the lower bid is paid, a choice is the negated bid, so that it determines the price.
    """
    mine, theirs, level = (
        sale.bids(),
        sale.swapped().bids(),
        worth(sale._replace(lots=sale.lots[1:])),
    )
    if not sale.second_price:
        return Ladder(
            mine,
            theirs,
            {bid: sale.won(bid) for bid in mine},
            {bid: sale.lost(bid) for bid in theirs},
            level,
        )
    won = {-bid: sale.lost(min(bid, sale.other)) for bid in mine}
    lost = {-bid: sale.won(min(bid, sale.own)) for bid in theirs}
    return Ladder(range(-mine[-1], 1), range(-theirs[-1], 1), won, lost, level)


def solve(game: Ladder) -> BidEquilibrium:
    """Return an equilibrium of a ladder."""
    swapped = game.swapped()
    mine, theirs, before = game.mine, game.theirs, 0
    while len(mine) + len(theirs) != before:
        before = len(mine) + len(theirs)
        mine = _sifted(game, mine, theirs)
        theirs = _sifted(swapped, theirs, mine)
    # Near a draw, the last choice may be superfluous.
    for support in (mine, mine[:-1] or mine) if mine == theirs else ():
        own, other = _evened(swapped, support), _evened(game, support)
        if own and other:
            most, least = max(payoffs(game, other)), 1.0 - max(payoffs(swapped, own))
            if most - least <= TOLERANCE:
                return BidEquilibrium((most + least) / 2, own, other)
    won, lost, level = game[2:]
    found = equilibrium(
        [
            [won[one] if one > two else lost[two] if one < two else level for two in theirs]
            for one in mine
        ]
    )
    return BidEquilibrium(
        found.value,
        dict(zip(mine, found.rows, strict=True)),
        dict(zip(theirs, found.columns, strict=True)),
    )


def _sifted(game: Ladder, mine: Sequence[int], theirs: Sequence[int]) -> list[int]:
    """Our choices without those that are never better than a neighbour."""
    kept: list[int] = []
    before = None
    for choice in mine:
        if before is None or before == kept[-1] or max(_gains(game, theirs, before, choice)) > 0.0:
            gains = [1.0]
            while kept:
                gains = _gains(game, theirs, kept[-1], choice)
                if min(gains) < 0.0:
                    break
                kept.pop()
            if not kept or max(gains) > 0.0:
                kept.append(choice)
        before = choice
    return kept


def _gains(game: Ladder, theirs: Sequence[int], below: int, choice: int) -> list[float]:
    """Return the gain of a choice over a lower one, for each reply against which they differ."""
    won, lost, level = game[2:]
    start, stop = bisect_left(theirs, below), bisect_right(theirs, choice)
    gains = [won[choice] - won[below]] if start else []
    for other in theirs[start:stop]:  # both lose against all higher replies
        gains.append(
            level - lost[other]
            if other == choice
            else won[choice] - (level if other == below else lost[other])
        )
    return gains or [0.0]


def _evened(game: Ladder, choices: Sequence[int]) -> Mix | None:
    """Return the mix of these choices by the other side that makes all of ours equally good, if
    any.
    """
    won, lost, level = game[2:]
    shares, beaten = [1.0], 0.0
    for choice, above in pairwise(choices):
        if level == lost[above]:
            return None
        before = level * shares[-1] + won[choice] * beaten
        beaten += shares[-1]
        shares.append((before - won[above] * beaten) / (level - lost[above]))
        if shares[-1] < 0.0:
            return None
    total = sum(shares)
    return {choice: share / total for choice, share in zip(choices, shares, strict=True)}


def payoffs(game: Ladder, mix: Mix) -> list[float]:
    """Return the worth of each of our choices against a mix of theirs."""
    won, lost, level = game[2:]
    above, beaten, found = (
        sum(share * lost[choice] for choice, share in mix.items()),
        0.0,
        list[float](),
    )
    for choice in sorted({*game.mine, *mix}):
        share = mix.get(choice, 0.0)
        above -= share * lost.get(choice, 0.0)
        if choice in won:
            found.append(won[choice] * beaten + level * share + above)
        beaten += share
    return found


def most_funds(items: Range, values: Range, share: Range, funds: Range | None) -> int:
    """Return the largest funds that a match of these sizes can begin with."""
    return funds[1] if funds else max(1, items[1] * values[1] * share[1] // 100)

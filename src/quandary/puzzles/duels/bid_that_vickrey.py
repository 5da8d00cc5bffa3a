"""Bid that, Vickrey's way: two players bid in secret for items whose worth both know; the higher bid wins, the lower is paid.

From PuzzlePlex, which gives the rules and one example: three items, and funds of 100 each.  Readings: a bid is a whole number from
0 to the funds left; an item that both bid the same for is gone; after each item both bids are open; a draw is half a win.
Funds are about two thirds of what the items are worth, as in the example; at hard they are a few coins, whatever the items.

What can be known: Vickrey's theorem, that nobody does better than to bid what an item is worth, is about money that keeps its
worth.  Here funds are worth what they still buy and nothing in the end, and who loses an item says what the winner pays.
So `truthful` bidding is no good: someone who sees it coming beat it for certain in each of 200 matches.
Where both players stand alike, as at the start, one bid is best, the lowest at which the item is no worse to lose than to win;
with three items, none of which outweighs the other two, that is about half the funds.  Elsewhere best play is often mixed.
Judge and oracle are exact at easy and hard, and at normal for the last three items; before those the oracle plans with fewer,
larger coins.  With its usual budget it wins about eight matches in ten, or more, against every other player.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from quandary.core.contract import Language, Move, Seat
from quandary.families.auction import AFTERWARDS, SALE, Auction


@dataclass(frozen=True)
class BidThatVickrey(Auction):
    second_price = True

    def rules(self, language: Language = "en") -> str:
        return (
            f"{SALE} The player with the higher bid gets the item and pays what the other player bid, which is less; "
            "the other player pays nothing. "
            "For example, with bids of 30 and 20 the first player gets the item and has 20 less to spend. "
            f"{AFTERWARDS}"
        )

    def truthful(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Bids what the item is worth, as far as the funds go: the best there is where money keeps its worth."""
        return str(min(self.funds[seat], self.items[len(self.bids)]))

    strategies = {"truthful": truthful, **Auction.strategies}

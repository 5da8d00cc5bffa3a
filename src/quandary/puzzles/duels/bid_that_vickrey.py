"""Bid that, as a Vickrey auction: the higher secret bid wins the item, and the lower bid is paid.

From PuzzlePlex, which gives the rules and one example: three items, and funds of 100 each.
Interpretations: a bid is a whole number from 0 to the funds left; an item for which both bids are
equal is gone; after each item both bids are open; a draw is half a win.  Funds are about two thirds
of what the items are worth, as in the example; at hard they are a few coins, whatever the items.

What is known: Vickrey's theorem, that it is best to bid what an item is worth, assumes money that
keeps its worth.  Here funds are worth what they can still buy and nothing in the end, and the loser
of an item determines what the winner pays.  So `truthful` bidding is weak: a player who expected it
won each of 200 matches against it.  Where both players are in the same
position, as at the start, one bid is best, the lowest at which the item is no worse to lose than to
win; with three items, none of which outweighs the other two, that is about half the funds.
Elsewhere best play is often mixed.  Judge and oracle are exact at easy and hard, and at normal for
the last three items; before those the oracle plans with fewer, larger coins.  With its usual budget
it wins about eight matches in ten, or more, against every other player.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from quandary.core.contract import Language, Move, Seat
from quandary.puzzles.duels._shared.auction import Auction, closing_rules, sale_rules


@dataclass(frozen=True)
class BidThatVickrey(Auction):
    version = 2
    second_price = True

    def rules(self, language: Language = "en") -> str:
        say = self.say(language)
        return say.lines(
            sale_rules(say),
            say(
                "The player with the higher bid gets the item and pays what the other player bid,"
                " which is less; the other player pays nothing. For example, with bids of 30 and 20"
                " the first player gets the item and has 20 less to spend."
            ),
            closing_rules(say),
            self.how(language),
        )

    def truthful(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Bids the worth of the item or all its funds: best play if money kept its worth."""
        return str(min(self.funds[seat], self.items[len(self.bids)]))

    strategies = {"truthful": truthful, **Auction.strategies}

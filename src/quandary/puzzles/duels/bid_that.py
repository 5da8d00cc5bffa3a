"""Bid that: two players bid in secret for items of known worth; the higher bid wins and is paid.

From PuzzlePlex, which gives the rules and one example: three items, and funds of 100 each.
Interpretations: a bid is a whole number from 0 to the funds left; an item for which both bids are
equal is gone; after each item both bids are open; a draw is half a win.  Funds are about two thirds
of what the items are worth, as in the example; at hard they are a few coins, whatever the items.

What is known: where both players are in the same position, as at the start, one bid is best,
the highest at which the item is no worse to win than to lose; with three items, none of which
outweighs the other two, that is about half the funds.  Two players who both know it bid the same
throughout and draw.  Elsewhere best play is often mixed.  Judge and oracle are exact at easy and
hard, and at normal for the last three items; before those the oracle plans with fewer, larger
coins.  With its usual budget it wins about nine matches in ten, or more, against every other
player; a player who plans more finely at normal beats it.
"""

from __future__ import annotations

from dataclasses import dataclass

from quandary.core.contract import Language
from quandary.puzzles.duels._shared.auction import Auction, closing_rules, sale_rules


@dataclass(frozen=True)
class BidThat(Auction):
    version = 2
    second_price = False

    def rules(self, language: Language = "en") -> str:
        say = self.say(language)
        return say.lines(
            sale_rules(say),
            say(
                "The player with the higher bid gets the item and pays that bid; the other player"
                " pays nothing. For example, with bids of 30 and 20 the first player gets the item"
                " and has 30 less to spend."
            ),
            closing_rules(say),
            self.how(language),
        )

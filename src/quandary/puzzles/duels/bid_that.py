"""Bid that: two players bid in secret for items whose worth both know; the higher bid gets the item and is paid.

From PuzzlePlex, which gives the rules and one example, of three items for 100 each.  Readings: bids are whole numbers from 0 to
the funds left; an item that both bid the same for is gone; after each item both bids are open; an equal worth of items is a draw,
half a win.  Items and funds are drawn alike at easy and normal; at hard money is scarce, and the house opponent makes no mistake.

What can be known: where both players stand alike, as at the start, one bid is best, the highest at which the item is no worse
to win than to lose.  With three items, none of which outweighs the other two, that is about half the funds.  Two who both play
it get nothing and draw.  Elsewhere best play is often mixed.  The oracle and the judge are exact for the last three items, and at
hard from the start on; earlier the oracle plans in coarser money, and still wins nearly all matches against the other players.
"""

from __future__ import annotations

from dataclasses import dataclass

from quandary.core.contract import Language
from quandary.kit.auction import AFTERWARDS, SALE, Auction


@dataclass(frozen=True)
class BidThat(Auction):
    second_price = False

    def rules(self, language: Language = "en") -> str:
        return (
            f"{SALE} The player with the higher bid gets the item and pays that bid; the other player pays nothing. "
            "For example, with bids of 30 and 20 the first player gets the item and has 30 less to spend. "
            f"{AFTERWARDS}"
        )

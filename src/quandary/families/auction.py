"""Sealed-bid auctions between two bidders: the base class of its puzzles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import ClassVar, Self

from quandary.core.contract import Game, Language, Move, Options, Private, Seat
from quandary.core.scene import Box, Label, Scene, Shape
from quandary.kit.hidden_information import information_set_mcts
from quandary.kit.reading import read_number
from quandary.solvers.auction import WORK, Sale, bid_equilibrium, score, worths

MOST_ITEMS, MOST_FUNDS = 20, 10_000
BIDS = tuple(map(str, range(MOST_FUNDS + 1)))
HOW = "Write your bid as one whole number, for example: 25"
SALE = (
    "Two players bid for items, which are put up for sale one after another. What each item is "
    "worth and in which order they come is known to both from the start. Both begin with the same "
    "funds.\n"
    "For each item both players bid at the same time, without seeing the other's bid: a whole "
    "number from 0 up to the funds they have left. Then both bids are shown."
)
AFTERWARDS = (
    "If both bid the same, nobody gets the item, nobody pays, and it does not come up again.\n"
    "When all items have been up for sale, the player whose items are worth more together wins; "
    "equal worth is a draw. Funds that are left count for nothing. A bid that is not allowed "
    "loses the match at once.\n"
    f"{HOW}"
)
PARTS = 12  # of the funds, in bids that tree search tries
MARGIN, PITCH = 3.0, 1.5  # of a picture: what the words left of the items take, and an item


@dataclass(frozen=True)
class Auction(Game):
    """A match; a puzzle says which of the bids is paid."""

    items: tuple[int, ...]  # what they are worth, in the order of sale
    funds: tuple[int, int]  # left to spend
    collected: tuple[int, int] = (0, 0)  # worth of the items each seat has
    bids: tuple[tuple[int, int], ...] = ()  # on each item that has been up for sale
    # bids that wait for the other seat's
    chosen: Private[tuple[int | None, int | None]] = (None, None)

    second_price: ClassVar[bool]  # whether the winner pays the other's bid instead of its own

    levels = {
        "easy": {"items": (3, 3)},
        "normal": {"items": (5, 5)},
        "hard": {"items": (5, 5), "funds": (16, 19)},
    }
    house = {"easy": "mcts", "normal": "mcts", "hard": "oracle"}

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        items: tuple[int, int] = (3, 3),
        values: tuple[int, int] = (20, 80),
        share: tuple[int, int] = (60, 70),
        funds: tuple[int, int] | None = None,
    ) -> Self:
        """Random items, and equal funds: a percentage of their worth, unless a range is given."""
        richest = funds[1] if funds else items[1] * values[1] * share[1] // 100
        if not 1 <= items[0] <= items[1] <= MOST_ITEMS or values[0] < 1 or richest > MOST_FUNDS:
            raise ValueError(f"there are 1 to {MOST_ITEMS} items, each worth at least 1, and funds are at most {MOST_FUNDS}")
        if min(funds or share) < 1:
            raise ValueError("funds are at least 1, and so is their share in percent")
        drawn = tuple(rng.randint(*values) for _ in range(rng.randint(*items)))
        money = rng.randint(*funds) if funds else max(1, sum(drawn) * rng.randint(*share) // 100)
        return cls(drawn, (money, money))

    def options(self) -> Options:
        if len(self.bids) == len(self.items):
            return {}
        return {seat: BIDS[: self.funds[seat] + 1] for seat in (0, 1) if self.chosen[seat] is None}

    def after(self, seat: Seat, move: Move) -> Self:
        first, second = (int(move), self.chosen[1]) if seat == 0 else (self.chosen[0], int(move))
        if first is None or second is None:
            return type(self)(self.items, self.funds, self.collected, self.bids, (first, second))
        funds, collected, item = self.funds, self.collected, self.items[len(self.bids)]
        price = min(first, second) if self.second_price else max(first, second)
        if first > second:
            funds, collected = (funds[0] - price, funds[1]), (collected[0] + item, collected[1])
        elif second > first:
            funds, collected = (funds[0], funds[1] - price), (collected[0], collected[1] + item)
        return type(self)(self.items, funds, collected, (*self.bids, (first, second)))

    def scores(self) -> tuple[float, float]:
        lead = self.collected[0] - self.collected[1]
        return (score(lead), score(-lead))

    def values(self) -> tuple[float, float]:
        """The worth of the items of both seats."""
        return (float(self.collected[0]), float(self.collected[1]))

    def world(self, rng: Random) -> Self:
        """All is open but a bid that waits, and that may as well not have been made yet."""
        return self

    def read(self, seat: Seat, said: str) -> Move:
        return read_number(said, HOW)

    def text(self, seat: Seat, language: Language = "en") -> str:
        done, chosen, other = len(self.bids), self.chosen[seat], 1 - seat
        lines = [f"What the items are worth, in the order of sale: {' '.join(map(str, self.items))}"]
        lines += [
            f"Item {number}, worth {item}: you bid {bids[seat]}, your opponent bid {bids[other]}; {self._told(bids, seat)}."
            for number, (item, bids) in enumerate(zip(self.items, self.bids, strict=False), start=1)
        ]
        lines += [
            f"You: funds {self.funds[seat]}, items worth {self.collected[seat]}",
            f"Opponent: funds {self.funds[other]}, items worth {self.collected[other]}",
        ]
        if done == len(self.items):
            return "\n".join([*lines, "All items have been up for sale."])
        lines.append(f"Now up for sale: item {done + 1} of {len(self.items)}, worth {self.items[done]}")
        return "\n".join(lines if chosen is None else [*lines, f"You have bid {chosen} for it."])

    def _told(self, bids: tuple[int, int], seat: Seat) -> str:
        """What came of two bids."""
        if bids[0] == bids[1]:
            return "nobody got it"
        price = min(bids) if self.second_price else max(bids)
        return f"you got it for {price}" if bids[seat] > bids[1 - seat] else f"your opponent got it for {price}"

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        done, chosen, other = len(self.bids), self.chosen[seat], 1 - seat
        width = MARGIN + PITCH * max(len(self.items), 5)
        shapes: list[Shape] = [
            Label(0, y, words, anchor="start") for y, words in ((0.5, "worth"), (1.7, "you bid"), (2.8, "opponent bid"))
        ]
        shapes.append(Label(MARGIN, 3.6, "(filled: that bid got the item)", 0.35, "quiet", "start"))
        for column, item in enumerate(self.items):
            fill = "mark" if column == done else "shade" if column < done else "paper"
            shapes.append(Box(MARGIN + PITCH * column, 0, PITCH - 0.1, fill=fill, text=str(item)))
        for column, bids in enumerate(self.bids):
            for y, who in ((1.2, seat), (2.3, other)):
                fill = "sky" if bids[who] > bids[1 - who] else "paper"
                shapes.append(Box(MARGIN + PITCH * column, y, PITCH - 0.1, fill=fill, text=str(bids[who])))
        if chosen is not None:
            shapes.append(Box(MARGIN + PITCH * done, 1.2, PITCH - 0.1, fill="yellow", text=str(chosen)))
        for y, who, whose in ((4.4, seat, "you"), (5.1, other, "opponent")):
            words = f"{whose}: funds {self.funds[who]}, items worth {self.collected[who]}"
            shapes.append(Label(0, y, words, anchor="start"))
        if done < len(self.items) and chosen is None:
            shapes.append(Label(0, 6.0, "some bids:", anchor="start"))
            some = self._some_bids(seat, 6)
            pitch = (width - MARGIN) / len(some)
            shapes += [Box(MARGIN + pitch * i, 5.6, pitch - 0.1, 0.9, "mark", bid, click=bid) for i, bid in enumerate(some)]
        return Scene(width, 6.6, tuple(shapes))

    def _some_bids(self, seat: Seat, parts: int) -> list[Move]:
        """Bids of no funds to all funds, evenly spread."""
        return list(dict.fromkeys(BIDS[self.funds[seat] * part // parts] for part in range(parts + 1)))

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """Each bid's worth against an equilibrium reply, where the rest can be solved."""
        sale = self.sale(seat)
        if not sale.lots or self.chosen[seat] is not None or not sale.within(WORK):
            return None
        return dict(zip(BIDS, worths(sale), strict=False))

    def proportional(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Spreads its funds over the items left in proportion to what they are worth."""
        lots = self.items[len(self.bids) :]
        return str(self.funds[seat] * lots[0] // sum(lots))

    def mcts(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Monte Carlo tree search, PuzzlePlex's baseline, among bids in twelfths of the funds."""
        return information_set_mcts()(
            _rehearsal(type(self))(self.items, self.funds, self.collected, self.bids),
            seat,
            rng,
            budget,
        )

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """An equilibrium of the match, or of one with larger coins where the budget is short."""
        sale = rough = self.sale(seat)
        coins = most = max(sale.own, sale.other, 1)
        while not rough.within(budget):
            coins = (coins - 1) // 2 * 2  # an even number, for half the funds is a bid that matters
            if not coins:
                return self.proportional(seat, rng, budget)
            rough = sale._replace(own=round(sale.own * coins / most), other=round(sale.other * coins / most))
        mix = bid_equilibrium(rough).own
        bid = rng.choices(list(mix), list(mix.values()))[0]
        return str(min(sale.own, round(bid * most / coins)))

    def sale(self, seat: Seat) -> Sale:
        """What is left of the match, as a seat looks at it."""
        lead = self.collected[seat] - self.collected[1 - seat]
        return Sale(
            self.items[len(self.bids) :],
            self.funds[seat],
            self.funds[1 - seat],
            lead,
            self.second_price,
        )

    strategies = {"proportional": proportional, "mcts": mcts, "oracle": oracle}


@cache
def _rehearsal(kind: type[Auction]) -> type[Auction]:
    """The game restricted to a few bids, each of which tree search can try many times."""
    return type("Rehearsal", (kind,), {"options": _few_options})


def _few_options(match: Auction) -> Options:
    return {seat: match._some_bids(seat, PARTS) for seat in Auction.options(match)}

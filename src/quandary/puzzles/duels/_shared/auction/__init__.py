"""The base class of sealed-bid auctions between two bidders."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from random import Random
from typing import Annotated, Any, ClassVar, Self

from quandary.algorithms.hidden_information import information_set_mcts
from quandary.core.boards import Cell, board, captions, cards, stack
from quandary.core.bounds import Between, Range
from quandary.core.contract import (
    Doc,
    Game,
    HiddenInformation,
    JudgedMoves,
    Language,
    Move,
    Options,
    Private,
    Seat,
)
from quandary.core.moves import Notation, Number
from quandary.core.scene import Scene
from quandary.core.words import Say, say_in

from .solver import WORK, Sale, most_funds, planned_bid, score, worths

MOST_ITEMS, MOST_FUNDS = 20, 10_000
BIDS = tuple(map(str, range(MOST_FUNDS + 1)))
PARTS = 12  # tree search tries bids in such fractions of the funds
SHOWN_PARTS = 6  # a picture offers bids in such fractions of the funds
ITEM_SIZE = (1.5, 1.0)  # in a picture


@dataclass(frozen=True)
class Auction(HiddenInformation, JudgedMoves, Game):
    """An auction; subclasses say which of the bids is paid."""

    items: Annotated[tuple[int, ...], Doc("what each item is worth, in the order of sale")]
    funds: Annotated[tuple[int, int], Doc("what each seat has left to spend")]
    collected: Annotated[tuple[int, int], Doc("the worth of the items that each seat has won")] = (
        0,
        0,
    )
    bids: Annotated[
        tuple[tuple[int, int], ...], Doc("the bids of both seats on each item that has been sold")
    ] = ()
    # Bids of seats that have already bid in this round.
    chosen: Annotated[
        Private[tuple[int | None, int | None]],
        Doc("your bid on this item, null before you have made it"),
    ] = (None, None)

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
        items: Annotated[Range, Between(1, MOST_ITEMS)] = (3, 3),
        values: Annotated[Range, Between(1)] = (20, 80),
        share: Annotated[Range, Between(1)] = (60, 70),
        funds: Annotated[Range, Between(1, MOST_FUNDS)] | None = None,
    ) -> Self:
        """Random items, and equal funds: a percentage of their worth, unless a range is given."""
        if most_funds(items, values, share, funds) > MOST_FUNDS:
            raise ValueError(f"funds could be more than {MOST_FUNDS}; lower items, values or share")
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
        """Return the worth of the items of both seats."""
        return (float(self.collected[0]), float(self.collected[1]))

    def why_illegal(self, seat: Seat, move: Move, language: Language = "en") -> str:
        say, funds = self.say(language), self.funds[seat]
        return say("You have {funds} left, so a bid must be from 0 to {funds}.", funds=funds)

    def equivalent(self, rng: Random) -> Self:
        """With the seats as they are or exchanged."""
        bids = tuple((second, first) for first, second in self.bids)
        sides = self.funds[::-1], self.collected[::-1], bids, self.chosen[::-1]
        return rng.choice((self, type(self)(self.items, *sides)))

    def canonical(self) -> Hashable:
        """Return the items left, and what each seat has and bids, whichever seat it is."""
        chosen = (-1 if bid is None else bid for bid in self.chosen)
        sides = zip(self.funds, self.collected, chosen, strict=True)
        return self.items[len(self.bids) :], *sorted(sides)

    def possible_position(self, rng: Random) -> Self:
        """Return the position without the hidden bid of this round, as if it had not been
        made yet.
        """
        return self

    def notation(self) -> Notation:
        return _notation(MOST_FUNDS)  # a position does not know the funds of the start

    @classmethod
    def level_notation(
        cls,
        *,
        items: Range = (3, 3),
        values: Range = (20, 80),
        share: Range = (60, 70),
        funds: Range | None = None,
        **level: Any,
    ) -> Notation:
        return _notation(most_funds(items, values, share, funds))

    def how(self, language: Language = "en") -> str:
        say = self.say(language)
        return say("Write your bid as one whole number, for example: {bid}", bid=5)

    def text(self, seat: Seat, language: Language = "en") -> str:
        say, done, chosen = self.say(language), len(self.bids), self.chosen[seat]
        sold = enumerate(zip(self.items, self.bids, strict=False), 1)
        if done < len(self.items):
            now = _offer_line(done + 1, len(self.items), self.items[done], language)
        else:
            now = say("All items have been up for sale.")
        return say.lines(
            _items_line(self.items, language),
            *[
                _sale_line(number, worth, bids[seat], bids[1 - seat], self.second_price, language)
                for number, (worth, bids) in sold
            ],
            self._accounts(seat, say),
            now,
            chosen is not None and say("You have bid {bid} for it.", bid=chosen),
        )

    def _accounts(self, seat: Seat, say: Say) -> str:
        return say(
            "You: funds {funds}, items worth {worth}\n"
            "Opponent: funds {opponent_funds}, items worth {opponent_worth}",
            funds=self.funds[seat],
            worth=self.collected[seat],
            opponent_funds=self.funds[1 - seat],
            opponent_worth=self.collected[1 - seat],
        )

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Return the items with both bids on each, both accounts, and some bids to click."""
        say, done, chosen = self.say(language), len(self.bids), self.chosen[seat]
        fills = ["shade"] * done + ["yellow"] + ["paper"] * len(self.items)
        items = [Cell(str(item), fill) for item, fill in zip(self.items, fills, strict=False)]

        def bids_of(who: Seat) -> list[Cell]:
            pairs = ((bids[who], bids[1 - who]) for bids in self.bids)
            return [Cell(str(own), "sky" if own > other else "paper") for own, other in pairs]

        own_bids = bids_of(seat) + ([] if chosen is None else [Cell(str(chosen), "yellow")])
        some = self._some_bids(seat, SHOWN_PARTS) if seat in self.options() else []
        names = [say("worth"), say("you bid"), say("opponent bid")]
        return stack(
            board([items, own_bids, bids_of(1 - seat)], row_names=names, size=ITEM_SIZE),
            captions(say("(blue: this bid got the item)"), colour="quiet"),
            captions(self._accounts(seat, say)),
            cards(
                [Cell(bid, click={"bid": bid}) for bid in some],
                title=say("some possible bids") if some else "",
                size=ITEM_SIZE,
            ),
        )

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        return {
            "shade": say("items that are no longer on sale"),
            "yellow": say("the item on sale, and your bid for it"),
            "sky": say("bids that got their item"),
            "mark": say("some of the bids you can make"),
        }

    def _some_bids(self, seat: Seat, parts: int) -> list[Move]:
        """Bids from nothing to all funds, evenly spread."""
        funds = self.funds[seat]
        return list(dict.fromkeys(BIDS[funds * part // parts] for part in range(parts + 1)))

    judge_budget = (WORK,)

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """Return the worth of each bid against an equilibrium reply, if the rest can be solved."""
        sale = self.sale(seat)
        if not sale.lots or self.chosen[seat] is not None or not sale.within(WORK):
            return None
        return dict(zip(BIDS, worths(sale), strict=False))

    def proportional(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Spreads its funds over the remaining items in proportion to their worth."""
        lots = self.items[len(self.bids) :]
        return str(self.funds[seat] * lots[0] // sum(lots))

    def mcts(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Monte Carlo tree search, PuzzlePlex's baseline, among bids in twelfths of the funds."""
        few_bids = _rehearsal(type(self))(self.items, self.funds, self.collected, self.bids)
        return information_set_mcts()(few_bids, seat, rng, budget)

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Plays an equilibrium of the match, or of one with larger coins if the budget is small."""
        bid = planned_bid(self.sale(seat), rng, budget)
        return self.proportional(seat, rng, budget) if bid is None else str(bid)

    def sale(self, seat: Seat) -> Sale:
        """Return the rest of the match from the point of view of a seat."""
        lots, other = self.items[len(self.bids) :], 1 - seat
        lead = self.collected[seat] - self.collected[other]
        return Sale(lots, self.funds[seat], self.funds[other], lead, self.second_price)

    strategies = {"proportional": proportional, "mcts": mcts, "oracle": oracle}
    strongest = {"easy": "equilibrium", "normal": "search", "hard": "equilibrium"}


@cache
def _rehearsal(kind: type[Auction]) -> type[Auction]:
    """Return the game restricted to a few bids, each of which tree search can try many times."""
    return type("Rehearsal", (kind,), {"options": _few_options})


def _few_options(match: Auction) -> Options:
    return {seat: match._some_bids(seat, PARTS) for seat in Auction.options(match)}


def sale_rules(say: Say) -> str:
    """Return the rules that come before the rule on prices, which differs between the puzzles."""
    return say(
        "Two players bid for items, which are put up for sale one after another. Both players know"
        " from the start what each item is worth and in which order the items come. Both begin"
        " with the same funds.\n"
        "For each item both players bid at the same time, without seeing the other's bid: a whole"
        " number from 0 up to the funds they have left. Then both bids are revealed."
    )


def closing_rules(say: Say) -> str:
    """Return the rules that come after the rule on prices."""
    return say(
        "If both bids are equal, nobody gets the item, nobody pays, and the item does not come up"
        " again.\n"
        "When all items have been up for sale, the player whose items are worth more in total wins;"
        " equal worth is a draw. Funds that are left count for nothing. A bid that is not allowed"
        " loses the match at once."
    )


# Lines of `text` that occur in several turns or for both seats are cached.


@lru_cache(maxsize=1 << 12)
def _items_line(items: tuple[int, ...], language: Language) -> str:
    say, worths_in_order = say_in(__name__, language), " ".join(map(str, items))
    return say("What the items are worth, in the order of sale: {items}", items=worths_in_order)


@lru_cache(maxsize=1 << 12)
def _offer_line(number: int, count: int, worth: int, language: Language) -> str:
    say = say_in(__name__, language)
    about = {"number": number, "count": count, "worth": worth}
    return say("Now up for sale: item {number} of {count}, worth {worth}", **about)


@lru_cache(maxsize=1 << 12)
def _sale_line(
    number: int, worth: int, own: int, other: int, second_price: bool, language: Language
) -> str:
    """Return the result of the two bids for an item."""
    say = say_in(__name__, language)
    price = min(own, other) if second_price else max(own, other)
    values = {"number": number, "worth": worth, "own": own, "other": other, "price": price}
    if own == other:
        return say(
            "Item {number}, worth {worth}: you bid {own}, your opponent bid {other}; "
            "nobody got it.",
            **values,
        )
    if own > other:
        return say(
            "Item {number}, worth {worth}: you bid {own}, your opponent bid {other}; "
            "you got it for {price}.",
            **values,
        )
    return say(
        "Item {number}, worth {worth}: you bid {own}, your opponent bid {other}; "
        "your opponent got it for {price}.",
        **values,
    )


@cache
def _notation(most: int) -> Notation:
    return Notation("{bid}", bid=Number(0, most))

"""Sealed-bid auctions between two bidders: the game as its puzzles share it, and what its positions are worth under best play.

Only items count in the end, so funds are worth what they still buy.  An item up for sale is a matrix game, and what a position
is worth follows backwards from the last item.  These games are ladders: the higher of two choices wins and alone says what is
left, be it the higher bid, where the winner pays its own, or the lower one, where it pays that.  Most choices of a ladder are
never better than a neighbour; the others are mostly mixed so that all of them are equally good, which takes one pass over them.
Such a mix is checked by best replies among all choices, and where there is none `quandary.kit.equilibrium` solves what is left.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from random import Random
from typing import ClassVar, NamedTuple, Self, TypeAlias

from quandary.core.contract import Game, Language, Move, Options, Private, Seat
from quandary.core.scene import Box, Label, Scene, Shape

from .equilibrium import equilibrium
from .hidden_information import information_set_mcts
from .reading import read_number

Mix: TypeAlias = Mapping[int, float]  # how often each choice is made
MOST_ITEMS, MOST_FUNDS = 20, 10_000
BIDS = tuple(map(str, range(MOST_FUNDS + 1)))
HOW = "Write your bid as one whole number, for example: 25"
SALE = (
    "Two players bid for items, which are put up for sale one after another. What each item is worth and in which order they come "
    "is known to both from the start. Both begin with the same funds.\n"
    "For each item both players bid at the same time, without seeing the other's bid: a whole number from 0 up to the funds "
    "they have left. Then both bids are shown."
)
AFTERWARDS = (
    "If both bid the same, nobody gets the item, nobody pays, and it does not come up again.\n"
    "When all items have been up for sale, the player whose items are worth more together wins; equal worth is a draw. "
    "Funds that are left count for nothing. A bid that is not allowed loses the match at once.\n"
    f"{HOW}"
)
WORK = 120_000  # positions times bids that are looked at, at most: well under a second
PARTS = 12  # of the funds, in bids that tree search tries
TOLERANCE = 1e-11  # what a best reply may gain
MARGIN, PITCH = 3.0, 1.5  # of a picture: what the words left of the items take, and an item


@dataclass(frozen=True)
class Auction(Game):
    """A match; a puzzle says which of the bids is paid."""

    items: tuple[int, ...]  # what they are worth, in the order of sale
    funds: tuple[int, int]  # left to spend
    collected: tuple[int, int] = (0, 0)  # worth of the items each seat has
    bids: tuple[tuple[int, int], ...] = ()  # on each item that has been up for sale
    chosen: Private[tuple[int | None, int | None]] = (None, None)  # bids that wait for the other seat's

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
        """Items by luck, and equal funds: a share of what the items are worth, in percent, unless a range is given."""
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

    def scene(self, seat: Seat) -> Scene:
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
        """Each bid's worth against an equilibrium reply, where the rest of the match can be worked out."""
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
        return information_set_mcts()(_rehearsal(type(self))(self.items, self.funds, self.collected, self.bids), seat, rng, budget)

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """An equilibrium of the match where the budget allows, else of one played for the same items with fewer, larger coins."""
        sale = rough = self.sale(seat)
        coins = most = max(sale.own, sale.other, 1)
        while not rough.within(budget):
            coins = (coins - 1) // 2 * 2  # an even number, for half the funds is a bid that matters
            if not coins:
                return self.proportional(seat, rng, budget)
            rough = sale._replace(own=round(sale.own * coins / most), other=round(sale.other * coins / most))
        mix = balance(rough).own
        bid = rng.choices(list(mix), list(mix.values()))[0]
        return str(min(sale.own, round(bid * most / coins)))

    def sale(self, seat: Seat) -> Sale:
        """What is left of the match, as a seat looks at it."""
        lead = self.collected[seat] - self.collected[1 - seat]
        return Sale(self.items[len(self.bids) :], self.funds[seat], self.funds[1 - seat], lead, self.second_price)

    strategies = {"proportional": proportional, "mcts": mcts, "oracle": oracle}


@cache
def _rehearsal(kind: type[Auction]) -> type[Auction]:
    """The same game with few bids: tree search tries each of them many times."""
    return type("Rehearsal", (kind,), {"options": _few_options})


def _few_options(match: Auction) -> Options:
    return {seat: match._some_bids(seat, PARTS) for seat in Auction.options(match)}


class Sale(NamedTuple):
    """What is left of a match, as one bidder looks at it."""

    lots: tuple[int, ...]  # the items left, by worth
    own: int  # funds
    other: int
    lead: int  # how much more this bidder has collected
    second_price: bool

    def swapped(self) -> Sale:
        return Sale(self.lots, self.other, self.own, -self.lead, self.second_price)

    def bids(self) -> range:
        """Those worth a look: one above the other's funds does all that a higher one can."""
        return range(min(self.own, self.other + 1) + 1)

    def positions(self) -> int:
        """About how many matrix games there are to solve, rather too many; half of them where both sides stand alike."""
        own, other, left = self.own + 1, self.other + 1, len(self.lots)
        games = 1 if left < 2 else own + other if left < 4 else 5 ** (left - 4) * own * other
        return (games + 1) // 2 if own == other and not self.lead else games

    def within(self, budget: int) -> bool:
        """Whether it can be worked out with a budget of positions, and without a long wait."""
        return self.positions() <= budget and self.positions() * max(self.own, self.other) <= WORK

    def won(self, price: int) -> float:
        """What the bidder expects after buying the first lot."""
        return worth(Sale(self.lots[1:], self.own - price, self.other, self.lead + self.lots[0], self.second_price))

    def lost(self, price: int) -> float:
        return worth(Sale(self.lots[1:], self.own, self.other - price, self.lead - self.lots[0], self.second_price))


class Ladder(NamedTuple):
    """A matrix game whose higher choice wins, and alone says what that is worth to us."""

    mine: Sequence[int]  # rising
    theirs: Sequence[int]
    won: Mapping[int, float]  # by our choice
    lost: Mapping[int, float]  # by theirs
    level: float  # equal choices

    def swapped(self) -> Ladder:
        won, lost = ({choice: 1.0 - worth for choice, worth in table.items()} for table in (self.lost, self.won))
        return Ladder(self.theirs, self.mine, won, lost, 1.0 - self.level)


class Balance(NamedTuple):
    """An equilibrium: what it is worth to us, and how often each side makes which choice."""

    value: float
    own: Mix
    other: Mix


def score(lead: int) -> float:
    return 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5


def worth(sale: Sale) -> float:
    """The expected score under best play."""
    lots, own, other, lead, _ = sale
    if len(lots) < 2:  # nothing is left to save for
        return score(lead + ((own > other) - (own < other)) * sum(lots))
    if abs(lead) > sum(lots):
        return score(lead)
    if own == other and not lead:
        return 0.5
    if own < other:
        return 1.0 - worth(sale.swapped())
    sure = own // (other + 1)  # so many lots can be had by bidding one more than the other can
    if sure and lead + 2 * sum(sorted(lots)[-sure:]) > sum(lots):
        return 1.0
    return _worth(sale)


@lru_cache(maxsize=1 << 17)
def _worth(sale: Sale) -> float:
    return solve(ladder(sale)).value


def balance(sale: Sale) -> Balance:
    """An equilibrium of the bids for the first lot."""
    value, own, other = solve(ladder(sale))
    return Balance(value, *({abs(choice): share for choice, share in mix.items()} for mix in (own, other)))


def worths(sale: Sale) -> list[float]:
    """What each bid, from 0 to all funds, is worth against an equilibrium reply."""
    game = ladder(sale)
    found = payoffs(game, solve(game).other)
    above = range(len(found), sale.own + 1)
    if sale.second_price:
        return found[::-1] + [found[0] for _ in above]
    return found + [sale.won(bid) for bid in above]


def ladder(sale: Sale) -> Ladder:
    """The bids for the first lot; where the lower one is paid, a choice is the negative of a bid, so that it says the price."""
    mine, theirs, level = sale.bids(), sale.swapped().bids(), worth(sale._replace(lots=sale.lots[1:]))
    if not sale.second_price:
        return Ladder(mine, theirs, {bid: sale.won(bid) for bid in mine}, {bid: sale.lost(bid) for bid in theirs}, level)
    won = {-bid: sale.lost(min(bid, sale.other)) for bid in mine}
    lost = {-bid: sale.won(min(bid, sale.own)) for bid in theirs}
    return Ladder(range(-mine[-1], 1), range(-theirs[-1], 1), won, lost, level)


def solve(game: Ladder) -> Balance:
    """An equilibrium of a ladder."""
    swapped = game.swapped()
    mine, theirs, before = game.mine, game.theirs, 0
    while len(mine) + len(theirs) != before:
        before = len(mine) + len(theirs)
        mine = _sifted(game, mine, theirs)
        theirs = _sifted(swapped, theirs, mine)
    for support in (mine, mine[:-1] or mine) if mine == theirs else ():  # where a draw is near, the last choice may be too many
        own, other = _evened(swapped, support), _evened(game, support)
        if own and other:
            most, least = max(payoffs(game, other)), 1.0 - max(payoffs(swapped, own))
            if most - least <= TOLERANCE:
                return Balance((most + least) / 2, own, other)
    won, lost, level = game[2:]
    found = equilibrium([[won[one] if one > two else lost[two] if one < two else level for two in theirs] for one in mine])
    return Balance(found.value, dict(zip(mine, found.rows, strict=True)), dict(zip(theirs, found.columns, strict=True)))


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
    """What a choice adds to a lower one, against each reply that tells them apart."""
    won, lost, level = game[2:]
    start, stop = bisect_left(theirs, below), bisect_right(theirs, choice)
    gains = [won[choice] - won[below]] if start else []
    for other in theirs[start:stop]:  # to all that are higher, both lose alike
        gains.append(level - lost[other] if other == choice else won[choice] - (level if other == below else lost[other]))
    return gains or [0.0]


def _evened(game: Ladder, choices: Sequence[int]) -> Mix | None:
    """How the other side mixes these choices to make all of them equally good for us, if it can."""
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
    """What each of our choices is worth against a mix of theirs."""
    won, lost, level = game[2:]
    above, beaten, found = sum(share * lost[choice] for choice, share in mix.items()), 0.0, list[float]()
    for choice in sorted({*game.mine, *mix}):
        share = mix.get(choice, 0.0)
        above -= share * lost.get(choice, 0.0)
        if choice in won:
            found.append(won[choice] * beaten + level * share + above)
        beaten += share
    return found

"""Drawing coins from bags: the base class of its puzzles, random bags, words and the picture."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from random import Random
from typing import Self

from quandary.core.boards import Cell, beside, board, captions, stack
from quandary.core.bounds import Range
from quandary.core.contract import Game, HiddenInformation, Language, Move, Seat, Secret
from quandary.core.moves import Notation, Number
from quandary.core.scene import Scene
from quandary.core.words import Say

from .solver.draws import Belief, Coins, Draw, Seen
from .solver.search import best_bag

MOST_BAGS = 14  # what can be counted over sets of bags
# 从三号袋取一枚: 一 is no bag
ONE_COIN = re.compile(r"(?<=[取拿抽摸出走])\s?[一1１]\s?[枚个](?!\s?袋)")
COIN = 0.8  # the width of a drawn coin in a picture
MOST_WORTH = 10_000  # of a coin; means of larger ones could not be told from ties


class CoinBags(HiddenInformation, Game):
    """What everybody sees of the bags and how one is named; a puzzle says who draws how often."""

    bags: Secret[tuple[Coins, ...]]  # by number, each bag's coins in the order they come out
    shown: tuple[Coins, ...]  # the contents at the start, sorted
    empty: tuple[bool, ...]  # by number
    log: tuple[Draw, ...]

    def notation(self) -> Notation:
        return bag_notation(len(self.empty))

    def read(self, seat: Seat, text: str) -> Move:
        """Return the bag that `text` names; it may say too that one coin is drawn, as in every
        move.
        """
        return super().read(seat, ONE_COIN.sub("", text))

    def how(self, language: Language = "en") -> str:
        say = self.say(language)
        return say("Write the number of the bag you draw from, for example: {bag}", bag=2)

    def equivalent(self, rng: Random) -> Self:
        """With other numbers of bags."""
        order = rng.sample(range(len(self.bags)), len(self.bags))
        return replace(  # type: ignore[type-var]
            self,
            bags=tuple(self.bags[bag] for bag in order),
            empty=tuple(self.empty[bag] for bag in order),
            log=tuple(replace(draw, bag=order.index(draw.bag)) for draw in self.log),
        )

    def contents(self) -> tuple[tuple[Coins, int], ...]:
        """Return the coins of each bag in the order they come out, and how many came out, in any
        order.
        """
        drawn = (len(self._seen().drawn(bag)) for bag in range(len(self.bags)))
        return tuple(sorted(zip(self.bags, drawn, strict=True)))

    def possible_position(self, rng: Random) -> Self:
        """Bags and orders of coins that fit what was seen, each as likely as it is."""
        return replace(self, bags=self._seen().world(rng))  # type: ignore[type-var]

    def greedy(self, seat: Seat, rng: Random, budget: int) -> Move:
        """The bag whose next coin is worth most on average, given all that was seen."""
        return best_bag(self._belief().means(), rng)

    def _seen(self) -> Seen:
        return Seen(self.shown, self.empty, self.log)

    def _total(self, seat: Seat) -> int:
        return self._seen().total(seat)

    def _belief(self) -> Belief:
        return self._seen().belief()


@cache
def bag_notation(bags: int) -> Notation:
    """Return a move that is the number of a bag."""
    return Notation("{bag}", bag=Number(0, bags - 1))


def random_bags(rng: Random, bags: Range, length: Range, coin: Range) -> tuple[Coins, ...]:
    """Bags of `length` coins of value `coin`, all random, in the order their coins come out."""
    return tuple(
        tuple(rng.randint(*coin) for _ in range(rng.randint(*length)))
        for _ in range(rng.randint(*bags))
    )


def bags_text(say: Say, seen: Seen, name: Callable[[Draw], str]) -> str:
    """Return what the bags held and what was drawn from each of them; `name` writes a draw."""
    drawn: list[list[str]] = [[] for _ in seen.empty]
    for draw in seen.log:
        drawn[draw.bag].append(name(draw))
    draws = [
        _draws_line(say, bag, say.list(coins), seen.empty[bag]) for bag, coins in enumerate(drawn)
    ]
    return say(
        "Contents of the bags at the start, in sorted order:\n{contents}\n"
        "Draws from each bag:\n{draws}",
        contents=_contents(seen.shown),
        draws="\n".join(draws),
    )


def _draws_line(say: Say, bag: int, coins: str, is_empty: bool) -> str:
    if not coins:
        return say("- bag {bag}: none yet", bag=bag)
    if is_empty:
        return say("- bag {bag}: {coins}; now it is empty", bag=bag, coins=coins)
    return say("- bag {bag}: {coins}", bag=bag, coins=coins)


def bags_picture(say: Say, seen: Seen, seat: Seat, is_moving: bool) -> Scene:
    """Return one row per bag; coins of `seat` are round, and bags can be clicked while it is
    moving.
    """
    numbers = range(len(seen.empty))
    bags = [[_bag(seen, bag, is_moving)] for bag in numbers]
    coins = [[_coin(draw, seat) for draw in seen.drawn(bag)] for bag in numbers]
    contents = [[Cell(str(coin), "") for coin in coins] for coins in seen.shown]
    width = 0.25 * (len(str(max(map(max, seen.shown)))) + 1)  # a blank between them in terminals
    return beside(
        stack(
            captions(say("draws\nfrom each bag"), colour="quiet"),
            beside(board(bags), board(coins, size=(COIN, 1)), gap=0),
        ),
        stack(
            captions(say("contents at the start,\nnot in the order of the bags"), colour="quiet"),
            board(contents, size=(width, 1)),
        ),
        gap=0.4,
    )


def coins_legend(say: Say, *, several: bool) -> Mapping[str, str]:
    """Return what the colours of `bags_picture` mean, with one or several players."""
    return {
        "yellow": say("the numbers of the bags"),
        "shade": say("the numbers of empty bags"),
        "blue": say("coins that you drew"),
        **({"orange": say("coins that your opponent drew")} if several else {}),
    }


def _bag(seen: Seen, bag: int, is_moving: bool) -> Cell:
    """Return the number of a bag."""
    click = {"bag": str(bag)} if is_moving and not seen.empty[bag] else None
    return Cell(str(bag), "shade" if seen.empty[bag] else "yellow", click=click)


def _coin(draw: Draw, seat: Seat) -> Cell:
    if draw.seat == seat:
        return Cell(str(draw.coin), "", piece="blue")
    return Cell(str(draw.coin), "orange")


@cache
def _contents(shown: tuple[Coins, ...]) -> str:
    return "\n".join(f"- {' '.join(map(str, coins))}" for coins in shown)

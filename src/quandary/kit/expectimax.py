"""Expectimax with iterative deepening: one seat against luck, or two whose scores sum to 1
(expectiminimax).

Luck is weighed by its listed outcomes; nothing may be hidden.  Depth counts the seats' moves and
not the draws between them, so an estimate is asked only where a seat is to move.  The budget counts
the root and every position the search steps to, each time it steps there.
"""

from __future__ import annotations

from math import fsum
from random import Random
from typing import NamedTuple

from quandary.core.contract import CHANCE, Game, Move, Seat, Strategy

from .alphabeta import Estimate, even
from .exact import TIE, highest, mover, moves_of, refuse_hidden, shares

DEEPEST = 200  # moves; each takes a frame of Python's stack, and so does each draw


class Outlook(NamedTuple):
    """What a search found."""

    # the expected final score after each option; options not looked at are left out
    worths: dict[Move, float]
    proven: bool  # whether these are exact


def expectimax(estimate: Estimate = even) -> Strategy:
    """A strategy that looks as deep as its budget goes; equal moves are taken by luck."""

    def choose(view: Game, seat: Seat, rng: Random, budget: int) -> Move:
        refuse_hidden(view)
        worth = search(view, seat, budget, estimate).worths
        return highest(worth, rng) if worth else rng.choice(moves_of(view, seat))

    return choose


def worths(
    position: Game, seat: Seat, rng: Random, budget: int, estimate: Estimate = even
) -> dict[Move, float]:
    """The worth of each option looked at, in the form that imagined worlds are searched with."""
    return search(position, seat, budget, estimate).worths


def search(position: Game, seat: Seat, budget: int, estimate: Estimate = even) -> Outlook:
    """The worth of each option of `seat`, from the deepest complete search within the budget."""
    if position.seats > 2:
        raise ValueError(f"expectimax is for one seat or two, not {position.seats}")
    moves = moves_of(position, seat)
    looking, before = _Search(seat, budget - 1, estimate), dict[Move, float]()
    for depth in range(DEEPEST):
        found, proven = dict[Move, float](), True
        try:
            for move in moves:
                found[move], whole = looking.after(position, seat, move, depth)
                proven &= whole
        except _Spent:
            return Outlook(before or found, False)  # worths of different depths do not compare
        if proven:
            return Outlook(found, True)
        before = found
    return Outlook(before, False)


class _Spent(Exception):  # no error: the ordinary end of a search
    """The budget is used up."""


class _Search:
    """One search: its budget and what it has found."""

    def __init__(self, seat: Seat, budget: int, estimate: Estimate) -> None:
        self.seat, self.left, self.estimate = seat, budget, estimate
        self.table: dict[Game, tuple[int, float, bool]] = {}

    def after(self, position: Game, seat: Seat, move: Move, depth: int) -> tuple[float, bool]:
        """The worth of a move to the searching seat, and whether it is free of estimates."""
        if self.left <= 0:
            raise _Spent
        self.left -= 1
        position = position.after(seat, move)
        looked, worth, whole = self.table.get(position, (-1, 0.0, False))
        if not whole and looked != depth:
            worth, whole = self.weigh(position, depth)
            self.table[position] = depth, worth, whole
        return worth, whole

    def weigh(self, position: Game, depth: int) -> tuple[float, bool]:
        options = position.options()
        if not options:
            return self.final(position), True
        if CHANCE in options:
            outcomes = shares(options[CHANCE])
            after = [self.after(position, CHANCE, move, depth) for move, _ in outcomes]
            worth = fsum(
                share * found for (_, share), (found, _) in zip(outcomes, after, strict=True)
            )
        elif depth == 0:
            return self.estimate(position, self.seat), False
        else:
            seat, moves = mover(options)
            after = [self.after(position, seat, move, depth - 1) for move in moves]
            worth = (max if seat == self.seat else min)(found for found, _ in after)
        return worth, all(whole for _, whole in after)

    def final(self, position: Game) -> float:
        scores = position.scores()
        if len(scores) == 2 and abs(sum(scores) - 1) > TIE:
            raise ValueError(f"expectimax of two seats needs scores that sum to 1, not {scores}")
        return scores[self.seat]

"""Expectimax with iterative deepening, for one seat against luck or two seats (expectiminimax).

The scores of two seats must sum to 1.  The outcomes of luck must be listed, and nothing may be
hidden.  Depth counts the moves of seats but not the draws between them, so positions are estimated
only where a seat is to move.  The budget counts the root and every position the search reaches,
each time it does.
"""

from __future__ import annotations

from math import fsum
from random import Random
from typing import NamedTuple

from quandary.algorithms.alphabeta import Estimate, even
from quandary.algorithms.exact import TIE, highest, mover, moves_of, refuse_hidden, shares
from quandary.core.contract import CHANCE, Game, Move, Seat, Strategy

DEEPEST = 200  # moves; each needs a frame of Python's stack, and so does each draw


class Outlook(NamedTuple):
    """What a search found."""

    worths: dict[Move, float]  # expected final score after each option that was searched
    proven: bool  # whether the worths are exact


def expectimax(estimate: Estimate = even) -> Strategy:
    """A strategy that searches as deep as its budget allows; ties are broken by luck."""

    def choose(view: Game, seat: Seat, rng: Random, budget: int) -> Move:
        refuse_hidden(view)
        worth = search(view, seat, budget, estimate).worths
        return highest(worth, rng) if worth else rng.choice(moves_of(view, seat))

    return choose


def worths(
    position: Game, seat: Seat, rng: Random, budget: int, estimate: Estimate = even
) -> dict[Move, float]:
    """The worth of each searched option, as an `Evaluate` function for imagined worlds."""
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
            return Outlook(before or found, False)  # worths of different depths are not comparable
        if proven:
            return Outlook(found, True)
        before = found
    return Outlook(before, False)


class _Spent(Exception):  # not an error: the usual end of a search
    """The budget is used up."""


class _Search:
    """One search: its budget and what it has found."""

    def __init__(self, seat: Seat, budget: int, estimate: Estimate) -> None:
        self.seat, self.left, self.estimate = seat, budget, estimate
        self.table: dict[Game, tuple[int, float, bool]] = {}

    def after(self, position: Game, seat: Seat, move: Move, depth: int) -> tuple[float, bool]:
        """The worth of a move to the searching seat, and whether it is exact."""
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

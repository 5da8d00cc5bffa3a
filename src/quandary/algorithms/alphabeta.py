"""Alpha-beta search with iterative deepening, for zero-sum games of two seats.

Their scores must sum to 1, without luck and hidden information.  The budget counts the root and
every position the search reaches, each time it does.  A `Result` is proven if its worth does not
depend on the estimate: then the worth is exact and the move a best one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from math import inf
from random import Random
from typing import Any, NamedTuple, TypeAlias

from quandary.core.contract import Game, Move, Seat, Strategy

from .exact import TIE, mover, moves_of, refuse_hidden

# (position, seat) -> the estimated worth from 0 to 1, used where the search stops
Estimate: TypeAlias = Callable[[Any, Seat], float]
# (position, moves) -> the moves, most promising first
Order: TypeAlias = Callable[[Any, Sequence[Move]], Iterable[Move]]

DEEPEST = 400  # plies; each needs a frame of Python's stack


class Result(NamedTuple):
    """What a search found."""

    move: Move
    worth: float  # expected final score of the searching seat
    proven: bool  # whether the worth is exact


def even(position: Game, seat: Seat) -> float:
    """Return the estimate 0.5 for every position, so that only finished games count."""
    return 0.5


def alphabeta(estimate: Estimate = even, order: Order | None = None) -> Strategy:
    """Return a strategy that searches as deep as its budget allows; ties are broken by luck."""

    def choose(view: Game, seat: Seat, rng: Random, budget: int) -> Move:
        refuse_hidden(view)
        return search(view, seat, budget, estimate, order, rng).move

    return choose


def search(
    position: Game,
    seat: Seat,
    budget: int,
    estimate: Estimate = even,
    order: Order | None = None,
    rng: Random | None = None,
) -> Result:
    """Return the best move found for `seat`, by iterative deepening until the budget is spent."""
    if position.seats != 2:
        raise ValueError(f"alpha-beta is for two seats, not {position.seats}")
    moves = moves_of(position, seat)
    if rng:
        rng.shuffle(moves)
    looking = _Search(position, moves, seat, budget, estimate, order)
    proven = False
    try:
        for depth in range(1, DEEPEST + 1):
            _, reach = looking.visit(position, depth, 0.0, 1.0)
            if reach == inf:
                proven = True
                break
    except _Spent:
        # The result of the interrupted iteration counts: it began with the previous best move.
        pass
    if looking.best is None:
        return Result(looking.ordered(position, moves, None)[0], estimate(position, seat), False)
    return Result(*looking.best, proven)


class _Spent(Exception):  # not an error: the usual end of a search
    """The budget is used up."""


class _Known(NamedTuple):
    reach: float  # the depth in plies to which the bounds hold; inf if they are proven
    least: float
    most: float
    move: Move  # the best or refuting one


class _Search:
    """One search: its table, its budget and the best move at the root so far."""

    def __init__(
        self,
        root: Game,
        moves: list[Move],
        seat: Seat,
        budget: int,
        estimate: Estimate,
        order: Order | None,
    ) -> None:
        self.root, self.moves, self.seat, self.left = root, moves, seat, budget - 1
        self.estimate, self.order = estimate, order
        self.table: dict[Game, _Known] = {}
        self.refutations: Counter[Move] = Counter()
        self.best: tuple[Move, float] | None = None

    def visit(self, position: Game, depth: int, low: float, high: float) -> tuple[float, float]:
        """Return the worth if it is within low..high, otherwise a bound, and the depth of the
        result.
        """
        known = self.table.get(position)
        if known and known.reach >= depth:
            if known.least >= high or known.least == known.most:
                return known.least, known.reach
            if known.most <= low:
                return known.most, known.reach
        options = position.options()
        if not options:
            return self.final(position), inf
        if depth == 0:
            return min(1.0, max(0.0, self.estimate(position, self.seat))), 0
        return self.weigh(position, *mover(options), depth, low, high)

    def weigh(
        self,
        position: Game,
        seat: Seat,
        moves: Collection[Move],
        depth: int,
        low: float,
        high: float,
    ) -> tuple[float, float]:
        floor, ceiling, mine = low, high, seat == self.seat
        best, reach, choice = (-inf if mine else inf), inf, ""
        for move in self.ordered(position, moves, self.table.get(position)):
            if self.left <= 0:
                raise _Spent
            self.left -= 1
            worth, deep = self.visit(position.after(seat, move), depth - 1, low, high)
            if (worth > best) if mine else (worth < best):
                best, choice = worth, move
                low, high = (max(low, best), high) if mine else (low, min(high, best))
                if position is self.root:
                    self.best = (move, worth)
            if low >= high:
                # The bound depends on the refutation alone, not on the moves before it.
                reach = deep
                self.refutations[move] += 1
                break
            reach = min(reach, deep)
        reach = inf if reach == inf else depth
        self.table[position] = _Known(
            reach, best if best > floor else 0.0, best if best < ceiling else 1.0, choice
        )
        return best, reach

    def ordered(self, position: Game, moves: Collection[Move], known: _Known | None) -> list[Move]:
        """Return the moves: the previous best first, then as given or by how often they refuted
        others.
        """
        listed = self.moves if position is self.root else list(moves)
        if self.order:
            listed = list(self.order(position, listed))
        else:
            listed = sorted(listed, key=lambda move: -self.refutations[move])
        if known:
            listed.remove(known.move)
            listed.insert(0, known.move)
        return listed

    def final(self, position: Game) -> float:
        scores = position.scores()
        if abs(sum(scores) - 1) > TIE:
            raise ValueError(f"alpha-beta needs scores that sum to 1, not {scores}")
        return scores[self.seat]

"""Monte Carlo tree search (UCT) for any number of seats, with luck and simultaneous moves.

It searches complete positions: games that hide nothing, or imagined worlds (see
`hidden_information`).  The budget counts the positions reached in the tree and in
playouts; playouts that it cuts short are ignored.  Seats that move simultaneously learn the worth
of their own moves separately (decoupled UCT); the moves are played in seat order.  Listed draws are
made by weight, and each outcome has its own node in the tree.  After a draw too large to list
({CHANCE: None}), a node is identified by the moves made since, whatever was drawn (open loop).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, log, sqrt
from random import Random
from typing import TypeAlias

from quandary.core.contract import CHANCE, Game, Move, Options, Seat, Strategy
from quandary.core.mixins.turns import draw_of_chance

from .alphabeta import Estimate
from .exact import refuse_hidden


@dataclass
class Arm:
    """The statistics of one move at one node of the tree."""

    visits: int = 0
    total: float = 0.0  # sum of the final scores of the seat that made it
    offered: int = 0  # how often it was an option; options may differ by luck


Arms: TypeAlias = dict[Move, Arm]


def mcts(uct: Uct | None = None) -> Strategy:
    """Return a strategy that makes the move its search tried most."""
    how = uct or Uct()

    def choose(view: Game, seat: Seat, rng: Random, budget: int) -> Move:
        refuse_hidden(view)
        return favourite(
            how.search(lambda: view, lambda position: position, seat, rng, budget), rng
        )

    return choose


def favourite(arms: Arms, rng: Random) -> Move:
    """Return the move tried most often, then the best of those; any move if none was tried."""
    tried = [move for move, arm in arms.items() if arm.visits]
    return (
        max(tried, key=lambda move: (arms[move].visits, arms[move].total))
        if tried
        else rng.choice(list(arms))
    )


@dataclass(frozen=True)
class Uct:
    """How a tree is searched."""

    explore: float = 1.0  # how much rarely tried moves are favoured
    # The strategy of playouts, called on views with a budget of 1; None makes random moves.
    playout: Strategy | None = None
    estimate: Estimate | None = None  # ends playouts early, if given
    reach: int = 0  # steps of a playout before it is estimated

    def worths(self, position: Game, seat: Seat, rng: Random, budget: int) -> dict[Move, float]:
        """Return the mean score of each option that was tried."""
        arms = self.search(lambda: position, lambda position: position, seat, rng, budget)
        return {move: arm.total / arm.visits for move, arm in arms.items() if arm.visits}

    def search(
        self,
        start: Callable[[], Game],
        known_as: Callable[[Game], Hashable],
        seat: Seat,
        rng: Random,
        budget: int,
    ) -> Arms:
        """Statistics of the options of `seat`.

        Each descent begins at a `start`, and `known_as` identifies the nodes of the tree.
        """
        position = start()
        root, options = known_as(position), position.options()
        if seat not in options:
            raise ValueError(f"seat {seat} is not to move")
        tree: dict[Hashable, dict[Seat, Arms]] = {
            root: {seat: {move: Arm() for move in _listed(options, seat)}}
        }
        while budget > 0:
            descent = _Descent(self, tree, known_as, rng, budget)
            descent.run(position)
            budget, position = descent.left, start()
        return tree[root][seat]


@dataclass
class _Descent:
    """One path down the tree and on to the end of the game."""

    how: Uct
    tree: dict[Hashable, dict[Seat, Arms]]
    known_as: Callable[[Game], Hashable]
    rng: Random
    left: int
    trail: Hashable = None  # the moves made since a draw too large to list; None before one
    below: int = -1  # steps made below the tree; -1 within it
    # The seat, its move and its options, for each move made.
    made: list[tuple[Seat, Arm, list[Arm]]] = field(default_factory=list)

    def run(self, position: Game) -> None:
        """Descend to the end or an estimate and learn from it, unless the budget is spent first."""
        estimate = self.how.estimate
        while options := position.options():
            if estimate and self.below >= self.how.reach and CHANCE not in options:
                return self.learn([estimate(position, seat) for seat in range(position.seats)])
            if self.left <= 0:
                return None
            self.left -= 1
            moves = self.moves(position, options)
            for seat in sorted(moves):
                position = position.after(seat, moves[seat])
        return self.learn(position.scores())

    def moves(self, position: Game, options: Options) -> Mapping[Seat, Move]:
        if CHANCE in options:
            return {CHANCE: self.drawn(position, options[CHANCE])}
        if self.below >= 0:
            self.below += 1
            return {seat: self.played_out(position, options, seat) for seat in options}
        place = self.known_as(position) if self.trail is None else self.trail
        if place not in self.tree:  # the tree grows by one node per descent
            self.tree[place] = {}
            self.below = 0
        arms = self.tree[place]
        moves = {
            seat: self.tried(arms.setdefault(seat, {}), _listed(options, seat), seat)
            for seat in options
        }
        if self.trail is not None:
            self.trail = (self.trail, tuple(moves.items()))
        return moves

    def drawn(self, position: Game, outcomes: Collection[Move] | None) -> Move:
        if outcomes is None:
            self.trail = (self.known_as(position) if self.trail is None else self.trail, CHANCE)
            return draw_of_chance(position, self.rng)
        weights = (
            [float(weight) for weight in outcomes.values()]
            if isinstance(outcomes, Mapping)
            else None
        )
        outcome = self.rng.choices(list(outcomes), weights)[0]
        if self.trail is not None:
            self.trail = (self.trail, outcome)
        return outcome

    def played_out(self, position: Game, options: Options, seat: Seat) -> Move:
        if self.how.playout:
            return self.how.playout(position.seen_by(seat), seat, self.rng, 1)
        return self.rng.choice(_listed(options, seat))

    def tried(self, arms: Arms, moves: Sequence[Move], seat: Seat) -> Move:
        """Return a move of highest upper bound.

        Ties are broken by luck, so that simultaneous moves do not become correlated.
        """
        offered = [arms.setdefault(move, Arm()) for move in moves]
        bounds = [self.bound(arm) for arm in offered]
        top = max(bounds)
        move = self.rng.choice(
            [move for move, bound in zip(moves, bounds, strict=True) if bound == top]
        )
        self.made.append((seat, arms[move], offered))
        return move

    def bound(self, arm: Arm) -> float:
        if not arm.visits:
            return inf
        return arm.total / arm.visits + self.how.explore * sqrt(log(arm.offered) / arm.visits)

    def learn(self, worth: Sequence[float]) -> None:
        for seat, arm, offered in self.made:
            arm.visits += 1
            arm.total += worth[seat]
            for other in offered:
                other.offered += 1


def _listed(options: Options, seat: Seat) -> Sequence[Move]:
    moves = options[seat]
    if moves is None:
        raise ValueError(
            f"tree search needs the moves of seat {seat} listed, but they are free text"
        )
    return moves if isinstance(moves, Sequence) else list(moves)

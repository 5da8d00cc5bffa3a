"""Checks of strategies and of `judge`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import islice
from math import isclose
from random import Random

from quandary.core.contract import CHANCE, Game, Move, Seat, Strategy
from quandary.matches.drivers import turns
from quandary.matches.engine import Match
from quandary.matches.player import Reply

from .case import Case, any_move, some, twice
from .secrecy import hides

SMALL_BUDGET = 30
FEW_MOVES = 200  # plies after which the check of a strategy ends


def strategies_play_by_the_rules(case: Case) -> Iterator[str]:
    for level, name in case.puzzle.house.items():
        if name.partition("@")[0] not in ("random", *case.games[0].strategies):
            yield f"the house of {level} is {name!r}, which is not a strategy of this game"
    for name, strategy in case.games[0].strategies.items():
        for budget in (1, SMALL_BUDGET):
            for start in case.games[:2]:
                yield from _plays_by_the_rules(start, name, strategy, budget)


def _plays_by_the_rules(start: Game, name: str, strategy: Strategy, budget: int) -> Iterator[str]:
    match, rng = Match(start, name), Random(name)
    for turn in islice(turns(match), FEW_MOVES):
        if rng.random() < 0.2:
            move = any_move(turn, rng)
        else:
            move = strategy(turn.position, turn.seat, rng, budget)
            if turn.options is not None and move not in turn.options:
                yield f"the strategy {name!r} makes an illegal move: {move!r}"
                return
        match.hear(turn.seat, Reply(move))


def strategies_follow_from_their_luck(case: Case) -> Iterator[str]:
    for position in case.positions()[::6][:3]:
        for name, strategy in position.strategies.items():
            for seat in position.options().keys() - {CHANCE}:
                seen = position.seen_by(seat)
                once, again, moved = twice(partial(_lucky, strategy, seen, seat))
                if once != again:
                    yield (
                        f"the strategy {name!r} makes different moves for one view and equal luck: "
                        f"{once!r}, {again!r}"
                    )
                if moved:
                    yield (
                        f"the strategy {name!r} uses the global random: its luck must come from "
                        f"`rng` alone"
                    )


def _lucky(strategy: Strategy, seen: Game, seat: Seat) -> Move:
    return strategy(seen, seat, Random(0), SMALL_BUDGET)


def judgements_fit_the_options(case: Case) -> Iterator[str]:
    for position in [
        *case.positions()[::4][:8],
        *(match[-2] for match in case.matches if len(match) > 1),
    ]:
        for seat, moves in position.options().items():
            if seat == CHANCE or moves is None:
                continue
            worth = position.seen_by(seat).judge(seat)
            if worth is not None and set(worth) != set(moves):
                yield "the moves of `judge` are not the options"
            if worth is not None and not all(
                -1e-9 <= score <= 1 + 1e-9 for score in worth.values()
            ):
                yield "`judge` gives a worth outside 0..1"
            if worth and list(position.options()) == [seat] and not hides(position):
                yield from _judges_the_end(position, seat, worth)


def _judges_the_end(position: Game, seat: Seat, worth: Mapping[Move, float]) -> Iterator[str]:
    """The worth of a move that ends the match must be its score."""
    for move in some(worth, Random(0)):
        after = position.after(seat, move)
        if not after.options() and not isclose(worth[move], after.scores()[seat], abs_tol=1e-9):
            yield (
                f"`judge` gives {move!r} the worth {worth[move]}, but it ends the match with "
                f"{after.scores()[seat]}"
            )

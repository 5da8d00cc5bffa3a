"""Checks of strategies and of `judge`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import islice
from math import isclose
from random import Random
from typing import get_args

from quandary.core.contract import CHANCE, Game, Move, Seat, Strategy, Strongest
from quandary.core.mixins.objectives import judge
from quandary.core.puzzle import strongest_at
from quandary.matches.drivers import turns
from quandary.matches.match import Match
from quandary.matches.player import Reply

from .case import FULL_BUDGET, Case, any_move, some, twice
from .secrecy import hides

STRONGEST: tuple[str, ...] = get_args(Strongest)
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
        match.receive(turn.seat, Reply(move))


def the_strongest_player_is_declared(case: Case) -> Iterator[str]:
    declared = case.puzzle.strongest
    if isinstance(declared, Mapping):
        for level in declared.keys() - case.puzzle.levels.keys():
            yield f"`strongest` names the level {level!r}, which does not exist"
    kind = strongest_at(case.puzzle, case.level)
    if kind is None and "oracle" in case.games[0].strategies:
        yield (
            f"it has an `oracle` but does not say what that is: set `strongest` to one of "
            f"{', '.join(STRONGEST)}"
        )
    if kind is not None and kind not in STRONGEST:
        yield f"`strongest` is {kind!r}; choose one of {', '.join(STRONGEST)}"


def proven_players_make_no_mistakes(case: Case) -> Iterator[str]:
    """Whoever is called optimal or an equilibrium must lose nothing, as far as is known."""
    kind = strongest_at(case.puzzle, case.level)
    if kind not in ("optimal", "equilibrium"):
        return
    for question in case.questions if kind == "optimal" else ():
        verdict = question.check(question.seen_by(0).solution())
        if verdict.score < 1.0:
            yield f"`strongest` is 'optimal', but the puzzle's own solution scores {verdict.score}"
    for position in [*case.positions()[::4][:8], *(match[0] for match in case.matches)]:
        if "oracle" not in position.strategies:
            continue
        for seat in position.options().keys() - {CHANCE}:
            seen = position.seen_by(seat)
            worth = judge(seen, seat)
            move = _played(seen.strategies["oracle"], seen, seat) if worth else ""
            if worth and worth.get(move, 0.0) < max(worth.values()) - 1e-6:
                yield (
                    f"`strongest` is {kind!r}, but the oracle plays {move!r}, and `judge` knows a "
                    f"better move"
                )


def _played(strategy: Strategy, seen: Game, seat: Seat) -> Move:
    return strategy(seen, seat, Random(0), FULL_BUDGET)


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
            worth = judge(position.seen_by(seat), seat)
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

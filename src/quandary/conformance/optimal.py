"""The check that a player who is called optimal is never beaten."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isclose
from random import Random

from quandary.core.contract import CHANCE, ChanceMoves, Game, JudgedMoves, Move, Seat, Strategy
from quandary.core.mixins.objectives import better, judge
from quandary.core.puzzle import strongest_at
from quandary.matches.drivers import turns
from quandary.matches.match import Match
from quandary.matches.player import Reply, Turn

from .case import FULL_BUDGET, Case, any_move
from .secrecy import hides

CLAIM = "`strongest` is 'optimal', but the oracle reaches"
LUCKS = 5  # random players per start and seat


def optimal_players_are_not_beaten(case: Case) -> Iterator[str]:
    """No move of an optimal player gives away what it reaches against itself.

    That is the value of the game if nothing is left to luck or hidden, and moves alternate.  So
    no other player of a game with one seat may reach more, and with two seats the optimal one must
    reach its share against any other.
    """
    if strongest_at(case.puzzle, case.level) != "optimal":
        return
    for start in case.games:
        if not isinstance(start, case.puzzle) or not _is_decided_by_moves(case, start):
            return
        best = _played(start, dict.fromkeys(range(start.seats), "oracle"), 0)
        for name in (*(name for name in start.strategies if name != "oracle"), "random"):
            for luck in range(LUCKS if name == "random" else 1):
                beaten = _beaten_alone if start.seats == 1 else _beaten_in_a_duel
                yield from beaten(start, best, name, luck)


def judgements_are_those_of_optimal_play(case: Case) -> Iterator[str]:
    """Where the oracle is optimal, a move is worth what the oracle reaches after it against itself.

    That is the value of the game if nothing is left to luck or hidden, and moves alternate.
    """
    is_claimed = strongest_at(case.puzzle, case.level) == "optimal"
    if not is_claimed or not issubclass(case.puzzle, JudgedMoves):
        return
    for match in case.matches:
        start = match[0]
        if not isinstance(start, case.puzzle) or not _is_decided_by_moves(case, start):
            return
        for position in (start, match[len(match) // 2]):
            for seat in position.options():
                yield from _worth_what_it_reaches(position, seat)


def _worth_what_it_reaches(position: Game, seat: Seat) -> Iterator[str]:
    worth = judge(position, seat) or {}
    for move in sorted(worth, key=worth.__getitem__)[:: max(1, len(worth) - 1)][:2]:
        after = position.after(seat, move)
        score = _scores(_played(after, dict.fromkeys(range(after.seats), "oracle"), 0))[seat]
        if not isclose(score, worth[move], abs_tol=1e-6):
            yield (
                f"`judge` gives {move!r} the worth {worth[move]:g} for seat {seat}, but the "
                f"oracle, which `strongest` calls optimal, then reaches {score:g} against itself: "
                f"one of the two is wrong"
            )


def _beaten_alone(start: Game, best: Match, rival: str, luck: int) -> Iterator[str]:
    mine, other = _reached(best), _reached(_played(start, {0: rival}, luck))
    if _is_less(mine[0], other[0]):
        yield f"{CLAIM} the score {mine[0]:g}, and {rival!r} reaches {other[0]:g}"
    elif mine[0] == other[0] and _is_less(mine[1], other[1]):
        yield f"{CLAIM} the value {abs(mine[1]):g}, and {rival!r} reaches {abs(other[1]):g}"


def _beaten_in_a_duel(start: Game, best: Match, rival: str, luck: int) -> Iterator[str]:
    for seat, share in enumerate(_scores(best)):
        score = _scores(_played(start, {seat: "oracle", 1 - seat: rival}, luck))[seat]
        if _is_less(score, share):
            yield (
                f"{CLAIM} {share:g} as seat {seat} against itself, and only {score:g} against "
                f"{rival!r}"
            )


def _is_decided_by_moves(case: Case, start: Game) -> bool:
    """Return whether a game has one seat or two that alternate, with neither luck nor secrets."""
    return (
        "oracle" in start.strategies
        and start.seats <= 2
        and not isinstance(start, ChanceMoves)
        and not hides(start)
        and all(len(position.options()) < 2 for position in case.positions())
        and not any(CHANCE in position.options() for position in case.positions())
    )


def _played(start: Game, players: Mapping[Seat, str], luck: int) -> Match:
    match, rng = Match(start, "optimal"), Random(luck)
    for turn in turns(match):
        match.receive(turn.seat, Reply(_move(start.strategies, players[turn.seat], turn, rng)))
    return match


def _scores(match: Match) -> tuple[float, ...]:
    return match.record([""] * match.start.seats).scores or ()


def _reached(match: Match) -> tuple[float, float]:
    """Return the score of a game with one seat, and among equal scores its value; more is
    better.
    """
    [score], values = _scores(match), match.position.values() or (0.0,)
    return score, values[0] if better(match.start) == "high" else -values[0]


def _is_less(one: float, other: float) -> bool:
    return one < other - 1e-9


def _move(strategies: Mapping[str, Strategy], name: str, turn: Turn, rng: Random) -> Move:
    if name == "random":
        return any_move(turn, rng)
    return strategies[name](turn.position, turn.seat, rng, FULL_BUDGET)

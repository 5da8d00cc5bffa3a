"""The advice of a puzzle's strongest player, for a person who asks."""

from __future__ import annotations

from random import Random

from quandary.core.contract import ChanceMoves, Game, Move
from quandary.core.secrecy import hidden_fields
from quandary.core.wrapper import innermost
from quandary.matches.player import Turn

from .strategy import BUDGET


def hint(turn: Turn) -> Move | None:
    """Return the move or answer of the strongest player; None if none is known."""
    oracle = turn.position.strategies.get("oracle")
    return oracle and oracle(turn.position, turn.seat, Random(turn.number), BUDGET)


def beginning(answer: str) -> str:
    """Return the beginning of an answer, so that the person still has something to do."""
    first, _, rest = answer.partition("\n")
    return f"{first} …" if rest else f"{answer[: max(1, len(answer) // 3)]} …"


def solution(turn: Turn) -> list[Move] | None:
    """Return all moves of the strongest player from here on; None if these depend on
    anything else.
    """
    position, moves = turn.position, list[Move]()
    if not has_solution(turn):
        return None
    if turn.options is None:
        return [hint(turn) or ""]
    while position.options():
        moves.append(position.strategies["oracle"](position, 0, Random(len(moves)), BUDGET))
        position = position.after(0, moves[-1])
    return moves


def has_solution(turn: Turn) -> bool:
    """Return whether a player is known who solves it, and nobody else and no luck decides."""
    known = "oracle" in turn.position.strategies
    return known and (turn.options is None or _is_open(turn.position))


def _is_open(position: Game) -> bool:
    """Return whether one player decides everything, and sees everything."""
    hidden = any(mark != "nested" for _, mark in hidden_fields(type(innermost(position))))
    return position.seats == 1 and not isinstance(position, ChanceMoves) and not hidden

"""Players that need no model and no person: random moves, and a puzzle's own strategies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from quandary.core.contract import Game, Move, Strategy
from quandary.core.errors import UserError, unknown
from quandary.core.mixins.turns import sample_of
from quandary.core.wrapper import innermost
from quandary.matches.player import Player, Scripted, Turn

from .people import PERSON

BUDGET = 1_000  # positions per move, unless a player's name says otherwise


def player_names(game: Game) -> list[str]:
    """Return every player of this game that has a name without a prefix."""
    return ["random", *game.strategies, "house", PERSON]


def strategy_player(name: str, game: Game, level: str = "") -> Player:
    """Return the player `random`, `house` or a strategy of the game; `NAME@BUDGET` limits its
    search.

    `level` decides which strategy is the house opponent.
    """
    if name == RANDOM.name:  # one of two players of most matches
        return RANDOM
    wanted, at, limit = name.partition("@")
    strategy, own_at, own_limit = (_house(game, level) if wanted == "house" else wanted).partition(
        "@"
    )
    budget = _budget(limit if at else own_limit) if at or own_at else BUDGET
    if strategy == "random":
        return Scripted(name, random_move)
    if strategy not in game.strategies:
        raise unknown("player", wanted, player_names(game))
    return Scripted(name, by_strategy(game.strategies[strategy], budget))


def _house(game: Game, level: str) -> str:
    """Return the strategy a level of the puzzle names, else `random`, or the oracle of a one-seat
    game.

    A question about a position of a game cannot be answered by the game's own strategies.
    """
    named = innermost(game).house.get(level, "")
    if named.partition("@")[0] in ("random", *game.strategies):
        return named
    return "oracle" if game.seats == 1 and "oracle" in game.strategies else "random"


def _budget(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 10**9:
        raise UserError(
            f"{text!r} is not a budget; write a whole number of positions per move, for example "
            f"oracle@5000."
        )
    return int(text)


def random_move(turn: Turn, rng: Random) -> Move:
    """Return any legal move, all equally likely."""
    options = turn.options
    if options is None:
        return sample_of(turn.position, rng)
    # most options are tuples, and checking for a Sequence takes longer than the rest
    is_sequence = type(options) is tuple or isinstance(options, Sequence)
    moves: Sequence[Move] = options if is_sequence else list(options)  # type: ignore[assignment]
    return moves[int(rng.random() * len(moves))]


def by_strategy(strategy: Strategy, budget: int) -> Callable[[Turn, Random], Move]:
    """Plays a strategy that looks at no more than `budget` positions per move."""
    return lambda turn, rng: strategy(turn.position, turn.seat, rng, budget)


RANDOM = Scripted("random", random_move)

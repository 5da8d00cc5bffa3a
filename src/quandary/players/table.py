"""Finding players by name: `random`, a puzzle's strategies, `house`, `oracle`, `human`; `NAME@BUDGET` sets a search's budget."""

from __future__ import annotations

from quandary.core.contract import Game, Language
from quandary.core.errors import Mistake, unknown
from quandary.matches.player import Player, Scripted

from .strategy import by_strategy, random_move

BUDGET = 1_000  # positions a move, unless a player's name says otherwise


def names(game: Game) -> list[str]:
    """Everyone who can play this game."""
    return ["random", *game.strategies, "house", "human"]


def find(name: str, game: Game, level: str = "", budget: int = BUDGET, language: Language = "en") -> Player:
    """The player of that name for this game; `level` tells which house opponent is meant."""
    wanted, at, limit = name.partition("@")
    if at:
        budget = _budget(limit)
    if wanted == "human":
        from .human import Human

        return Human(language=language)
    known = game.strategies
    strategy = (
        game.house.get(level, "random" if game.seats > 1 or "oracle" not in known else "oracle") if wanted == "house" else wanted
    )
    if strategy == "random":
        return Scripted(name, random_move)
    if strategy not in known:
        raise unknown("player", wanted, names(game))
    return Scripted(name, by_strategy(known[strategy], budget))


def _budget(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 10**9:
        raise Mistake(f"{text!r} is no budget; write a player with a whole number of positions a move, for example oracle@5000.")
    return int(text)

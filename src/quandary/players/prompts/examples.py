"""Worked examples: other instances of the same level, answered by the puzzle's own strategies."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import NamedTuple

from quandary.core.contract import Game, Move, Seat
from quandary.matches.engine import Match
from quandary.matches.player import Reply, Turn
from quandary.models.provider import Message
from quandary.players.strategy import random_move

from .messages import answer_text, merged, shown
from .settings import PromptSettings

MOST_TURNS = 3  # turns per example of a game
BUDGET = 1_000  # positions per move
DRAWS = 20  # tries to find an instance other than the asked one


class Examples(NamedTuple):
    """Draws worked examples for an instance."""

    asked: Game
    level: dict[str, object]

    def draw(
        self, rng: Random, seat: Seat, settings: PromptSettings
    ) -> list[tuple[Message, Message]]:
        """One example as turns of a conversation; empty if the level has this one instance only."""
        for _ in range(DRAWS):
            with suppress(ValueError):  # an instance that does not fit the task
                other = self.asked.sibling(rng, **self.level)
                # with luck, matches from the same start differ
                if other.luck or other.canonical() != self.asked.canonical():
                    return list(_played(other, seat, settings, rng))
        return []


def _played(
    start: Game, seat: Seat, settings: PromptSettings, rng: Random
) -> Iterator[tuple[Message, Message]]:
    """The first turns of a seat in a match among the puzzle's own strategies."""
    plain = PromptSettings(language=settings.language, shown=settings.shown)
    match, turns = Match(start, f"example {rng.getrandbits(32)}"), 0
    while turns < MOST_TURNS and (pending := match.pending()):
        for turn in pending.values():
            move = _best_known(turn, rng)
            if turn.seat == seat:
                turns += 1
                asked = Message("user", merged(shown(turn.position, seat, plain)))
                yield asked, Message("assistant", (answer_text(move, turn.position, settings),))
            match.hear(turn.seat, Reply(move))


def _best_known(turn: Turn, rng: Random) -> Move:
    oracle = turn.position.strategies.get("oracle")
    return oracle(turn.position, turn.seat, rng, BUDGET) if oracle else random_move(turn, rng)

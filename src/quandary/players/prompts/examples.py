"""Worked examples: other instances of the same level, answered by the puzzle's own strategies."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from random import Random
from typing import NamedTuple

from quandary.core.contract import CHANCE, Game, Move, Seat
from quandary.matches.engine import draw
from quandary.models.provider import Message

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
    position, turns = start, 0
    plain = PromptSettings(language=settings.language, shown=settings.shown)
    while turns < MOST_TURNS and (options := position.options()):
        acting = CHANCE if CHANCE in options else seat if seat in options else min(options)
        if acting == CHANCE:
            listed = options[CHANCE]
            move = position.chance(rng) if listed is None else draw(listed, rng)
        else:
            move = _best_known(position, acting, rng)
        if acting == seat:
            turns += 1
            seen = position.seen_by(seat)
            asked = Message("user", merged(shown(seen, seat, plain)))
            yield asked, Message("assistant", (answer_text(move, seen, settings),))
        position = position.after(acting, move)


def _best_known(position: Game, seat: Seat, rng: Random) -> Move:
    seen = position.seen_by(seat)
    if "oracle" in seen.strategies:
        return seen.strategies["oracle"](seen, seat, rng, BUDGET)
    listed = position.options()[seat]
    if listed is None:
        return seen.sample(rng)
    return next(islice(listed, rng.randrange(len(listed)), None))

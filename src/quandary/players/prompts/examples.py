"""Worked examples: other instances of the same level, answered by the puzzle's own strategies."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from random import Random
from typing import NamedTuple, TypeAlias

from quandary.catalogue import drawing
from quandary.catalogue.spec import Spec
from quandary.catalogue.splits import belongs, is_test_only
from quandary.core.contract import ChanceMoves, Game, Move, Seat
from quandary.core.luck import Luck
from quandary.core.mixins.families import family_of
from quandary.core.wrapper import innermost
from quandary.matches.match import Match
from quandary.matches.player import Reply, Turn
from quandary.models.provider import Message
from quandary.players.strategy import random_move

from .messages import answer_text, merged, shown
from .reasoning import reasoning
from .settings import PromptSettings

Example: TypeAlias = list[tuple[Message, Message]]  # questions and answers

MOST_TURNS = 3  # turns per example of a game
BUDGET = 1_000  # positions per move
DRAWS = 200  # instances that are drawn to find one to show


class Examples(NamedTuple):
    """Draws worked examples for an instance."""

    asked: Game
    spec: Spec

    def draw(self, luck: str, seat: Seat, settings: PromptSettings) -> list[Example]:
        """Return examples as turns of a conversation, each of another instance.

        An example is empty if no further instance is available.
        """
        known: list[Game] = []
        found: list[Example] = []
        for number in range(settings.shots):
            rng = Luck(f"{luck}/example{number}")
            other = self.other(rng, known)
            found.append(list(_played(other, seat, settings, rng)) if other else [])
            known += [other] if other else []
        return found

    def other(self, rng: Random, known: Collection[Game] = ()) -> Game | None:
        """Return an instance of the level that differs from the asked one and those known.

        Canonical forms are compared.  It is from train, or any one if all belong to test.

        With luck and one start it is the asked instance, because another match of it is shown.
        """
        inner, asked = innermost(self.asked), self.asked.canonical()
        # The level of a published problem need not be one of ours: then it is the usual one.
        is_ours = self.spec.level in type(inner).levels
        level = drawing.level_of(self.spec) if is_ours else {}
        divided = not is_test_only(type(inner), self.spec.level, family_of(inner))
        for _ in range(DRAWS):
            with suppress(ValueError):  # an instance that does not fit the task
                other = self.asked.sibling(rng, **level)
                if other.canonical() == asked or other in known:
                    continue
                if not divided or belongs(other, "train", self.spec.level):
                    return other
        return self.asked if isinstance(self.asked, ChanceMoves) else None


def _played(
    start: Game, seat: Seat, settings: PromptSettings, rng: Random
) -> Iterator[tuple[Message, Message]]:
    """Yield the first turns of a seat in a match among the puzzle's own strategies."""
    plain = PromptSettings(language=settings.language, modality=settings.modality)
    match, turns = Match(start, f"example {rng.getrandbits(32)}"), 0
    while turns < MOST_TURNS and (pending := match.pending()):
        for turn in pending.values():
            move = _best_known(turn, rng)
            if turn.seat == seat:
                turns += 1
                asked = Message("user", merged(shown(turn.position, seat, plain)))
                answer = answer_text(move, turn.position, settings)
                if settings.prompting != "none":
                    why = reasoning(match.position, seat, move, settings.language, rng)
                    answer = f"{why}\n{answer}"
                yield asked, Message("assistant", (answer,))
            match.receive(turn.seat, Reply(move))


def _best_known(turn: Turn, rng: Random) -> Move:
    oracle = turn.position.strategies.get("oracle")
    return oracle(turn.position, turn.seat, rng, BUDGET) if oracle else random_move(turn, rng)

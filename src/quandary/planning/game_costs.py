"""What a game costs a model: calls and tokens per seat, measured by `make costs`, kept as data.

The house opponent of the level plays all seats, and is sent what a model would be sent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from statistics import fmean
from typing import NamedTuple, cast

import msgspec

from quandary.catalogue import drawing, registry
from quandary.catalogue.spec import Spec
from quandary.core.contract import Seat
from quandary.matches.drivers import play_now
from quandary.matches.player import InstantSeatedPlayer, Player, Reply, Turn
from quandary.models.provider import Generation, Message
from quandary.players.prompts.conversation import Conversation
from quandary.players.prompts.examples import Examples
from quandary.players.prompts.messages import answer_text
from quandary.players.prompts.settings import PromptSettings
from quandary.players.strategy import strategy_player

DATA = "game_costs.json"
# Few positions per move, so that all levels are measured in minutes; games are as long as with
# more, to a few per cent (max_maximal_cocktails/normal: a fifth shorter).
HOUSE = "house@200"
LETTERS = 4  # per token, roughly, in English
CHINESE = re.compile("[\u3000-\u9fff\uff00-\uffef]")
WITH_HISTORY, WITHOUT = PromptSettings(), PromptSettings(history=False)


class Cost(NamedTuple):
    """What one seat of one game is sent, and answers."""

    calls: int
    tokens: int
    without_history: int
    written: int  # tokens of the answers alone, without thoughts


@dataclass
class Listening:
    """A strategy that is sent what a model would be sent; it counts the letters."""

    player: Player
    examples: Examples
    calls: int = 0
    letters: int = 0
    letters_without_history: int = 0
    letters_written: int = 0

    @property
    def name(self) -> str:
        return self.player.name

    def take_seat(self, seat: Seat, luck: str) -> _Listener:
        seated = cast(
            InstantSeatedPlayer, self.player.take_seat(seat, luck)
        )  # strategies answer at once
        conversations = [
            Conversation(settings, self.examples, seat, luck)
            for settings in (WITH_HISTORY, WITHOUT)
        ]
        return _Listener(self, seated, conversations)

    def cost(self) -> Cost:
        return Cost(
            self.calls,
            self.letters // LETTERS,
            self.letters_without_history // LETTERS,
            -(-self.letters_written // LETTERS),
        )


@dataclass
class _Listener:
    counts: Listening
    seated: InstantSeatedPlayer
    conversations: Sequence[Conversation]

    def answer(self, turn: Turn) -> Reply:
        kept, fresh = self.conversations
        self.counts.calls += 1
        self.counts.letters += letters_of(kept.ask(turn))
        self.counts.letters_without_history += letters_of(fresh.ask(turn))
        reply = self.seated.answer(turn)
        generation = Generation(answer_text(reply.answer, turn.position, WITH_HISTORY))
        self.counts.letters_written += len(generation.text)
        for conversation in self.conversations:
            conversation.answered(generation, "answered")
        return reply


def letters_of(messages: Sequence[Message]) -> int:
    """Return the letters of messages, a Chinese one as a whole token; pictures are not counted."""
    texts = [part for message in messages for part in message.parts if isinstance(part, str)]
    chinese = sum(len(CHINESE.findall(text)) for text in texts if not text.isascii())
    return sum(map(len, texts)) + (LETTERS - 1) * chinese


def costs(spec: Spec, tries: int = 1) -> list[Cost]:
    """Return what each seat of a game among house opponents would be sent as a model."""
    game = drawing.game(spec, tries=tries)
    examples = Examples(game, spec)
    seated = [
        Listening(strategy_player(HOUSE, game, spec.level), examples) for _ in range(game.seats)
    ]
    play_now(game, seated, str(spec))
    return [player.cost() for player in seated]


class GameCost(msgspec.Struct, frozen=True):
    """What one seat of one game costs on average."""

    version: int  # of the puzzle
    games: int  # that were measured
    calls: float
    most: int  # calls of one seat in one game
    tokens: float  # read, if the conversation is kept
    without_history: float
    written: float  # tokens of the answers alone
    repeated: float  # replies that are read again in later calls, if the conversation is kept


def measure(specs: Sequence[Spec]) -> GameCost:
    """Return the mean cost of a seat of these games."""
    found = [cost for spec in specs for cost in costs(spec)]
    calls, tokens, fresh, written = (fmean(column) for column in zip(*found, strict=True))
    return GameCost(
        registry.load(specs[0].name).version,
        len(specs),
        calls,
        max(cost.calls for cost in found),
        tokens,
        fresh,
        written,
        fmean(cost.calls * (cost.calls - 1) / 2 for cost in found),
    )


def entry_name(spec: Spec) -> str:
    """Return what a game is measured as: its task, puzzle and level, in whatever split."""
    return "/".join(drawing.puzzle_and_level(replace(spec, split="test")))


@cache
def measured() -> dict[str, GameCost]:
    """Return all that was measured, by entry: `whole:tidy_tower/easy`."""
    text = files(__package__).joinpath(DATA).read_text("utf-8")
    return msgspec.convert(json.loads(text), dict[str, GameCost])


def game_cost(spec: Spec) -> GameCost:
    """Return what was measured of the present version of a puzzle at a level, else what is measured
    now, on two seeds.
    """
    known = measured().get(entry_name(spec))
    if known and known.version == registry.load(spec.name).version:
        return known
    return _measured_now(replace(spec, seed=1))


@cache
def _measured_now(spec: Spec) -> GameCost:
    return measure([spec, replace(spec, seed=2)])

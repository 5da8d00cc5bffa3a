"""Asking a model at one seat of one match: every call has a name in the journal, and every reply
is read.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from quandary.core.codec import seen_json
from quandary.core.contract import Form, Seat
from quandary.matches.player import Forfeit, Reply, Turn
from quandary.models.calls import CallKey, digest
from quandary.models.client import ModelClient, NoReply
from quandary.models.provider import Decoding, Generation, Message, Request

from .prompts.examples import Examples
from .prompts.settings import PromptSettings
from .reading.reply import read


class ModelSettings(NamedTuple):
    """The settings with which a model is asked in one match."""

    prompt: PromptSettings
    decoding: Decoding
    examples: Examples
    match: str  # names the match in the journal; the model never sees it
    attempts: int  # replies per turn that may be unreadable


class ModelReply(NamedTuple):
    """A reply as the match gets it, and as the model generated it."""

    reply: Reply
    generation: Generation


class Asker:
    """Asks one model, for one seat of one match."""

    def __init__(self, client: ModelClient, settings: ModelSettings, seat: Seat) -> None:
        self.client, self.settings, self.seat = client, settings, seat
        self.prompt = settings.prompt
        self.steps = 0

    def next_step(self) -> str:
        """Return a name for the next call, unique for this seat of the match."""
        self.steps += 1
        return str(self.steps)

    async def ask(self, turn: Turn, messages: list[Message], step: str, form: Form) -> ModelReply:
        """Return the model's reply to some messages, read in the given form."""
        return (await self.ask_for(1, turn, messages, step, form))[0]

    async def ask_for(
        self, count: int, turn: Turn, messages: list[Message], step: str, form: Form
    ) -> list[ModelReply]:
        """Return up to `count` replies of one call, as many as the server gives, but at least one.

        The first has the time and the tokens of the whole call.
        """
        view = digest(seen_json(turn.position, self.seat))
        key = CallKey(self.settings.match, self.seat, step, view)
        request = Request(tuple(messages), seeded(self.settings.decoding, key), count)
        try:
            completion, seconds = await self.client.ask(key, request)
        except NoReply as failure:
            raise Forfeit("infrastructure", str(failure)) from None
        first, *others = completion.generations[:count]
        whole = self._read(first, form, seconds, completion.usage.written or 0)
        return [whole, *(self._read(other, form) for other in others)]

    def _read(
        self, generation: Generation, form: Form, seconds: float = 0.0, tokens: int = 0
    ) -> ModelReply:
        readings = read(generation, form)
        status, answer = readings.played(self.prompt.parsing)
        reply = Reply(answer, generation.text, status, seconds, tokens, readings)
        return ModelReply(reply, generation)


def seeded(decoding: Decoding, key: CallKey) -> Decoding:
    """Give each call its own seed, the same if it is repeated, if a seed is set."""
    if decoding.seed is None:
        return decoding
    hashed = digest(str(decoding.seed).encode(), repr(key[:3]).encode())
    return replace(decoding, seed=int(hashed[:7], 16))

"""A language model as a player."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple

from quandary.core.codec import view_json
from quandary.core.contract import Form, Seat
from quandary.core.errors import StopRun, UserError
from quandary.matches.player import Forfeit, Reply, Turn
from quandary.models.calls import CallKey, digest
from quandary.models.client import ModelClient, NoReply
from quandary.models.provider import Decoding, Generation, Message, Request

from .prompts.conversation import Conversation
from .prompts.examples import Examples
from .prompts.settings import PromptSettings
from .reading.reply import read


class ModelSettings(NamedTuple):
    """How one model player is asked in one match."""

    prompt: PromptSettings
    decoding: Decoding
    examples: Examples
    match: str  # names the match in the journal; the model never sees it
    attempts: int  # replies per turn that may be unreadable


class ModelReply(NamedTuple):
    """A reply as the match gets it, and as the model generated it."""

    reply: Reply
    generation: Generation


class ModelPlayer:
    """A player that puts every turn to a language model."""

    def __init__(
        self, name: str, client: Callable[[], ModelClient], settings: ModelSettings
    ) -> None:
        self.name, self.client, self.settings = name, client, settings

    def sit(self, seat: Seat, luck: str) -> ModelSitting:
        with stop_run_on_errors():
            return ModelSitting(self.client(), self.settings, seat, luck)


class ModelSitting:
    """One model at one seat of one match, with the conversation so far."""

    def __init__(self, client: ModelClient, settings: ModelSettings, seat: Seat, luck: str) -> None:
        self.client, self.settings, self.seat = client, settings, seat
        self.prompt = settings.prompt
        self.conversation = Conversation(settings.prompt, settings.examples, seat, luck)
        self.steps = 0

    async def act(self, turn: Turn) -> Reply:
        with stop_run_on_errors():
            return await self._act(turn)

    async def _act(self, turn: Turn) -> Reply:
        messages = self.conversation.ask(turn)
        if self.prompt.thoughts == "tree":
            from .tree_of_thoughts import decide

            answer = await decide(self, turn)
        else:
            answer = await self.ask(turn, messages, self.next_step(), turn.position.form)
        self.conversation.answered(answer.generation, answer.reply.status)
        return answer.reply

    def next_step(self) -> str:
        """A name for the next call, unique in this sitting."""
        self.steps += 1
        return str(self.steps)

    async def ask(self, turn: Turn, messages: list[Message], step: str, form: Form) -> ModelReply:
        """The model's reply to some messages, read in the given form."""
        return (await self.ask_for(1, turn, messages, step, form))[0]

    async def ask_for(
        self, count: int, turn: Turn, messages: list[Message], step: str, form: Form
    ) -> list[ModelReply]:
        """Up to `count` replies in one call, as many as the server gives, but at least one.

        The first has the time and the tokens of the whole call.
        """
        view = digest(view_json(turn.position, self.seat).encode())
        key = CallKey(self.settings.match, self.seat, step, view)
        request = Request(tuple(messages), seeded(self.settings.decoding, key), count)
        try:
            completion, seconds = await self.client.ask(key, request)
        except NoReply as failure:
            raise Forfeit("infrastructure", str(failure)) from None
        replies = [self._read(given, form) for given in completion.generations[:count]]
        first, tokens = replies[0], completion.usage.written or 0
        replies[0] = first._replace(reply=first.reply._replace(seconds=seconds, tokens=tokens))
        return replies

    def _read(self, generation: Generation, form: Form) -> ModelReply:
        readings = read(generation, form)
        reading = readings.strict if self.prompt.reading == "strict" else readings.lenient
        return ModelReply(Reply(reading.answer, generation.text, reading.status), generation)

    async def leave(self) -> None:
        pass


def seeded(decoding: Decoding, key: CallKey) -> Decoding:
    """If a seed is set, every call gets a seed of its own, the same when it is repeated."""
    if decoding.seed is None:
        return decoding
    hashed = digest(str(decoding.seed).encode(), repr(key[:3]).encode())
    return replace(decoding, seed=int(hashed[:7], 16))


@contextmanager
def stop_run_on_errors() -> Iterator[None]:
    """Turn errors on our side into StopRun: a model loses a match by its replies alone."""
    try:
        yield
    except Forfeit:
        raise
    except UserError as error:
        raise StopRun(str(error).removesuffix(".")) from None
    except OSError as reason:
        raise StopRun(f"the system refused: {reason.strerror or reason}") from None
    except Exception as error:
        raise StopRun(f"quandary itself failed ({type(error).__name__}: {error})") from error

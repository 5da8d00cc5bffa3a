"""A language model as a player."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from typing import NamedTuple

from quandary.core.codec import view_json
from quandary.core.contract import Seat
from quandary.core.errors import Mistake, StopRun
from quandary.matches.player import Forfeit, Reply, Status, Turn
from quandary.models.client import Line, NoReply, Place, digest
from quandary.models.provider import Choice, Decoding, Message, Request

from . import prompting
from .asking import Asking
from .prompting import Examples
from .reading.reply import Form, read
from .reading.thinking import separate

NOTHING_SAID = "(no answer)"


class Manner(NamedTuple):
    """How one model player is asked in one match."""

    asking: Asking
    decoding: Decoding
    examples: Examples
    match: str  # names the match in the journal; nothing of it is shown to the model
    attempts: int  # readings of one turn


@contextmanager
def not_the_models_fault() -> Iterator[None]:
    """Whatever goes wrong on this side of the line stops the run: a model answers for its words alone."""
    try:
        yield
    except Forfeit:
        raise
    except Mistake as mistake:
        raise StopRun(str(mistake).removesuffix(".")) from None
    except OSError as reason:
        raise StopRun(f"the system refused: {reason.strerror or reason}") from None
    except Exception as fault:
        raise StopRun(f"quandary itself failed ({type(fault).__name__}: {fault})") from fault


def remembered(choice: Choice) -> Message:
    """A reply as it stands in the conversation: without its thoughts, and never empty, which some servers refuse."""
    return Message("assistant", (separate(choice).said.strip() or NOTHING_SAID,))


class Spoken(NamedTuple):
    """A reply as the referee gets it, and as the model gave it."""

    reply: Reply
    choice: Choice


class Model:
    """A player that puts every turn to a language model."""

    def __init__(self, name: str, line: Callable[[], Line], manner: Manner) -> None:
        self.name, self.line, self.manner = name, line, manner

    def sit(self, seat: Seat, rng: Random) -> ModelSitting:
        with not_the_models_fault():
            return ModelSitting(self.line(), self.manner, seat, rng)


class ModelSitting:
    """One model at one seat of one match, with what has been said there."""

    def __init__(self, line: Line, manner: Manner, seat: Seat, rng: Random) -> None:
        self.line, self.manner, self.seat, self.rng = line, manner, seat, rng
        self.asking = manner.asking
        self.shots = [manner.examples.draw(rng, seat, self.asking) for _ in range(self.asking.shots)]
        self.messages = list[Message]()  # the conversation so far
        self.steps = 0
        self.last: Status = "answered"  # what became of the last reply

    async def act(self, turn: Turn) -> Reply:
        with not_the_models_fault():
            return await self._act(turn)

    async def _act(self, turn: Turn) -> Reply:
        self._put(turn)
        if self.asking.thoughts == "tree":
            from .tree_of_thoughts import consider

            spoken = await consider(self, turn)
        else:
            spoken = await self.speak(turn, self.messages, self.next_step(), turn.position.form)
        self.messages.append(remembered(spoken.choice))
        self.last = spoken.reply.status
        return spoken.reply

    def _put(self, turn: Turn) -> None:
        """Say what is to be said before the model speaks: a new position, or what was wrong with its last reply."""
        if turn.refused:
            refusal = turn.position.refusal(turn.refused, self.asking.language)
            self.messages.append(prompting.correction(self.last, refusal, turn.position.form, self.asking))
        elif self.messages and self.asking.history:
            self.messages.append(prompting.question(turn, self.asking, self.rng, again=True))
        else:
            self.messages = prompting.opening(turn, self.asking, self.shots, self.rng)

    def next_step(self) -> str:
        """A name for what comes next that no other step of this sitting has."""
        self.steps += 1
        return str(self.steps)

    async def speak(self, turn: Turn, messages: list[Message], step: str, form: Form) -> Spoken:
        """One reply to some messages, read in the form that was asked for."""
        place = Place(self.manner.match, self.seat, step, digest(view_json(turn.position, self.seat).encode()))
        try:
            completion, seconds = await self.line.ask(place, Request(tuple(messages), self._decoding(place)))
        except NoReply as failure:
            raise Forfeit("infrastructure", str(failure)) from None
        choice = completion.choices[0]
        readings = read(choice, form)
        reading = readings.strict if self.asking.reading == "strict" else readings.lenient
        return Spoken(Reply(reading.answer, choice.text, reading.status, seconds, completion.usage.written or 0), choice)

    def _decoding(self, place: Place) -> Decoding:
        """A seed that is asked for is another one in every call, and the same when the call is made again."""
        decoding = self.manner.decoding
        if decoding.seed is None:
            return decoding
        return replace(decoding, seed=int(digest(str(decoding.seed).encode(), repr(place[:3]).encode())[:7], 16))

    async def leave(self) -> None:
        pass

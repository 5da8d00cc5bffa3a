"""Calls that survive the world: written down before they are sent, tried again when the world is to blame, never paid twice."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from hashlib import blake2b
from random import Random
from time import perf_counter
from typing import NamedTuple, Protocol

import msgspec

from quandary.core.errors import Mistake

from .budget import Budget
from .prices import Prices
from .provider import Completion, Door, Message, Picture, Request, Trouble, Usage
from .rate_limiter import Gate

TRIES = 10  # of one call, all but the last with pauses between them
LET_OTHERS_SEND = 2  # turns of the loop before a reply is worked on, so that a line which is free now is not idle meanwhile
NOTICEABLE = 4  # failures of one call after which the user hears of them
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 60.0  # seconds


class Place(NamedTuple):
    """Where in a run a call is made; no two calls share one, whatever they say."""

    match: str  # instance, players and repeat
    seat: int
    step: str  # which call of this seat in this match
    position: str  # digest of what the seat saw then


class Call(NamedTuple):
    """A call as it is written down."""

    key: str  # digest of everything that affects the reply, and of its place
    model: str
    place: Place
    request: Request
    messages: tuple[str, ...]  # digests of the request's messages


class Heard(NamedTuple):
    """What came of a call."""

    completion: Completion
    seconds: float


class Book(Protocol):
    """Where calls are written down, and found again."""

    def find(self, call: Call) -> Heard | None: ...

    def sent(self, call: Call) -> None: ...

    def got(self, call: Call, completion: Completion, seconds: float) -> None: ...

    def failed(self, call: Call, why: str) -> None: ...


class NoBook:
    """Writes nothing down, for a single match."""

    def find(self, call: Call) -> Heard | None:
        return None

    def sent(self, call: Call) -> None: ...

    def got(self, call: Call, completion: Completion, seconds: float) -> None: ...

    def failed(self, call: Call, why: str) -> None: ...


class Patience(NamedTuple):
    """How long a call is tried again."""

    tries: int = TRIES
    first: float = FIRST_PAUSE
    longest: float = LONGEST_PAUSE


class NoReply(Exception):
    """A call that failed after all its retries; the message names the model and the last error."""


class Line:
    """The way to one model, for a whole run."""

    def __init__(self, model: str, door: Door, gate: Gate, book: Book, budget: Budget, prices: Prices, patience: Patience) -> None:
        self.model, self.door, self.gate, self.book, self.budget = model, door, gate, book, budget
        self.prices, self.patience = prices, patience
        self.timeout = 600.0  # seconds a call may take
        self.tell: Callable[[str], None] = lambda words: None  # hears what users may want to know meanwhile
        self.luck = Random()  # for pauses only: nothing that is measured depends on it

    async def ask(self, place: Place, request: Request) -> Heard:
        """The model's reply, from the book if it is there; NoReply if all tries fail."""
        call = _call(self.model, place, request)
        if known := self.book.find(call):
            return known
        why = Trouble("it was never tried")
        for attempt in range(self.patience.tries):
            if attempt:
                await self.budget.pause(self.luck.random() * min(self.patience.longest, self.patience.first * 2**attempt))
                if attempt == NOTICEABLE:
                    self.tell(f"calls to {self.model} fail ({why}); they are tried again.")
            try:
                async with self.budget.one_by_one():
                    return await self._send(call)
            except Trouble as trouble:
                why = trouble
                if not trouble.again:
                    break
        raise NoReply(f"no reply of {self.model}: {why}")

    async def _send(self, call: Call) -> Heard:
        """One attempt, and its reply written down before it is used.  A Mistake stops the run, for it would spoil every match."""
        entered = await self.gate.enter()
        try:
            with self.budget.call():
                self.book.sent(call)
                begun = perf_counter()
                completion = await self._answer(call)
        except Trouble as trouble:
            self.book.failed(call, str(trouble))
            if trouble.busy:
                self.gate.refused(entered, trouble.wait)
            else:
                self.gate.failed()
            raise
        except Mistake as mistake:
            self.book.failed(call, str(mistake))
            self.gate.failed()
            raise self.budget.stop(str(mistake).removesuffix(".")) from None
        except BaseException:  # the run stops
            self.gate.failed()
            raise
        self.gate.went_well()
        heard = Heard(completion, round(perf_counter() - begun, 6))
        self.book.got(call, *heard)
        self.budget.spend(completion.usage, self.prices.cost(self.model, completion.usage))
        for _ in range(LET_OTHERS_SEND):
            await asyncio.sleep(0)
        return heard

    async def _answer(self, call: Call) -> Completion:
        try:
            async with asyncio.timeout(self.timeout):
                return await self.door.ask(call.request)
        except TimeoutError:
            raise Trouble(f"{self.model} gave no reply within {self.timeout:g} seconds") from None


def tokens_of(usage: Usage) -> int:
    return (usage.read or 0) + (usage.written or 0)


def digest(*parts: bytes) -> str:
    """A short name for some bytes that no others share."""
    total = blake2b(digest_size=16)
    for part in parts:
        total.update(len(part).to_bytes(8, "big"))
        total.update(part)
    return total.hexdigest()


def message_digest(message: Message) -> str:
    parts = (part.png if isinstance(part, Picture) else part.encode("utf-8", "surrogatepass") for part in message.parts)
    return digest(message.role.encode(), *parts)


def _call(model: str, place: Place, request: Request) -> Call:
    messages = tuple(map(message_digest, request.messages))
    plain = (model, place, messages, request.decoding, request.n)
    return Call(digest(msgspec.json.encode(plain)), model, place, request, messages)

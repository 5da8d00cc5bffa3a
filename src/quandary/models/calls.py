"""Calls to models, and the keys by which a journal finds their results again."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

import msgspec

from .provider import Completion, Message, Picture, Request, Usage

encode = msgspec.json.Encoder(order="deterministic").encode


class CallKey(NamedTuple):
    """The place of a call in a run; no two calls of a run share one, even if they send the same
    text.
    """

    match: str  # instance, players and repeat
    seat: int
    step: str  # which call of this seat in this match
    position: str  # digest of what the seat saw


class Call(NamedTuple):
    """A call as it is written to a journal."""

    digest: str  # of everything that affects the reply, and of the key
    model: str
    key: CallKey
    request: Request
    messages: tuple[str, ...]  # digests of the request's messages


class CallResult(NamedTuple):
    """The result of a successful call, and its duration."""

    completion: Completion
    seconds: float


def make_call(model: str, key: CallKey, request: Request) -> Call:
    """Return the call that puts `request` to `model`, with its digests."""
    messages = tuple(map(message_digest, request.messages))
    encoded = encode((model, key, messages, request.decoding, request.n))
    return Call(digest(encoded), model, key, request, messages)


def digest(*parts: bytes) -> str:
    """Return a short hash of some byte strings and their boundaries."""
    measured = [piece for part in parts for piece in (len(part).to_bytes(8, "big"), part)]
    return blake2b(b"".join(measured), digest_size=16).hexdigest()


def message_digest(message: Message) -> str:
    """Return a short hash of a message; that of a system message is kept, because many calls share
    it.
    """
    return _system_digest(message) if message.role == "system" else _message_digest(message)


def _message_digest(message: Message) -> str:
    parts = [
        part.png if isinstance(part, Picture) else part.encode("utf-8", "surrogatepass")
        for part in message.parts
    ]
    return digest(message.role.encode(), *parts)


_system_digest = lru_cache(maxsize=16)(_message_digest)


def total_tokens(usage: Usage) -> int:
    """Return the tokens read and written; unknown counts are taken as 0."""
    return (usage.read or 0) + (usage.written or 0)

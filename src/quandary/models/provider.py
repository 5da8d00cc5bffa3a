"""A door to a language model: messages go in, what it says comes out.

Doors know nothing of puzzles, prices, retries or journals.  What goes wrong behind one is told apart by who can mend it:
`Trouble` may pass or concerns this call alone, `Mistake` is the user's (a wrong key, a model that is not there) and ends the run.
A prompt that is too long for the model is no trouble but its own limit: a reply of nothing that ran out of tokens.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol, TypeAlias

Role: TypeAlias = Literal["system", "user", "assistant"]
Finish: TypeAlias = Literal["stop", "length", "refused"]  # it was done, it ran out of tokens, it or its filter would not answer


class Picture(NamedTuple):
    """A position as a model sees it."""

    png: bytes


Part: TypeAlias = str | Picture


class Message(NamedTuple):
    role: Role
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Decoding:
    """How a model is asked to speak; None leaves a thing to its maker."""

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    stop: tuple[str, ...] = ()
    reasoning_effort: str | None = None


class Request(NamedTuple):
    messages: tuple[Message, ...]
    decoding: Decoding = Decoding()
    n: int = 1  # replies wanted; a door may give fewer, but at least one


class Choice(NamedTuple):
    """One reply."""

    text: str
    thinking: str = ""  # what it thought, where the server keeps that apart from what it said
    finish: Finish = "stop"


class Usage(NamedTuple):
    """Tokens of a call; None where the server does not say."""

    read: int | None = None
    written: int | None = None  # thinking included
    thought: int | None = None


class Completion(NamedTuple):
    choices: tuple[Choice, ...]
    usage: Usage = Usage()
    model: str = ""  # as the server calls it


@dataclass
class Trouble(Exception):
    """A call that brought no reply, through no fault of the model."""

    words: str  # without keys or addresses that hold any
    again: bool = True  # whether it may go better another time
    busy: bool = False  # the server asks for fewer calls
    wait: float | None = None  # seconds it asks to be left alone

    def __str__(self) -> str:
        return self.words


class Door(Protocol):
    """The way to one model.  Many calls may be under way at once."""

    async def ask(self, request: Request) -> Completion:
        """What the model says; raises Trouble or Mistake."""

    async def close(self) -> None: ...

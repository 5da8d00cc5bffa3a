"""The interface of every provider: messages go in, generated text comes out.

Providers know nothing of puzzles, prices, retries or journals.  Errors are told apart by who can
fix them: `ProviderError` concerns one call and may pass, `UserError` needs the user (a wrong key,
an unknown model) and stops the run.  A prompt that is too long for the model is no error: the
model's own limit is reported as an empty generation with the finish reason "length".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

Role: TypeAlias = Literal["system", "user", "assistant"]
Finish: TypeAlias = Literal["stop", "length", "refused"]  # complete, out of tokens, or blocked


class Picture(NamedTuple):
    """A position as an image."""

    png: bytes


Part: TypeAlias = str | Picture


class Message(NamedTuple):
    """One message of a conversation, made of texts and pictures."""

    role: Role
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Decoding:
    """The parameters of a request; None leaves one at the default of the model."""

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    stop: tuple[str, ...] = ()
    reasoning_effort: str | None = None
    thinking_budget: int | None = None  # most tokens of thinking
    chat_template_kwargs: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)  # further fields of the request
    # Further headers; "$NAME" stands for the value of an environment variable, which is read only
    # when the call is sent, so that secrets are kept nowhere.
    headers: Mapping[str, str] = field(default_factory=dict)

    def given(self) -> dict[str, Any]:
        """Return the parameters that are set."""
        return {name: value for name, value in vars(self).items() if value not in (None, (), {})}


class Request(NamedTuple):
    """A request to a model."""

    messages: tuple[Message, ...]
    decoding: Decoding = Decoding()
    n: int = 1  # generations wanted; a provider may give fewer, but at least one


class Generation(NamedTuple):
    """One generated reply."""

    text: str
    thinking: str = ""  # the reasoning, where the server reports it separately from the text
    finish: Finish = "stop"


class Usage(NamedTuple):
    """Tokens of a call; None where the server does not report them."""

    read: int | None = None
    written: int | None = None  # thinking included
    thought: int | None = None
    cached: int | None = None  # of those read: taken from the server's cache


class Completion(NamedTuple):
    """The result of one successful call."""

    generations: tuple[Generation, ...]
    usage: Usage = Usage()
    model: str = ""  # the name the server reports


@dataclass
class ProviderError(Exception):
    """A call that brought no reply, through no fault of the model."""

    message: str  # contains no keys, and no addresses that contain keys
    retry: bool = True  # whether another try may succeed
    rate_limited: bool = False  # the server asks for fewer calls
    retry_after: float | None = None  # seconds the server asks to wait
    timed_out: bool = False  # the server gave no reply in time
    connected: bool = True  # whether the server answered, or may still do so

    def __str__(self) -> str:
        return self.message


class Provider(Protocol):
    """Access to one model.  Many calls may be in flight at once."""

    async def ask(self, request: Request) -> Completion:
        """Return what the model generates; raises ProviderError or UserError."""

    async def close(self) -> None:
        """Release connections and memory."""

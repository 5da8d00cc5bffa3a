"""What a server's error means: who can mend it, and whether it may go better another time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite
from typing import Any, NamedTuple, NoReturn

import msgspec

from quandary.core.errors import Mistake
from quandary.models.provider import Choice, Completion, Trouble, Usage

from .http_json import UNREADABLE

SHOWN = 300  # characters of a server's words that are shown
BUSY = frozenset({429, 498, 503, 529})
PASSING = frozenset({408, 409, 425})
TOO_LONG = (
    "context length", "context_length", "context size", "context_size", "context window", "maximum context", "too many tokens",
    "prompt is too long", "input is too long",
)  # fmt: skip
FILTERED = frozenset({"content_filter", "content_policy_violation", "data_inspection_failed", "invalid_prompt"})
SPENT = frozenset({"insufficient_quota", "exceeded_current_quota_error", "billing_hard_limit_reached", "billing_not_active"})
BLIND = (
    "image input is not supported", "does not support image", "image_url is only supported", "not a multimodal model",
    "support image input", "unknown variant `image_url`", "content must be a string",
)  # fmt: skip
NO_MODEL = ("model_not_found", "invalid_model", "model not exist")
NOTHING = Usage(0, 0)  # what a refused call is charged
BAD_KEY = ("invalid_api_key", "invalid api key", "incorrect api key", "api key not valid")


class Asked(NamedTuple):
    """Whom a call was made to."""

    server: str  # host and port
    address: str
    model: str
    key_variable: str


class Said(NamedTuple):
    """A server's words on what went wrong."""

    message: str
    marks: frozenset[str]  # its codes and types
    status: int | None = None  # where a body says otherwise than the status line

    def has(self, *words: str) -> bool:
        text = f"{self.message} {' '.join(self.marks)}".casefold()
        return any(word in text for word in words)


def said_in(body: bytes, key: str) -> Said:
    """What an error's body says, without the key should it repeat that."""
    try:
        return said_of(msgspec.json.decode(body), key)
    except UNREADABLE:
        return Said(_shown(body.decode("utf-8", "replace"), key), frozenset())


def said_of(body: Any, key: str) -> Said:
    """The same of JSON that has been read already; every server nests it another way."""
    if isinstance(body, list) and body:
        body = body[0]
    error = body.get("error", body) if isinstance(body, dict) else body
    if not isinstance(error, dict):
        return Said(_shown(error if isinstance(error, str) else "", key), frozenset())
    marks = [error.get("code"), error.get("type"), error.get("status")]
    status = next((mark for mark in marks if type(mark) is int and 400 <= mark < 600), None)
    return Said(_shown(_message(error), key), frozenset(mark for mark in marks if isinstance(mark, str)), status)


def _message(error: Mapping[str, Any]) -> str:
    for name in ("message", "detail", "error"):
        if isinstance(words := error.get(name), str):
            return words
    return msgspec.json.encode(error).decode() if error else ""


def _shown(words: str, key: str) -> str:
    hidden = words.replace(key, "***") if key else words  # before it is cut: half a key is too much
    return " ".join(hidden.split())[:SHOWN]


def patience(headers: Mapping[str, str]) -> float | None:
    """The seconds a server asks to be left alone, in any of the ways they say it."""
    return next(_waits(headers), None)


def _waits(headers: Mapping[str, str]) -> Iterator[float]:
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) * unit
        except ValueError:
            continue
        if isfinite(seconds):
            yield max(0.0, seconds)
    try:
        moment = parsedate_to_datetime(headers.get("retry-after", ""))
    except ValueError:
        return
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    yield max(0.0, (moment - datetime.now(UTC)).total_seconds())


def judge(status: int, wait: float | None, said: Said, asked: Asked) -> Completion:
    """What an error comes to: a reply that could not be given, or Trouble, or the user's Mistake."""
    if status in (400, 413, 422, 500) and said.has(*TOO_LONG):
        return Completion((Choice("", finish="length"),), NOTHING)
    if status in (400, 403, 422) and said.marks & FILTERED:
        return Completion((Choice("", finish="refused"),), NOTHING)
    _blame(status, said, asked)
    words = f"{asked.server} answered {status}" + (f": {said.message}" if said.message else "")
    if status in BUSY:
        raise Trouble(words, busy=True, wait=wait)
    raise Trouble(words, again=status >= 500 or status in PASSING, wait=wait)


def _blame(status: int, said: Said, asked: Asked) -> None:
    """Raise what only the user can mend."""
    server, address, model, variable = asked
    words = f"{status}: {said.message}" if said.message else str(status)
    if status in (401, 403) or (status == 400 and said.has(*BAD_KEY)):
        _no_entry(server, variable, words)
    if status == 402 or (status == 429 and said.marks & SPENT):
        raise Mistake(f"{server} says that there is no credit left ({words}); add some, or use another key.")
    if status in (400, 404, 415, 422, 500) and said.has(*BLIND):
        raise Mistake(f"{model!r} at {address} sees no pictures ({words}); ask it with shown=text.")
    if status == 404 or (status == 400 and said.has(*NO_MODEL)):
        raise Mistake(f"there is no model {model!r} at {address} ({words}); check the model's name and the address.")


def _no_entry(server: str, variable: str, words: str) -> NoReturn:
    if variable:
        raise Mistake(f"{server} refuses the key ({words}); set {variable} to one that may use this model.")
    raise Mistake(f"{server} asks for a key ({words}); name the environment variable that holds it.")

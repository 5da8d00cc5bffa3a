"""The meaning of a server's error: who can fix it, and whether a retry may succeed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite
from typing import Any, NamedTuple, NoReturn

import msgspec

from quandary.core.control_characters import visible
from quandary.core.errors import UserError
from quandary.models.provider import Completion, Generation, ProviderError, Usage

from .http_json import UNREADABLE
from .keys import KeyRemover

LONGEST_SHOWN = 300  # characters of a server's message
OVERLOADED = frozenset({429, 498, 503, 529})
TEMPORARY = frozenset({408, 409, 425})
PROMPT_TOO_LONG = (
    "context length", "context_length", "context size", "context_size", "context window",
    "maximum context", "too many tokens", "prompt is too long", "input is too long",
)  # fmt: skip
FILTERED = frozenset(
    {"content_filter", "content_policy_violation", "data_inspection_failed", "invalid_prompt"}
)
NO_CREDIT = frozenset(
    {
        "insufficient_quota",
        "exceeded_current_quota_error",
        "billing_hard_limit_reached",
        "billing_not_active",
    }
)
NO_PICTURES = (
    "image input is not supported", "does not support image", "image_url is only supported",
    "not a multimodal model", "support image input", "unknown variant `image_url`",
    "content must be a string",
)  # fmt: skip
NO_MODEL = ("model_not_found", "invalid_model", "model not exist")
BAD_KEY = ("invalid_api_key", "invalid api key", "incorrect api key", "api key not valid")
NO_TOKENS = Usage(0, 0)  # what a refused call is charged


class Target(NamedTuple):
    """The target of a call."""

    server: str  # host and port
    base_url: str
    model: str
    key_variable: str


class ServerMessage(NamedTuple):
    """A server's message about an error."""

    text: str
    codes: frozenset[str]  # its codes and types
    status: int | None = None  # if the body names another one than the status line

    def mentions(self, *phrases: str) -> bool:
        text = f"{self.text} {' '.join(self.codes)}".casefold()
        return any(phrase in text for phrase in phrases)


def message_from_body(body: bytes, remove_key: KeyRemover) -> ServerMessage:
    """Return the message in an error's body, with the key removed should the server repeat it."""
    try:
        return message_from_json(msgspec.json.decode(body), remove_key)
    except UNREADABLE:
        text = body.decode("utf-8", "replace")
        return ServerMessage(_shortened(text, remove_key), frozenset())


def message_from_json(body: Any, remove_key: KeyRemover) -> ServerMessage:
    """Return the message in decoded JSON; every server nests it differently."""
    if isinstance(body, list) and body:
        body = body[0]
    error = body.get("error", body) if isinstance(body, dict) else body
    if not isinstance(error, dict):
        text = error if isinstance(error, str) else ""
        return ServerMessage(_shortened(text, remove_key), frozenset())
    codes = [error.get("code"), error.get("type"), error.get("status")]
    status = next((code for code in codes if type(code) is int and 400 <= code < 600), None)
    words = frozenset(code for code in codes if isinstance(code, str))
    return ServerMessage(_shortened(_text(error), remove_key), words, status)


def _text(error: Mapping[str, Any]) -> str:
    for name in ("message", "detail", "error"):
        if isinstance(text := error.get(name), str):
            return text
    return msgspec.json.encode(error).decode() if error else ""


def _shortened(text: str, remove_key: KeyRemover) -> str:
    # the key first: half of it is too much
    return visible(remove_key.from_message(" ".join(text.split()))[:LONGEST_SHOWN])


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds a server asks to wait, in any of the ways to say it."""
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


def handle_error(
    status: int, wait: float | None, message: ServerMessage, target: Target
) -> Completion:
    """Return an empty completion if the model or its filter would not answer; else ProviderError or
    UserError.
    """
    if status in (400, 413, 422, 500) and message.mentions(*PROMPT_TOO_LONG):
        return Completion((Generation("", finish="length"),), NO_TOKENS)
    if status in (400, 403, 422) and message.codes & FILTERED:
        return Completion((Generation("", finish="refused"),), NO_TOKENS)
    _raise_mistake(status, message, target)
    words = f"{target.server} answered {status}" + (f": {message.text}" if message.text else "")
    if status in OVERLOADED:
        raise ProviderError(words, rate_limited=True, retry_after=wait)
    raise ProviderError(words, retry=status >= 500 or status in TEMPORARY, retry_after=wait)


def _raise_mistake(status: int, message: ServerMessage, target: Target) -> None:
    """Raise UserError for what only the user can fix."""
    server, base_url, model, variable = target
    words = f"{status}: {message.text}" if message.text else str(status)
    if status in (401, 403) or (status == 400 and message.mentions(*BAD_KEY)):
        _refuse_key(server, variable, words)
    if status == 402 or (status == 429 and message.codes & NO_CREDIT):
        raise UserError(
            f"{server} says that there is no credit left ({words}); add some, or use another key."
        )
    if status in (400, 404, 415, 422, 500) and message.mentions(*NO_PICTURES):
        raise UserError(
            f"{model!r} at {base_url} does not accept pictures ({words}); ask it with "
            "modality=text."
        )
    if status == 404 or (status == 400 and message.mentions(*NO_MODEL)):
        raise UserError(
            f"there is no model {model!r} at {base_url} ({words}); check the model's name and the "
            f"address."
        )


def _refuse_key(server: str, variable: str, words: str) -> NoReturn:
    if variable:
        raise UserError(
            f"{server} refuses the key ({words}); set {variable} to one that may use this model."
        )
    raise UserError(
        f"{server} asks for a key ({words}); name the environment variable that holds it."
    )

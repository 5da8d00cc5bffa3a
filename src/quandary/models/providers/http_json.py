"""The JSON that OpenAI-compatible servers read and write."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any, NamedTuple

import msgspec

from quandary.models.provider import (
    Completion,
    Finish,
    Generation,
    Message,
    Picture,
    Request,
    Usage,
)

from .request_fields import merged, with_budget

LENGTH = frozenset({"length", "max_tokens", "model_length"})
REFUSED = frozenset({"content_filter", "refusal", "safety"})
ABORTED = frozenset({"error", "abort", "insufficient_system_resource"})  # no reply at all
THINKING = frozenset({"thinking", "reasoning"})
# DeepSeek, Moonshot, and gateways to Anthropic have their own names for tokens from a cache.
CACHED = ("prompt_cache_hit_tokens", "cached_tokens", "cache_read_input_tokens")
MOST_TOKENS = 100_000_000  # what servers report beyond that is no count of one call's tokens
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
LONGEST_NUMBER = 20  # digits
CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w-]{1,40})", re.I)


class _Message(msgspec.Struct):
    content: str | list[Any] | None = None
    reasoning_content: Any = None
    reasoning: Any = None
    thinking: Any = None
    refusal: Any = None


class _Choice(msgspec.Struct):
    message: _Message
    finish_reason: Any = None


class _Response(msgspec.Struct):
    """The fields of a response that matter; all others are ignored, however odd."""

    choices: list[_Choice] | None = None
    error: Any = None
    usage: Any = None
    model: Any = None


class _OddResponse(_Response):
    """A response with choices that may be unreadable."""

    choices: list[Any] | None = None


encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_Response).decode
_decode_odd = msgspec.json.Decoder(_OddResponse).decode


def completion_in(body: bytes, content_type: str = "") -> tuple[Completion | None, Any]:
    """Return the generations in a response, None if there are none; and the error that it
    reports.
    """
    try:
        response = _decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        response = _decoded_with_care(body, content_type)
    return _completion_of(response), response.error


def _decoded_with_care(body: bytes, content_type: str) -> _Response:
    """Parse a body, repairing its encoding if need be: it has been paid for."""
    try:
        odd = _decode_odd(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        charset = CHARSET.search(content_type)
        odd = _decode_odd(_repaired(body, charset[1] if charset else "utf-8"))
    return _Response(_choices(odd.choices or []), odd.error, odd.usage, odd.model)


def _repaired(body: bytes, charset: str) -> bytes:
    """Return JSON as valid UTF-8, without byte order mark, lone surrogates, NaN and infinity."""
    try:
        text = body.decode(charset, "replace")
    except LookupError:
        text = body.decode("utf-8", "replace")
    try:
        value = json.loads(
            text.lstrip("\ufeff"),
            parse_constant=lambda constant: None,
            parse_float=lambda digits: number if isfinite(number := float(digits)) else None,
            parse_int=lambda digits: int(digits) if len(digits) < LONGEST_NUMBER else None,
        )
    except ValueError as reason:
        raise msgspec.DecodeError(str(reason)) from None
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")


class FieldNames(NamedTuple):
    """The names of a request's fields for one server."""

    max_tokens: str
    seed: str
    extra: Mapping[str, Any]  # further fields of every request
    thinking_budget: Mapping[str, Any]  # the fields that limit thinking


def request_body(request: Request, model: str, names: FieldNames) -> bytes:
    """Return the JSON of a call."""
    decoding = request.decoding
    messages = [_message_json(message) for message in request.messages]
    body: dict[str, Any] = {**names.extra, "model": model, "messages": messages}
    if decoding.temperature is not None:
        body["temperature"] = decoding.temperature
    if decoding.top_p is not None:
        body["top_p"] = decoding.top_p
    if decoding.max_tokens is not None:
        body[names.max_tokens] = decoding.max_tokens
    if decoding.seed is not None:
        body[names.seed] = decoding.seed
    if decoding.stop:
        body["stop"] = decoding.stop
    if decoding.reasoning_effort is not None:
        body["reasoning_effort"] = decoding.reasoning_effort
    if request.n > 1:
        body["n"] = request.n
    if decoding.thinking_budget is not None:
        body = merged(body, with_budget(names.thinking_budget, decoding.thinking_budget))
    if decoding.chat_template_kwargs:
        body = merged(body, {"chat_template_kwargs": decoding.chat_template_kwargs})
    return encode(merged(body, decoding.body) if decoding.body else body)


def _message_json(message: Message) -> dict[str, Any]:
    parts = message.parts
    if len(parts) == 1 and isinstance(parts[0], str):
        return {"role": message.role, "content": parts[0]}
    if any(isinstance(part, Picture) for part in parts):
        return {"role": message.role, "content": [_part_json(part) for part in parts]}
    return {"role": message.role, "content": "\n".join(str(part) for part in parts)}


def _part_json(part: str | Picture) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    data = b64encode(part.png).decode("ascii")
    return {"type": "image_url", "image_url": {"url": "data:image/png;base64," + data}}


def _completion_of(response: _Response) -> Completion | None:
    choices = response.choices or ()
    generations = tuple([_generation(one) for one in choices if _reason(one) not in ABORTED])
    if not generations:
        return None
    return Completion(generations, _usage(response.usage), _model_name(response.model))


def _choices(plain: list[Any]) -> list[_Choice]:
    """Return the choices that can be read; the others are an error only if there are no
    such ones.
    """
    read, failure = list[_Choice](), None
    for choice in plain:
        try:
            read.append(msgspec.convert(choice, _Choice))
        except msgspec.ValidationError as reason:
            failure = reason
    if failure and not read:
        raise failure
    return read


def total_slots(body: bytes) -> int | None:
    """Return how many calls a server takes at once, in the properties that llama.cpp tells."""
    try:
        properties = msgspec.json.decode(body)
    except UNREADABLE:
        return None
    return _count(properties.get("total_slots")) if isinstance(properties, dict) else None


def _model_name(model: Any) -> str:
    """Return the name a server reports; of a path on its disk only the file name."""
    name = model if isinstance(model, str) else ""
    is_path = name.endswith(".gguf") or name.startswith("/")
    return name.replace("\\", "/").rpartition("/")[2] if is_path else name


def _generation(choice: _Choice) -> Generation:
    message = choice.message
    text, refusal = message.content, _text(message.refusal) if message.refusal else ""
    thinking = (
        _text(message.reasoning_content) or _text(message.reasoning) or _text(message.thinking)
    )
    if isinstance(text, list):
        thinking = thinking or "".join(_parts(text, thinking=True))
        text = "".join(_parts(text, thinking=False))
    return Generation(text or refusal, thinking, _finish(_reason(choice), refusal))


def _finish(reason: str, refusal: str) -> Finish:
    if refusal or reason in REFUSED:
        return "refused"
    return "length" if reason in LENGTH else "stop"


def _reason(choice: _Choice) -> str:
    reason = choice.finish_reason
    return reason.casefold() if isinstance(reason, str) else ""


def _parts(parts: list[Any], *, thinking: bool) -> Iterator[str]:
    for part in parts:
        kind = part.get("type", "text") if isinstance(part, dict) else "text"
        if thinking == (kind in THINKING) and (thinking or kind == "text"):
            yield _text(part)


def _text(value: Any) -> str:
    """Return the text of a field that some servers write as a string, others as a list of parts."""
    match value:
        case None:
            return ""
        case str():
            return value
        case list():
            return "".join(_text(part) for part in value)
        case {"text": text} | {"thinking": text} | {"reasoning": text}:
            return _text(text)
    return ""


def _usage(usage: Any) -> Usage:
    if not isinstance(usage, dict):
        return Usage()
    read, written = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
    total = _count(usage.get("total_tokens"))
    if read is not None and total is not None:
        # some servers leave thinking out of the completion's tokens, but charge for it
        written = max(written or 0, total - read)
    details = usage.get("completion_tokens_details")
    thought = _count(details.get("reasoning_tokens")) if isinstance(details, dict) else None
    return Usage(read, written, thought, _cached(usage, read))


def _cached(usage: dict[str, Any], read: int | None) -> int | None:
    """Return prompt tokens from the server's cache, which some servers charge less for."""
    details = usage.get("prompt_tokens_details")
    cached = _count(details.get("cached_tokens")) if isinstance(details, dict) else None
    for name in CACHED:
        if cached is None and name in usage:
            cached = _count(usage[name])
    return None if cached is None or read is None else min(cached, read)


def _count(value: Any) -> int | None:
    """Return a number of tokens, if it can be one; some servers write it as 12.0."""
    if type(value) is float and value.is_integer():
        value = int(value)
    return value if type(value) is int and 0 <= value <= MOST_TOKENS else None

"""The JSON that OpenAI-compatible servers read and write."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from quandary.models.provider import Choice, Completion, Finish, Message, Picture, Request, Usage

LENGTH = frozenset({"length", "max_tokens", "model_length"})
REFUSED = frozenset({"content_filter", "refusal", "safety"})
BROKEN = frozenset({"error", "abort", "insufficient_system_resource"})  # the server gave up half-way: no reply at all
THINKING = frozenset({"thinking", "reasoning"})
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class _Message(msgspec.Struct):
    content: str | list[Any] | None = None
    reasoning_content: Any = None
    reasoning: Any = None
    thinking: Any = None
    refusal: Any = None


class _Choice(msgspec.Struct):
    message: _Message
    finish_reason: Any = None


class Heard(msgspec.Struct):
    """A body as far as it matters; what is odd in the rest costs no reply."""

    choices: list[_Choice] | None = None
    error: Any = None
    usage: Any = None
    model: Any = None


encode = msgspec.json.Encoder().encode
CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w-]{1,40})", re.I)
_decode = msgspec.json.Decoder(Heard).decode


def decode(body: bytes, content_type: str = "") -> Heard:
    """A body read by the letter, or else as kindly as can be: it has been paid for."""
    try:
        return _decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        charset = CHARSET.search(content_type)
        return _decode(_mended(body, charset[1] if charset else "utf-8"))


def _mended(body: bytes, charset: str) -> bytes:
    """The same JSON in UTF-8, without a mark of byte order, halves of characters, and numbers that are none."""
    try:
        text = body.decode(charset, "replace")
    except LookupError:
        text = body.decode("utf-8", "replace")
    try:
        thing = json.loads(text.lstrip("\ufeff"), parse_constant=lambda constant: None)
    except ValueError as reason:
        raise msgspec.DecodeError(str(reason)) from None
    return json.dumps(thing, ensure_ascii=False).encode("utf-8", "replace")


def body_of(request: Request, model: str, *, tokens: str, seed: str, many: bool, extra: Mapping[str, Any]) -> bytes:
    """The body of a call; `tokens` and `seed` are what this server calls them, `extra` is what else it is to be told."""
    decoding = request.decoding
    body: dict[str, Any] = {**extra, "model": model, "messages": [_written(message) for message in request.messages]}
    if decoding.temperature is not None:
        body["temperature"] = decoding.temperature
    if decoding.top_p is not None:
        body["top_p"] = decoding.top_p
    if decoding.max_tokens is not None:
        body[tokens] = decoding.max_tokens
    if decoding.seed is not None:
        body[seed] = decoding.seed
    if decoding.stop:
        body["stop"] = decoding.stop
    if decoding.reasoning_effort is not None:
        body["reasoning_effort"] = decoding.reasoning_effort
    if many and request.n > 1:
        body["n"] = request.n
    return encode(body)


def _written(message: Message) -> dict[str, Any]:
    parts = message.parts
    if len(parts) == 1 and isinstance(parts[0], str):
        return {"role": message.role, "content": parts[0]}
    if any(isinstance(part, Picture) for part in parts):
        return {"role": message.role, "content": [_part(part) for part in parts]}
    return {"role": message.role, "content": "\n".join(str(part) for part in parts)}


def _part(part: str | Picture) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    return {"type": "image_url", "image_url": {"url": "data:image/png;base64," + b64encode(part.png).decode("ascii")}}


def completion_of(heard: Heard) -> Completion | None:
    """The replies in a body; None where there is none."""
    choices = tuple(_choice(choice) for choice in heard.choices or () if _reason(choice) not in BROKEN)
    if not choices:
        return None
    return Completion(choices, _usage(heard.usage), _name(heard.model))


def _name(model: Any) -> str:
    """What a server calls its model; of a file on its disk only the file's own name."""
    name = model if isinstance(model, str) else ""
    return name.replace("\\", "/").rpartition("/")[2] if name.endswith(".gguf") or name.startswith("/") else name


def _choice(choice: _Choice) -> Choice:
    message = choice.message
    said = message.content
    thinking = _words(message.reasoning_content) or _words(message.reasoning) or _words(message.thinking)
    if isinstance(said, list):
        thinking = thinking or "".join(_parts(said, thinking=True))
        said = "".join(_parts(said, thinking=False))
    refusal = _words(message.refusal)
    reason = _reason(choice)
    finish: Finish = "refused" if refusal or reason in REFUSED else "length" if reason in LENGTH else "stop"
    return Choice(said or refusal, thinking, finish)


def _reason(choice: _Choice) -> str:
    reason = choice.finish_reason
    return reason.casefold() if isinstance(reason, str) else ""


def _parts(parts: list[Any], *, thinking: bool) -> Iterator[str]:
    for part in parts:
        kind = part.get("type", "text") if isinstance(part, dict) else "text"
        if thinking == (kind in THINKING) and (thinking or kind == "text"):
            yield _words(part)


def _words(value: Any) -> str:
    """The text of a field that some servers write as text, others as parts."""
    match value:
        case str():
            return value
        case list():
            return "".join(_words(part) for part in value)
        case {"text": words} | {"thinking": words} | {"reasoning": words}:
            return _words(words)
    return ""


def _usage(usage: Any) -> Usage:
    if not isinstance(usage, dict):
        return Usage()
    read, written, total = (_count(usage.get(f"{kind}_tokens")) for kind in ("prompt", "completion", "total"))
    if read is not None and total is not None:
        written = max(written or 0, total - read)  # some servers leave thinking out of the completion, but charge for it
    details = usage.get("completion_tokens_details")
    return Usage(read, written, _count(details.get("reasoning_tokens")) if isinstance(details, dict) else None)


def _count(value: Any) -> int | None:
    return value if type(value) is int and value >= 0 else None

"""Settings of players' names whose values are texts, lists or objects, or files that hold them.

    stop=END                     a text at which replies end; stop=@FILE for a JSON list of several
    system=Be brief.             the system message; system=@FILE for a long one, system= for none
    body.top_k=20                a field of the request; body=@FILE for a JSON object of several
    chat_template_kwargs.NAME=   an argument of the chat template; as with body
    header.X-Token=$MY_TOKEN     a header, whose value comes from an environment variable

A file is named in the player's name; its content is part of the run's manifest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from quandary.core.errors import UserError
from quandary.models.providers.request_fields import merged

ReadFile = Callable[[str], str]
OBJECTS = ("body", "chat_template_kwargs")
HEADER = "header."
LONG_SETTINGS = ("stop", "system", *OBJECTS)
FORMS = ("stop=", "system=", *(f"{name}." for name in OBJECTS), HEADER)  # as they begin


def read_setting_file(path: str) -> str:
    """Return the text of a file that a setting names."""
    try:
        return Path(path).read_text("utf-8")
    except (OSError, UnicodeError) as reason:
        why = reason.strerror if isinstance(reason, OSError) else "it is not UTF-8"
        raise UserError(f"the file {path} of a setting cannot be read: {why}.") from None


def is_long_setting(key: str) -> bool:
    """Return whether a key of a name is one of these settings."""
    name, dot, field = key.partition(".")
    return key in LONG_SETTINGS or bool(dot and field and name in (*OBJECTS, "header"))


def files_of(settings: Mapping[str, str]) -> list[str]:
    """Return the files that a name's settings name."""
    return [text[1:] for key, text in settings.items() if _is_file(key, text)]


def _is_file(key: str, text: str) -> bool:
    return key in LONG_SETTINGS and text.startswith("@")


def set_value(known: Mapping[str, Any], of: str, key: str, text: str, read: ReadFile) -> Any:
    """Return the field that `key=text` sets, and its value: `known` are the values so far."""
    if _is_file(key, text):
        return _from_file(known, of, key, text[1:], read)
    if key.startswith(HEADER):
        return "headers", {**known["headers"], key.removeprefix(HEADER): text}
    name, _, path = key.partition(".")
    if path:
        value = _json(text)
        for field in reversed(path.split(".")):
            value = {field: text if value is None and text != "null" else value}
        return name, merged(known[name], value)
    if name in OBJECTS:
        raise UserError(
            f"invalid {key}={text} of {of}; write {key}.NAME=VALUE, or {key}=@FILE for a file "
            f"with a JSON object."
        )
    text = text.replace("\\n", "\n").replace("\\t", "\t")
    return name, (text,) if name == "stop" else text


def _from_file(
    known: Mapping[str, Any], of: str, key: str, path: str, read: ReadFile
) -> tuple[str, Any]:
    text = read(path)
    if key == "system":
        return key, text.strip("\n")
    value = _json(text)
    if key == "stop":
        if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
            raise UserError(f"{path}, the file for stop of {of}, must be a JSON list of texts.")
        return key, tuple(value)
    if not isinstance(value, dict):
        raise UserError(f"{path}, the file for {key} of {of}, must be a JSON object.")
    return key, merged(known[key], value)


def _json(text: str) -> Any:
    """Return a value written as JSON; None if it is not."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None

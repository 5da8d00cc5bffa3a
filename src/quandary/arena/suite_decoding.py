"""The table `[decoding]` of a suite: what requests to models say beside their messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quandary.core.errors import UserError, unknown
from quandary.models.provider import Decoding
from quandary.models.settings_check import check_values

DECODING = {
    "temperature": (int, float),
    "top_p": (int, float),
    "max_tokens": int,
    "seed": int,
    "stop": list,
    "reasoning_effort": str,
    "thinking_budget": int,
    "chat_template_kwargs": dict,
    "body": dict,
    "headers": dict,
}


def read_decoding(name: str, raw: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """The settings in the table of a suite, checked."""
    check_types(name, raw, DECODING)
    stop, headers = raw.get("stop", []), raw.get("headers", {})
    if not all(isinstance(text, str) for text in (*stop, *headers.values())):
        raise UserError(f"the suite {name} sets a stop sequence or a header that is not a text.")
    found: dict[str, Any] = {
        key: tuple(value) if key == "stop" else value for key, value in raw.items()
    }
    check_values(f"the suite {name}", Decoding(**found))
    return tuple(found.items())


def check_types(name: str, raw: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    """Raise UserError for a setting of a suite that is unknown or of a wrong type."""
    for key, value in raw.items():
        if key not in known:
            raise unknown("setting", key, known, of=f"the suite {name}")
        if not isinstance(value, known[key]) or isinstance(value, bool) != (known[key] is bool):
            kind = getattr(known[key], "__name__", "number")
            raise UserError(
                f"the suite {name} sets {key} to {value!r}, which is not of type {kind}."
            )

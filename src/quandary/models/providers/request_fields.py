"""Additions to requests by users: fields of the body, headers, a budget for thinking."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from quandary.core.errors import UserError

BUDGET = "BUDGET"  # stands for the number in a preset's `thinking_budget`


def merged(body: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """Return a body with further fields; objects that both have are merged."""
    result = dict(body)
    for name, value in more.items():
        known = result.get(name)
        if isinstance(known, Mapping) and isinstance(value, Mapping):
            value = merged(known, value)
        result[name] = value
    return result


def with_budget(fields: Mapping[str, Any], tokens: int) -> dict[str, Any]:
    """Return the fields of a preset that limit thinking, with the number of tokens filled in."""
    filled = dict[str, Any]()
    for name, value in fields.items():
        if isinstance(value, Mapping):
            value = with_budget(value, tokens)
        filled[name] = tokens if value == BUDGET else value
    return filled


def header_values(headers: Mapping[str, str]) -> dict[str, str]:
    """Return headers as they are sent: `$NAME` becomes the environment variable's value."""
    return {name: _header_value(name, value) for name, value in headers.items()}


def secrets_in(headers: Mapping[str, str]) -> Iterator[str]:
    """Yield the values that come from environment variables."""
    yield from (_header_value(name, value) for name, value in headers.items() if value[:1] == "$")


def _header_value(name: str, value: str) -> str:
    if not value.startswith("$"):
        return value
    variable = value.removeprefix("$")
    found = os.environ.get(variable, "").strip()
    if not found:
        raise UserError(
            f"the header {name} needs the environment variable {variable}, which is not set."
        )
    if not found.isascii() or not found.isprintable():
        raise UserError(
            f"the environment variable {variable} holds characters that no header can have."
        )
    return found

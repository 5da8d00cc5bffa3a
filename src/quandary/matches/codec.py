"""Records and saved matches as JSON, one line each."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import msgspec

from quandary.catalogue.registry import load
from quandary.core.codec import convert, decode, pack

from .record import Record
from .saved import SavedMatch
from .versions import innermost_version


def record_json(record: Record) -> str:
    return _json(record)


def record_from_json(text: str | bytes) -> Record:
    plain = decode(text)
    if isinstance(plain, dict) and "version" not in plain:
        plain["version"] = innermost_version(plain.get("start"))
    return convert(plain, Record, "record", load)  # type: ignore[no-any-return]


def saved_json(saved: SavedMatch) -> str:
    """A match under way, secrets included."""
    return _json(saved)


def saved_from_json(text: str | bytes) -> SavedMatch:
    return convert(decode(text), SavedMatch, "saved match", load)  # type: ignore[no-any-return]


def _json(match: Record | SavedMatch) -> str:
    plain: dict[str, Any] = {field.name: getattr(match, field.name) for field in fields(match)}
    return msgspec.json.encode(plain | {"start": pack(match.start)}).decode()

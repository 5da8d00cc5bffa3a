"""Records and saved matches as JSON, one line each."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Any

import msgspec

from quandary.catalogue.registry import load
from quandary.core.codec import convert, decode, pack

from .player import Reply
from .record import LoggedReply, Record
from .saved import SavedMatch
from .versions import innermost_version

encode = msgspec.json.Encoder().encode


def record_json(record: Record) -> str:
    return _json(record, said=tuple(map(_short, record.said)))


def record_from_json(text: str | bytes) -> Record:
    plain = decode(text)
    if isinstance(plain, dict) and "version" not in plain:
        plain["version"] = innermost_version(plain.get("start"))
    return convert(plain, Record, "record", load)  # type: ignore[no-any-return]


def saved_json(saved: SavedMatch) -> str:
    """A match under way, secrets included."""
    heard = tuple(each._replace(reply=_short(each.reply)) for each in saved.heard)
    return _json(saved, heard=heard)


def saved_from_json(text: str | bytes) -> SavedMatch:
    return convert(decode(text), SavedMatch, "saved match", load)  # type: ignore[no-any-return]


def _json(match: Record | SavedMatch, **parts: Any) -> str:
    plain: dict[str, Any] = {name: getattr(match, name) for name in _names(type(match))}
    plain["start"] = pack(match.start)
    plain.update(parts)
    return encode(plain).decode()


@cache
def _names(kind: type[Record | SavedMatch]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def _short(reply: LoggedReply | Reply) -> Any:
    """A reply without the place of its readings, its last, if it has none."""
    return reply if reply.readings else reply[:-1]

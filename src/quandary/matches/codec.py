"""Records and saved matches as JSON, one line each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgspec

from quandary.catalogue.registry import load
from quandary.core.codec import convert, decode, pack
from quandary.core.contract import Game
from quandary.renamed import SAVED_KEYS, keys_now, player_now

from .player import Reply
from .record import LoggedReply, Record
from .saved import SavedMatch
from .versions import innermost_version

encode = msgspec.json.Encoder().encode


def record_json(record: Record) -> str:
    parts = vars(record)
    if not record.sandbox:
        parts = {name: value for name, value in parts.items() if name != "sandbox"}
    return _json(parts, said=tuple(map(_short, record.said)))


def record_from_json(text: str | bytes) -> Record:
    plain = decode(text)
    if isinstance(plain, dict) and "version" not in plain:
        plain["version"] = innermost_version(plain.get("start"))
    record = convert(plain, Record, "record", load)
    players = tuple(map(player_now, record.players))
    return record if players == record.players else replace(record, players=players)  # type: ignore[no-any-return]


def saved_json(saved: SavedMatch) -> str:
    """Return a match under way, secrets included."""
    received = tuple(each._replace(reply=_short(each.reply)) for each in saved.received)
    return _json(vars(saved), received=received)


def saved_from_json(text: str | bytes) -> SavedMatch:
    plain = decode(text)
    if isinstance(plain, dict):
        plain = keys_now(plain, SAVED_KEYS)
    return convert(plain, SavedMatch, "saved match", load)  # type: ignore[no-any-return]


def _json(match: Mapping[str, Any], **parts: Any) -> str:
    plain = {**match, "start": _last_start.json(match["start"]), **parts}
    return encode(plain).decode()


class _LastStart:
    """The JSON of the last start, made once for all matches on it that follow each other."""

    def __init__(self) -> None:
        self.known: tuple[Game | None, msgspec.Raw] = None, msgspec.Raw()

    def json(self, start: Game) -> msgspec.Raw:
        known, found = self.known
        if start is not known:  # not only equal: 1 and True are, and are written differently
            found = msgspec.Raw(encode(pack(start)))
            self.known = start, found
        return found


_last_start = _LastStart()


def _short(reply: LoggedReply | Reply) -> Any:
    """Return a reply without the place of its readings, its last, if it has none."""
    return reply if reply.readings else reply[:-1]

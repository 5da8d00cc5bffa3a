"""What visitors are shown of players.

Not where the files of the operator are, nor in which words a provider failed.  Records on disk
keep all of it, and the log tells the operator.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from quandary.matches.codec import record_from_json, record_json
from quandary.programs.library import PREFIX, is_program

FAILED = "This player gave no reply; the operator can find out why."


def shown_name(player: str) -> str:
    """Return a player's name, with the name of a program's file instead of the path to it."""
    if not is_program(player):
        return player
    kind, _, path = player.partition("/")
    return f"{kind}/{path.replace(chr(92), '/').rpartition('/')[2]}"


def for_visitors(match: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data of a match as the stage shows it, without what only the operator may know."""
    data = dict(match)
    data["players"] = [shown_name(player) for player in match["players"]]
    for player, shown in zip(match["players"], data["players"], strict=True):
        data["result"] = data["result"].replace(player, shown)
    data["steps"] = [_step(step) for step in match["steps"]]
    if "record" in data:
        data["record"] = _record(str(data["record"]))
    if "programs" in data:
        data["programs"] = {shown_name(name): code for name, code in data["programs"].items()}
    return data


def _record(text: str) -> str:
    """Return the record of a match as JSON; nothing of one that is damaged and may tell too
    much.
    """
    if "infrastructure" not in text and PREFIX not in text:
        return text  # nearly all
    try:
        record = record_from_json(text)
    except Exception:  # however it is damaged
        return ""
    replies = tuple(
        reply._replace(words=FAILED) if reply.status == "infrastructure" else reply
        for reply in record.said
    )
    return record_json(
        replace(record, players=tuple(map(shown_name, record.players)), said=replies)
    )


def _step(step: Mapping[str, Any]) -> dict[str, Any]:
    return (
        {**step, "replies": list(map(_reply, step["replies"]))} if "replies" in step else {**step}
    )


def _reply(reply: Mapping[str, Any]) -> dict[str, Any]:
    """Return a reply; the words of a provider's failure are not for visitors."""
    is_hidden = reply["status"] == "infrastructure"
    return {**reply, "failure": FAILED} if is_hidden else {**reply}

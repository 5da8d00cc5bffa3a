"""Names that have changed, and what they are called now.

What is read from files is taken by its new name without a word, and so are names that records and
manifests of earlier versions hold.  Names that somebody types still work for one version, with a
warning.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

# Settings in the names of players: `openai/gpt-4.1,prompting=none`.
PLAYER_SETTINGS = {
    "legal": "list_moves",
    "programs": "allow_code",
    "reading": "parsing",
    "shown": "modality",
    "thoughts": "prompting",
}
# Settings of suites, in their files and in manifests, and those of their entries.
SUITE_SETTINGS = {"shown": "modality", "thoughts": "prompting"}
ENTRY_SETTINGS = {"shown": "modalities"}
# Keys of saved matches.
SAVED_KEYS = {"heard": "received"}
# Options of all commands that have them.
OPTIONS = {
    "--game": "--puzzle",
    "--lang": "--language",
    "--like": "--from-run",
    "--matches": "--concurrency",
    "--session": "--problem",
    "--shown": "--modality",
    "--words": "--transcript",
}
# Options that are called differently in each command.
COMMAND_OPTIONS = {
    "compare": {"--flips": "--disagreements"},
    "regrade": {"--flips": "--changes"},
}


class RenamedWarning(DeprecationWarning):
    """Something was named as in an earlier version."""


EARLIER = {new: old for old, new in PLAYER_SETTINGS.items()}
NAMED = re.compile(rf"(?<=,)({'|'.join(PLAYER_SETTINGS)})(?==)")
NAMED_NOW = re.compile(rf"(?<=,)({'|'.join(EARLIER)})(?==)")


@lru_cache(maxsize=4096)
def player_now(name: str) -> str:
    """Return the name of a player with its settings as they are called now.

    Values hold no comma, so a comma is always followed by the name of a setting.
    """
    return NAMED.sub(lambda found: PLAYER_SETTINGS[found[0]], name)


@lru_cache(maxsize=4096)
def player_in_journals(name: str) -> str:
    """Return the name of a player as the keys of calls have it.

    They keep the earliest names of settings, because replies are found again and seeds of calls
    are drawn by them.
    """
    return NAMED_NOW.sub(lambda found: EARLIER[found[0]], name)


def typed_player(name: str) -> str:
    """Return the name of a player that somebody typed, with a warning for each earlier name."""
    for old in dict.fromkeys(NAMED.findall(name)):
        warn(f"the setting {old}=", f"{PLAYER_SETTINGS[old]}=")
    return player_now(name)


def keys_now(table: Mapping[str, Any], renamed: Mapping[str, str]) -> dict[str, Any]:
    """Return a table with its keys as they are called now."""
    return {renamed.get(key, key): value for key, value in table.items()}


def typed_keys(table: Mapping[str, Any], renamed: Mapping[str, str], where: str) -> dict[str, Any]:
    """Return a table that somebody wrote, with a warning for each earlier name."""
    for old in (key for key in table if key in renamed):
        warn(f"{old} of {where}", renamed[old])
    return keys_now(table, renamed)


def warn(old: str, new: str) -> None:
    """Warn that something has a new name."""
    warnings.warn(
        f"{old} is called {new} now; the earlier name works in this version only.",
        RenamedWarning,
        stacklevel=3,
    )

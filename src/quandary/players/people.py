"""Names of people: `human`, `human/anna`, and with what helped them, `human/anna,hints=2`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from quandary.core.errors import UserError

PERSON = "human"
PREFIX = f"{PERSON}/"
WITH_HELP = f"{PERSON} (with help)"
DELETED = f"{PREFIX}deleted"  # a person who asked to be deleted
OWN_NAME = re.compile(r"[\w.-]{1,32}")


def is_person(name: str) -> bool:
    """Return whether a player's name means a person."""
    who = name.partition(",")[0]
    return who in (PERSON, WITH_HELP) or who.startswith(PREFIX)


def person(own_name: str = "") -> str:
    """Return the player's name of a person; UserError if it cannot be one."""
    if own_name and not OWN_NAME.fullmatch(own_name):
        raise UserError(
            f"{own_name[:40]!r} cannot be a name; write 1 to 32 letters, digits, dots, hyphens or "
            f"underscores."
        )
    if f"{PREFIX}{own_name}".casefold() == DELETED:
        raise UserError(f"{own_name!r} stands for people who were deleted; choose another name.")
    return f"{PREFIX}{own_name}" if own_name else PERSON


def with_help(name: str, used: Mapping[str, int]) -> str:
    """Return a person's name with what helped, so that a record tells: "human/anna,hints=2"."""
    return ",".join([name, *(f"{what}={count}" for what, count in used.items() if count)])


def own_name(name: str) -> str:
    """Return the player's name of a person without what helped, the same for all their matches."""
    return name.partition(",")[0]


def pooled(name: str) -> str:
    """Return the name under which scores count a player: people are one player, those who were
    helped another.
    """
    if not is_person(name):
        return name
    return WITH_HELP if "," in name else PERSON

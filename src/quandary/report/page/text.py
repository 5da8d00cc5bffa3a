"""Texts of tables and names as HTML."""

from __future__ import annotations

import re
from collections.abc import Mapping

from quandary.report.html import Markup, element

BREAKS = re.compile(r"(?<=[,/@_-])")  # where the name of a player may go on in another line


def with_code(sentence: str, names: Mapping[str, str] | None = None) -> list[str | Markup]:
    """Return a sentence with what stands in backquotes as code, with other names for some
    players.
    """
    known = names or {}
    parts = sentence.split("`")
    return [
        element("code", *breakable(known.get(part, part))) if at % 2 else part
        for at, part in enumerate(parts)
    ]


def breakable(name: str) -> list[str | Markup]:
    """Return a name that goes on in the next line rather than being cut."""
    first, *others = BREAKS.split(name)
    return [first, *(part for each in others for part in (Markup("<wbr>"), each))]

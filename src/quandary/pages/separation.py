"""Which levels separate decent players: measured by `tools/separation.py`, kept as data."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any, TypedDict

from quandary.catalogue import registry

DATA = "separation.json"
AFFORDABLE = 1_000  # seeds

HEAD = """# How many seeds separate players

<!-- Generated from src/quandary/pages/separation.json, which tools/separation.py measures. -->

For each level: how many seeds separate the simplest sensible rule from the strongest player
(`oracle`).
Both played the same instances with the same luck, in duels against the house from both seats.
With that many seeds a 95 % interval of the difference excludes 0 four times in five.
"More than N" means that the difference was within its interval, or that time ran out.
A level that needs more than {affordable:,} seeds does not separate decent players.

| level | rule | against | instances played | score of the rule | of the strongest | seeds |
|---|---|---|---|---|---|---|
"""


class Measured(TypedDict):
    """What was measured at one level."""

    version: int  # of the puzzle
    seconds: float  # that it was allowed to take
    rule: str
    against: str  # the house; "" with one seat
    played: int  # instances
    rule_score: float
    strongest_score: float
    seeds: int | None  # None if it is more than `more_than`
    more_than: int


@cache
def measured() -> dict[str, Measured]:
    """What is known, by level: `card_nim/easy`."""
    found: dict[str, Any] = json.loads(files(__package__).joinpath(DATA).read_text("utf-8"))
    return found


def current(name: str, level: str) -> Measured | None:
    """What was measured of the present version of a puzzle at a level."""
    found = measured().get(f"{name}/{level}")
    return found if found and found["version"] == registry.load(name).version else None


def seeds_text(found: Measured) -> str:
    if found["seeds"] is not None:
        worse = found["strongest_score"] < found["rule_score"]
        return f"{found['seeds']:,}{' (the rule is the better player)' if worse else ''}"
    return f"more than {found['more_than']:,}"


def separates(found: Measured) -> bool:
    """Whether an affordable number of seeds shows that the strongest player is stronger."""
    is_affordable = found["seeds"] is not None and found["seeds"] <= AFFORDABLE
    return is_affordable and found["strongest_score"] > found["rule_score"]


def sentences(name: str) -> list[str]:
    """What the page of a puzzle says about it; nothing if nothing was measured."""
    levels = {level: current(name, level) for level in registry.load(name).levels}
    known = {level: found for level, found in levels.items() if found is not None}
    if not known:
        return []
    listed = [
        f"{level} {seeds_text(found)} (`{found['rule']}` {found['rule_score']:.2f}, `oracle` "
        f"{found['strongest_score']:.2f})"
        for level, found in known.items()
    ]
    told = [f"Seeds that separate a simple rule from `oracle` at 95 %: {'; '.join(listed)}."]
    weak = [level for level, found in known.items() if not separates(found)]
    if weak:
        told.append(
            f"At {', '.join(weak)} no affordable number of seeds is known to separate decent "
            f"players."
        )
    return told


def document() -> str:
    """All that was measured, as Markdown."""
    rows = list[str]()
    for name in registry.names():
        for level in registry.load(name).levels:
            found = current(name, level)
            if found is None:
                continue
            scores = f"{found['rule_score']:.3f} | {found['strongest_score']:.3f}"
            against = f"`{found['against']}`" if found["against"] else "–"
            rows.append(
                f"| {name}/{level} | `{found['rule']}` | {against} | {found['played']} | "
                f"{scores} | {seeds_text(found)} |"
            )
    return HEAD.format(affordable=AFFORDABLE) + "\n".join(rows) + "\n"

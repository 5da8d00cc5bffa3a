"""Which levels separate decent players: measured by `tools/separation.py`, kept as data."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any, TypedDict

from quandary.catalogue import registry

DATA = "separation.json"
AFFORDABLE = 1_000  # seeds
FEW = 20  # distinct instances; fewer may not stand for the level
MOST_DIGITS = 6  # as they are kept

HEAD = """# How many seeds separate players

<!-- Generated from src/quandary/puzzle_docs/separation.json, measured by tools/separation.py. -->

For each level: how many seeds separate the simplest sensible rule from the strongest player
(`oracle`).
Both played the same instances with the same luck, in duels against the house from both seats.
With that many seeds a 95 % interval of the difference excludes 0 four times in five.
"More than N" means that the difference was within its interval, or that time ran out.
A level that needs more than {affordable:,} seeds does not separate decent players.
Where fewer than {few} distinct instances were played, the number of seeds says so: a few instances
may not stand for the level, unless it has no others.

| level | rule | against | instances | distinct | score of the rule | of the strongest | seeds |
|---|---|---|---|---|---|---|---|
"""


class LevelSeparation(TypedDict):
    """What was measured at one level."""

    version: int  # of the puzzle
    seconds: float  # that it was allowed to take
    rule: str
    against: str  # the house; "" with one seat
    played: int  # instances
    distinct: int  # of them, those that differ by more than symmetry
    rule_score: float
    strongest_score: float
    seeds: int | None  # None if it is more than `more_than`
    more_than: int


@cache
def measured() -> dict[str, LevelSeparation]:
    """Return what is known, by level: `card_nim/easy`."""
    found: dict[str, Any] = json.loads(files(__package__).joinpath(DATA).read_text("utf-8"))
    return found


def current(name: str, level: str) -> LevelSeparation | None:
    """Return what was measured of the present version of a puzzle at a level."""
    found = measured().get(f"{name}/{level}")
    return found if found and found["version"] == registry.load(name).version else None


def seeds_text(found: LevelSeparation) -> str:
    if found["seeds"] is not None:
        worse = found["strongest_score"] < found["rule_score"]
        return f"{found['seeds']:,}{' (the rule is the better player)' if worse else ''}"
    return f"more than {found['more_than']:,}"


def few_text(name: str, level: str, found: LevelSeparation) -> str:
    """On how few distinct instances a measurement rests; "" if they are not few."""
    count = found["distinct"]
    if count >= FEW:
        return ""
    there_are = registry.load(name).distinct_instances.get(level)
    if there_are and there_are.known == "exactly" and count == there_are.instances:
        return "on the only instance" if count == 1 else f"on the {count} instances there are"
    return f"on only {count} distinct instance{'' if count == 1 else 's'}"


def scores_text(found: LevelSeparation, digits: int) -> tuple[str, str]:
    """Return the two scores with so many decimals, or more if these hide which is higher."""
    scores = found["rule_score"], found["strongest_score"]
    while True:
        one, other = (f"{score:.{digits}f}" for score in scores)
        if one != other or scores[0] == scores[1] or digits >= MOST_DIGITS:
            return one, other
        digits += 1


def separates(found: LevelSeparation) -> bool:
    """Return whether an affordable number of seeds shows that the strongest player is stronger."""
    is_affordable = found["seeds"] is not None and found["seeds"] <= AFFORDABLE
    return is_affordable and found["strongest_score"] > found["rule_score"]


def sentences(name: str) -> list[str]:
    """Return what the page of a puzzle says about it; nothing if nothing was measured."""
    levels = {level: current(name, level) for level in registry.load(name).levels}
    known = {level: found for level, found in levels.items() if found is not None}
    if not known:
        return []
    listed = "; ".join(_level_text(name, level, found) for level, found in known.items())
    lines = [f"Seeds that separate a simple rule from `oracle` at 95 %: {listed}."]
    weak = [level for level, found in known.items() if not separates(found)]
    if weak:
        lines.append(
            f"At {', '.join(weak)} no affordable number of seeds is known to separate decent "
            f"players."
        )
    return lines


def _level_text(name: str, level: str, found: LevelSeparation) -> str:
    rule, strongest = scores_text(found, 2)
    few = few_text(name, level, found)
    scores = f"`{found['rule']}` {rule}, `oracle` {strongest}{f', {few}' if few else ''}"
    return f"{level} {seeds_text(found)} ({scores})"


def document() -> str:
    """Return all that was measured, as Markdown."""
    rows = list[str]()
    for name in registry.names():
        for level in registry.load(name).levels:
            found = current(name, level)
            if found is None:
                continue
            against = f"`{found['against']}`" if found["against"] else "–"
            few = few_text(name, level, found)
            rows.append(
                f"| {name}/{level} | `{found['rule']}` | {against} | {found['played']} | "
                f"{found['distinct']} | {' | '.join(scores_text(found, 3))} | "
                f"{seeds_text(found)}{f', {few}' if few else ''} |"
            )
    return HEAD.format(affordable=AFFORDABLE, few=FEW) + "\n".join(rows) + "\n"

"""What there is: puzzles and suites."""

from __future__ import annotations

import sys
from typing import Any

from quandary.arena import suite as suites
from quandary.catalogue import registry
from quandary.core.contract import veils_of


def list_puzzles() -> list[dict[str, Any]]:
    """Every puzzle described, in the order of the groups, as `quandary list --json` prints it."""
    members = {name: suites.members(name) for name in suites.names()}
    return [_described(name, members) for name in registry.names()]


def list_suites() -> list[dict[str, Any]]:
    """Every suite that comes with quandary: its name, title, puzzles and number of instances."""
    found = list[dict[str, Any]]()
    for name in suites.names():
        suite = suites.load(name)
        puzzles = list(dict.fromkeys(spec.name for spec in suite.specs))
        found.append(
            {
                "name": name,
                "title": suite.title,
                "puzzles": puzzles,
                "instances": len(suite.specs),
            }
        )
    return found


def _described(name: str, members: dict[str, set[str]]) -> dict[str, Any]:
    """What can be known of a puzzle before it is played."""
    puzzle = registry.load(name)
    game = registry.game(f"{name}/{next(iter(puzzle.levels))}#1")
    doc = (sys.modules[puzzle.__module__].__doc__ or "").strip()
    return {
        "name": name,
        "group": registry.group(name),
        "seats": game.seats,
        "chance": game.luck,
        "hidden": any(mark != "nested" for _, mark in veils_of(puzzle)),
        "levels": list(puzzle.levels),
        "families": dict(puzzle.families),
        "languages": list(game.languages),
        "suites": [suite for suite, puzzles in members.items() if name in puzzles],
        "version": puzzle.version,
        "players": ["random", *game.strategies],
        "better": game.better,
        "summary": doc.partition("\n")[0],
    }

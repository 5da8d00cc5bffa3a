"""Lists of the puzzles and suites that are available."""

from __future__ import annotations

import sys
from typing import Any, TypeAlias

from quandary.arena import suite as suites
from quandary.catalogue import drawing, external, registry
from quandary.catalogue.published_seeds import published_seeds
from quandary.core.contract import ChanceMoves
from quandary.core.errors import UserError
from quandary.core.mixins.families import families_of
from quandary.core.mixins.objectives import better
from quandary.core.mixins.word_puzzles import word_language_of
from quandary.core.puzzle import strongest_at
from quandary.core.secrecy import hidden_fields

Row: TypeAlias = dict[str, Any]


def list_puzzles() -> list[Row]:
    """Describe all puzzles, in the order of the groups, as `quandary list --json` prints them.

    A broken puzzle from outside has a name and an error.
    """
    return [*built_in(), *from_outside()]


def built_in() -> list[Row]:
    """Return the puzzles of this package."""
    with external.ignored():
        return _all_described(registry.names())


def from_outside() -> list[Row]:
    """Return the puzzles of folders and other distributions, and those of them that are refused."""
    with external.ignored():
        known = registry.names()
    rows = _all_described([name for name in registry.names() if name not in known])
    return rows + [{"name": name, "error": why} for name, why in registry.refused().items()]


def list_suites() -> list[Row]:
    """Describe all suites of quandary: their names, titles, puzzles and numbers of instances."""
    found = list[Row]()
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


def _all_described(names: list[str]) -> list[Row]:
    """Return the puzzles of these names; one that is broken hides no other."""
    members = {name: suites.members(name) for name in suites.names()}
    rows = list[Row]()
    for name in names:
        try:
            rows.append(_described(name, members))
        except UserError as reason:
            rows.append({"name": name, "error": str(reason)})
        except Exception as reason:  # an author's file may contain anything
            error = f"it cannot be described ({type(reason).__name__}: {reason})."
            rows.append({"name": name, "error": error})
    return rows


def _described(name: str, members: dict[str, set[str]]) -> Row:
    """Return what can be known of a puzzle before it is played."""
    puzzle = registry.load(name)
    game = drawing.game(f"{name}/{next(iter(puzzle.levels))}#1")
    for language in game.languages:
        game.say(language)  # UserError if its translation cannot be read
    words = word_language_of(puzzle)
    doc = (sys.modules[puzzle.__module__].__doc__ or "").strip()
    return {
        "name": name,
        "group": registry.group(name),
        "seats": game.seats,
        "chance": isinstance(game, ChanceMoves),
        "hidden": any(mark != "nested" for _, mark in hidden_fields(puzzle)),
        "levels": list(puzzle.levels),
        # How many distinct instances there are, for levels and families where seeds repeat them.
        "distinct_instances": {
            key: few.instances for key, few in puzzle.distinct_instances.items()
        },
        "published_seeds": dict(published_seeds(puzzle)),  # their number by level
        "families": dict(families_of(puzzle)),
        "languages": list(game.languages),
        # Languages into which the rules are translated, but not the words that the puzzle is about.
        "rules_only": [language for language in game.languages if words and language != words],
        "suites": [suite for suite, puzzles in members.items() if name in puzzles],
        "version": puzzle.version,
        "players": ["random", *game.strategies],
        "strongest": {level: strongest_at(puzzle, level) for level in puzzle.levels},
        "better": better(game),
        "summary": doc.partition("\n")[0],
    }

"""The generated page of a puzzle: rules, moves, levels, scoring, views, a sample match."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from quandary.catalogue import drawing, registry
from quandary.catalogue.arguments import defaults
from quandary.core.bounds import argument_text
from quandary.core.codec import schema
from quandary.core.contract import Puzzle, Question, Strongest
from quandary.core.mixins.families import families_of
from quandary.core.naming import name_of
from quandary.core.puzzle import strongest_at
from quandary.core.worked import Worked
from quandary.tasks.search_tree import refusal

from . import inputs, separation
from .playthrough import playthrough

SAMPLE = 60  # lines of the sample match
STRONGEST: dict[Strongest, str] = {
    "optimal": "proven optimal",
    "equilibrium": "an equilibrium, against which no opponent gains",
    "search": "search with a budget",
    "heuristic": "a heuristic",
}


def page(name: str) -> str:
    """Return the puzzle's page as Markdown."""
    puzzle = registry.load(name)
    level = next(iter(puzzle.levels))
    summary, _, notes = (sys.modules[puzzle.__module__].__doc__ or "").strip().partition("\n")
    parts = [
        f"# {name}",
        "<!-- Generated: change the puzzle, then run `make docs`. -->",
        summary,
        notes.strip(),
        f"![{name}/{level}#1](pictures/{name}.svg)",
        *_families(puzzle),
        "## Rules",
        *_rules(name, level),
        "## Levels",
        _levels(puzzle),
        "## Players and scoring",
        _players(puzzle),
        *separation.sentences(name),
        "## On the site",
        inputs.sentences(name),
        "## What a program sees",
        "```json\n" + json.dumps(schema(puzzle), indent=1) + "\n```",
        "## A sample match",
        "```text\n" + _sample(name, level) + "\n```",
        "## Version",
        (
            f"Rules and instances are version {puzzle.version}; records are read from version "
            f"{puzzle.rules_since} on, and others are refused."
        ),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() + ("  " if line else "") for line in text.splitlines())


def _levels(puzzle: type[Puzzle]) -> str:
    rows = ["| level | arguments of `new` | instances |", "|---|---|---|"]
    for level in puzzle.levels:
        rows.append(f"| {level} | {_given(puzzle, level)} | {_distinct(puzzle, level)} |")
    if issubclass(puzzle, Worked):
        return "\n".join(rows) + f"\n\nA spec may set them: `{_example(puzzle)}`."
    known = defaults(puzzle.new)
    listed = ", ".join(f"`{key}` (default {_value(value)})" for key, value in known.items())
    return "\n".join(rows) + (
        f"\n\nA spec may set them: `{_example(puzzle)}`. Arguments: {listed}." if known else ""
    )


def _given(puzzle: type[Puzzle], level: str) -> str:
    """Return the arguments of a level, or the sizes of each family at it; equal ones stand once."""
    if not issubclass(puzzle, Worked):
        return _listed(puzzle.levels[level]) or "the defaults"
    sizes = {family: _listed(sizes[int(level)]) for family, sizes in puzzle.sizes.items()}
    if len(set(sizes.values())) == 1:
        return next(iter(sizes.values()))
    return "; ".join(f"family {family}: {listed}" for family, listed in sizes.items())


def _listed(arguments: Mapping[str, Any]) -> str:
    return ", ".join(f"`{key}={_value(value)}`" for key, value in arguments.items())


def _rules(name: str, level: str) -> list[str]:
    """Return the rules in every language, for each family with its own rules."""
    families = families_of(registry.load(name))
    keys = [f"{level},family={family}" for family in families] or [level]
    games = [drawing.game(f"{name}/{key}#1") for key in keys]
    texts = [[_quoted(game.rules(language)) for language in game.languages] for game in games]
    if all(rules == texts[0] for rules in texts):
        return texts[0]
    headings = [f"### Family {family}" for family in families]
    return [
        part for heading, rules in zip(headings, texts, strict=True) for part in (heading, *rules)
    ]


def _families(puzzle: type[Puzzle]) -> list[str]:
    """Return the section on families, if there are any."""
    if not families_of(puzzle):
        return []
    level, key = next(iter(puzzle.levels)), next(iter(families_of(puzzle)))
    listed = [f"- `{key}`: {words}" for key, words in families_of(puzzle).items()]
    example = f"`{name_of(puzzle)}/{level},family={key}#1`"
    how = (
        f"Each instance is of one family, drawn with the same chance unless a spec names it: "
        f"{example}."
    )
    return ["## Families", "\n".join(listed), how]


def _distinct(puzzle: type[Puzzle], level: str) -> str:
    """Return whether a level has many instances, and whether each of its families has."""
    keys = {"": level} | {f"family {key}: ": f"{level},family={key}" for key in families_of(puzzle)}
    notes = [
        f"{start}{puzzle.distinct_instances[key]}"
        for start, key in keys.items()
        if key in puzzle.distinct_instances
    ]
    return "; ".join(notes) or "nearly all distinct"


def _example(puzzle: type[Puzzle]) -> str:
    level, arguments = next(iter(puzzle.levels.items()))
    if issubclass(puzzle, Worked):
        [arguments, *_] = next(iter(puzzle.sizes.values()))
    changes = "".join(f",{key}={_value(value)}" for key, value in list(arguments.items())[:1])
    return f"{name_of(puzzle)}/{level}{changes}#1"


def _value(value: object) -> str:
    return f"{value[0]}..{value[1]}" if isinstance(value, tuple) else argument_text(value)


def _strongest(puzzle: type[Puzzle]) -> str:
    """Return what the strongest player is, at all levels or by level."""
    levels = {level: strongest_at(puzzle, level) for level in puzzle.levels}
    kinds = list(dict.fromkeys(kind for kind in levels.values() if kind))
    if not kinds:
        return ""
    words = [STRONGEST[kind] for kind in kinds]
    if len(kinds) > 1:
        at = [", ".join(level for level in levels if levels[level] == kind) for kind in kinds]
        words = [f"{word} ({level})" for level, word in zip(at, words, strict=True)]
    note = " It is not an upper bound: another player may score more."
    if set(levels.values()) <= {"optimal", "equilibrium"}:
        is_alone = getattr(puzzle, "seats", 1) == 1
        note = "" if is_alone else " Against a weaker opponent another player may score more."
    return f"The strongest player known here is `oracle`: {'; '.join(words)}.{note}"


def _players(puzzle: type[Puzzle]) -> str:
    level = next(iter(puzzle.levels))
    start = drawing.game(f"{name_of(puzzle)}/{level}#1")
    players = ", ".join(f"`{name}`" for name in ("random", *start.strategies))
    if issubclass(puzzle, Question):
        judged = "One answer, judged at once; with more tries each wrong answer gets feedback."
        lines = [f"{judged} Players: {players}."]
    else:
        lines = [f"Seats: {start.seats}. Players: {players}."]
    asked = drawing.instance(f"{name_of(puzzle)}/{level}#1")
    for name, strategy in asked.strategies.items():
        words = (strategy.__doc__ or "see the source").strip()
        lines.append(f"- `{name}`: {words.splitlines()[0]}")
    if strongest := _strongest(puzzle):
        lines.append(f"- {strongest}")
    if puzzle.house:
        lines.append(
            "- house opponents: "
            + ", ".join(f"{level} `{name}`" for level, name in puzzle.house.items())
        )
    if issubclass(puzzle, Question):
        return "\n".join(lines)
    if reason := refusal(start):
        lines.append(f"- no state tasks: {reason}")
    else:
        lines.append(
            f"- also as `whole:`, `check:` and `next:` tasks, for example "
            f"`check:{name_of(puzzle)}/{level}#1`"
        )
    return "\n".join(lines)


def _sample(name: str, level: str) -> str:
    lines = playthrough(name, level).split("== after 0 moves", 1)[-1].splitlines()
    shown = ["== after 0 moves" + lines[0], *lines[1:]]
    return "\n".join(shown if len(shown) <= SAMPLE else [*shown[:SAMPLE], "..."])

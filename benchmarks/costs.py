"""`python -m benchmarks.costs [--again]`: what games cost a model, in calls and in tokens.

Those of the PuzzlePlex suite are written to `docs/costs.md`, those of all levels and of all
built-in suites to the data by which `quandary plan` counts.  What was measured of the present
version of a puzzle is kept, unless it is to be measured `--again`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from quandary.arena.suite import Suite, load, names
from quandary.catalogue import registry
from quandary.catalogue.spec import Spec
from quandary.planning.game_costs import DATA, LETTERS, GameCost, entry_name, measure, measured

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "costs.md"
RESULTS = ROOT / "src" / "quandary" / "planning" / DATA
SEEDS = 5  # games per entry
VERY_LONG = {"exclusivity_probes/hard": 1}  # thousands of calls, so that one game is enough
TEXT = """# What the PuzzlePlex suite costs a model

<!-- Written by `make costs`. -->

How often a model is asked in one game of the instruction setting, and how many tokens it is sent,
per seat. The level's house opponent plays all seats, on the first {seeds} seeds of each entry, and
is sent what a model would be sent; it looks at no more than 200 positions per move. A token is
counted as {letters} characters. `quandary plan` counts by the same data, for every level.

By default the conversation is kept: every call repeats the replies before it, the first position,
and of the positions between the first and the current one the lines that changed. With
`history=no` each call holds the rules and the position alone. Replies are counted as the answer
alone, without thinking. If every reply has r more tokens, a game of n calls writes n r more. With
history, it reads n (n - 1) / 2 r more. Pictures are not counted.

Games are those of one player in the whole suite, who meets one opponent from both seats where
there are two.
"""
COLUMNS = (
    "entry", "games", "calls per game", "most", "tokens per game", "with `history=no`",
    "tokens of all games",
)  # fmt: skip
PROGRAMS = """
## Entries for programs alone

A program is written once, so its games need no calls. A model would pay:
"""


def entries(suite: Suite) -> dict[Spec, list[Spec]]:
    """The specs of a suite by entry: an entry is a spec without its seed."""
    found: dict[Spec, list[Spec]] = {}
    for spec in suite.specs:
        found.setdefault(replace(spec, seed=0), []).append(spec)
    return found


def row(specs: Sequence[Spec], cost: GameCost) -> str:
    """One line of the table."""
    games = len(specs) * getattr(registry.load(specs[0].name), "seats", 1)
    name = str(specs[0]).rpartition("#")[0]
    return (
        f"| {name} | {games} | {cost.calls:.1f} | {cost.most} | {cost.tokens:,.0f} | "
        f"{cost.without_history:,.0f} | {games * cost.tokens:,.0f} |"
    )


def table(suite: Suite, setting: str, known: Mapping[str, GameCost]) -> Iterator[str]:
    """The entries of a setting; those of another one are left out of `code`."""
    yield f"| {' | '.join(COLUMNS)} |\n" + "|---" * len(COLUMNS) + "|"
    asked = entries(suite.only(setting="instruction"))
    for entry, specs in entries(suite.only(setting=setting)).items():
        if setting == "instruction" or entry not in asked:
            yield row(specs, known[entry_name(specs[0])])


def every_entry() -> dict[str, list[Spec]]:
    """The first specs of every level of every puzzle, and of every entry of a built-in suite."""
    levels = [
        Spec(name, level, seed)
        for name in registry.names()
        for level in registry.load(name).levels
        for seed in range(1, SEEDS + 1)
    ]
    found: dict[str, list[Spec]] = {}
    for spec in [*levels, *(spec for name in names() for spec in load(name).specs)]:
        specs = found.setdefault(entry_name(spec), [])
        if len(specs) < VERY_LONG.get(entry_name(spec), SEEDS) and spec not in specs:
            specs.append(spec)
    return found


def main(arguments: Sequence[str]) -> None:
    before = {} if "--again" in arguments else measured()
    known: dict[str, GameCost] = {}
    for name, specs in every_entry().items():
        if name in before and before[name].version == registry.load(specs[0].name).version:
            known[name] = before[name]
            continue
        known[name] = measure(specs)
        print(f"{name}: {known[name]}", flush=True)
    RESULTS.write_text(json.dumps(msgspec.to_builtins(known), indent=1) + "\n", "utf-8")
    write_page(known)


def write_page(known: Mapping[str, GameCost]) -> None:
    """The page on the PuzzlePlex suite."""
    suite = load("puzzleplex")
    parts = [
        TEXT.format(seeds=SEEDS, letters=LETTERS),
        *table(suite, "instruction", known),
        PROGRAMS,
        *table(suite, "code", known),
    ]
    PAGE.write_text("\n".join(parts) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])

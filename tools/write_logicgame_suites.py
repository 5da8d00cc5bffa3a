"""Writes the suites `logicgame` and `logicgame-large`, with every family of LogicGame's categories.

    python tools/write_logicgame_suites.py    writes both files beside the code of the paper

`logicgame` has seed 1 of each family and level, as many instances as were published.
`logicgame-large` has seeds 1 to 20.  Where a level of a family has fewer than 20 distinct
instances, as its puzzle declares, it has those of these seeds whose instance no earlier one asks.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import quandary.papers.logicgame
from quandary.catalogue import drawing, registry
from quandary.catalogue.spec import Spec
from quandary.core.mixins.families import families_of
from quandary.core.worked import Worked
from quandary.papers.logicgame.categories import CATEGORIES

FOLDER = Path(quandary.papers.logicgame.__file__).parent
SEEDS = 20  # of the large suite
SETTINGS = """\
tries = 1       # the paper takes the first reply
count_unreadable = true
shots = 0       # the paper also asked with 1 and 2
"""
DECODING = """
[decoding]
temperature = 0
max_tokens = 2048
"""
SMALL = """\
# The protocol of LogicGame on instances of our own: one of each family and level, as many as were
# published.  The published prompts: quandary import logicgame.
# Written by tools/write_logicgame_suites.py.
title = "LogicGame: rules to execute and to plan with, 31 categories, four levels"
"""
LARGE = """\
# The suite logicgame with 20 instances of each family and level instead of one; where a family has
# fewer distinct ones at a level, those of seeds 1 to 20 that differ.
# Written by tools/write_logicgame_suites.py.
title = "LogicGame, 20 times as large"
"""


def small_suite() -> str:
    """The text of `logicgame.toml`."""
    entries = [_entry(name, "", family, "1") for name, family in families()]
    return "".join([SMALL, SETTINGS, DECODING, *entries])


def large_suite() -> str:
    """The text of `logicgame-large.toml`."""
    entries = [
        _entry(name, f"levels = {_listed(levels)}\n", family, seeds)
        for name, family in families()
        for seeds, levels in _levels_by_seeds(name, family)
    ]
    return "".join([LARGE, SETTINGS, 'small = "1"\n', DECODING, *entries])


def families() -> Iterator[tuple[str, str]]:
    """All categories with their families, in the order of the paper."""
    for name in CATEGORIES.values():
        for family in families_of(_puzzle(name)):
            yield name, family


def seeds_of(name: str, level: str, family: str) -> list[int]:
    """The seeds of a level of a family in the large suite."""
    first, puzzle = range(1, SEEDS + 1), _puzzle(name)
    few = puzzle.distinct_instances.get(
        f"{level},family={family}"
    ) or puzzle.distinct_instances.get(level)
    if few is None or few.instances >= SEEDS:
        return list(first)
    forms = [
        drawing.instance(Spec(name, level, seed, changes=(("family", family),))).canonical()
        for seed in first
    ]
    return [seed for seed, form in zip(first, forms, strict=True) if forms.index(form) == seed - 1]


def _puzzle(name: str) -> type[Worked]:
    puzzle = registry.load(name)
    assert issubclass(puzzle, Worked)
    return puzzle


def _levels_by_seeds(name: str, family: str) -> Iterator[tuple[str, list[str]]]:
    """Neighbouring levels with the same seeds together."""
    by_level = ((_spelt(seeds_of(name, level, family)), level) for level in _puzzle(name).levels)
    for seeds, levels in groupby(by_level, key=lambda each: each[0]):
        yield seeds, [level for _, level in levels]


def _spelt(seeds: list[int]) -> str:
    """Seeds as suites write them: 1-5, 8."""
    runs = list[list[int]]()
    for seed in seeds:
        if runs and seed == runs[-1][1] + 1:
            runs[-1][1] = seed
        else:
            runs.append([seed, seed])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


def _entry(name: str, levels: str, family: str, seeds: str) -> str:
    return (
        f'\n[[puzzles]]\npuzzle = "{name}"\n{levels}changes = {{ family = "{family}" }}\n'
        f'seeds = "{seeds}"\nsettings = ["instruction"]\n'
    )


def _listed(texts: list[str]) -> str:
    quoted = ", ".join(f'"{text}"' for text in texts)
    return f"[{quoted}]"


if __name__ == "__main__":
    (FOLDER / "logicgame.toml").write_text(small_suite(), "utf-8")
    (FOLDER / "logicgame-large.toml").write_text(large_suite(), "utf-8")

"""Chooses the levels of the suite `core`, by what separates players with few calls.

    python tools/choose_core.py    prints the choice and writes src/quandary/suites/core.toml

The data are measured: how many seeds separate a simple rule from the strongest player
(`tools/separation.py`), and how many calls a game takes (`make costs`).  From every skill, one
level is taken for each of three degrees of difficulty:

1. A skill is what the catalogue says of a puzzle: its group, and whether there is luck in it.
2. The first level of a puzzle is easy, the last one hard, those between are of medium difficulty.
3. A level comes into question if the strongest player is measured to be better than the simple
   rule, if no more than 500 calls separate the two (seeds, times seats, times calls per game), and
   if a game takes no more than 40.
4. Of those, levels of as many different puzzles as possible are taken, and among such choices the
   one that separates with the fewest calls, then with the fewest tokens.
5. Each level is played on as many seeds as separate the two, on no fewer than 10, and on
   40 / sqrt(calls per seed): the most informative use of calls is inverse to the root of their
   price (Neyman's allocation).
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import ceil, sqrt
from pathlib import Path
from typing import NamedTuple

from quandary.catalogue import drawing, registry
from quandary.core.contract import ChanceMoves
from quandary.core.secrecy import hidden_fields
from quandary.planning.game_costs import measured
from quandary.puzzle_docs import separation

SUITE = Path(__file__).parent.parent / "src" / "quandary" / "suites" / "core.toml"
FEWEST, CHEAPEST = 10, 40  # seeds of a level: at least, and if a seed takes one call
LONGEST = 40  # calls per game
MOST = 500  # calls that separate
BANDS = ("easy", "medium", "hard")
SKILLS = {  # by group, and whether there is luck or hidden information
    ("duels", False): "strategy: to think ahead against an opponent who sees the same",
    ("duels", True): "uncertainty: to outplay an opponent in spite of luck and hidden choices",
    ("solo", False): "search: to solve move by move what everything is known about",
    ("solo", True): "risk: to decide move by move on what is hidden",
    ("questions", False): "optimisation: to count or find the best among many",
    ("questions/execution", False): "execution: to follow rules exactly, step by step",
    ("questions/planning", False): "deduction: to find what must be true",
    ("questions/words", False): "language: to write texts and grids that meet demands",
}


class Candidate(NamedTuple):
    """A level that may be taken."""

    puzzle: str
    level: str
    seeds: int  # that separate a simple rule from the strongest player
    calls: float  # that takes, altogether
    tokens: float  # that are read

    @property
    def played(self) -> int:
        """The seeds on which it is played, in steps of 5."""
        cheap = CHEAPEST / sqrt(self.calls / self.seeds)
        return 5 * ceil(max(FEWEST, self.seeds, cheap) / 5)

    @property
    def name(self) -> str:
        return f"{self.puzzle}/{self.level}"


def skill_of(puzzle: str) -> str | None:
    """The skill that a puzzle asks for; None for groups that are no skill."""
    game = drawing.game(f"{puzzle}/{next(iter(registry.load(puzzle).levels))}#1")
    veiled = any(mark != "nested" for _, mark in hidden_fields(registry.load(puzzle)))
    return SKILLS.get((registry.group(puzzle), isinstance(game, ChanceMoves) or veiled))


def band_of(puzzle: str, level: str) -> str:
    """How hard a level is among those of its puzzle."""
    levels = list(registry.load(puzzle).levels)
    place = levels.index(level)
    return BANDS[0] if place == 0 else BANDS[2] if place == len(levels) - 1 else BANDS[1]


def candidates() -> dict[tuple[str, str], list[Candidate]]:
    """The levels that come into question, by skill and difficulty."""
    found = defaultdict[tuple[str, str], list[Candidate]](list)
    for puzzle in registry.names():
        skill = skill_of(puzzle)
        for level in registry.load(puzzle).levels if skill else ():
            known, cost = separation.current(puzzle, level), measured().get(f"{puzzle}/{level}")
            if not (skill and known and cost and separation.separates(known)):
                continue
            seeds = known["seeds"] or 0
            games = seeds * getattr(registry.load(puzzle), "seats", 1)
            one = Candidate(puzzle, level, seeds, games * cost.calls, games * cost.tokens)
            if one.calls <= MOST and cost.calls <= LONGEST:
                found[skill, band_of(puzzle, level)].append(one)
    return found


def chosen() -> dict[tuple[str, str], Candidate]:
    """One level for each skill and difficulty, where there is one."""
    known = candidates()
    found = dict[tuple[str, str], Candidate]()
    for skill in SKILLS.values():
        bands = [band for band in BANDS if known[skill, band]]
        for band, one in zip(bands, best([known[skill, band] for band in bands]), strict=True):
            found[skill, band] = one
    return found


def best(bands: Sequence[Sequence[Candidate]]) -> tuple[Candidate, ...]:
    """One of each: of as many puzzles as possible, then with the fewest calls and tokens."""
    return min(
        product(*bands),
        key=lambda taken: (
            -len({one.puzzle for one in taken}),
            sum(one.calls for one in taken),
            sum(one.tokens for one in taken),
            [one.name for one in taken],
        ),
    )


HEAD = """# Our recommended suite: few calls, and every skill at three degrees of difficulty.
# Written by tools/choose_core.py, which says how the levels are chosen.
# What it costs, and for whom it is: docs/which-suite.md.
title = "Core: every skill at three degrees of difficulty, with few calls"
small = "1-3"

[decoding]
max_tokens = 8192
"""


def suite(taken: Mapping[tuple[str, str], Candidate]) -> Iterator[str]:
    """The file of the suite."""
    yield HEAD
    for skill in SKILLS.values():
        yield f"# {skill[:1].upper()}{skill[1:]}.\n"
        for band in BANDS:
            if one := taken.get((skill, band)):
                separate = f"{one.seeds} seeds separate, in {one.calls:,.0f} calls"
                yield (
                    f"[[puzzles]]  # {band}; {separate}\n"
                    f'puzzle = "{one.puzzle}"\nlevels = ["{one.level}"]\n'
                    f'seeds = "1-{one.played}"\n'
                )
            else:
                yield f"# No {band} level separates players at an affordable price.\n"


def main() -> int:
    text = "\n".join(suite(chosen()))
    SUITE.write_text(text, "utf-8")
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Parts of suites, and suites made of puzzles that are named on the command line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from quandary.catalogue import registry
from quandary.catalogue.spec import Spec
from quandary.core.errors import UserError, unknown

from .seed_ranges import seeds
from .suite import Entry, Suite, made_of

SEEDS = "1-5"  # of each level, if nothing else is said


@dataclass(frozen=True)
class Selection:
    """A selection of instances; what is empty or None selects everything."""

    puzzles: Sequence[str] = ()  # as in specs: NAME, or TASK:NAME
    levels: Sequence[str] = ()
    seeds: str | None = None
    limit: int | None = None  # instances per puzzle and level

    def __post_init__(self) -> None:
        if self.limit is not None and self.limit < 1:
            raise UserError("--limit must be 1 or more.")

    def suite(self) -> Suite:
        """Return a suite of the selected instances, with default settings."""
        first_seeds = SEEDS if self.limit is None else f"1-{self.limit}"
        tables, known = [], dict[str, None]()
        for puzzle in self.puzzles:
            task, _, name = puzzle.rpartition(":")
            own = registry.load(name).levels
            known |= dict.fromkeys(own)
            levels = [level for level in own if level in self.levels or not self.levels]
            table = {"puzzle": name, "levels": levels, "seeds": self.seeds or first_seeds}
            tables.append(table | ({"task": task} if task else {}))
            if not levels:
                raise unknown("level", self.levels[0], own, of=puzzle)
        self._check_levels(list(known), " and ".join(self.puzzles))
        return self._limited(made_of("+".join(self.puzzles), {"puzzles": tables}))

    def of(self, suite: Suite) -> Suite:
        """Return the selected part of a suite."""
        puzzles = [_puzzle(entry.spec) for entry in suite.entries]
        for puzzle in self.puzzles:
            if puzzle not in puzzles:
                raise unknown("puzzle", puzzle, list(dict.fromkeys(puzzles)), of=suite.name)
        levels = dict.fromkeys(entry.spec.level for entry in suite.entries)
        self._check_levels(list(levels), suite.name)
        numbers = None if self.seeds is None else set(seeds(self.seeds))
        entries = tuple(
            entry
            for entry in suite.entries
            if (not self.puzzles or _puzzle(entry.spec) in self.puzzles)
            and (not self.levels or entry.spec.level in self.levels)
            and (numbers is None or entry.spec.seed in numbers)
        )
        if not entries:
            raise UserError(
                f"the suite {suite.name} has no instance of these puzzles, levels and seeds."
            )
        return self._limited(replace(suite, entries=entries))

    def _check_levels(self, known: Sequence[str], of: str) -> None:
        for level in self.levels:
            if level not in known:
                raise unknown("level", level, known, of)

    def _limited(self, suite: Suite) -> Suite:
        if self.limit is None:
            return suite
        taken, kept = Counter[str](), list[Entry]()
        for entry in suite.entries:
            level = entry.spec.place
            taken[level] += 1
            if taken[level] <= self.limit:
                kept.append(entry)
        return replace(suite, entries=tuple(kept))


def _puzzle(spec: Spec) -> str:
    return f"{spec.task}:{spec.name}" if spec.task else spec.name

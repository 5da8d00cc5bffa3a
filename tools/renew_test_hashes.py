"""Renew the file of instances that always belong to the test split.

    python tools/renew_test_hashes.py DATA

DATA is a folder with the published problems: `textgames/problemsets.tar.gz` of the TextGames
release, in `finereason` the eight files of the FineReason release, and in `logicgame` the prompts
of the LogicGame release, with `dev`.  The file holds a hash of the canonical form of each
instance, never the instance itself.  Instances of published seeds are added, which takes some
minutes, and those of levels with too few of them to be divided; these are drawn until no other one
appears.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

from quandary.catalogue import registry, splits
from quandary.catalogue.published_seeds import published_instance, published_seeds
from quandary.catalogue.spec import Spec
from quandary.core.contract import Puzzle
from quandary.core.errors import UserError
from quandary.core.naming import name_of
from quandary.core.wrapper import split_by
from quandary.papers.finereason import imported as finereason
from quandary.papers.logicgame import imported as logicgame
from quandary.papers.textgames import problems

FILE = Path(splits.__file__).with_name(splits.HASHES)
DRAWS_PER_INSTANCE = 50  # rare instances of a level come late


def main(folder: Path) -> None:
    hashes = set(map(splits.canonical_hash, always_test(folder)))
    FILE.write_bytes(as_bytes(hashes))
    print(f"{FILE.name}: {len(hashes):,} instances")


def as_bytes(hashes: Iterable[int]) -> bytes:
    """Sorted numbers of 8 bytes, the highest byte first."""
    numbers = array("Q", sorted(hashes))
    if sys.byteorder == "little":
        numbers.byteswap()
    return numbers.tobytes()


def always_test(folder: Path) -> Iterator[Puzzle]:
    yield from (problem.question for problem in problems.load(folder / "textgames"))
    yield from _finereason(folder / "finereason")
    yield from _logicgame(folder / "logicgame")
    for name in registry.names():
        yield from _of_published_seeds(registry.load(name))
        yield from _of_small_levels(registry.load(name))


def _finereason(folder: Path) -> Iterator[Puzzle]:
    """The starts and the asked positions."""
    for published in finereason.load(folder):
        yield from split_by(published.problem.question)


def _logicgame(folder: Path) -> Iterator[Puzzle]:
    """The questions that prompts are read into."""
    problems = logicgame.load(folder).problems
    yield from (problem.question for problem in problems if problem.is_scored)


def _of_published_seeds(puzzle: type[Puzzle]) -> Iterator[Puzzle]:
    for level, count in published_seeds(puzzle).items():
        for seed in range(1, count + 1):
            spec = Spec(name_of(puzzle), level, seed, split=splits.PUBLISHED)
            with suppress(UserError):  # a seed that is refused
                yield published_instance(spec, puzzle)


def _of_small_levels(puzzle: type[Puzzle]) -> Iterator[Puzzle]:
    for key, few in puzzle.distinct_instances.items():
        if not splits.has_few(few):
            continue
        level, _, family = key.partition(",family=")
        arguments = dict(puzzle.levels[level]) | ({"family": family} if family else {})
        rng = Random(f"{puzzle.__name__}/{key}")
        for _ in range(few.instances * DRAWS_PER_INSTANCE):
            yield puzzle.new(rng, **arguments)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""The instances that the papers' own seeds stand for: `card_nim/easy@published#3`.

A paper with seeds has a package with modules that are named after puzzles: `SEEDS` says for each
level how many seeds it used, from 1, and `instance` makes the instance of a level and a seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Protocol, cast

from quandary.core.contract import Puzzle
from quandary.core.errors import UserError
from quandary.core.naming import name_of

from .papers import papers
from .spec import Spec

PUZZLES = "quandary.puzzles"


class Seeds(Protocol):
    """The interface of modules of published seeds."""

    SEEDS: Mapping[str, int]

    def instance(self, level: str, seed: int) -> Puzzle:
        """Raise ValueError if a seed has no instance."""


def published_instance(spec: Spec, puzzle: type[Puzzle]) -> Puzzle:
    """Return the instance of a published seed; UserError where there is none."""
    _check(spec, puzzle)
    try:
        return _seeds(spec.name).instance(spec.level, spec.seed)
    except ValueError as reason:
        raise UserError(f"{spec}: {reason}.") from reason


def _check(spec: Spec, puzzle: type[Puzzle]) -> None:
    """Refuse what the papers have no seed for."""
    seeds = published_seeds(puzzle)
    if not seeds:
        raise UserError(
            f"{spec.name} has no published seeds; leave @published out, or choose one of: "
            f"{', '.join(sorted(_modules()))}{advice(spec.name)}."
        )
    if spec.level not in seeds:
        raise UserError(
            f"{spec.name}/{spec.level} has no published seeds; leave @published out, or choose "
            f"the level {' or '.join(seeds)}{advice(spec.name)}."
        )
    if spec.changes:
        keys = " and ".join(key for key, _ in spec.changes)
        raise UserError(f"{spec}: a published instance cannot be changed; leave {keys} out.")
    if not 1 <= spec.seed <= seeds[spec.level]:
        raise UserError(
            f"{spec.name}/{spec.level} has the published seeds 1 to {seeds[spec.level]}, not "
            f"{spec.seed}."
        )


def advice(name: str) -> str:
    """Return how published questions of a puzzle are played that have no seeds; the end of a
    sentence.
    """
    return "".join(f"; {paper.advice[name]}" for paper in papers() if name in paper.advice)


def published_seeds(puzzle: type[Puzzle]) -> Mapping[str, int]:
    """Return level -> number of seeds of the papers, from 1; empty for a puzzle without any."""
    name = name_of(puzzle)
    if name not in _modules() or not puzzle.__module__.startswith(f"{PUZZLES}."):
        return {}
    return _seeds(name).SEEDS


def _seeds(name: str) -> Seeds:
    return cast(Seeds, import_module(_modules()[name]))


@cache
def _modules() -> dict[str, str]:
    """Return puzzle -> the module with its seeds."""
    packages = [import_module(paper.seeds) for paper in papers() if paper.seeds]
    return {
        module.name: f"{package.__name__}.{module.name}"
        for package in packages
        for module in iter_modules(package.__path__)
    }

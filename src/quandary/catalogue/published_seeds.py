"""The instances that the papers' own seeds stand for: `card_nim/easy@published#3`.

They are rebuilt by the modules of `quandary.published`, each for the puzzle of its name.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from quandary.core.contract import Puzzle, name_of
from quandary.core.errors import UserError

from .spec import Spec

HOME, PUZZLES = "quandary.published", "quandary.puzzles"
FINEREASON = ("sudoku", "graph_coloring", "game_of_24", "logic_grid")


def published_instance(spec: Spec, puzzle: type[Puzzle]) -> Puzzle:
    """The instance of a published seed; UserError where there is none."""
    _check(spec, puzzle)
    try:
        made: Puzzle = import_module(f"{HOME}.{spec.name}").instance(spec.level, spec.seed)
    except ValueError as reason:
        raise UserError(f"{spec}: {reason}.") from reason
    return made


def _check(spec: Spec, puzzle: type[Puzzle]) -> None:
    """Refuse what the papers have no seed for."""
    seeds = published_seeds(puzzle)
    if not seeds:
        raise UserError(
            f"{spec.name} has no published seeds; leave @published out, or choose one of: "
            f"{', '.join(_puzzles_with_seeds())}{finereason_advice(spec.name)}."
        )
    if spec.level not in seeds:
        raise UserError(
            f"{spec.name}/{spec.level} has no published seeds; leave @published out, or choose "
            f"the level {' or '.join(seeds)}{finereason_advice(spec.name)}."
        )
    if spec.changes:
        keys = " and ".join(key for key, _ in spec.changes)
        raise UserError(f"{spec}: a published instance cannot be changed; leave {keys} out.")
    if not 1 <= spec.seed <= seeds[spec.level]:
        raise UserError(
            f"{spec.name}/{spec.level} has the published seeds 1 to {seeds[spec.level]}, not "
            f"{spec.seed}."
        )


def finereason_advice(name: str) -> str:
    """How the questions that FineReason published are played, which have no seeds; part of a
    sentence.
    """
    if name not in FINEREASON:
        return ""
    return (
        "; the published questions of FineReason are played with quandary import finereason and "
        "then quandary run --problems"
    )


def published_seeds(puzzle: type[Puzzle]) -> Mapping[str, int]:
    """Level -> how many seeds the papers used, from 1; empty for a puzzle without any."""
    name = name_of(puzzle)
    if name not in _modules() or not puzzle.__module__.startswith(f"{PUZZLES}."):
        return {}
    seeds: Mapping[str, int] = import_module(f"{HOME}.{name}").SEEDS
    return seeds


def _puzzles_with_seeds() -> list[str]:
    """The puzzles of which published instances can be rebuilt; other modules are about imports."""
    names = sorted(_modules())
    return [name for name in names if hasattr(import_module(f"{HOME}.{name}"), "SEEDS")]


@cache
def _modules() -> frozenset[str]:
    modules = iter_modules(import_module(HOME).__path__)
    return frozenset(module.name for module in modules if not module.ispkg)

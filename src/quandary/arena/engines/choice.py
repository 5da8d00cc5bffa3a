"""Engines by their names."""

from __future__ import annotations

from collections.abc import Sequence

from quandary.core.errors import UserError, unknown
from quandary.players.model_names import is_model
from quandary.players.registry import PlayerRegistry

from . import Engine
from .automatic import Automatic
from .in_loop import InLoop

NAMES = ("asyncio", "processes", "ray")


def engine_named(name: str, workers: int | None = None, address: str = "") -> Engine | None:
    """Return the engine for matches without models; None for `asyncio`, which plays all in one
    process.
    """
    if name not in NAMES:
        raise unknown("engine", name, NAMES)
    if workers is not None and workers < 1:
        raise UserError("--workers must be 1 or more.")
    if address and name != "ray":
        raise UserError("--address is where a Ray cluster is; add --engine ray.")
    if name == "asyncio" and workers is not None:
        raise UserError("--engine asyncio has no workers; use --engine processes.")
    if name == "ray":
        from .ray_engine import RayEngine

        return RayEngine(address, workers)
    if name == "asyncio":
        return None
    from .processes import Processes

    return Processes(workers)


def usual_engine(players: Sequence[str], player_registry: PlayerRegistry) -> Engine | None:
    """Return the engine of a command that names none: all cores for long runs without models."""
    if any(map(is_model, players)):
        return None
    from .processes import Processes, cores  # not needed by runs of models

    if cores() == 1:
        return None
    return Automatic(InLoop(player_registry, None), Processes())

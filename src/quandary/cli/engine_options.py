"""The options that say where the matches of a run are played."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from quandary.arena.engines import Engine
from quandary.arena.engines.choice import NAMES, engine_named, usual_engine
from quandary.players.registry import PlayerRegistry


def arguments(parser: ArgumentParser) -> None:
    group = parser.add_argument_group(
        "where matches are played (matches of models always in this process)"
    )
    group.add_argument(
        "--engine",
        choices=NAMES,
        help="this process alone, several processes on this machine, or a Ray cluster (default: "
        "this process; all cores for runs without models that take longer than a few seconds)",
    )
    group.add_argument(
        "--workers",
        type=int,
        metavar="N",
        help="the number of processes that play (default: one per core)",
    )
    group.add_argument(
        "--address",
        default="",
        metavar="HOST:PORT",
        help="the address of a running Ray cluster (default: one is started on this machine)",
    )


def engine(options: Namespace, player_registry: PlayerRegistry) -> Engine | None:
    """Return the engine that the options name; None plays everything in this process."""
    if options.engine or options.workers is not None or options.address:
        return engine_named(options.engine or "processes", options.workers, options.address)
    # Models that write programs do so before any match; a limit of time is kept in this process.
    is_drawn = options.samples and options.minutes is None
    return usual_engine([] if is_drawn else options.player, player_registry)

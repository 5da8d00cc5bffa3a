"""`quandary match`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from asyncio import run as run_async
from math import isfinite
from pathlib import Path

from quandary.core.errors import UserError

from . import model_options, signals


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("spec", metavar="SPEC", help="an instance, for example sudokill/easy#7")
    parser.add_argument(
        "--players",
        nargs="+",
        required=True,
        metavar="P",
        help="one per seat: random, house, human, a strategy, NAME@BUDGET or PROVIDER/MODEL",
    )
    parser.add_argument(
        "--tries", type=int, default=1, metavar="N", help="answers a player may give to a question"
    )
    parser.add_argument(
        "--lang", default="en", metavar="L", help="the language of feedback: en or zh"
    )
    parser.add_argument(
        "--clock", type=float, metavar="SECONDS", help="seconds a person has for the whole match"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="append the record to this file")
    parser.add_argument("--quiet", action="store_true", help="only the result")
    parser.add_argument("--json", action="store_true", help="the record as one JSON object")
    model_options.arguments(parser)


def run(options: Namespace) -> int:
    from quandary.arena.store import keep
    from quandary.catalogue import registry
    from quandary.catalogue.registry import named
    from quandary.matches.codec import record_json
    from quandary.matches.drivers import play_match
    from quandary.players.clock import Clocked
    from quandary.report.transcript import transcript

    spec = named(options.spec)
    if options.tries < 1:
        raise UserError("--tries must be 1 or more.")
    if options.clock is not None and not (isfinite(options.clock) and options.clock > 0):
        raise UserError("--clock must be a number of seconds above 0.")
    game = registry.game(spec, tries=options.tries, language=options.lang)
    if len(options.players) != game.seats:
        raise UserError(
            f"{spec} has {game.seats} seat{'s' if game.seats > 1 else ''}; name {game.seats} of "
            f"--players."
        )
    player_registry = model_options.player_registry(options, language=options.lang)
    seated = [player_registry.find(name, game, spec) for name in options.players]
    if options.clock is not None:
        seated = [
            Clocked(player, options.clock) if player.name == "human" else player
            for player in seated
        ]
    if "human" not in options.players:
        signals.install(signals.end_at_once)
    if options.out:
        keep(options.out)  # fail before the match if the file cannot be written
    record = run_async(
        model_options.play_single(player_registry.clients, play_match(game, seated, str(spec)))
    )
    if options.out:
        keep(options.out, record)
    print(record_json(record) if options.json else transcript(record, moves=not options.quiet))
    if record.scores is None:
        print(f"quandary: the match was cut off: {record.said[-1].words}", file=sys.stderr)
    return 1 if record.scores is None else 0

"""`quandary play`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from asyncio import run as run_async

from quandary.core.contract import Seat
from quandary.core.errors import UserError, unknown_seat
from quandary.matches.record import Record, replay

from . import model_options


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("spec", metavar="SPEC", help="an instance, for example sudokill/easy#7")
    parser.add_argument(
        "--against",
        default="house",
        metavar="P",
        help="who sits opposite (default: the level's house opponent)",
    )
    parser.add_argument("--seat", type=int, default=0, metavar="N", help="your seat; 0 moves first")
    parser.add_argument(
        "--tries", type=int, default=3, metavar="N", help="answers you may give to a question"
    )
    parser.add_argument("--lang", default="en", metavar="L", help="the language: en or zh")
    model_options.arguments(parser)


def run(options: Namespace) -> int:
    from quandary.catalogue import registry
    from quandary.catalogue.registry import named
    from quandary.matches.drivers import play_match
    from quandary.players.human import Human

    spec = named(options.spec)
    if options.tries < 1:
        raise UserError("--tries must be 1 or more.")
    game = registry.game(spec, tries=options.tries, language=options.lang)
    if not 0 <= options.seat < game.seats:
        raise unknown_seat(spec.name, options.seat, game.seats)
    you = Human(language=options.lang)
    player_registry = model_options.player_registry(options, language=options.lang)
    seated = [
        you if seat == options.seat else player_registry.find(options.against, game, spec)
        for seat in range(game.seats)
    ]
    record = run_async(
        model_options.play_single(player_registry.clients, play_match(game, seated, str(spec)))
    )
    last = replay(record)[-1]
    print("\n" + last.seen_by(options.seat).text(options.seat, options.lang))
    print(_result(record, options.seat))
    return 0


def _result(record: Record, seat: Seat) -> str:
    if record.cause == "resigned":
        return "You gave up." if record.offender in (seat, None) else "Your opponent gave up."
    if record.scores is None:
        return "The match was cut off."
    score = record.scores[seat]
    if len(record.scores) > 1:
        outcome = {1.0: "You win", 0.0: "You lose"}.get(score, "A draw")
    else:
        outcome = "Solved" if score == 1.0 else "Not solved" if record.values is None else "Done"
    value = f"; value {record.values[seat]:g}" if record.values is not None else ""
    return f"{outcome} (score {score:g}{value}; ended by: {record.cause})."

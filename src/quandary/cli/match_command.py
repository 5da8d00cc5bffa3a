"""`quandary match`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from asyncio import run as run_async
from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING

from quandary.core.control_characters import visible
from quandary.core.errors import StopRun, UserError
from quandary.core.translations import LANGUAGES
from quandary.core.words import say_in
from quandary.players.model_names import is_model
from quandary.renamed import typed_player

from . import model_options, program_options, signals
from .single_match import play_single

if TYPE_CHECKING:
    from quandary.arena.interrupts import Interrupts
    from quandary.matches.match import Match
    from quandary.matches.player import Player
    from quandary.matches.record import Record
    from quandary.models.pool import ClientPool
    from quandary.players.registry import PlayerRegistry

MOST_SHOWN = 400  # characters of the last reply


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("spec", metavar="SPEC", help="an instance, for example sudokill/easy#7")
    parser.add_argument(
        "--players",
        type=typed_player,
        nargs="+",
        required=True,
        metavar="P",
        help="one per seat: random, house, human, a strategy of the puzzle (NAME, or NAME@BUDGET), "
        "program/FILE.py or PROVIDER/MODEL",
    )
    parser.add_argument(
        "--tries",
        type=int,
        default=1,
        metavar="N",
        help=("how many answers a player may give to a question"),
    )
    parser.add_argument(
        "--language",
        default="en",
        metavar="L",
        help=f"the language of prompts, feedback and output: {LANGUAGES}",
    )
    parser.add_argument(
        "--clock",
        type=float,
        metavar="SECONDS",
        help=("how many seconds a person has for the whole match"),
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="append the record to this file")
    parser.add_argument("--quiet", action="store_true", help="print only the result")
    parser.add_argument("--json", action="store_true", help="print the record as one JSON object")
    program_options.arguments(parser)
    model_options.arguments(parser, model_options.OF_MATCH)


def run(options: Namespace) -> int:
    from quandary.arena.interrupts import Interrupts
    from quandary.arena.store import keep
    from quandary.catalogue import drawing
    from quandary.catalogue.drawing import named
    from quandary.matches.match import Match
    from quandary.players.clock import Clocked
    from quandary.players.people import is_person

    spec = named(options.spec)
    if options.tries < 1:
        raise UserError("--tries must be 1 or more.")
    if options.clock is not None and not (isfinite(options.clock) and options.clock > 0):
        raise UserError("--clock must be a number of seconds above 0.")
    game = drawing.game(spec, tries=options.tries, language=options.language)
    if len(options.players) != game.seats:
        raise UserError(
            f"{spec} has {game.seats} seat{'s' if game.seats > 1 else ''}; name {game.seats} of "
            f"--players."
        )
    player_registry = model_options.player_registry(options, language=options.language)
    seated = [player_registry.find(name, game, spec) for name in options.players]
    if options.clock is not None:
        seated = [
            Clocked(player, options.clock) if is_person(player.name) else player
            for player in seated
        ]
    if options.out:
        keep(options.out)  # fail before the match if the file cannot be written
    match, interrupts = Match(game, str(spec)), Interrupts(options.language)
    say = say_in(__name__, options.language)
    signals.install(signals.ending_with(say("stopped; the match is not kept.")))
    stopped = play(match, seated, player_registry.clients, interrupts)
    record = player_registry.with_level(match.record([player.name for player in seated]))
    signals.install(signals.ending_with(say("stopped.")))
    if record.said:
        keep_and_print(record, options, player_registry)
    if interrupts.number:
        print(f"quandary: {kept(record, options)}", file=sys.stderr)
        return signals.exit_code(interrupts.number)
    if stopped:
        raise UserError(f"{stopped}.")
    if record.scores is None:
        cut_off = say("the match was cut off: {why}", why=record.said[-1].words)
        print(f"quandary: {cut_off}", file=sys.stderr)
    return 1 if record.scores is None else 0


def play(
    match: Match, players: Sequence[Player], clients: ClientPool, interrupts: Interrupts
) -> str:
    """Play a match, and return why it stopped before its end, or ""."""
    from quandary.matches.drivers import play_to_end
    from quandary.players.people import is_person

    async def play_on() -> str:
        try:
            await play_to_end(match, players)
        except StopRun as reason:
            return str(reason)
        return ""

    if clients.clients or any(is_person(player.name) for player in players):
        return run_async(play_single(clients, interrupts, play_on))
    return run_async(play_on())  # strategies do not wait, so a signal ends them at once


def keep_and_print(record: Record, options: Namespace, player_registry: PlayerRegistry) -> None:
    from quandary.arena.store import keep
    from quandary.matches.codec import record_json
    from quandary.report.transcript import transcript

    if options.out:
        keep(options.out, record)
    text = transcript(record, moves=not options.quiet, language=options.language)
    print(record_json(record) if options.json else text)
    if not options.json and (reply := last_reply(record, player_registry, options.language)):
        print(reply)


def last_reply(record: Record, player_registry: PlayerRegistry, language: str) -> str:
    """Return what a model said last whose reply ended the match because it could not be read, in
    one line; "" of any other match.
    """
    if record.cause != "unreadable" or record.offender is None:
        return ""
    player, say = record.players[record.offender], say_in(__name__, language)
    if not is_model(player):
        return ""
    *_, last = (reply for reply in record.said if reply.seat == record.offender)
    reply = visible(shorten(last.words, MOST_SHOWN, placeholder=" …")) or say("(nothing)")
    if last.status != "truncated":
        return say("the last reply of {player}: {reply}", player=player, reply=reply)
    most = player_registry.decoding_of(player).max_tokens
    if most is None:
        return say("the last reply of {player}, cut off: {reply}", player=player, reply=reply)
    return say(
        "the last reply of {player}, cut off at max_tokens={most}: {reply}",
        player=player,
        most=most,
        reply=reply,
    )


def kept(record: Record, options: Namespace) -> str:
    """Return what is left of a match that a signal ended."""
    say = say_in(__name__, options.language)
    if not record.said:
        return say("stopped; nothing was played yet, so nothing is kept.")
    if not options.out:
        return say("stopped; the match is not kept, because no file was named with --out.")
    return say("stopped; the moves played so far are kept in {file}.", file=options.out)

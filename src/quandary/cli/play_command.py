"""`quandary play`."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from asyncio import run as run_async
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING

from quandary.core.contract import JudgedMoves
from quandary.core.errors import UserError, unknown_seat
from quandary.core.translations import LANGUAGES
from quandary.core.words import say_in
from quandary.renamed import typed_player

from . import model_options, program_options, signals
from .single_match import play_single

if TYPE_CHECKING:
    from quandary.arena.interrupts import Interrupts
    from quandary.catalogue.spec import Spec
    from quandary.matches.record import Record

NEW_SEEDS = 1_000_000  # seeds from which a new one is drawn


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "spec",
        metavar="SPEC",
        help="an instance, for example sudokill/easy#7; sudokill/easy draws a new instance of that "
        "level, and sudokill one of the level that people usually play",
    )
    parser.add_argument(
        "--against",
        type=typed_player,
        metavar="P",
        help="who plays the other seat (default: the level's house opponent)",
    )
    parser.add_argument("--seat", type=int, default=0, metavar="N", help="your seat; 0 moves first")
    parser.add_argument(
        "--tries",
        type=int,
        default=3,
        metavar="N",
        help=("how many answers you may give to a question"),
    )
    parser.add_argument("--language", default="en", metavar="L", help=f"the language: {LANGUAGES}")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="append the record to this file (default: a personal file, whose path is printed at "
        "the end)",
    )
    program_options.arguments(parser)
    model_options.arguments(parser, model_options.OF_MATCH)


def run(options: Namespace) -> int:
    from quandary.arena.interrupts import Interrupts
    from quandary.arena.store import keep

    if options.tries < 1:
        raise UserError("--tries must be 1 or more.")
    spec: Spec | None = chosen(options.spec)
    if options.out:
        keep(options.out)  # fail before the match if the file cannot be written
    interrupts = Interrupts(options.language)
    while spec:
        record, again = play(spec, options, interrupts)
        moved = any(seat == options.seat for seat, _ in record.log)
        if moved:
            keep_record(record, options)
        if interrupts.number:
            return stopped(interrupts, moved, options)
        if record.cause == "unfinished":
            return 1
        spec = replace(spec, seed=new_seed()) if again else None
    return 0


def stopped(interrupts: Interrupts, kept: bool, options: Namespace) -> int:
    """Say what is left of a match that a signal ended, and return the exit code."""
    say = say_in(__name__, options.language)
    left = say("stopped; the match is kept.") if kept else say("stopped; there is nothing to keep.")
    print(f"quandary: {left}", file=sys.stderr)
    return signals.exit_code(interrupts.number)


def chosen(text: str) -> Spec:
    """Return the instance that is meant: where it is not named in full, the usual level and a new
    seed.
    """
    from quandary.catalogue.drawing import named
    from quandary.catalogue.registry import load

    if "#" in text:
        return named(text)
    if "/" not in text:
        puzzle = load(text.partition(":")[2] or text)
        text = f"{text}/{puzzle.usual_level or next(iter(puzzle.levels))}"
    return named(f"{text}#{new_seed()}")


def new_seed() -> int:
    return SystemRandom().randrange(1, NEW_SEEDS)


def play(spec: Spec, options: Namespace, interrupts: Interrupts) -> tuple[Record, bool]:
    """Return one match, and whether another one is wanted."""
    from quandary.catalogue import drawing
    from quandary.players.at_terminal import play_at_terminal
    from quandary.players.human import Human
    from quandary.players.model_names import is_model
    from quandary.players.people import is_person

    game = drawing.game(spec, tries=options.tries, language=options.language)
    if not 0 <= options.seat < game.seats:
        raise unknown_seat(spec.name, options.seat, game.seats)
    if options.against and game.seats == 1:
        raise UserError(
            f"{spec.name} is for one player, so it has no opponent; leave out --against."
        )
    opponent = options.against or "house"
    # What a model or another person has seen cannot be taken back.
    strangers = game.seats > 1 and (is_model(opponent) or is_person(opponent))
    allowed = ("/again",) if strangers else ("/undo", "/again")
    you = Human(language=options.language, allowed=allowed)
    player_registry = model_options.player_registry(options, language=options.language)
    seated = [
        you if seat == options.seat else player_registry.find(opponent, game, spec)
        for seat in range(game.seats)
    ]
    print(f"{spec}\n")
    match = partial(play_at_terminal, game, you, options.seat, seated, str(spec))
    say = say_in(__name__, options.language)
    signals.install(signals.ending_with(say("stopped; this match is not kept.")))
    record = run_async(play_single(player_registry.clients, interrupts, match))
    signals.install(signals.ending_with(say("stopped.")))
    return player_registry.with_level(record), you.again


def keep_record(record: Record, options: Namespace) -> None:
    """Append the record to its file, and say where it is."""
    from quandary.arena.store import keep
    from quandary.render.screen import show

    say, path = say_in(__name__, options.language), options.out or own_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    keep(path, record)
    with path.open("rb") as file:
        number = sum(1 for line in file if line.strip())
    judges = isinstance(record.start, JudgedMoves)
    show(
        say(
            "Kept as match {number} of {path}. Follow it, with every move judged:",
            number=number,
            path=path,
        )
        if judges
        else say("Kept as match {number} of {path}. Follow it:", number=number, path=path)
    )
    judge = " --judge" if judges else ""
    language = "" if options.language == "en" else f" --language {options.language}"
    print(f"quandary replay {path} --match {number}{judge}{language}")


def own_file() -> Path:
    """Return where matches of a person are kept, by the XDG convention."""
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path("~/.local/share").expanduser()) / "quandary/played.jsonl"

"""`quandary show`."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from quandary.core.contract import CHANCE, Game, Language, Seat
from quandary.core.errors import UserError, unknown_seat
from quandary.core.mixins.families import family_of, family_words
from quandary.core.scene import Scene
from quandary.core.translations import LANGUAGES
from quandary.core.words import say_in
from quandary.render.screen import colourful, show

from .output import json_line


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("spec", metavar="SPEC", help="an instance, for example sudokill/easy#7")
    parser.add_argument("--language", default="en", metavar="L", help=f"the language: {LANGUAGES}")
    parser.add_argument(
        "--seat", type=int, default=0, metavar="N", help="whose view to show, counted from 0"
    )
    parser.add_argument(
        "--image", type=Path, metavar="FILE", help="also write the picture, as .png or .svg"
    )
    parser.add_argument("--draw", action="store_true", help="also draw the picture with characters")
    parser.add_argument(
        "--solution", action="store_true", help="also show a solution, or the oracle's move"
    )
    parser.add_argument("--json", action="store_true", help="as one JSON object")


def run(options: Namespace) -> int:
    from quandary.catalogue import drawing, registry
    from quandary.catalogue.drawing import named
    from quandary.core.codec import view_json

    spec = named(options.spec)
    game = drawing.game(spec, language=options.language)
    if not 0 <= options.seat < game.seats:
        raise unknown_seat(spec.name, options.seat, game.seats)
    seen = game.seen_by(options.seat)
    rules, text = seen.rules(options.language), seen.text(options.seat, options.language)
    if options.image:
        draw(options.image, game, options.seat, options.language)
    solution = best_known(game, options.seat, options.language) if options.solution else None
    puzzle, family = registry.load(spec.name), family_of(game)
    if options.json:
        shown = {"spec": str(spec), "version": puzzle.version, "rules": rules, "text": text}
        shown |= {"family": family} if family else {}
        json_line(
            shown
            | {"view": json.loads(view_json(game, options.seat))}
            | ({} if solution is None else {"solution": solution})
        )
        return 0
    print(spec)
    if family:
        print(family_words(game, options.language))
    if spec.task in ("check", "next") and not spec.problem:
        say, name = say_in(__name__, options.language), f"{spec.name}/{spec.level}#{spec.seed}"
        print(say("The puzzle below need not be {name}: not every instance fits.", name=name))
    show(f"\n{rules}\n\n{text}")
    if options.draw:
        from quandary.players.human import drawing as drawn

        print("\n" + drawn(game, options.seat, options.language, colourful()))
    if solution is not None:
        say = say_in(__name__, options.language)
        head = say("Solution:") if game.seats == 1 else say("The oracle plays:")
        print(f"\n{head}\n{solution}")
    return 0


def best_known(game: Game, seat: Seat, language: Language = "en") -> str:
    """Return a question's solution, the oracle's moves in a one-seat game, or its next move in a
    duel.
    """
    from random import Random

    from quandary.matches.match import Match
    from quandary.matches.player import Reply
    from quandary.players.strategy import BUDGET

    oracle = game.strategies.get("oracle")
    if oracle is None:
        raise UserError("no oracle is known for this puzzle.")
    match, moves, rng = Match(game, "solution"), list[str](), Random(0)
    while pending := match.pending():
        if any(mover == CHANCE for mover, _ in match.log):
            raise UserError(
                "luck decides before the next move; to see the oracle play, use: quandary match "
                "SPEC --players oracle random."
            )
        if seat not in pending:
            raise UserError(f"seat {seat} is not to move.")
        moves.append(oracle(pending[seat].position, seat, rng, BUDGET))
        if game.seats > 1:
            break
        match.receive(seat, Reply(moves[-1]))
    return "\n".join(game.translated(move, language) for move in moves)


def draw(path: Path, game: Game, seat: Seat, language: Language) -> None:
    """Write the picture; a note on standard error says so if its words are in English instead."""
    from quandary.render.png import INSTALL, language_of_pictures
    from quandary.render.svg import picture

    scene = picture(game, seat, language)
    drawn = language_of_pictures(language) if path.suffix == ".png" else language
    in_drawn = picture(game, seat, drawn)
    write_image(path, in_drawn)
    if in_drawn != scene:
        print(
            f"quandary: the words in {path} are in English, because no installed font has letters "
            f"of {language!r}; write an .svg file, or install a font: {INSTALL}.",
            file=sys.stderr,
        )


def write_image(path: Path, scene: Scene) -> None:
    from quandary.render.png import png
    from quandary.render.svg import svg

    kinds = {".png": lambda: png(scene), ".svg": lambda: svg(scene).encode()}
    if path.suffix not in kinds:
        raise UserError(f"a picture is a .png or a .svg file, not {path.name!r}.")
    try:
        path.write_bytes(kinds[path.suffix]())
    except OSError as reason:
        raise UserError(f"the picture cannot be written to {path}: {reason.strerror}.") from None

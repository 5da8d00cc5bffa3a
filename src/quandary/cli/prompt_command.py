"""`quandary prompt`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from dataclasses import replace
from pathlib import Path

from quandary.core.errors import UserError
from quandary.core.translations import LANGUAGES
from quandary.models.provider import Decoding, Message, Picture
from quandary.renamed import typed_player

from . import program_options
from .output import json_line


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "spec",
        metavar="SPEC",
        help="an instance, for example sudokill/easy#7; with --code, a puzzle (all its levels), or "
        "an instance (the rules of its level and family alone)",
    )
    parser.add_argument(
        "--code", action="store_true", help="the prompt for a program that plays the puzzle"
    )
    program_options.library_argument(parser)
    parser.add_argument(
        "--player",
        type=typed_player,
        default="openai/any",
        metavar="P",
        help="the model and how it is asked, for example openai/gpt-4.1,shots=1,list_moves=yes",
    )
    parser.add_argument(
        "--suite", metavar="S", help="ask as this suite does: with its examples, tries and language"
    )
    parser.add_argument(
        "--seat",
        type=int,
        default=0,
        metavar="N",
        help="the seat whose first turn is shown (the house plays the others)",
    )
    parser.add_argument(
        "--tries",
        type=int,
        default=1,
        metavar="N",
        help=("how many answers may be given to a question"),
    )
    parser.add_argument(
        "--language",
        metavar="L",
        help=f"the language: {LANGUAGES} (default: that of the suite, or en)",
    )
    parser.add_argument(
        "--image",
        type=Path,
        metavar="FILE",
        help="write the first picture of the prompt to this file",
    )
    parser.add_argument(
        "--base-url",
        metavar="URL",
        help="accepted as in `run`, but without effect, because no model is called",
    )
    parser.add_argument(
        "--json", action="store_true", help="print one message per line, then the decoding settings"
    )


def run(options: Namespace) -> int:
    if options.code:
        return _show_program_prompt(options)
    prompt, decoding = first_prompt(options)
    pictures = [part for message in prompt for part in message.parts if isinstance(part, Picture)]
    if options.image:
        if not pictures:
            raise UserError(
                "no picture is sent; ask with modality=image or modality=both, for example "
                "--player openai/any,modality=image."
            )
        options.image.write_bytes(pictures[0].png)
    for message in prompt:
        if options.json:
            json_line({"role": message.role, "parts": [_plain(part) for part in message.parts]})
        else:
            print(f"[{message.role}]\n{_text(message)}\n")
    set_values = decoding.given()
    if set_values and options.json:
        json_line({"decoding": set_values})
    elif set_values:
        print(f"[decoding]\n{', '.join(f'{name} {value}' for name, value in set_values.items())}")
    return 0


def _show_program_prompt(options: Namespace) -> int:
    if options.language not in (None, "en") or options.seat:
        raise UserError(
            "a program is asked for in English and for every seat; leave out --language and --seat."
        )
    from quandary.catalogue import drawing, registry
    from quandary.core.mixins.families import family_of
    from quandary.programs.imports import libraries
    from quandary.programs.prompt import program_prompt

    if "/" in options.spec or "#" in options.spec:
        spec = drawing.named(options.spec)
        puzzle = registry.load(spec.name)
        if spec.task:
            raise UserError(
                f"models write programs for puzzles, and {spec.task}:{spec.name} is a task; "
                f"write {spec.name}."
            )
        instance = drawing.instance(spec, puzzle)
        family = family_of(instance)
        place = drawing.level_name(spec)
        if family and f"family={family}" not in place:
            place = f"{place},family={family}"
        if not puzzle.drawn_rules:
            print(
                f"quandary: these are the rules of the level {place}; a run asks for a program for "
                f"all levels, as `quandary prompt {spec.name} --code` does.",
                file=sys.stderr,
            )
    else:
        puzzle, instance, place = registry.load(options.spec), None, ""
    names = [library.name for library in libraries(options.library)]
    prompt = program_prompt(puzzle, instance, place=place, libraries=names)
    if options.json:
        json_line({"role": "user", "parts": [{"text": prompt}]})
    else:
        print(prompt)
    return 0


def first_prompt(options: Namespace) -> tuple[list[Message], Decoding]:
    """Return what a model is sent in the first turn of its seat, and how its reply is decoded."""
    from quandary.api.session import Session
    from quandary.arena import suite
    from quandary.arena.job import match_name
    from quandary.catalogue import drawing
    from quandary.models.calls import CallKey
    from quandary.models.pool import check_provider
    from quandary.models.settings_check import check_support
    from quandary.players.asking import seeded
    from quandary.players.model_names import is_model, parse
    from quandary.players.prompts.settings import PromptSettings

    if not is_model(options.player):
        raise UserError(
            f"{options.player!r} is not a model; write PROVIDER/NAME, for example openai/gpt-4.1."
        )
    if options.tries < 1:
        raise UserError("--tries must be 1 or more.")
    check_provider(options.player.partition("/")[0])
    spec, tries, decoding = drawing.named(options.spec), options.tries, Decoding()
    settings = PromptSettings(language=options.language or "en")
    if options.suite:
        chosen = suite.load(options.suite)
        tries, decoding = chosen.tries, Decoding(**dict(chosen.decoding))
        settings = replace(chosen.prompt_settings, modality=chosen.modality_of(spec))
        settings = replace(settings, language=options.language or settings.language)
    parsed = parse(options.player, settings, decoding)
    check_support(parsed.provider, parsed.decoding)
    session = Session(options.spec, seat=options.seat, tries=tries, **vars(parsed.prompt_settings))
    if options.seat not in session.pending:
        raise UserError(f"seat {options.seat} has no turn in {spec}.")
    names = ["house"] * len(session.players)
    names[options.seat] = options.player
    key = CallKey(match_name(str(spec), names, 0), options.seat, "1", "")
    shots, examples = parsed.prompt_settings.shots, session.examples(options.seat)
    if examples < shots:
        print(
            f"worked examples shown: {examples} of {shots}, because {spec} has no other instance "
            f"to show.",
            file=sys.stderr,
        )
    return session.conversation(options.seat), seeded(parsed.decoding, key)


def _plain(part: str | Picture) -> dict[str, str]:
    return {"text": part} if isinstance(part, str) else {"picture": part.png.hex()}


def _text(message: Message) -> str:
    return "\n\n".join(
        part if isinstance(part, str) else f"[picture, {len(part.png)} bytes of PNG]"
        for part in message.parts
    )

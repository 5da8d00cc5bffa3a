"""`quandary prompt`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from asyncio import run as run_async
from pathlib import Path

from quandary.core.errors import StopRun, UserError
from quandary.models.provider import Completion, Decoding, Message, Picture, Request

from .output import json_line


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("spec", metavar="SPEC", help="an instance, for example sudokill/easy#7")
    parser.add_argument(
        "--player",
        default="openai/any",
        metavar="P",
        help="the model and how it is asked, for example openai/gpt-4.1,shots=1,legal=yes",
    )
    parser.add_argument(
        "--suite", metavar="S", help="asked as in this suite: its examples, tries and language"
    )
    parser.add_argument(
        "--seat",
        type=int,
        default=0,
        metavar="N",
        help="whose first turn (the others are played by the house)",
    )
    parser.add_argument(
        "--tries", type=int, default=1, metavar="N", help="answers that may be given to a question"
    )
    parser.add_argument("--lang", default="en", metavar="L", help="the language: en or zh")
    parser.add_argument(
        "--image",
        type=Path,
        metavar="FILE",
        help="write the first picture that is sent to this file",
    )
    parser.add_argument(
        "--json", action="store_true", help="one message a line, and how the reply is to be drawn"
    )


class Captured(BaseException):
    """Carries the first request to a model out of the match."""

    def __init__(self, request: Request) -> None:
        self.request = request


class CapturingProvider:
    """Sends nothing: raises the request it is given."""

    async def ask(self, request: Request) -> Completion:
        raise Captured(request)

    async def close(self) -> None: ...


def run(options: Namespace) -> int:
    request = first_request(options)
    pictures = [
        part for message in request.messages for part in message.parts if isinstance(part, Picture)
    ]
    if options.image:
        if not pictures:
            raise UserError(
                "no picture is sent; ask with shown=image or shown=both, for example --player "
                "openai/any,shown=image."
            )
        options.image.write_bytes(pictures[0].png)
    for message in request.messages:
        if options.json:
            json_line({"role": message.role, "parts": [_plain(part) for part in message.parts]})
        else:
            print(f"[{message.role}]\n{_text(message)}\n")
    decoding = {
        name: value for name, value in vars(request.decoding).items() if value not in (None, ())
    }
    if decoding and options.json:
        json_line({"decoding": decoding})
    elif decoding:
        print(f"[decoding]\n{', '.join(f'{name} {value}' for name, value in decoding.items())}")
    return 0


def first_request(options: Namespace) -> Request:
    """Play up to the seat's first turn, as in a match, and capture what its model is sent."""
    from quandary.arena import suite
    from quandary.arena.run import match_name
    from quandary.catalogue import registry
    from quandary.matches.drivers import play_match
    from quandary.models.pool import ClientPool, check_provider
    from quandary.players.model_names import is_model
    from quandary.players.prompts.settings import PromptSettings
    from quandary.players.registry import PlayerRegistry

    if not is_model(options.player):
        raise UserError(
            f"{options.player!r} is not a model; write PROVIDER/NAME, for example openai/gpt-4.1."
        )
    if options.tries < 1:
        raise UserError("--tries must be 1 or more.")
    check_provider(options.player.partition("/")[0])
    chosen = suite.load(options.suite) if options.suite else None
    tries, language = (chosen.tries, chosen.language) if chosen else (options.tries, options.lang)
    spec = registry.named(options.spec)
    game = registry.game(spec, tries=tries, language=language)
    if not 0 <= options.seat < game.seats:
        raise UserError(
            f"{spec.name} has seats 0 to {game.seats - 1}; {options.seat} is none of them."
        )
    settings = PromptSettings(shots=chosen.shots if chosen else 0, language=language)
    decoding = Decoding(**dict(chosen.decoding)) if chosen else Decoding()  # type: ignore[arg-type]
    clients = ClientPool(open_provider=lambda provider, model: CapturingProvider())
    player_registry = PlayerRegistry(settings, decoding, clients=clients)
    names = [options.player if seat == options.seat else "house" for seat in range(game.seats)]
    shown = chosen.shown_in(spec) if chosen else None
    players = [
        player_registry.find(name, game, spec, match_name(str(spec), names, 0), shown)
        for name in names
    ]
    try:
        run_async(play_match(game, players, str(spec)))
    except Captured as captured:
        return captured.request
    except StopRun as reason:
        raise UserError(f"{reason}.") from None
    raise UserError(f"seat {options.seat} has no turn in {spec}.")


def _plain(part: str | Picture) -> dict[str, str]:
    return {"text": part} if isinstance(part, str) else {"picture": part.png.hex()}


def _text(message: Message) -> str:
    return "\n\n".join(
        part if isinstance(part, str) else f"[picture, {len(part.png)} bytes of PNG]"
        for part in message.parts
    )

"""`quandary web`."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
import webbrowser
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from quandary.core.errors import UserError
from quandary.renamed import typed_player

from . import model_options, program_options, signals

if TYPE_CHECKING:
    from quandary.players.registry import PlayerRegistry
    from quandary.web.study import StudySettings

PORT = 8765
ANY = ("0.0.0.0", "::")  # addresses that stand for all of a machine
HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?|[0-9A-Fa-f:]{2,39}")
MOST_SESSIONS = 1_000
LIMITS = {
    "dollars": "the most that all calls to models on this site may cost together, restarts "
    "included; after that, its models are no longer offered",
    "tokens": "how many tokens all these calls may use together, restarts included",
    "minutes": "for how long after this start models may be called",
}
NEEDED = "the site needs more packages: pip install 'quandary[web]'."


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "runs", nargs="*", type=Path, metavar="RUN", help="the folders of runs to look at"
    )
    parser.add_argument(
        "--port",
        type=int,
        default=PORT,
        metavar="N",
        help=f"the port (default: {PORT}; 0 for any that is free)",
    )
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="the address to listen on; one that other machines can reach needs --token, and "
        "--allow-host for each name by which they call this machine",
    )
    parser.add_argument(
        "--token",
        type=Path,
        metavar="FILE",
        help="a file with a secret of at least 16 characters, which visitors must have",
    )
    parser.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="also answer to this name of the machine, or to https://NAME behind a proxy with TLS; "
        "may be repeated",
    )
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help="where matches are kept (default: a folder of your own)",
    )
    parser.add_argument(
        "--player",
        type=typed_player,
        action="append",
        default=[],
        metavar="NAME",
        help="a model or a program that visitors may play against; may be repeated",
    )
    parser.add_argument(
        "--study",
        metavar="SUITE",
        help="also run a study in which people play the instances of this suite; needs --contact "
        "and --kept-for",
    )
    parser.add_argument(
        "--sessions",
        type=int,
        default=1,
        metavar="N",
        help="how often each participant of the study plays each puzzle and level (default: 1)",
    )
    parser.add_argument(
        "--contact", default="", metavar="TEXT", help="whom participants of the study can contact"
    )
    parser.add_argument(
        "--kept-for",
        default="",
        metavar="TEXT",
        help='how long the records of participants are kept, such as "until the end of 2027"',
    )
    parser.add_argument(
        "--export",
        type=Path,
        metavar="DIR",
        help=(
            "write the puzzle library and the report of the runs as files instead of opening a site"
        ),
    )
    parser.add_argument("--open", action="store_true", help="open the site in a browser")
    program_options.arguments(parser)
    model_options.arguments(parser, LIMITS)


def run(options: Namespace) -> int:
    if find_spec("aiohttp") is None:
        raise UserError(NEEDED)
    from quandary.results.run_context import context_of
    from quandary.web.guard import LOOPBACK
    from quandary.web.server import application
    from quandary.web.site import HTTPS, Options

    for folder in options.runs:
        context_of(folder)  # refuses what is not a run
    if options.export:
        return _export(options)
    if not 0 <= options.port <= 65_535:
        raise UserError("--port must be a number from 0 to 65535.")
    token = _token(options)
    for name in options.allow_host:
        if not HOST.fullmatch(name.removeprefix(HTTPS)):
            raise UserError(
                f"--allow-host {name!r} is not a host name; write one such as puzzles.example, or "
                f"https://puzzles.example behind a proxy with TLS."
            )
    hosts = [*LOOPBACK, *options.allow_host]
    if options.host not in (*hosts, *ANY):
        hosts.append(options.host)
    registry = model_options.player_registry(options)
    registry.programs_wait = True
    for name in options.player:
        _check(name, registry, options)
    _check_apart(options.player)
    app = application(
        Options(
            options.data or own_folder(),
            options.runs,
            tuple(hosts),
            token,
            tuple(options.player),
            registry=registry,
            study=_study(options),
        )
    )
    signals.install(signals.raise_interrupted)
    return asyncio.run(_serve(app, options, token))


def _export(options: Namespace) -> int:
    from quandary.web.export import export

    from .progress import Progress

    try:
        with Progress("puzzles drawn") as progress:
            first = export(options.runs, options.export, progress)
    except OSError as reason:
        raise UserError(
            f"nothing can be written to {options.export}: {reason.strerror or reason}; choose "
            f"another --export."
        ) from None
    print(f"{first}: open it in a browser.")
    return 0


def _study(options: Namespace) -> StudySettings | None:
    from quandary.arena import suite as suites
    from quandary.web.study import StudySettings

    if not options.study:
        return None
    if not options.contact.strip() or not options.kept_for.strip():
        raise UserError(
            "a study must say whom participants can contact and how long their answers are kept; "
            "give --contact and --kept-for."
        )
    if not 1 <= options.sessions <= MOST_SESSIONS:
        raise UserError(f"--sessions must be from 1 to {MOST_SESSIONS}.")
    suite = suites.load(options.study)
    return StudySettings(suite, options.sessions, options.contact.strip(), options.kept_for.strip())


def _check_apart(players: Sequence[str]) -> None:
    """Visitors see the names of programs without the paths to them."""
    from quandary.web.shown import shown_name

    for shown, count in Counter(map(shown_name, players)).items():
        if count > 1:
            raise UserError(f"--player names {shown!r} {count} times; each name must be different.")


def _check(name: str, registry: object, options: Namespace) -> None:
    from quandary.players.model_names import is_model
    from quandary.players.registry import PlayerRegistry
    from quandary.programs.library import is_program

    assert isinstance(registry, PlayerRegistry)
    if is_model(name):
        registry.model(name)
        _check_price(name, registry, options)
    elif is_program(name):
        registry.programs.check()
        registry.program(name)
    else:
        raise UserError(
            f"--player names models and programs, such as local/smollm2; {name!r} is neither."
        )


def _check_price(name: str, registry: PlayerRegistry, options: Namespace) -> None:
    """Visitors decide how often a model is called, so what it may cost must be limited."""
    from quandary.models.pool import is_free

    provider = name.partition("/")[0]
    if (
        options.dollars is None
        and options.tokens is None
        and not is_free(provider, options.base_url)
    ):
        raise UserError(
            f"{name} may cost money, and visitors decide how often it is called; limit what all of "
            "them together may use with --dollars or --tokens."
        )


def _token(options: Namespace) -> str:
    if options.token is None:
        if options.host not in ("127.0.0.1", "localhost", "::1"):
            raise UserError(
                f"--host {options.host} lets other machines in; name a file with a secret with "
                "--token."
            )
        return ""
    try:
        text = str(options.token.read_text("utf-8")).strip()
    except (OSError, UnicodeError) as reason:
        why = reason.strerror if isinstance(reason, OSError) else "it is not written in UTF-8"
        raise UserError(f"the token cannot be read from {options.token}: {why}.") from None
    if len(text) < 16 or not text.isascii() or not text.isprintable() or " " in text:
        raise UserError(
            f"{options.token} must contain at least 16 characters without blanks, for example the "
            "output of: openssl rand -hex 16"
        )
    return text


async def _serve(app: object, options: Namespace, token: str) -> int:
    from aiohttp import web

    from quandary.web.server import listen

    assert isinstance(app, web.Application)
    output = sys.stdout  # a thread that keeps records may load puzzles, which redirects it
    runner, port = await listen(app, options.host, options.port)
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(options.host, options.host)
    shown = f"[{host}]" if ":" in host else host
    link = f"http://{shown}:{port}/" + (f"?{urlencode({'token': token})}" if token else "")
    print(f"The site is at {link}\nCtrl-C stops it.", file=output, flush=True)
    if options.open and not webbrowser.open(link):
        print("quandary: no browser was found; open the link by hand.", file=sys.stderr)
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    await stopped.wait()
    print("quandary: stopped; all matches are kept.", file=sys.stderr)
    await runner.cleanup()
    return 0


def own_folder() -> Path:
    """Return where the matches of a site are kept, by the XDG convention."""
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path("~/.local/share").expanduser()) / "quandary/web"

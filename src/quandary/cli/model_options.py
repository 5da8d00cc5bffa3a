"""The options of commands that call language models, and the player registry made from them."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from . import program_options

if TYPE_CHECKING:
    from quandary.arena.suite import Suite
    from quandary.players.registry import PlayerRegistry


LIMITS = {
    "dollars": "stop the run before its calls cost more than this",
    "tokens": "stop the run before its calls use more tokens than this",
    "minutes": "stop the run after this time",
}


OF_MATCH = {
    "dollars": "stop before calls cost more than this",
    "tokens": "stop before calls use more tokens than this",
    "minutes": "stop after this time",
}
OF_PLAN = {
    name: (f"does not affect the plan: `quandary run` would {what}")
    for name, what in OF_MATCH.items()
}


def arguments(parser: ArgumentParser, limits: Mapping[str, str] = LIMITS) -> None:
    """`limits` says of each limit what it does."""
    group = parser.add_argument_group("language models")
    group.add_argument(
        "--base-url",
        default="",
        metavar="URL",
        help="the server's address, if not the provider's own",
    )
    group.add_argument(
        "--key-env",
        default="",
        metavar="NAME",
        help="the environment variable that holds the key, if not the provider's own",
    )
    group.add_argument(
        "--connections",
        type=int,
        metavar="N",
        help="the number of concurrent calls to each provider (default: as many as the server "
        "accepts, found by trying)",
    )
    group.add_argument(
        "--timeout",
        type=float,
        default=600.0,
        metavar="SECONDS",
        help="how long to wait for the reply to a call (default: %(default)g)",
    )
    group.add_argument(
        "--dollars",
        type=float,
        metavar="N",
        help=limits["dollars"],
    )
    group.add_argument(
        "--tokens",
        type=int,
        metavar="N",
        help=limits["tokens"],
    )
    group.add_argument("--minutes", type=float, metavar="N", help=limits["minutes"])
    group.add_argument(
        "--prices",
        type=Path,
        metavar="FILE",
        help="a price table to use instead of the built-in one",
    )


def player_registry(
    options: Namespace, suite: Suite | None = None, language: str = "en"
) -> PlayerRegistry:
    """Return the player registry, with models prompted as a suite says."""
    from quandary.core.errors import UserError
    from quandary.matches.match import ATTEMPTS
    from quandary.models import prices
    from quandary.models.budget import Budget
    from quandary.models.pool import ClientPool
    from quandary.models.provider import Decoding
    from quandary.players.prompts.settings import PromptSettings
    from quandary.players.registry import PlayerRegistry
    from quandary.programs.pool import ProgramPool

    if options.connections is not None and options.connections < 1:
        raise UserError("--connections must be 1 or more.")
    if not 0 < options.timeout < inf:
        raise UserError("--timeout must be a number of seconds above 0.")
    if options.key_env and not options.key_env.isidentifier():  # not repeated: it may be the key
        raise UserError("--key-env takes the name of an environment variable, not the key itself.")
    settings, decoding = PromptSettings(language=language), Decoding()
    if suite:
        settings = suite.prompt_settings
        decoding = Decoding(**dict(suite.decoding))
    clients = ClientPool(
        base_url=options.base_url,
        key_variable=options.key_env,
        connections=options.connections,
        timeout=options.timeout,
        budget=Budget(options.dollars, options.tokens, options.minutes),
        prices=prices.load(options.prices) if options.prices or options.dollars else None,
        notify=lambda message: print(f"quandary: {message}", file=sys.stderr),
    )
    return PlayerRegistry(
        settings,
        decoding,
        suite.attempts if suite else ATTEMPTS,
        clients,
        programs=ProgramPool(program_options.settings(options)),
    )

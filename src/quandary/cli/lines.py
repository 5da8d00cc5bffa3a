"""What commands that call language models have in common: their flags, and the crew made of them."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Awaitable
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quandary.arena.suite import Suite
    from quandary.matches.record import Record
    from quandary.players.registry import Crew


def arguments(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("language models")
    group.add_argument("--base-url", default="", metavar="URL", help="the server's address, where it is not the provider's own")
    group.add_argument(
        "--key-env",
        default="",
        metavar="NAME",
        help="the environment variable that holds the key, where it is not the provider's own",
    )
    group.add_argument("--connections", type=int, metavar="N", help="calls at once at most (default: as many as the server takes)")
    group.add_argument("--timeout", type=float, default=600.0, metavar="SECONDS", help="for one call (default: %(default)g)")
    group.add_argument("--dollars", type=float, metavar="N", help="stop cleanly before calls cost more than this")
    group.add_argument("--tokens", type=int, metavar="N", help="stop cleanly before calls take more tokens than this")
    group.add_argument("--minutes", type=float, metavar="N", help="stop cleanly after this time")
    group.add_argument("--prices", type=Path, metavar="FILE", help="a table of prices to use instead of ours")


def crew(options: Namespace, suite: Suite | None = None, language: str = "en") -> Crew:
    """Everyone who can play, models asked as a suite says."""
    from quandary.core.errors import Mistake
    from quandary.matches.engine import ATTEMPTS
    from quandary.models import prices
    from quandary.models.budget import Budget
    from quandary.models.provider import Decoding
    from quandary.players.asking import Asking
    from quandary.players.registry import Crew

    if options.connections is not None and options.connections < 1:
        raise Mistake("--connections must be 1 or more.")
    if not 0 < options.timeout < inf:
        raise Mistake("--timeout must be a number of seconds above 0.")
    if options.key_env and not options.key_env.isidentifier():  # not repeated: it may be the key
        raise Mistake("--key-env takes the name of an environment variable, not the key itself.")
    asking, decoding = Asking(language=language), Decoding()
    if suite:
        asking = Asking(shots=suite.shots, language=suite.language)
        decoding = Decoding(**dict(suite.decoding))  # type: ignore[arg-type]
    return Crew(
        asking=asking,
        decoding=decoding,
        address=options.base_url,
        key_variable=options.key_env,
        connections=options.connections,
        attempts=suite.attempts if suite else ATTEMPTS,
        timeout=options.timeout,
        budget=Budget(options.dollars, options.tokens, options.minutes),
        prices=prices.load(options.prices) if options.prices or options.dollars else None,
        tell=lambda words: print(f"quandary: {words}", file=sys.stderr),
    )


async def played(crew: Crew, match: Awaitable[Record]) -> Record:
    """The record of a single match, whose calls are not written down."""
    from quandary.core.errors import Mistake, StopRun
    from quandary.models.client import NoBook, Patience

    for line in crew.lines.values():
        line.patience = Patience(tries=4)  # somebody is waiting for it
    try:
        async with crew.at_work(NoBook()):
            return await match
    except StopRun as halt:
        raise Mistake(f"{halt}.") from None

"""The command `quandary`: parses arguments, calls a command, and turns mistakes into one sentence and an exit code."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from types import FrameType
from typing import NoReturn

from quandary import __version__
from quandary.core.mistake import Mistake, unknown

COMMANDS = {
    "list": "the puzzles there are",
    "show": "one instance: its rules and position, in words, as a picture or as JSON",
    "play": "play an instance yourself, at the terminal",
    "match": "let players play an instance against each other",
    "grade": "judge an answer to a question",
    "run": "play a whole suite and keep the records",
    "replay": "follow recorded matches move by move, and check their scores",
    "check": "check that a puzzle keeps every promise of the contract",
    "new": "begin a new puzzle from a file that already works",
    "demo": "a look at everything in a minute",
}
WELL, FAILED, MISUSED, INTERRUPTED = 0, 1, 2, 130


class Parser(argparse.ArgumentParser):
    """Says in one sentence what is wrong."""

    def error(self, message: str) -> NoReturn:
        raise Mistake(f"{message[:1].lower()}{message[1:]}; see {self.prog} --help.")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is 0 if all is well, 1 if something failed, 2 for wrong use."""
    try:
        signal.signal(signal.SIGINT, _stop)
        code = run(list(sys.argv[1:] if arguments is None else arguments))
        sys.stdout.flush()
        return code
    except Mistake as mistake:
        print(f"quandary: {mistake}", file=sys.stderr)
        return MISUSED
    except KeyboardInterrupt:
        print("\nquandary: stopped; what was finished is kept.", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing more can be written there
        print("quandary: the output was closed before everything was written.", file=sys.stderr)
        return FAILED


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    """Stops at once: the event loop's own handler waits for a move that may take long."""
    raise KeyboardInterrupt


def run(arguments: list[str]) -> int:
    parser = Parser(prog="quandary", description="Puzzles to generate, play, check, score, replay and train on.")
    parser.add_argument("--version", action="version", version=f"quandary {__version__}")
    parser.add_argument(
        "command", metavar="COMMAND", nargs="?", help="; ".join(f"{name}: {words}" for name, words in COMMANDS.items())
    )
    if not arguments or arguments[0] in ("-h", "--help"):
        print(overview())
        return WELL
    if arguments[0].startswith("-"):
        parser.parse_args(arguments[:1])
    name = arguments[0]
    if name not in COMMANDS:
        raise unknown("command", name, COMMANDS)
    command = import_module(f"quandary.cli.{name}_command")
    inner = Parser(prog=f"quandary {name}", description=f"{COMMANDS[name][:1].upper()}{COMMANDS[name][1:]}.")
    command.arguments(inner)
    return int(command.run(inner.parse_args(arguments[1:])))


def overview() -> str:
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {words}" for name, words in COMMANDS.items()]
    return "\n".join(
        [
            "quandary COMMAND ...: puzzles to generate, play, check, score, replay and train on.",
            "",
            *lines,
            "",
            "An instance is named puzzle/level#seed, for example sudokill/easy#7; quandary COMMAND --help tells more.",
        ]
    )

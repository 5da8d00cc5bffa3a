"""The command `quandary`: parses arguments, calls a command, and turns mistakes into one sentence
and an exit code.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NoReturn

from quandary.catalogue import external
from quandary.core.errors import UserError, unknown
from quandary.version import VERSION

from . import signals
from .renamed_options import by_new_names, showing_renamed

COMMANDS = {
    "list": "list all puzzles",
    "show": "show one instance: its rules and position, as text, picture or JSON",
    "play": "play an instance yourself, at the terminal",
    "match": "let players play an instance against each other",
    "grade": "judge an answer to a question",
    "prompt": "print exactly what a language model would be sent",
    "doctor": "report how safely programs can run on this machine",
    "models": "list the language models that can play, and download weights",
    "plan": "estimate what a run would cost, and which difference it could detect",
    "run": "play a whole suite and keep the records",
    "results": "print the leaderboards and scores of runs",
    "merge": "merge runs of the same settings into one",
    "compare": "compare two runs, or two players of one run, on shared results",
    "sample": "write transcripts of runs for people to label",
    "labels": "check and count the labels that people gave to a sample",
    "export": "write the results of runs as Parquet, CSV or logs of Inspect AI",
    "report": "write a page of results: leaderboards, figures and transcripts",
    "web": "open a site to play, watch matches and look at runs",
    "replay": "follow recorded matches move by move, and check their scores",
    "import": "import published problems and replies",
    "regrade": "grade recorded answers again, by the rules of quandary or as the papers did",
    "check": "check that a puzzle keeps every promise of the contract",
    "new": "start a new puzzle from a working template",
    "demo": "a short tour: a few matches, one of them shown move by move",
    "completion": "print a shell script that completes commands and puzzle names",
}
WELL, FAILED, MISUSED, INTERRUPTED = 0, 1, 2, 130
LONGEST = 500  # characters of an error message; longer ones are cut in the middle


class Parser(argparse.ArgumentParser):
    """Says in one sentence what is wrong."""

    def error(self, message: str) -> NoReturn:
        raise UserError(f"{message[:1].lower()}{message[1:]}; see {self.prog} --help.")

    def print_help(self, file: Any = None) -> None:
        # argparse would keep quiet about an output that cannot be written
        print(self.format_help(), end="", file=file)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is 0 for success, 1 for a failure, 2 for wrong use, and
    130 or 143 if it was stopped by Ctrl-C or SIGTERM.
    """
    received = sys.stdout is not None
    _prepare_streams()
    before = signals.install(signals.end_at_once)
    try:
        try:
            code = run(list(sys.argv[1:] if arguments is None else arguments))
        finally:
            sys.stdout.flush()
        return (
            code
            if received
            else _report("standard output is closed, so nothing could be shown.", FAILED)
        )
    except UserError as mistake:
        return _report(str(mistake), MISUSED)
    except KeyboardInterrupt as signal:
        code = getattr(signal, "exit_code", INTERRUPTED)
        sentence = getattr(signal, "sentence", signals.STOPPED)
        return _report(sentence, code, before="\n" if sys.stderr.isatty() else "")
    except BrokenPipeError:  # whoever reads has seen enough, as in `quandary list | head -1`
        return FAILED
    except OSError as reason:
        where = "" if reason.filename is None else f" at {os.fsdecode(reason.filename)}"
        return _report(f"the system refused{where}: {reason.strerror or reason}.", FAILED)
    finally:
        signals.restore(before)
        _drop_unwritable()


def _prepare_streams() -> None:
    """Make sure there are output streams, and that they accept every character."""
    sys.stdout = sys.stdout or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            with suppress(OSError, ValueError):
                stream.reconfigure(errors="replace")


def _report(sentence: str, code: int, before: str = "") -> int:
    """Print what is wrong on one line, and return `code`."""
    if len(sentence) > LONGEST:
        start, end = sentence[: LONGEST // 2], sentence[-LONGEST // 2 :]
        # Cut between words, where there are any.
        start, end = start.rpartition(" ")[0] or start, end.partition(" ")[2] or end
        sentence = f"{start} ... {end}"
    line = "".join(letter if letter.isprintable() else "?" for letter in sentence)
    with suppress(OSError, ValueError):
        print(f"{before}quandary: {line}", file=sys.stderr, flush=True)
    return code


def _drop_unwritable() -> None:
    """Discard what cannot be written, else Python reports it again at exit."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            with suppress(OSError), Path(os.devnull).open("wb") as nowhere:
                os.dup2(nowhere.fileno(), stream.fileno())
        except ValueError:  # already closed
            pass


def run(arguments: list[str]) -> int:
    parser = Parser(prog="quandary", add_help=False, allow_abbrev=False)
    parser.add_argument("-h", "--help", action="store_true")
    parser.add_argument("-V", "--version", action="version", version=f"quandary {VERSION}")
    _add_puzzles(parser)
    parser.add_argument("command", nargs="?")
    parser.add_argument("rest", nargs=argparse.REMAINDER)
    general = parser.parse_args(arguments)
    if general.help or not general.command:
        print(overview())
        return WELL
    name = general.command
    if name not in COMMANDS:
        raise unknown("command", name, COMMANDS)
    with showing_renamed():
        options = parser_of(name).parse_args(by_new_names(name, general.rest))
        if folders := [*general.puzzles, *options.puzzles]:
            external.use(folders)
        signals.install(signals.raise_interrupted)
        return int(_module(name).run(options))


def parser_of(name: str) -> Parser:
    """Return the parser of a command's arguments."""
    parser = Parser(
        prog=f"quandary {name}", description=f"{COMMANDS[name][:1].upper()}{COMMANDS[name][1:]}."
    )
    _module(name).arguments(parser)
    _add_puzzles(parser)
    return parser


def _module(name: str) -> Any:
    return import_module(f"quandary.cli.{name}_command")


def _add_puzzles(parser: Parser) -> None:
    parser.add_argument(
        "--puzzles",
        action="append",
        default=[],
        metavar="DIR",
        help="also use the puzzle files in this folder; loading one runs its code",
    )


def overview() -> str:
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {words}" for name, words in COMMANDS.items()]
    return "\n".join(
        [
            "quandary COMMAND ...: generates, plays, checks, scores and replays puzzles.",
            "",
            *lines,
            "",
            (
                "An instance is named puzzle/level#seed, for example sudokill/easy#7. For the "
                "options of a command, use quandary COMMAND --help."
            ),
            "With --puzzles DIR, every command also uses the puzzle files in that folder.",
        ]
    )

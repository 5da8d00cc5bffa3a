"""The options of commands in which programs play."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from quandary.report.tables import counted

if TYPE_CHECKING:
    from argparse import _ArgumentGroup

    from quandary.arena.fresh_matches import Comparison
    from quandary.programs.settings import ProgramSettings


def arguments(parser: ArgumentParser) -> _ArgumentGroup:
    group = parser.add_argument_group("programs (program/FILE.py)")
    group.add_argument(
        "--unsafe",
        action="store_true",
        help="run programs even where they cannot be sandboxed (see quandary doctor), with all "
        "your permissions",
    )
    library_argument(group)
    return group


def run_arguments(parser: ArgumentParser) -> None:
    """Those of a run of many matches."""
    arguments(parser).add_argument(
        "--process-per-match",
        action="store_true",
        help="start a new process for each match of a program (default: one process may play "
        "several matches of a puzzle without secrets and chance; as a check, one match in "
        "100, and at least one per program, is played again)",
    )


def library_argument(parser: ArgumentParser | _ArgumentGroup) -> None:
    parser.add_argument(
        "--library",
        action="append",
        default=[],
        metavar="NAME",
        help="an installed library that programs may import, for example numpy; may be repeated",
    )


def show_comparison(found: Comparison) -> None:
    """Name the programs whose matches may differ each time, and those that keep something."""
    for player, names in found.unrepeatable.items():
        print(
            f"quandary: {player} uses {', '.join(names)}, so its matches may differ each time they "
            f"are played; they were not compared.",
            file=sys.stderr,
        )
    for player, number in found.differing.items():
        again = counted(found.compared[player], "match", "matches")
        print(
            f"quandary: {player} played {number:,} of {again} differently when they were played "
            "again in a fresh process, so it keeps something from one match to the next; to rule "
            "that out, run it with --process-per-match and another --out.",
            file=sys.stderr,
        )


def settings(options: Namespace) -> ProgramSettings:
    """Return how programs run in a command; some commands have not all of the options."""
    from quandary.programs.imports import libraries
    from quandary.programs.settings import ProgramSettings

    libraries(getattr(options, "library", ()))  # also where no program plays
    return ProgramSettings(
        getattr(options, "unsafe", False),
        getattr(options, "process_per_match", False),
        tuple(dict.fromkeys(getattr(options, "library", ()))),
    )

"""The options that say what a run plays: suites, puzzles, or parts of suites."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from quandary.arena import suite
from quandary.arena.selection import SEEDS, Selection
from quandary.arena.suite import MODALITIES, PLAY, Suite
from quandary.core.errors import UserError


def arguments(
    parser: ArgumentParser, several: str = "several are kept in separate folders in --out"
) -> None:
    """`several` says what becomes of several suites."""
    group = parser.add_argument_group("what is played (--suite or --puzzle)")
    group.add_argument(
        "--suite",
        action="append",
        default=[],
        metavar="S",
        help=f"a suite by name, or a TOML file; {several}",
    )
    group.add_argument(
        "--puzzle",
        action="append",
        default=[],
        metavar="NAME",
        help="a puzzle; with --suite or --problems, only its part of them; may be repeated",
    )
    group.add_argument(
        "--level",
        action="append",
        default=[],
        metavar="L",
        help="only this level; may be repeated (default: all)",
    )
    group.add_argument(
        "--seeds",
        metavar="A-B",
        help=f"only these seeds (default: {SEEDS}, or those of the suite)",
    )
    group.add_argument(
        "--limit", type=int, metavar="N", help="at most N instances of each puzzle and level"
    )
    group.add_argument(
        "--setting",
        choices=PLAY,
        default="",
        help="only entries of the suite for this setting (default: all except those for programs "
        "only)",
    )
    group.add_argument(
        "--modality",
        choices=MODALITIES,
        help="only entries of the suite whose positions can be shown this way (default: all, each "
        "in the first way that it lists)",
    )
    group.add_argument(
        "--small",
        action="store_true",
        help="the suite's small version: the same puzzles, few seeds",
    )


def problem_arguments(parser: ArgumentParser) -> None:
    """Those of commands that can also play the problems of an import."""
    group = parser.add_argument_group("what is played (--problems)")
    group.add_argument(
        "--problems",
        type=Path,
        metavar="DIR",
        help=(
            "the problems of an import (see quandary import), asked with the settings of the "
            "paper's suite"
        ),
    )
    group.add_argument(
        "--problem",
        action="append",
        default=[],
        metavar="NAME",
        help="only this problem, or those like 'check-*'; may be repeated",
    )
    group.add_argument(
        "--wording",
        choices=["ours", "published"],
        help="in our words (default), or with the exact published prompts, if the import has them; "
        "problems without a key are asked only with the published prompts, and never scored",
    )


def chosen_problems(options: Namespace) -> Suite:
    """Return the problems that the options name, as a suite."""
    from quandary.papers.problem_suite import WORDINGS, problem_suite

    for name in ("suite", "level", "seeds", "setting", "samples", "modality", "small"):
        if getattr(options, name):
            raise UserError(
                f"--{name} is not for --problems; choose with --puzzle, --problem and --limit."
            )
    wording = options.wording or WORDINGS[0]
    chosen = problem_suite(options.problems, options.puzzle, options.problem, wording)
    return Selection(limit=options.limit).of(chosen)


def chosen_suites(options: Namespace) -> list[Suite]:
    """Return what the options name, as one or more suites."""
    selection = Selection(options.puzzle, options.level, options.seeds, options.limit)
    if options.suite:
        suites = [selection.of(suite.load(name)) for name in options.suite]
    elif options.puzzle:
        suites = [selection.suite()]
    else:
        raise UserError("choose what to play with --suite or --puzzle; `quandary list` lists both.")
    names = [chosen.name for chosen in suites]
    if twice := [name for name in dict.fromkeys(names) if names.count(name) > 1]:
        raise UserError(
            f"two suites are called {twice[0]}, and each is kept in a folder of its name; leave "
            f"one out, or rename its file."
        )
    return [
        chosen.only(setting=options.setting, modality=options.modality, small=options.small)
        for chosen in suites
    ]

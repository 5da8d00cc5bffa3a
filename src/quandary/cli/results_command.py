"""`quandary results`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

from quandary.core.errors import UserError

from .leaderboard_output import (
    NO_RESULTS,
    is_available,
    plain_runs,
    show_factors,
    show_leaderboards,
    show_plain,
    show_programs,
    show_tables,
)
from .output import json_line
from .progress import Progress
from .solve_rates_output import show_solve_rates

NEEDED = (
    "these scores need numpy, scipy and pyarrow: pip install 'quandary[report]'. Without them, use "
    "--by level."
)


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "runs",
        nargs="+",
        type=Path,
        metavar="RUN",
        help="the folder of a run, or a folder that contains runs of several suites",
    )
    parser.add_argument(
        "--suite",
        action="append",
        default=[],
        metavar="S",
        help="only this suite; may be repeated",
    )
    tables = parser.add_mutually_exclusive_group()
    tables.add_argument(
        "--by",
        choices=["puzzle", "level", "turn"],
        help="scores by puzzle or by level, or solve rates by turn, instead of leaderboards",
    )
    tables.add_argument(
        "--ratings",
        action="store_true",
        help="ratings from two-player games, instead of leaderboards",
    )
    tables.add_argument(
        "--papers",
        action="store_true",
        help="the scores of the papers, each by its own formula, and installed scores of your own, "
        "instead of leaderboards",
    )
    tables.add_argument(
        "--normalised",
        action="store_true",
        help="where each player lies between random and the strongest player, as `quandary run "
        "--normalised` has played them, instead of leaderboards",
    )
    parser.add_argument(
        "--no-judge",
        action="store_true",
        help="with --papers, leave out the quality of moves, which can take long to compute",
    )
    parser.add_argument("--json", action="store_true", help="print each table as a JSON line")


def run(options: Namespace) -> int:
    from quandary.results.judging import judging
    from quandary.results.read_runs import read_run
    from quandary.results.run_context import context_of
    from quandary.results.run_folders import run_folders

    folders = run_folders(options.runs)
    suites = {folder: context_of(folder).name for folder in folders}
    for name in options.suite:
        if name not in suites.values():
            known = ", ".join(sorted(set(suites.values())))
            raise UserError(f"none of these runs plays the suite {name!r}; choose from {known}.")
    chosen = [folder for folder in folders if not options.suite or suites[folder] in options.suite]
    if options.by == "turn":
        show_turns(chosen, options.json)
    elif not is_available():
        if options.ratings or options.papers or options.normalised or options.by == "puzzle":
            raise UserError(NEEDED)
        if not (found := plain_runs(map(read_run, chosen))):
            raise UserError(NO_RESULTS)
        show_plain(found, options.runs, by_level=options.by == "level", as_json=options.json)
    elif options.ratings:
        show_ratings(chosen, options.json)
    elif options.normalised:
        show_normalised(chosen, options.json)
    elif options.papers:
        with (
            Progress("seats of matches judged") as tell,
            judging(is_on=not options.no_judge, tell=tell),
        ):
            show_papers(chosen, options.json)
    else:
        show_scores(chosen, options)
    return 0


def show_turns(folders: Sequence[Path], as_json: bool) -> None:
    """Solve rates of questions that could be answered several times, which need no extra."""
    from quandary.arena import suite
    from quandary.results.read_runs import read_run
    from quandary.results.run_context import context_of
    from quandary.scoring.score_table import level_place
    from quandary.scoring.solve_rates import results_in, solve_rates
    from quandary.scoring.table_notes import PARTIAL

    for folder in folders:
        run = read_run(folder)
        rates = solve_rates(results_in(run.columns))
        rates.sort(
            key=lambda rate: (rate.puzzle, level_place(rate.puzzle, rate.level), rate.player)
        )
        if not rates:
            raise UserError(f"{folder} has no questions that could be answered more than once.")
        name = context_of(folder).name
        if not as_json:
            if run.left:
                print(f"{PARTIAL}\n")
            print(f"{folder}: percent of n questions solved within so many turns\n")
        show_solve_rates(rates, suite.averages(name) if name in suite.names() else {}, as_json)


def show_ratings(folders: Sequence[Path], as_json: bool) -> None:
    from quandary.results.table import seats
    from quandary.results.unplayed import with_unplayed
    from quandary.scoring.level_groups import fixed_rng
    from quandary.scoring.rating_tables import COLUMNS, tables

    found = tables(with_unplayed(seats(*folders, columns=COLUMNS), folders), fixed_rng())
    if not found:
        raise UserError("there are no ratings, because no match of two players has a result.")
    show_tables(found, as_json)


def show_normalised(folders: Sequence[Path], as_json: bool) -> None:
    from quandary.report.results import normalised_table
    from quandary.report.scores import normalised_rows

    rows = normalised_rows(folders)
    if not as_json:
        print(normalised_table(rows))
    for row in rows if as_json else ():
        json_line(vars(row))


def show_papers(folders: Sequence[Path], as_json: bool) -> None:
    from quandary.report.scores import paper_scores

    found = paper_scores(folders)
    errors = [score.error for score in found if score.error]
    found = [score for score in found if score.tables]
    if errors and not found:
        raise UserError(" ".join(errors))
    for error in errors:
        print(f"quandary: {error}", file=sys.stderr)
    if not found:
        raise UserError(
            "no paper has scores for these runs; play a suite of a paper, or `check:` and `next:` "
            "questions."
        )
    for place, score in enumerate(found):
        if not as_json:
            print(f"{'' if place == 0 else chr(10)}{score.title.upper()}\n")
        show_tables(score.tables, as_json)


def show_scores(folders: Sequence[Path], options: Namespace) -> None:
    from quandary.scoring import leaderboard
    from quandary.scoring.board_tables import leaderboards
    from quandary.scoring.level_groups import fixed_rng, groups_of

    groups = groups_of(folders)
    if not groups.of_suites:
        raise UserError(NO_RESULTS)
    if options.by:
        make = leaderboard.by_puzzle if options.by == "puzzle" else leaderboard.by_level
        show_tables([make(groups, fixed_rng())], options.json)
        return
    show_leaderboards(leaderboards(groups), options.runs, options.json)
    show_programs(folders, options.runs, whole=True, as_json=options.json)
    show_factors(folders, options.json)

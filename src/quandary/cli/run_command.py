"""`quandary run`."""

from __future__ import annotations

import shlex
import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from quandary.arena.engines.in_loop import AT_ONCE
from quandary.arena.job import Job
from quandary.arena.pictures import drawn_in_english
from quandary.arena.run import RunResult, validate
from quandary.arena.suite import Suite
from quandary.core.errors import UserError
from quandary.models.calls import total_tokens
from quandary.models.pool import ClientPool
from quandary.models.prices import Prices
from quandary.models.provider import Usage
from quandary.players.model_names import is_model
from quandary.players.registry import PlayerRegistry
from quandary.report.tables import counted
from quandary.results.match_facts import MatchFacts
from quandary.results.run_columns import PlayedRun, RunColumns
from quandary.tasks.published_wording import Unscored

from . import (
    engine_options,
    model_options,
    program_options,
    sampling_options,
    schedule_options,
    signals,
    suite_options,
)
from .leaderboard_output import (
    is_available,
    paper_summaries,
    plain_runs,
    show_factors,
    show_leaderboards,
    show_level_lines,
    show_plain,
    show_programs,
    show_tables,
)
from .output import json_line, warn, wrapped
from .progress import Progress
from .run_pace import RunPace

if TYPE_CHECKING:
    from quandary.scoring.level_groups import SeatGroups

MOST_MODELS, FEW = 4, 2  # of up to 4 models replies and calls are told at the end; of more, of 2


def arguments(parser: ArgumentParser) -> None:
    suite_options.arguments(parser)
    suite_options.problem_arguments(parser)
    schedule_options.arguments(parser)
    sampling_options.arguments(parser)
    parser.add_argument(
        "--out",
        required=True,
        type=_folder,
        metavar="DIR",
        help="the folder of the run; the same command continues the run, and a command with more "
        "players or seeds adds them",
    )
    parser.add_argument(
        "--concurrency",
        type=int,
        default=AT_ONCE,
        metavar="N",
        help="how many matches to play at the same time, where models play (default: %(default)s)",
    )
    parser.add_argument(
        "--normalised",
        action="store_true",
        help="also print where each player lies between random and the strongest player (both "
        "play the same matches once)",
    )
    parser.add_argument("--json", action="store_true", help="print the results as JSON lines")
    engine_options.arguments(parser)
    program_options.run_arguments(parser)
    model_options.arguments(parser)


def _folder(text: str) -> Path:
    if not text.strip():  # as an unset variable of a shell is
        raise UserError("--out must name a folder.")
    return Path(text)


def run(options: Namespace) -> int:
    signals.install(signals.ending_with(signals.RUN_IS_KEPT))
    if options.concurrency < 1:
        raise UserError("--concurrency must be 1 or more.")
    if options.normalised and not is_available():
        raise UserError(
            "--normalised needs numpy, scipy and pyarrow: pip install 'quandary[report]'."
        )
    options.player = schedule_options.chosen_players(options)
    sampling_options.check(options)
    if options.problems and options.language:
        raise UserError("--problems are asked in their own languages; leave --language out.")
    if options.problems:
        suites = [suite_options.chosen_problems(options)]
    elif options.problem:
        raise UserError(
            "--problem chooses among --problems; add --problems with the folder of an import."
        )
    elif options.wording:
        raise UserError("--wording is for --problems; add --problems with the folder of an import.")
    else:
        suites = suite_options.chosen_suites(options)
    if len(suites) == 1:
        player_registry = model_options.player_registry(options, suites[0])
        code, played = run_one(options, suites[0], player_registry)
        runs = [played]
    else:
        code, runs = run_several(options, suites)
    if options.problems:
        from quandary.papers.problem_suite import keep_keys

        keep_keys(options.problems, options.out)
    end_with_leaderboards(runs, options)
    return code


def end_with_leaderboards(runs: Sequence[PlayedRun], options: Namespace) -> None:
    """The leaderboards of what was played, or for people what fits on one screen."""
    if not is_available():
        if plain := plain_runs(runs):
            levels = {(row.puzzle, row.level) for _, rows in plain for row in rows}
            is_one = len(levels) == 1 and not options.json
            show_plain(plain, [options.out], by_level=is_one, as_json=options.json)
        return
    from quandary.results.run_rules import rules_of
    from quandary.scoring.level_groups import grouped_seats
    from quandary.scoring.played_seats import played_seats

    folders = [run.folder for run in runs]
    try:
        seats = played_seats(runs)
        groups = grouped_seats(seats, rules_of(folders))
    except (OSError, UserError) as reason:
        print(f"quandary: no leaderboard could be made: {reason}", file=sys.stderr)
        return
    if options.json:
        show_json_tables(runs, groups, options.out)
    elif groups.of_suites:
        from .run_summary import summary

        print(f"\n{summary(runs, groups, options.out)}")


def show_json_tables(runs: Sequence[PlayedRun], groups: SeatGroups, out: Path) -> None:
    """The tables that stand for what was played, each as a line of JSON."""
    from quandary.scoring.board_tables import leaderboards
    from quandary.scoring.played_seats import in_several_languages, played_seats

    folders = [run.folder for run in runs]
    if found := leaderboards(groups):
        show_leaderboards(found, [out], as_json=True)
    show_programs(folders, [out], whole=False, as_json=True)
    if in_several_languages(played_seats(runs)):
        show_factors(folders, as_json=True)
    show_tables(paper_summaries(runs), as_json=True)


def run_several(options: Namespace, suites: Sequence[Suite]) -> tuple[int, list[PlayedRun]]:
    """Play suites one after another, each in a folder of its own; they share calls and budgets."""
    registries = [model_options.player_registry(options, chosen) for chosen in suites]
    clients, code, begun = registries[0].clients, 0, monotonic()
    runs = list[PlayedRun]()
    for chosen, player_registry in zip(suites, registries, strict=True):
        validate(
            chosen, options.player, player_registry, options.samples
        )  # nothing is played if one cannot be
    for chosen, player_registry in zip(suites, registries, strict=True):
        player_registry.clients = clients
        if options.minutes is not None:  # of the whole command
            clients.budget.minutes = max(options.minutes - (monotonic() - begun) / 60, 0.0)
        if options.json:
            json_line({"suite": chosen.name})
        else:
            print(f"\nSUITE {chosen.name}\n")
        own = Namespace(**{**vars(options), "out": options.out / chosen.name})
        its_code, played = run_one(own, chosen, player_registry)
        code = max(code, its_code)
        runs.append(played)
        if clients.budget.stopped:  # the other suites would stop at once
            break
    return code, runs


def note_english_pictures(suite: Suite, players: Sequence[str]) -> None:
    """Say so if pictures will have English words, while prompts are in another language."""
    for language in drawn_in_english(suite, players):
        from quandary.render.png import INSTALL

        print(
            "quandary: the words in pictures are in English even where prompts are in "
            f"{language!r}, because no installed font has its letters; to install one: {INSTALL}.",
            file=sys.stderr,
        )


def run_one(
    options: Namespace, chosen: Suite, player_registry: PlayerRegistry
) -> tuple[int, PlayedRun]:
    """Play a suite, or the rest of it, and print its results."""
    from quandary.arena.run import run as run_suite

    columns = RunColumns()
    note_english_pictures(chosen, options.player)
    spent = partial(spent_so_far, player_registry.clients)
    # Strategies alone go at one pace, and programs do when all of them are written.
    has_models = any(map(is_model, options.player)) and not options.samples
    pace = RunPace() if has_models else None
    seconds_left = pace.seconds_left if pace else None
    with (
        Progress(f"programs for {chosen.name}", spent) as tell_drawn,
        Progress(f"matches of {chosen.name}", spent, seconds_left) as tell_played,
    ):

        def tell(done: int, of: int) -> None:
            tell_drawn.end()
            tell_played(done, of)

        played = run_suite(
            chosen,
            options.player,
            options.out,
            player_registry,
            tell,
            options.concurrency,
            kind=options.schedule,
            engine=engine_options.engine(options, player_registry),
            collector=columns,
            samples=options.samples,
            repairs=options.repairs,
            programs_per_pair=options.programs_per_pair,
            tell_drawn=tell_drawn,
            pace=pace,
        )
    keep_prices(options.out, player_registry.clients.prices)
    cut_off, keyless = ended_without_scores(played, columns)
    finished = len(played.played_offsets)
    left = played.matches - finished
    run = PlayedRun(options.out, columns, left_to_play(played, columns))
    if options.json:
        try:
            show_level_lines(run)
        except (OSError, UserError) as reason:
            print(f"quandary: no scores could be made: {reason}", file=sys.stderr)
    else:
        matches = counted(finished - cut_off.total(), "match", "matches")
        unscored = f", {keyless:,} of them without a key and so without scores" if keyless else ""
        print(f"\n{matches} in {options.out}{unscored}.")
    if options.normalised:
        show_normalised(played, chosen, player_registry, options)
    columns.check()
    if options.json and columns.asks_repeatedly:
        from .solve_rates_output import show_turns_of_run

        show_turns_of_run(played, columns, dict(chosen.averages))
    show_readings(played, columns, player_registry, options.json)
    show_calls(played, player_registry.clients.prices, options.json)
    if played.comparison:
        program_options.show_comparison(played.comparison)
    if played.stopped:
        remedy = "" if ";" in played.stopped else "; the same command continues the run"
        rest = counted(left, "match", "matches")
        warn(f"stopped with {rest} left, because {played.stopped}{remedy}.")
    elif cut_off:
        for why, count in cut_off.most_common(3):
            warn(f"{counted(count, 'match has', 'matches have')} no result: {why}")
        warn("run the same command again to play them.")
    return 1 if cut_off or left else 0, run


def left_to_play(played: RunResult, columns: RunColumns) -> list[Job]:
    """Return the matches of the run that have no record, not even one that was cut off."""
    from quandary.results.unplayed import left_in

    if columns.counted >= played.matches:
        return []
    jobs = left_in(played.schedule, columns.keys())
    return [job for job in jobs if job.spec.name != Unscored.task]


def keep_prices(folder: Path, prices: Prices | None) -> None:
    """Store the prices by which tables of the run will count costs."""
    from quandary.results.calls import run_prices

    if prices is None:
        return
    try:
        run_prices(folder, prices)
    except OSError as reason:
        print(
            f"quandary: the records are complete, but their prices could not be stored: {reason}",
            file=sys.stderr,
        )


def spent_so_far(clients: ClientPool) -> str:
    """Return the tokens and dollars of all calls so far; "" if there were none.

    When programs play that models have written, the clients of these are closed.
    """
    tokens = clients.budget.spent_tokens
    if tokens and not clients.clients and not clients.budget.spent_dollars:
        return f"{tokens:,} tokens"
    known = all(
        client.prices.cost(client.model, Usage(0, 0)) is not None
        for client in clients.clients.values()
    )
    cost = f"${clients.budget.spent_dollars:.2f}" if known else "cost unknown"
    return f"{tokens:,} tokens, {cost}" if tokens else ""


def ended_without_scores(played: RunResult, columns: RunColumns) -> tuple[Counter[str], int]:
    """Return why matches were cut off, and how many have no key."""
    if not columns.without_scores:
        return Counter(), 0
    known = columns.without_scores
    own = [known[offset] for offset in played.played_offsets if offset in known]
    cut_off = [why for why in own if why]
    return Counter(cut_off), len(own) - len(cut_off)


def show_normalised(
    played: RunResult, suite: Suite, player_registry: PlayerRegistry, options: Namespace
) -> None:
    """The normalised means; reference matches that are missing are played first."""
    from quandary.arena.reference_matches import play_references
    from quandary.report.results import short_normalised_table
    from quandary.report.scores import normalised_rows

    with Progress("reference matches") as tell:
        play_references(
            played.records, played.schedule.players, suite, player_registry, options.out, tell
        )
    rows = normalised_rows([options.out])
    if not options.json:
        print(f"\n{short_normalised_table(rows, shlex.quote(str(options.out)))}")
        return
    for row in rows:
        json_line(vars(row))


def show_readings(
    played: RunResult, columns: RunColumns, player_registry: PlayerRegistry, as_json: bool
) -> None:
    """How the models' replies could be read; a warning if many were cut off.

    It begins the block of sentences about models, to which `show_calls` adds.
    """
    if not any(map(is_model, played.schedule.players)):
        return
    from quandary.arena.earlier_readings import all_with_readings
    from quandary.arena.journal import JOURNAL
    from quandary.report.results import readings_line, readings_sentence, truncation_warning
    from quandary.results.match_facts import facts_of
    from quandary.scoring.readings import readings_in

    matches: Iterable[MatchFacts] = columns.at_offsets(played.played_offsets)
    if columns.lacks_readings:
        matches = facts_of(all_with_readings(played.records, played.folder / JOURNAL))
    by_model = readings_in(matches, player_registry.prompt_settings)
    if not as_json and (by_model or played.tallies):
        print()
    for at, found in enumerate(by_model):
        max_tokens = player_registry.decoding_of(found.player).max_tokens
        if warning := truncation_warning(found, max_tokens):
            warn(warning)
        if as_json:
            counts = {"player": found.player, "replies": found.replies, **found.statuses}
            json_line({**counts, **found.gap()})
        elif at < how_many_told(len(by_model)):
            sentence_of = readings_sentence if len(by_model) == 1 else readings_line
            print(wrapped(sentence_of(found), "  "))
    say_how_many_more(len(by_model), played.folder, as_json)


def show_calls(played: RunResult, prices: Prices | None, as_json: bool) -> None:
    """The totals of the calls to each model in the whole run."""
    from quandary.report.results import calls_line, calls_sentence

    for at, (model, tally) in enumerate(played.tallies.items()):
        if as_json:
            dollars = prices.cost(model, tally.usage) if prices else None
            more = {"largest": total_tokens(tally.largest), "lost": tally.lost, "dollars": dollars}
            json_line({"model": model, **vars(tally), **more})
        elif at < how_many_told(len(played.tallies)):
            sentence_of = calls_sentence if len(played.tallies) == 1 else calls_line
            print(wrapped(sentence_of(model, tally, prices), "  "))
    say_how_many_more(len(played.tallies), played.folder, as_json)


def how_many_told(models: int) -> int:
    """Return of how many models there is a sentence, so that the end of a run fits on a screen."""
    return models if models <= MOST_MODELS else FEW


def say_how_many_more(models: int, folder: Path, as_json: bool) -> None:
    """That a block of sentences is not about all models."""
    if (left := models - how_many_told(models)) and not as_json:
        page = f"quandary report {shlex.quote(str(folder))} --out reports"
        print(wrapped(f"The same of {counted(left, 'more player')}: {page}", "  "))

"""`quandary plan`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from math import inf, isfinite
from pathlib import Path
from typing import TYPE_CHECKING

from quandary.core.errors import UserError

from . import model_options, sampling_options, schedule_options, suite_options
from .leaderboard_output import is_available
from .output import json_line

if TYPE_CHECKING:
    from quandary.arena.suite import Suite
    from quandary.models.prices import Prices
    from quandary.planning.plan import Assumptions


def arguments(parser: ArgumentParser) -> None:
    suite_options.arguments(parser, several="several are planned one after another")
    schedule_options.arguments(parser)
    sampling_options.arguments(parser)
    group = parser.add_argument_group("assumptions")
    group.add_argument(
        "--from-run",
        type=Path,
        metavar="RUN",
        help="take the spread of scores and the tokens per reply from an earlier run",
    )
    group.add_argument(
        "--thought-tokens",
        type=int,
        metavar="N",
        help="tokens that a model writes before its answer (default: 500, or by --from-run)",
    )
    group.add_argument(
        "--program-tokens",
        type=int,
        metavar="N",
        help="tokens of the program itself that a model writes (default: 1,000, or by --from-run)",
    )
    group.add_argument(
        "--tokens-per-second",
        type=float,
        metavar="N",
        help="how fast a model writes in one call (default: 50; unknown for models that you host)",
    )
    parser.add_argument("--json", action="store_true", help="print the plan as JSON lines")
    model_options.arguments(parser, model_options.OF_PLAN)


def run(options: Namespace) -> int:
    if not is_available():
        raise UserError("plans need numpy, scipy and pyarrow: pip install 'quandary[report]'.")
    from quandary.models import prices

    options.player = schedule_options.chosen_players(options)
    sampling_options.check(options)
    by = prices.load(options.prices)
    for place, suite in enumerate(suite_options.chosen_suites(options)):
        if place and not options.json:
            print()
        _show(options, suite, by)
    return 0


def _show(options: Namespace, suite: Suite, by: Prices) -> None:
    from quandary.planning.plan import check, plan
    from quandary.planning.power import power_of
    from quandary.planning.program_plan import plan_programs
    from quandary.planning.tables import assumptions, plan_tables, sentences
    from quandary.report.formats import text

    check(suite, options.player, options.samples)
    assumed, deviation = assumed_by(options)
    if options.samples:
        found = plan_programs(
            suite,
            options.player,
            options.samples,
            options.schedule,
            by,
            assumed,
            options.base_url,
            programs_per_pair=options.programs_per_pair,
            repairs=options.repairs,
        )
    else:
        found = plan(suite, options.player, options.schedule, by, assumed, options.base_url)
    power = power_of(found, deviation)
    lines, taken = sentences(found, power, by), assumptions(found, power)
    tables = plan_tables(found, power)
    if options.json:
        known = power.detectable if isfinite(power.detectable) else None
        json_line(
            {
                "suite": suite.name,
                "schedule": found.kind,
                "matches": found.matches,
                "dollars": found.dollars,
                "minutes": found.minutes,
                "starts": power.starts,
                **({"programs": found.programs._asdict()} if found.programs else {}),
                "detectable": known,
                "interval": power.half,
                "halving": power.halving.cost,
                "sentences": lines,
                "assumptions": taken,
            }
        )
        for table in tables:
            json_line(table.plain())
        return
    print(f"SUITE {suite.name}\n")
    print("\n".join(lines))
    for table in tables:
        print(f"\n{text(table)}")
    print("\nAssumed:")
    for sentence in taken:
        print(f"- {sentence}")


def assumed_by(options: Namespace) -> tuple[Assumptions, float | None]:
    """Return what the options assume, and the deviation of differences if an earlier run
    tells it.
    """
    from quandary.planning.plan import Assumptions

    if options.thought_tokens is not None and options.thought_tokens < 0:
        raise UserError("--thought-tokens must be 0 or more.")
    if options.program_tokens is not None and options.program_tokens < 0:
        raise UserError("--program-tokens must be 0 or more.")
    speed, connections = options.tokens_per_second, options.connections
    if speed is not None and not 0 < speed < inf:
        raise UserError("--tokens-per-second must be a number above 0.")
    if connections is not None and connections < 1:
        raise UserError("--connections must be 1 or more.")
    usual = Assumptions()
    thought, deviation, reply = options.thought_tokens, None, None
    if options.from_run:
        from quandary.planning.earlier_run import measured_in

        deviation, reply = measured_in(options.from_run)
    assumed = Assumptions(
        usual.thought if thought is None else thought,
        str(options.from_run or ""),
        reply if thought is None and options.program_tokens is None else None,
        usual.program if options.program_tokens is None else options.program_tokens,
        usual.tokens_per_second if speed is None else speed,
        usual.wait,
        usual.connections if connections is None else connections,
        is_own_speed=speed is not None and connections is not None,
    )
    return assumed, deviation

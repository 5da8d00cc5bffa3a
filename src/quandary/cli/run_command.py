"""`quandary run`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from quandary.arena.suite import PLAY, SHOWN
from quandary.cli.output import Progress, json_line, table
from quandary.scoring.summary import Line


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--suite", required=True, metavar="S", help="a suite by name, or a TOML file")
    parser.add_argument(
        "--player", required=True, action="append", metavar="P", help="who plays; give it more than once for more players"
    )
    parser.add_argument(
        "--out", required=True, type=Path, metavar="DIR", help="where records are kept; the same command continues there"
    )
    parser.add_argument("--setting", choices=PLAY, default="", help="only what the suite plays in this setting")
    parser.add_argument("--shown", choices=SHOWN, default="", help="only what the suite shows this way")
    parser.add_argument("--small", action="store_true", help="the suite's small version: the same puzzles, few seeds")
    parser.add_argument("--json", action="store_true", help="the results as JSON lines")


def run(options: Namespace) -> int:
    from quandary.arena import suite
    from quandary.arena.run import run as run_suite
    from quandary.players.table import find
    from quandary.scoring.summary import summarise

    chosen = suite.load(options.suite).only(setting=options.setting, shown=options.shown, small=options.small)
    records = run_suite(chosen, options.player, options.out, find, Progress(f"matches of {chosen.name}"))
    show(summarise(records), options.json)
    unscored = sum(record.scores is None for record in records)
    if not options.json:
        print(f"\n{len(records)} matches in {options.out}; score: mean over instances, with its 95 % interval.")
        if unscored:
            print(f"{unscored} matches were cut off; run the same command again to play them.")
    return 1 if unscored else 0


def show(lines: list[Line], as_json: bool) -> None:
    """The results, a line for each puzzle, level and player."""
    if as_json:
        for line in lines:
            json_line({**vars(line), "causes": dict(line.causes)})
        return
    rows = [
        (line.puzzle, line.level, line.player, line.matches, line.instances, *_numbers(line),
         ", ".join(f"{cause} {count}" for cause, count in line.causes))
        for line in lines
    ]  # fmt: skip
    print(table(("puzzle", "level", "player", "matches", "instances", "score", "95 %", "ended by"), rows))


def _numbers(line: Line) -> tuple[str, str]:
    """The score and its interval, where there is any."""
    if line.score is None:
        return "-", "-"
    return f"{line.score:.2f}", f"{line.low:.2f}-{line.high:.2f}"

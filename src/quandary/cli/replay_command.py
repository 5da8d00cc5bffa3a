"""`quandary replay`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from quandary.cli.output import json_line
from quandary.core.mistake import Mistake


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="records as written by match --out or run --out (FILE may be a run's folder)"
    )
    parser.add_argument("--match", type=int, metavar="N", help="tell the N-th match move by move, counted from 1")
    parser.add_argument("--json", action="store_true", help="one JSON object a match")


def run(options: Namespace) -> int:
    from quandary.arena.store import RECORDS, read
    from quandary.core.record import Unfaithful, replay
    from quandary.report.story import result, tell

    path = options.file / RECORDS if options.file.is_dir() else options.file
    records = list(read(path))
    if not records:
        raise Mistake(f"{path} holds no record.")
    if options.match is not None and not 1 <= options.match <= len(records):
        raise Mistake(f"{path} holds matches 1 to {len(records)}; {options.match} is none of them.")
    chosen = [records[options.match - 1]] if options.match else records
    failed = 0
    for record in chosen:
        try:
            positions = replay(record)
        except Unfaithful as reason:
            failed += 1
            print(f"{record.name}: does not replay: {reason}.")
            continue
        if options.json:
            json_line({"name": record.name, "players": record.players, "moves": len(record.log), "scores": record.scores,
                       "values": record.values, "cause": record.cause, "offender": record.offender})  # fmt: skip
        elif len(chosen) == 1:
            print(tell(record, positions=len(positions) <= 200))
        else:
            print(f"{record.name}: {' against '.join(record.players)}, {len(record.log)} moves, {result(record)}")
    if not options.json:
        print(f"{len(chosen) - failed} of {len(chosen)} matches replay to their recorded scores.")
    return 1 if failed else 0

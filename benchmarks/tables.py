"""Tables of results: 20,000 matches of card_nim by two random players, from records to Parquet and
back.  Judged moves are not counted: they take what the puzzle's judge takes.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from quandary.arena.run import run
from quandary.arena.store import RECORDS
from quandary.arena.suite import made_of
from quandary.players.registry import PlayerRegistry
from quandary.results import parquet
from quandary.results.columns import SEATS, schema
from quandary.results.survey import survey
from quandary.results.table import seats

MATCHES = 20_000
NOT_READ = ("regret_mean", "blunders", "judged")


def table() -> list[str]:
    levels = {"puzzle": "card_nim", "levels": ["easy"], "seeds": f"1-{MATCHES // 2}"}
    with TemporaryDirectory() as made:
        folder = Path(made)
        run(made_of("nim", {"puzzles": [levels]}), ["random", "random@2"], folder, PlayerRegistry())
        columns = [name for name in schema(SEATS).names if name not in NOT_READ]
        works: dict[str, Callable[[], object]] = {
            "to convert the records": lambda: parquet.close(folder),
            "to look through them again": lambda: survey(folder / RECORDS),
            "to read all seats": lambda: seats(folder, columns=columns),
        }
        return [
            "| work | microseconds per match |",
            "|---|---|",
            *(f"| {what} | {_seconds(work) / MATCHES * 1e6:.3g} |" for what, work in works.items()),
        ]


def _seconds(work: Callable[[], object]) -> float:
    begun = process_time()
    work()
    return process_time() - begun

"""The first report of a run, with all its judgements, its transcripts, its page in a browser, and
a report on one million stored matches: time of both cores together, and peak memory.

Some thousand matches of card_nim and tidy_tower are played, then copied with other seeds and starts
until there are a million, in the records and in the tables that `quandary run` leaves.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
from pyarrow.parquet import ParquetWriter, read_table

from quandary.arena.run import run
from quandary.arena.store import MANIFEST, RECORDS
from quandary.arena.suite import load, made_of
from quandary.players.registry import PlayerRegistry
from quandary.report.viewer import side_files
from quandary.report.viewer.chosen import COLUMNS, Listed, selected
from quandary.report.viewer.transcripts import MatchSummary
from quandary.results import parquet
from quandary.results.calls import run_prices
from quandary.results.columns import REPLIES, SEATS
from quandary.results.judging import judging
from quandary.results.run_context import context_of
from quandary.results.run_folders import TABLES
from quandary.results.table import seats

from .limits import Limit, Measured, limit_table

SEEDS, COPIES = 200, 180
PLAYERS = ("random", "random@2", "house", "oracle")
LEVELS = {"card_nim": ["easy", "normal"], "tidy_tower": ["easy"]}
PER_PART = 45  # copies
SEED = re.compile(rb'("name":"[^"#]*#)(\d+)"')


FIRST = Limit("first report of `quick` with three players, processor time", 20, "s")
TRANSCRIPT = Limit("a transcript of `quick`, without judging, processor time", 10, "ms")
OPENED = Limit("page with 3,000 matches in its list, beyond a blank page", 1, "s")
LISTED = 3_000
QUICK = ("random", "random@2", "oracle")  # its players


def table() -> list[str]:
    return [*limit_table(measured(1)), "", *_large_table()]


def measured(rounds: int) -> list[Measured]:
    """The first report of a run whose moves have not been judged yet."""
    with TemporaryDirectory() as made:
        played = Path(made) / "played"
        matches = len(run(load("quick"), QUICK, played, PlayerRegistry(), kind="house").records)
        took = [_first_report(played, Path(made) / str(number)) for number in range(rounds)]
        each = [
            _transcripts(played, Path(made) / f"transcripts{number}") for number in range(rounds)
        ]
        opened = _opened(Path(made) / "0" / "report", rounds)
    return [
        Measured(FIRST, took, f"{matches} matches"),
        Measured(TRANSCRIPT, each, f"mean of {matches}"),
        *([Measured(OPENED, opened)] if opened else []),
    ]


def _transcripts(played: Path, folder: Path) -> float:
    """Milliseconds of a transcript."""
    folder.mkdir()
    rows = seats(played, columns=COLUMNS)
    with judging(is_on=False, tell=lambda done, of: None):
        matches = selected(rows, (), len(rows)).matches
        begun = process_time()
        side_files.write_transcripts(
            matches, (), {played.name: played}, folder, lambda done, of: None
        )
    return 1_000 * (process_time() - begun) / len(matches)


def _opened(report: Path, rounds: int) -> list[float]:
    """Seconds until the list of matches is there, less those of a blank page, in turns; nothing
    without a browser.
    """
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    if chromium is None or find_spec("playwright") is None:
        return []
    from playwright.sync_api import sync_playwright

    pair = ("openai/one", "openai/two")
    listed = [
        Listed("run", at, f"card_nim/easy#{at}", "card_nim", "easy", pair, (1.0, 0.0), "goal")
        for at in range(1, LISTED + 1)
    ]
    summaries = {
        side_files.key_of(["run"], "run", each.match): MatchSummary(
            "one won 1 : 0", 6, ("answered",), ""
        )
        for each in listed
    }
    side_files.write_list(listed, summaries, ["run"], report / side_files.FOLDER)
    blank = report / "blank.html"
    blank.write_text(
        "<!DOCTYPE html><title>blank</title><div id='match-list'><table></table></div>"
    )
    found = list[float]()
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for _ in range(rounds):
            took = [_seconds_to_open(browser, path) for path in (blank, report / "index.html")]
            found.append(took[1] - took[0])
        browser.close()
    return found


def _seconds_to_open(browser: Any, path: Path) -> float:
    page = browser.new_page()
    begun = perf_counter()
    page.goto(path.as_uri())
    page.wait_for_selector("#match-list table", state="attached")
    took = perf_counter() - begun
    page.close()
    return took


def _quandary(command: Sequence[str]) -> None:
    subprocess.run([sys.executable, "-m", "quandary", *command], check=True, capture_output=True)


def _first_report(played: Path, folder: Path) -> float:
    shutil.copytree(played, folder / "run")
    before = getrusage(RUSAGE_CHILDREN)
    command = ["report", str(folder / "run"), "--out", str(folder / "report")]
    _quandary(command)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _large_table() -> list[str]:
    with TemporaryDirectory() as made:
        played, large = Path(made) / "played", Path(made) / "large"
        suite = [
            {"puzzle": name, "levels": of, "seeds": f"1-{SEEDS}"} for name, of in LEVELS.items()
        ]
        run(made_of("large", {"puzzles": suite}), PLAYERS, played, PlayerRegistry())
        parquet.close(played)
        matches = _copied(played, large)
        begun, before = perf_counter(), getrusage(RUSAGE_CHILDREN)
        command = ["report", str(large), "--out", str(Path(made) / "report")]
        command += ["--transcripts", "500"]  # all that fit would take minutes
        subprocess.run(
            [sys.executable, "-m", "quandary", *command], check=True, capture_output=True
        )
        seconds, after = perf_counter() - begun, getrusage(RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return [
        "| matches | seconds | seconds of processors | peak memory in MiB |",
        "|---|---|---|---|",
        f"| {matches:,} | {seconds:.1f} | {processor:.1f} | {after.ru_maxrss / 1024:.0f} |",
    ]


def _copied(played: Path, large: Path) -> int:
    """The run with copies of its matches at other seeds, and return how many matches it has."""
    (large / TABLES).mkdir(parents=True)
    lines = (played / RECORDS).read_bytes().splitlines(keepends=True)
    manifest = msgspec.json.decode((played / MANIFEST).read_bytes())
    manifest["specs"] = [
        f"{spec.partition('#')[0]}#{int(spec.partition('#')[2]) + copy * SEEDS}"
        for copy in range(COPIES)
        for spec in manifest["specs"]
    ]
    (large / MANIFEST).write_bytes(msgspec.json.encode(manifest))
    ends = [0]
    with (large / RECORDS).open("wb") as file:
        for copy in range(COPIES):
            file.writelines(_moved(line, copy) for line in lines)
            ends.append(file.tell())
    context = parquet._digest_of(
        context_of(large), run_prices(large), parquet._versions_read(large)
    )
    for number, first in enumerate(range(0, COPIES, PER_PART), start=1):
        copies = range(first, min(first + PER_PART, COPIES))
        begin, end = ends[copies[0]], ends[copies[-1] + 1]
        part = parquet.Part(
            begin,
            end,
            first * len(lines) + 1,
            len(copies) * len(lines),
            parquet._edges(large / RECORDS, begin, end),
            context,
        )
        for name in (REPLIES, SEATS):
            whole = read_table(played / TABLES / f"{name}-00001.parquet")
            path = large / TABLES / f"{name}-{number:05}.parquet"
            with ParquetWriter(path, whole.schema, compression="zstd") as writer:
                for copy in copies:
                    writer.write_table(_at_other_seeds(whole, copy, len(lines)))
                writer.add_key_value_metadata({parquet.KEY: msgspec.json.encode(part)})
    return COPIES * len(lines)


def _moved(line: bytes, copy: int) -> bytes:
    """A record under the name of another seed."""
    return SEED.sub(lambda found: b'%s%d"' % (found[1], int(found[2]) + copy * SEEDS), line, 1)


def _at_other_seeds(whole: pa.Table, copy: int, matches: int) -> pa.Table:
    """A copy of the rows with new match numbers, seeds, specs and instances."""
    for name in ("match", "seed", "spec", "instance"):
        if name in whole.schema.names:
            at = whole.schema.get_field_index(name)
            changed = _changed(name, whole[name], copy, matches)
            whole = whole.set_column(at, whole.schema.field(at), changed)
    return whole


def _changed(name: str, column: pa.ChunkedArray, copy: int, matches: int) -> Any:
    if name in ("match", "seed"):
        step = copy * (matches if name == "match" else SEEDS)
        return pa.array(column.to_numpy() + np.int64(step))
    coded = column.unify_dictionaries().combine_chunks()
    words = [_renamed(name, word, copy) for word in coded.dictionary.to_pylist()]
    return pa.DictionaryArray.from_arrays(coded.indices, pa.array(words))


def _renamed(name: str, word: str, copy: int) -> str:
    if name == "instance":
        return f"{copy:04x}{word[4:]}"
    level, _, seed = word.partition("#")
    return f"{level}#{int(seed) + copy * SEEDS}"

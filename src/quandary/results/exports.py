"""Tables of runs as files for other programs: Parquet and CSV."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from errno import ENOTDIR
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec.structs import astuple

from quandary.core.csv_cells import csv_cell
from quandary.core.errors import UserError

from .columns import REPLIES, SEATS, columns_of, schema
from .parquet import NEEDED, is_available
from .stream import match_rows


def export(out: Path, write: Callable[[Path], dict[Path, int]]) -> dict[Path, int]:
    """Write files by `write`, which is given a folder; they are in `out` only if all succeeded."""
    if out.exists() and not out.is_dir():
        raise NotADirectoryError(ENOTDIR, "it is a file")
    beside = next(folder for folder in (out, *out.resolve().parents) if folder.is_dir())
    with TemporaryDirectory(prefix=".export-", dir=beside) as draft:
        written = write(Path(draft))
        out.mkdir(parents=True, exist_ok=True)
        return {path.replace(out / path.name): count for path, count in written.items()}


def write_parquet(runs: Mapping[str, Path], out: Path) -> dict[Path, int]:
    """Write both tables of some runs, given by name, as Parquet, and return rows per file."""
    if not is_available():
        raise UserError(NEEDED)
    from pyarrow.parquet import ParquetWriter

    from .table import parts

    written = {}
    for table in (SEATS, REPLIES):
        path = out / f"{table}.parquet"
        written[path] = 0
        with ParquetWriter(path, schema(table), compression="zstd") as writer:
            for name, folder in runs.items():
                for part in parts(table, folder, name):
                    writer.write_table(part)
                    written[path] += len(part)
    return written


def write_csv(runs: Mapping[str, Path], out: Path) -> dict[Path, int]:
    """Write both tables of some runs, given by name, as CSV, and return rows per file.

    An empty field is a missing value or an empty text.  Texts that a spreadsheet could take for a
    formula begin with a quote.
    """
    paths = {table: out / f"{table}.csv" for table in (SEATS, REPLIES)}
    written = dict.fromkeys(paths.values(), 0)
    with (
        paths[SEATS].open("w", encoding="utf-8", newline="") as seats_file,
        paths[REPLIES].open("w", encoding="utf-8", newline="") as replies_file,
    ):
        seats, replies = csv.writer(seats_file), csv.writer(replies_file)
        seats.writerow(columns_of(SEATS))
        replies.writerow(columns_of(REPLIES))
        for name, folder in runs.items():
            for _, made in match_rows(folder, name):
                seats.writerows(map(_fields, made.seats))
                replies.writerows(map(_fields, made.replies))
                written[paths[SEATS]] += len(made.seats)
                written[paths[REPLIES]] += len(made.replies)
    return written


def _fields(row: Any) -> list[Any]:
    return [csv_cell(value) for value in astuple(row)]

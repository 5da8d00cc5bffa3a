"""The tables of runs as pyarrow tables; what is not converted yet is converted first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from quandary.arena.journal import JOURNAL
from quandary.arena.reference_matches import REFERENCES
from quandary.arena.store import RECORDS
from quandary.tasks.published_wording import Unscored

from .calls import Calls, run_prices
from .columns import ADDED_WHEN_READ, REPLIES, SEATS, Buffer, schema
from .from_records import RowMaker
from .judging import SeatJudged, judge_all
from .lines import lines
from .parquet import close, covered, part_files
from .run_context import context_of
from .run_folders import TABLES, run_names
from .same_programs import check_programs
from .survey import kept_survey

if TYPE_CHECKING:
    import pyarrow as pa

SEAT_BITS, TURN_BITS = 8, 20  # of the numbers by which judged moves find their rows


def seats(*folders: Path, columns: Sequence[str] | None = None) -> pa.Table:
    """Return one row per seat and match of some runs, in the order of their files; UserError if a
    name means different programs in them.

    A match that was played again after a failure of the infrastructure counts once; prompts
    without a key have no rows.
    """
    return _table(SEATS, folders, columns)


def replies(*folders: Path, columns: Sequence[str] | None = None) -> pa.Table:
    """Return one row per reply, in the order of matches and seats."""
    return _table(REPLIES, folders, columns)


def reference_seats(*folders: Path, columns: Sequence[str]) -> pa.Table:
    """Return the rows of the matches that were played in some runs to normalise scores."""
    import pyarrow as pa

    fields = pa.schema([schema(SEATS).field(name) for name in columns])
    found = [fields.empty_table()]
    for name, folder in run_names(folders).items():
        path, kept = folder / REFERENCES, Buffer(SEATS)
        if not path.exists():
            continue
        maker = RowMaker(context_of(folder), Calls(folder / JOURNAL, run_prices(folder)), name)
        for line in lines(path):
            kept.extend(maker.rows(line).seats)
        rows = kept.taken()
        runs = pa.array([name] * len(rows), schema(SEATS).field("run").type)
        whole = rows.append_column("run", runs)
        found.append(whole.select(columns).cast(fields))
    return pa.concat_tables(found).unify_dictionaries()


def _table(table: str, folders: Sequence[Path], columns: Sequence[str] | None) -> pa.Table:
    import pyarrow as pa

    wanted = list(columns or schema(table).names)
    names = run_names(folders)
    if len(names) > 1:
        check_programs(names.values())
    read = [part for name, folder in names.items() for part in parts(table, folder, name, wanted)]
    if not read:
        return schema(table).empty_table().select(wanted)
    return pa.concat_tables(read).unify_dictionaries()


def parts(
    table: str, folder: Path, run: str, columns: Sequence[str] | None = None
) -> Iterator[pa.Table]:
    """Yield the parts of one table of a run, with the wanted columns in their order."""
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow.parquet import read_table

    wanted = list(columns or schema(table).names)
    stored = [name for name in wanted if name not in ADDED_WHEN_READ[table]]
    is_judged = {"regret_mean", "blunders", "judged", "worth", "regret"} & set(wanted)
    places = ["match", "seat", *(["turn", "attempt", "move"] if table == REPLIES else ["puzzle"])]
    with ready(folder) as tables:
        seen = kept_survey(folder / RECORDS, covered(tables), tables)
        found = judge_all(folder / RECORDS, seen.chosen, tables) if is_judged else []
        attach = partial(_of_seats, found) if table == SEATS else partial(_of_replies, found)
        for path in part_files(tables, table):
            part = read_table(path, columns=list(dict.fromkeys([*places, *stored])))
            part = _counting(part, sorted(seen.superseded))
            if table == SEATS:
                part = part.filter(pc.not_equal(part["puzzle"].cast(pa.string()), Unscored.task))
            added = attach(part) if is_judged else {}
            added["run"] = pa.array([run] * len(part), schema(table).field("run").type)
            chosen = [added[name] if name in added else part[name] for name in wanted]
            yield pa.table(chosen, schema=pa.schema([schema(table).field(name) for name in wanted]))


@contextmanager
def ready(folder: Path) -> Iterator[Path]:
    """The folder of up-to-date tables: a temporary one if that of the run cannot be written."""
    try:
        close(folder)
    except OSError:
        with TemporaryDirectory() as other:
            close(folder, into=Path(other))
            yield Path(other)
    else:
        yield folder / TABLES


def _counting(part: pa.Table, superseded: Sequence[int]) -> pa.Table:
    """Return the rows of matches that were not played again later."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not superseded:
        return part
    again = pc.is_in(part["match"], value_set=pa.array(superseded, pa.int64()))
    return part.filter(pc.invert(again))


def _of_seats(found: Sequence[SeatJudged], part: pa.Table) -> dict[str, Any]:
    """Return the judgement of each row of the seats."""
    import pyarrow as pa
    import pyarrow.compute as pc

    keys = _seat_numbers(part)
    known = pa.array([one.match << SEAT_BITS | one.seat for one in found], pa.int64())
    at = pc.index_in(keys, value_set=known)
    regrets = [one.regrets for one in found]
    means = [sum(some) / len(some) if some else None for some in regrets]
    blunders = [one.blunders if some else None for one, some in zip(found, regrets, strict=True)]
    return {
        "regret_mean": pc.take(pa.array(means, pa.float64()), at),
        "blunders": pc.take(pa.array(blunders, pa.int64()), at),
        "judged": pc.fill_null(pc.take(pa.array(list(map(len, regrets)), pa.int64()), at), 0),
    }


def _of_replies(found: Sequence[SeatJudged], part: pa.Table) -> dict[str, Any]:
    """Return the judgement of each reply that contains a move."""
    import pyarrow as pa
    import pyarrow.compute as pc

    keys = pc.add(pc.multiply(_seat_numbers(part), 1 << TURN_BITS), part["turn"])
    keys = pc.if_else(pc.equal(part["move"], ""), -1, keys)
    turns = [
        ((one.match << SEAT_BITS | one.seat) << TURN_BITS | turn, judged.worth, judged.regret)
        for one in found
        for turn, judged in enumerate(one.turns, start=1)
        if judged is not None
    ]
    known = pa.array([key for key, _, _ in turns], pa.int64())
    at = pc.index_in(keys, value_set=known)
    return {
        "worth": pc.take(pa.array([worth for _, worth, _ in turns], pa.float64()), at),
        "regret": pc.take(pa.array([regret for *_, regret in turns], pa.float64()), at),
    }


def _seat_numbers(part: pa.Table) -> Any:
    """Return a number for each seat of each match."""
    import pyarrow.compute as pc

    return pc.add(pc.multiply(part["match"], 1 << SEAT_BITS), part["seat"])

"""Rows as columns of Arrow, with the types that the rows declare."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from types import NoneType
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from msgspec import Struct, structs

from .rows import ReplyRow, SeatRow

if TYPE_CHECKING:
    import pyarrow as pa

BATCH = 1_000  # rows that are made into columns at once
SEATS, REPLIES = "seats", "replies"
ROWS: dict[str, type[Struct]] = {SEATS: SeatRow, REPLIES: ReplyRow}
UNIQUE = ("moves", "move")  # texts that hardly ever repeat; all others are stored once each
ADDED_WHEN_READ = {  # see `table`: they depend on all records of a run, or on where it is
    SEATS: ("run", "regret_mean", "blunders", "judged"),
    REPLIES: ("run", "worth", "regret"),
}


def columns_of(table: str) -> dict[str, tuple[type, bool]]:
    """Return the columns of a table: name -> its type, and whether a value may be missing."""
    row = ROWS[table]
    hints = get_type_hints(row)
    found = {}
    for field in structs.fields(row):
        kinds = get_args(hints[field.name]) or (hints[field.name],)
        found[field.encode_name] = kinds[0], NoneType in kinds
    return found


@cache
def schema(table: str) -> pa.Schema:
    """Return all columns of a table."""
    import pyarrow as pa

    texts = pa.dictionary(pa.int32(), pa.string())
    types = {int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
    return pa.schema(
        [
            pa.field(
                name,
                pa.string() if name in UNIQUE else types.get(kind, texts),
                nullable=nullable,
            )
            for name, (kind, nullable) in columns_of(table).items()
        ]
    )


class Buffer:
    """Rows that wait to be written."""

    def __init__(self, table: str) -> None:
        import pyarrow as pa

        added = ADDED_WHEN_READ[table]
        self.stored = [at for at, name in enumerate(schema(table).names) if name not in added]
        self.schema = pa.schema([schema(table).field(at) for at in self.stored])
        self.rows, self.batches = list[Any](), list[Any]()

    def extend(self, rows: Sequence[Any]) -> None:
        self.rows.extend(rows)
        if len(self.rows) >= BATCH:
            self.batches.append(self._batch())

    def taken(self) -> pa.Table:
        """Return the waiting rows and empty the buffer."""
        import pyarrow as pa

        batches = [*self.batches, self._batch()]
        self.batches = []
        return pa.Table.from_batches(batches, self.schema).unify_dictionaries()

    def _batch(self) -> pa.RecordBatch:
        """Return the rows as columns; few at a time, because Python is slow with many small
        objects.
        """
        import pyarrow as pa

        columns = list(zip(*map(structs.astuple, self.rows), strict=True))
        arrays = [
            pa.array(columns[at] if columns else [], field.type)
            for at, field in zip(self.stored, self.schema, strict=True)
        ]
        self.rows = []
        return pa.RecordBatch.from_arrays(arrays, schema=self.schema)

"""The matches whose transcripts a report has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from .chosen import ChosenList

if TYPE_CHECKING:
    import pyarrow as pa

MOST = 500  # transcripts, unless the caller wants more or fewer


class Listed(NamedTuple):
    """A match as the list of the viewer shows it."""

    run: str
    match: int
    spec: str
    puzzle: str
    level: str
    players: tuple[str, ...]
    scores: tuple[float | None, ...]
    cause: str


class Selected(NamedTuple):
    """The matches that have a transcript, in the order of the runs, and how they were selected."""

    matches: list[Listed]
    total: int
    how: str


def selected(seats: pa.Table, lists: Iterable[ChosenList], most: int = MOST) -> Selected:
    """All matches, or the chosen ones and an even sample if there are more than `most`."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    firsts = np.flatnonzero(seats["seat"].to_numpy() == 0)  # a row per match, in order
    total = len(firsts)
    if total <= most:
        return Selected(_listed(seats), total, f"All {total:,} matches have a transcript.")
    sample = firsts[np.arange(most, dtype=np.int64) * total // max(most, 1)]
    chosen = {(one.run, one.match) for each in lists for one in each.matches}
    keys = set(_keys(seats.take(pa.array(sample)))) | chosen
    number = pc.is_in(seats["match"], value_set=pa.array(sorted({match for _, match in keys})))
    few = _listed(seats.filter(number), keys)
    how = (
        f"{len(few):,} of {total:,} matches have a transcript: the {len(chosen)} best, worst and "
        f"most surprising ones, and {most:,} at even distances in the order of the records. "
        f"`quandary report --transcripts N` writes more."
    )
    return Selected(few, total, how)


def _keys(seats: pa.Table) -> list[tuple[str, int]]:
    return list(zip(seats["run"].to_pylist(), seats["match"].to_pylist(), strict=True))


def _listed(seats: pa.Table, keys: set[tuple[str, int]] | None = None) -> list[Listed]:
    """The matches of some rows, of which the seats of one follow each other."""
    rows = dict[tuple[str, int], list[dict[str, Any]]]()
    names = ["run", "match", "spec", "puzzle", "level", "player", "score", "cause"]
    for row in seats.select(names).to_pylist():
        key = row["run"], row["match"]
        if keys is None or key in keys:
            rows.setdefault(key, []).append(row)
    return [_match(of_match) for of_match in rows.values()]


def _match(rows: Sequence[dict[str, Any]]) -> Listed:
    players = tuple(row.pop("player") for row in rows)
    scores = tuple(row.pop("score") for row in rows)
    return Listed(**rows[0], players=players, scores=scores)

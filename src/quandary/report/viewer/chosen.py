"""Which matches of some runs have a transcript in a report."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from quandary.arena.manifest import SPECS
from quandary.arena.store import manifest_of
from quandary.players.model_names import is_model
from quandary.players.people import is_person

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

COLUMNS = (
    *("run", "match", "spec", "task", "puzzle", "level", "seat", "seats", "player", "model"),
    *("language", "score", "cause", "turns", "judged", "answer_right", "process_share"),
    *("first_wrong_step", "first_wrong_share", "suite"),
)


class Listed(NamedTuple):
    """A match as the list of the viewer shows it."""

    run: str
    match: int
    spec: str
    puzzle: str  # with its task
    level: str
    players: tuple[str, ...]
    scores: tuple[float | None, ...]
    cause: str
    suite: str = ""
    languages: tuple[str, ...] = ()  # each once


class Selected(NamedTuple):
    """The matches that have a transcript, in the order of the runs, and how they were selected."""

    matches: list[Listed]
    total: int
    how: str


def count_matches(seats: pa.Table) -> int:
    """Return how many matches a table of seats has."""
    import numpy as np

    return int(np.count_nonzero(seats["seat"].to_numpy() == 0))


def selected(
    seats: pa.Table, chosen: Collection[tuple[str, int]], most: int, because: str = ""
) -> Selected:
    """Return all matches, or the chosen ones and an even sample if there are more than `most`."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    firsts = np.flatnonzero(seats["seat"].to_numpy() == 0)  # a row per match, in order
    total = len(firsts)
    if total <= most:
        return Selected(_listed(seats), total, f"All {total:,} matches have a transcript.")
    sample = firsts[np.arange(most, dtype=np.int64) * total // max(most, 1)]
    even = set(_keys(seats.take(pa.array(sample))))
    keys, both = even | set(chosen), len(even & set(chosen))
    number = pc.is_in(seats["match"], value_set=pa.array(sorted({match for _, match in keys})))
    few = _listed(seats.filter(number), keys)
    how = (
        f"{len(few):,} of {total:,} matches have a transcript{because}: the {len(chosen)} with "
        f"moments worth seeing, and {most:,} evenly spaced in the order of the "
        f"records{_overlap(both)}. `quandary report --transcripts N` sets how many."
    )
    return Selected(few, total, how)


def _overlap(both: int) -> str:
    return f"; {both} of them {'is' if both == 1 else 'are'} both" if both else ""


def groups(table: pa.Table, names: Sequence[str]) -> NDArray[np.int64]:
    """Return a number per row, equal for rows that agree in these columns; numbers start at 0."""
    import numpy as np

    found = np.zeros(len(table), dtype=np.int64)
    for name in names:
        codes, count = _codes(table, name)
        found = found * count + codes
    return np.unique(found, return_inverse=True)[1].reshape(-1)


def _codes(table: pa.Table, name: str) -> tuple[NDArray[np.int64], int]:
    import pyarrow as pa
    import pyarrow.compute as pc

    column = table[name]
    if not pa.types.is_dictionary(column.type):
        column = pc.dictionary_encode(column)
    whole: Any = column.unify_dictionaries().combine_chunks()
    codes = pc.fill_null(whole.indices, len(whole.dictionary)).to_numpy(zero_copy_only=False)
    return codes.astype("int64"), len(whole.dictionary) + 1


def _keys(seats: pa.Table) -> list[tuple[str, int]]:
    return list(zip(seats["run"].to_pylist(), seats["match"].to_pylist(), strict=True))


def _listed(seats: pa.Table, keys: set[tuple[str, int]] | None = None) -> list[Listed]:
    """Return the matches of some rows, of which the seats of one follow each other."""
    rows = dict[tuple[str, int], list[dict[str, Any]]]()
    names = [
        *("run", "match", "spec", "task", "puzzle", "level", "player", "score", "cause"),
        *("suite", "language"),
    ]
    for row in seats.select(names).to_pylist():
        key = row["run"], row["match"]
        if keys is None or key in keys:
            rows.setdefault(key, []).append(row)
    return [_match(of_match) for of_match in rows.values()]


def in_reading_order(
    matches: Iterable[Listed], runs: Mapping[str, Path], order: Sequence[str]
) -> list[Listed]:
    """Return matches as readers look at them: instances as suites have them, and on each those of
    the best players first; `order` is that of the players.
    """
    specs = dict[str, int]()
    for folder in runs.values():
        for spec in (manifest_of(folder) or {}).get(SPECS, ()):
            specs.setdefault(str(spec), len(specs))
    ranks = {player: rank for rank, player in enumerate(order)}

    def place(each: Listed) -> tuple[int, int]:
        best = min(ranks.get(player, len(ranks)) for player in each.players)
        return specs.get(each.spec, len(specs)), best

    return sorted(matches, key=place)


def _match(rows: Sequence[dict[str, Any]]) -> Listed:
    first = rows[0]
    return Listed(
        first["run"],
        first["match"],
        first["spec"],
        named(first["task"], first["puzzle"]),
        first["level"],
        tuple(row["player"] for row in rows),
        tuple(row["score"] for row in rows),
        first["cause"],
        first["suite"],
        _languages(rows),
    )


def _languages(rows: Sequence[dict[str, Any]]) -> tuple[str, ...]:
    """Those of models and people, if there are any: nobody else reads words."""
    readers = [row for row in rows if is_model(row["player"]) or is_person(row["player"])]
    return tuple(dict.fromkeys(row["language"] for row in readers or rows if row["language"]))


def named(task: str, puzzle: str) -> str:
    """Return a puzzle with its task, as tables name it."""
    return f"{task}:{puzzle}" if task else puzzle

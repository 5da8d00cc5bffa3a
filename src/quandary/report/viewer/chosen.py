"""Which matches of some runs a report shows: lists of the best, the worst and the most surprising
ones, and those that have a transcript.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

COLUMNS = ("run", "match", "spec", "puzzle", "level", "seat", "player", "model", "score", "cause")
EACH = 12  # matches per list
OF_ONE_KIND = 2  # of them, at most so many of one puzzle and player
FEWEST = 5  # matches of a player at a level from which its mean says what to expect
LOOKED_AT = 2_000  # rows of each list that are considered
MOST = 500  # transcripts, unless the caller wants more or fewer
TOO_LITTLE = 0.01  # a difference below this is no reason to read a match


class Chosen(NamedTuple):
    """A seat of a match that is worth reading."""

    run: str
    match: int
    spec: str
    seat: int
    player: str
    score: float
    usual: float  # the mean that it is compared with


class ChosenList(NamedTuple):
    key: str
    title: str
    formula: str
    usual: str  # what the mean is called
    matches: list[Chosen]


def chosen_lists(seats: pa.Table) -> list[ChosenList]:
    """Three lists; equal tables give equal lists.  Where models play, only they are chosen."""
    import numpy as np

    score = seats["score"].to_numpy()
    is_model = ~np.isnan(score) & seats["model"].is_valid().to_numpy()
    who = is_model if is_model.any() else ~np.isnan(score)
    level = groups(seats, ("puzzle", "level"))
    of_all, _ = _means(score, level)
    own, others = _means_of_others(score, groups(seats, ("puzzle", "level", "player")))
    unusual = np.where(others >= FEWEST - 1, np.abs(score - own), np.nan)
    whose = "models" if is_model.any() else "players"
    return [
        ChosenList(
            "best",
            "Best matches",
            f"Matches of {whose} whose score is furthest above the mean score of all players at "
            f"the same level of the same puzzle.",
            "mean of all",
            _first(seats, np.where(who, score - of_all[level], np.nan), of_all[level]),
        ),
        ChosenList(
            "worst",
            "Worst matches",
            f"Matches of {whose} whose score is furthest below the mean score of all players at "
            f"the same level of the same puzzle.",
            "mean of all",
            _first(seats, np.where(who, of_all[level] - score, np.nan), of_all[level]),
        ),
        ChosenList(
            "surprising",
            "Most surprising matches",
            f"Matches of {whose} whose score is furthest from the mean of the same player's other "
            f"matches at the same level, where there are at least {FEWEST - 1} others.",
            "mean of its others",
            _first(seats, np.where(who, unusual, np.nan), own),
        ),
    ]


def groups(table: pa.Table, names: Sequence[str]) -> NDArray[np.int64]:
    """A number per row, equal for rows that agree in these columns; numbers start at 0."""
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


def _means(
    score: NDArray[np.float64], group: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean and number of the scores of each group."""
    import numpy as np

    known = ~np.isnan(score)
    size = int(group.max()) + 1 if len(group) else 0
    count = np.bincount(group[known], minlength=size).astype(np.float64)
    total = np.bincount(group[known], weights=score[known], minlength=size)
    with np.errstate(invalid="ignore"):
        return total / count, count


def _means_of_others(
    score: NDArray[np.float64], group: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For each row, mean and number of the other scores of its group."""
    import numpy as np

    mean, count = _means(score, group)
    others = count[group] - 1
    with np.errstate(invalid="ignore", divide="ignore"):
        return (mean[group] * count[group] - score) / others, others


def _first(seats: pa.Table, worth: NDArray[np.float64], usual: NDArray[np.float64]) -> list[Chosen]:
    """The rows that are most worth reading, not too many of one kind."""
    import numpy as np

    rows = np.flatnonzero(worth > TOO_LITTLE)
    if len(rows) > LOOKED_AT:
        least = np.partition(worth[rows], len(rows) - LOOKED_AT)[len(rows) - LOOKED_AT]
        rows = rows[worth[rows] >= least]
    order = rows[np.lexsort((rows, -worth[rows]))][:LOOKED_AT]
    found, kinds, known = list[Chosen](), Counter[tuple[str, str]](), set[tuple[str, int]]()
    wanted = list(Chosen._fields[:-1])
    few = seats.select([*wanted, "puzzle"]).take(order).to_pylist()
    for row, expected in zip(few, usual[order], strict=True):
        kind, match = (row.pop("puzzle"), row["player"]), (row["run"], row["match"])
        if kinds[kind] < OF_ONE_KIND and match not in known and len(found) < EACH:
            kinds[kind] += 1
            known.add(match)
            found.append(Chosen(**row, usual=float(expected)))
    return found


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

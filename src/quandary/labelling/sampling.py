"""Which transcripts are labelled by people: a choice that is balanced over players and puzzles."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec
import numpy as np
from numpy.random import Generator

from quandary.arena.store import manifest_of
from quandary.core.errors import UserError, unknown
from quandary.results.run_context import context_of
from quandary.results.run_folders import run_names
from quandary.results.table import seats
from quandary.statistics.estimates import Ints

if TYPE_CHECKING:
    import pyarrow as pa

Outcome: TypeAlias = Literal["all", "failed", "solved"]
SOLVED = 1.0 - 1e-9
ORDER = ("player", "puzzle", "spec", "opponents", "seat", "repeat", "run", "match")
COLUMNS = (*ORDER, "level", "instance", "model", "score")


class Chosen(msgspec.Struct, frozen=True):
    """One seat of one match that is to be labelled."""

    run: str
    match: int
    seat: int
    player: str
    spec: str
    puzzle: str
    level: str
    instance: str
    score: float


def choose(
    folders: Sequence[Path],
    count: int,
    seed: int,
    outcome: Outcome = "all",
    players: Sequence[str] = (),
) -> list[Chosen]:
    """Seats of matches in a random order, as many of each player and puzzle as possible.

    Without players, those of models; if there are none, of all players that the runs are for.
    """
    named = list[str]()
    for folder in run_names(folders).values():
        context_of(folder)  # refuses what is not a run
        named += (manifest_of(folder) or {}).get("players", ())
    rows = _candidates(seats(*folders, columns=COLUMNS), outcome, players, named)
    if not len(rows):
        raise UserError("no match has such a result; try another --of or --player, or other runs.")
    rows = rows.sort_by([(name, "ascending") for name in ORDER])
    rng = np.random.default_rng(seed)
    places = _balanced(_codes(rows["player"], rng), _codes(rows["puzzle"], rng), rng)[:count]
    kept = rows.take(places).select([field.name for field in msgspec.structs.fields(Chosen)])
    return [msgspec.convert(row, Chosen) for row in kept.to_pylist()]


def _candidates(
    rows: pa.Table, outcome: Outcome, players: Sequence[str], named: Sequence[str]
) -> pa.Table:
    import pyarrow as pa
    import pyarrow.compute as pc

    plain = [
        pc.cast(rows[name], pa.string()) if pa.types.is_dictionary(rows[name].type) else rows[name]
        for name in rows.column_names
    ]
    rows = pa.table(plain, names=rows.column_names)
    known = pc.unique(rows["player"]).to_pylist()
    for player in players:
        if player not in known:
            raise unknown("player", player, known)
    if not players and pc.any(pc.is_valid(rows["model"])).as_py():
        rows = rows.filter(pc.is_valid(rows["model"]))
    elif players or named:
        wanted = pa.array(players or named, pa.string())
        rows = rows.filter(pc.is_in(rows["player"], value_set=wanted))
    rows = rows.filter(pc.is_valid(rows["score"]))
    solved = pc.greater_equal(rows["score"], SOLVED)
    if outcome == "all":
        return rows
    return rows.filter(solved if outcome == "solved" else pc.invert(solved))


def _codes(column: Any, rng: Generator) -> Ints:
    """Numbers for equal values, in a random order."""
    import pyarrow.compute as pc

    encoded = pc.dictionary_encode(column).combine_chunks()
    order = rng.permutation(len(encoded.dictionary))
    codes: Ints = order[encoded.indices.to_numpy()]
    return codes


def _balanced(players: Ints, puzzles: Ints, rng: Generator) -> Ints:
    """Places of rows such that any number of first ones is balanced over players and puzzles.

    Each round takes one row of every player and puzzle; within a round, players take turns, each
    with the next puzzle.
    """
    mixed = rng.permutation(len(players))
    strata = (players * (int(puzzles.max()) + 1) + puzzles)[mixed]
    by_stratum = np.argsort(strata, kind="stable")
    begins = np.flatnonzero(np.diff(strata[by_stratum], prepend=-1))
    sizes = np.diff(np.append(begins, len(strata)))
    rounds = np.arange(len(strata)) - np.repeat(begins, sizes)
    places: Ints = mixed[by_stratum]
    turns = (puzzles[places] + players[places]) % (int(puzzles.max()) + 1)
    return places[np.lexsort((players[places], turns, rounds))]

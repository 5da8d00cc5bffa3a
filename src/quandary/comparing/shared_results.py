"""Results that two runs share: the same instance, seat, opponents and repeat, once by each player.

Both sides are read from tables of seats; rows are matched, never looped over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from quandary.core.errors import UserError, choices, unknown
from quandary.players.model_names import is_model
from quandary.results.run_context import named_players
from quandary.results.run_folders import run_folders, run_names
from quandary.results.table import seats
from quandary.results.unplayed import UNPLAYED, with_unplayed
from quandary.scoring.groups import Groups, first_rows
from quandary.scoring.rules_only import named, rules_only
from quandary.statistics.estimates import Floats, Ints

if TYPE_CHECKING:
    import pyarrow as pa

KEY = ("suite", "spec", "seat", "opponents", "repeat")
EACH_OTHER = "each other"  # stands for the other of the two, where they met
OWN = ("run", "match", "score", "version", "instance", "cause")  # of each side
COLUMNS = (*KEY, *OWN, "task", "puzzle", "level", "split", "listed_starts", "player", "language")


@dataclass(frozen=True)
class Side:
    """One player in one run, or in several that one command played; also what is left to play."""

    label: str  # A or B
    player: str
    folders: Mapping[str, Path]  # by the names that tables have for runs
    rows: Any  # pa.Table

    @property
    def languages(self) -> set[str]:
        """In which a model was asked; other players see no prompts."""
        if not is_model(self.player):
            return set()
        return set(self.rows["language"].to_pylist()) - {""}  # "": not played yet


@dataclass(frozen=True)
class Shared:
    """Pairs of results; entry i of every array is about the same seat of the same match."""

    first: Floats  # scores of A; nan where a result is missing
    second: Floats
    starts: Ints
    playings: Ints  # the same number for the same seed and repeat
    levels: Ints  # places in `level_names`
    level_names: tuple[tuple[str, str], ...]  # puzzle and level
    listed: tuple[int | None, ...]  # of each level
    rows: Any  # pa.Table: the columns that identify a pair, and what each side has in it
    only: tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]]  # results one side alone has
    left_out: tuple[str, ...]  # sentences

    @property
    def missing(self) -> int:
        """Pairs of which a result is missing."""
        return int(np.isnan(self.first - self.second).sum())

    @property
    def unplayed(self) -> tuple[int, int]:
        """Of the missing results, those of A and of B that are not played yet."""
        causes = (self.rows[f"cause {label}"].to_pylist() for label in "AB")
        first, second = (column.count(UNPLAYED) for column in causes)
        return first, second


def side(label: str, folder: Path, player: str | None) -> Side:
    """Return the chosen player of a run, or its only one."""
    folders = run_names(run_folders([folder]))
    played = seats(*folders.values(), columns=COLUMNS)
    known = _players(folders.values(), played)
    if player is None and len(known) > 1:
        raise UserError(
            f"{folder} has {len(known)} players; name one with --player-{label.lower()}: "
            f"{choices(known)}."
        )
    if player is not None and player not in known:
        raise unknown("player", player, known, of=str(folder))
    if not known:
        raise UserError(f"{folder} has no results yet.")
    rows = _named(with_unplayed(played, list(folders.values())))
    return Side(label, player or known[0], folders, _of_player(rows, player or known[0]))


def _players(folders: Any, rows: pa.Table) -> list[str]:
    """Return the players that runs were made for; opponents that nobody named come after them."""
    import pyarrow.compute as pc

    there = set(pc.unique(rows["player"]).to_pylist())
    return [name for name in named_players(folders) if name in there] or sorted(there)


def _of_player(rows: pa.Table, player: str) -> pa.Table:
    import pyarrow.compute as pc

    return rows.filter(pc.equal(rows["player"], player))


def _named(rows: pa.Table) -> pa.Table:
    """Texts as plain texts, so that tables can be joined, and puzzle and level as people name
    them: with task, changes and split.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    plain = {
        name: pc.cast(rows[name], pa.string())
        if pa.types.is_dictionary(rows[name].type)
        else rows[name]
        for name in rows.column_names
    }
    asked = pc.binary_join_element_wise(plain.pop("task"), plain["puzzle"], ":")
    plain["puzzle"] = pc.utf8_ltrim(asked, characters=":")
    split = plain.pop("split")
    split = pc.if_else(pc.equal(split, "test"), "", split)
    level = pc.binary_join_element_wise(plain["level"], split, "@")
    plain["level"] = pc.utf8_rtrim(level, characters="@")
    return pa.table(plain)


def shared_results(a: Side, b: Side) -> Shared:
    """Return what both sides have; versions that differ are left out, and between languages puzzles
    of which only the rules are translated.
    """
    import pyarrow.compute as pc

    several = any(len(pc.unique(side.rows["suite"])) > 1 for side in (a, b))
    key = list(KEY if several else KEY[1:])
    shown = ["puzzle", "level", "listed_starts", *([] if several else ["suite"])]
    left, right = _mirrored(a, b), _mirrored(b, a)
    joined = (
        left.select([*key, *OWN, *shown])
        .join(
            right.select([*key, *OWN]), key, join_type="inner", left_suffix=" A", right_suffix=" B"
        )
        .sort_by([(name, "ascending") for name in key])
    )
    if not len(joined):
        raise UserError(_nothing_shared(a, b))
    only = _only(a, joined), _only(b, joined)
    joined, untranslated = _comparable(a, b, joined)
    if not len(joined):
        raise UserError(f"nothing can be compared: {untranslated[0]}")
    same = pc.and_kleene(
        pc.equal(pc.fill_null(joined["version A"], -1), pc.fill_null(joined["version B"], -1)),
        pc.or_kleene(pc.equal(joined["instance A"], joined["instance B"]), _is_unseen(joined)),
    )
    kept = joined.filter(same)
    left_out = tuple(_of_other_versions(joined.filter(pc.invert(same))))
    if not len(kept):
        raise UserError(
            f"nothing can be compared: {left_out[0]} Play one of the runs again with the version "
            f"of the other."
        )
    return _arrays(kept, only, (*untranslated, *left_out))


def _mirrored(side: Side, other: Side) -> pa.Table:
    """Return the rows of a side, in which the other of the two has the same name as an opponent as
    this one has in the rows of the other: each meets the other in the same seat.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    if side.player == other.player:
        return side.rows
    met = pc.dictionary_encode(side.rows["opponents"]).combine_chunks()
    names = [
        " + ".join(EACH_OTHER if one == other.player else one for one in together.split(" + "))
        for together in met.dictionary.to_pylist()
    ]
    column = pa.array(names, pa.string()).take(met.indices)
    at = side.rows.column_names.index("opponents")
    return side.rows.set_column(at, "opponents", column)


def _comparable(a: Side, b: Side, joined: pa.Table) -> tuple[pa.Table, list[str]]:
    """Return the pairs that can be compared in the languages of both sides, and what is
    left out.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    kept_words = rules_only(pc.unique(joined["puzzle"]).to_pylist())
    if not kept_words or not a.languages or not b.languages or a.languages == b.languages:
        return joined, []
    is_left_out = pc.is_in(joined["puzzle"], pa.array(kept_words))
    count = int(pc.sum(is_left_out).as_py())
    results = "1 shared result is" if count == 1 else f"{count:,} shared results are"
    sentence = (
        f"{results} left out, because A and B were asked in different languages and only the rules "
        f"of {named(kept_words)} are translated."
    )
    return joined.filter(pc.invert(is_left_out)), [sentence]


def _is_unseen(joined: pa.Table) -> Any:
    """Return where an instance is not known to one side, because nobody in its runs has played it
    yet.
    """
    import pyarrow.compute as pc

    return pc.or_(*(pc.equal(joined[f"instance {label}"], joined["spec"]) for label in "AB"))


def _only(side: Side, joined: pa.Table) -> Counter[tuple[str, str]]:
    """Return the results that one side alone has, by puzzle and level."""
    import pyarrow.compute as pc

    shared = joined.filter(pc.not_equal(joined[f"cause {side.label}"], UNPLAYED))
    played = side.rows.filter(pc.not_equal(side.rows["cause"], UNPLAYED))
    return Counter(_levels(played)) - Counter(_levels(shared))


def _arrays(
    kept: pa.Table,
    only: tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]],
    left_out: tuple[str, ...],
) -> Shared:
    import pyarrow.compute as pc

    joint = pc.binary_join_element_wise(kept["puzzle"], kept["level"], "/")
    found = pc.dictionary_encode(joint).combine_chunks()
    names = [tuple(name.split("/", 1)) for name in found.dictionary.to_pylist()]
    levels = found.indices.to_numpy().astype(np.int64)
    unseen = pc.equal(kept["instance A"], kept["spec"])
    instances = pc.if_else(unseen, kept["instance B"], kept["instance A"])
    starts, specs = (
        pc.dictionary_encode(column).combine_chunks().indices.to_numpy().astype(np.int64)
        for column in (instances, kept["spec"])
    )
    return Shared(
        _scores(kept["score A"]),
        _scores(kept["score B"]),
        starts,
        Groups(specs, kept["repeat"].to_numpy()).of,
        levels,
        tuple((puzzle, level) for puzzle, level in names),
        tuple(kept["listed_starts"].take(first_rows(levels)).to_pylist()),
        kept,
        only,
        left_out,
    )


def _scores(column: Any) -> Floats:
    import pyarrow.compute as pc

    found: Floats = pc.fill_null(column, float("nan")).to_numpy()
    return found


def _levels(rows: pa.Table) -> dict[tuple[str, str], int]:
    """Return how many rows there are of each puzzle and level."""
    counted = rows.group_by(["puzzle", "level"]).aggregate([([], "count_all")])
    names = zip(counted["puzzle"].to_pylist(), counted["level"].to_pylist(), strict=True)
    return dict(zip(names, counted["count_all"].to_pylist(), strict=True))


def _of_other_versions(rows: pa.Table) -> list[str]:
    """Return which pairs are left out, one sentence for each puzzle."""
    counted = rows.group_by(["puzzle", "version A", "version B"]).aggregate([([], "count_all")])
    found = sorted(counted.to_pylist(), key=lambda row: str(list(row.values())))
    return [_version_sentence(row) for row in found]


def _version_sentence(row: Mapping[str, Any]) -> str:
    count, one, other = row["count_all"], row["version A"], row["version B"]
    results = f"{count:,} shared {'result' if count == 1 else 'results'} of {row['puzzle']}"
    is_are = "is" if count == 1 else "are"
    if one == other:
        return f"{results} {is_are} left out, because its instances differ in A and B."
    written = ["unknown" if version is None else str(version) for version in (one, other)]
    return (
        f"{results} {is_are} left out, because its version is {written[0]} in A and {written[1]} "
        f"in B."
    )


def _nothing_shared(a: Side, b: Side) -> str:
    import pyarrow.compute as pc

    specs = [set(pc.unique(side.rows["spec"]).to_pylist()) for side in (a, b)]
    if not specs[0] & specs[1]:
        return "A and B share no instance; compare runs of the same suite and seeds."
    met = [sorted(set(pc.unique(side.rows["opponents"]).to_pylist())) for side in (a, b)]
    return (
        f"A and B share instances, but no opponents: {a.player} met {_listed(met[0])} in A, "
        f"{b.player} met {_listed(met[1])} in B; play both with the same --schedule and opponents."
    )


def _listed(names: Sequence[str]) -> str:
    shown = [name or "nobody" for name in names[:3]]
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")

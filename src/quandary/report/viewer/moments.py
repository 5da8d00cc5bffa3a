"""Moments worth seeing: a few matches of different kinds, each with a sentence that says why.

Where models play, only they are chosen.  At most two moments are of one puzzle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from quandary.arena.store import RECORDS
from quandary.core.contract import Game
from quandary.matches.record import Record
from quandary.results.columns import REPLIES
from quandary.results.judging import BLUNDER, SeatJudged, judge_all
from quandary.results.lines import lines, record_in
from quandary.results.parquet import covered
from quandary.results.survey import kept_survey
from quandary.results.table import parts, ready

from .chosen import groups, named
from .transcripts import position_at, step_of

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

OF_PUZZLE = 2  # moments
OF_KIND = 2
LOOKED_AT = 200  # candidates of each kind
LONGEST = 60  # characters of a move in a sentence
LOST = 0.005  # the worth of a position from which nothing is to be expected
WON = 0.999
FEWEST_RIGHT = 3  # entries of a process that are right for long before the first wrong one
LONG_SHARE = 0.5  # of the entries of the right process
COLUMNS = ("run", "match", "seat", "player", "spec", "task", "puzzle", "language")


class Kind(NamedTuple):
    key: str
    title: str
    is_judged: bool = False  # whether it is looked for among judged moves alone


KINDS = (
    Kind("blunder", "Largest blunder", True),
    Kind("other", "Failed where another solved it"),
    Kind("process", "Right for long, then wrong"),
    Kind("lucky", "Right answer, wrong process"),
    Kind("comeback", "Won from a lost position", True),
    Kind("lenient", "Read only leniently"),
    Kind("refused", "A refusal"),
    Kind("truncated", "A reply that was cut off"),
)


class Moment(NamedTuple):
    kind: Kind
    run: str
    match: int
    spec: str
    puzzle: str  # with its task
    player: str
    sentence: str  # names and moves in backquotes
    seat: int
    step: int  # of the match, where it is to be seen
    position: Game  # at that step
    language: str  # of the player; "" if it is asked in none
    other: int | None = None  # a match of the same run to compare it with


class Moments(NamedTuple):
    chosen: list[Moment]
    judged: int  # moves
    moves: int


class _Candidate(NamedTuple):
    kind: str
    row: dict[str, Any]  # of COLUMNS
    facts: dict[str, Any]  # what its sentence needs


def moments(seats: pa.Table, runs: Mapping[str, Path]) -> Moments:
    """Equal tables and records give equal moments."""
    import pyarrow.compute as pc

    has_models = seats["model"].null_count < len(seats)
    own = seats.filter(pc.is_valid(seats["model"])) if has_models else seats
    means = _means(own)
    found: dict[str, Iterable[_Candidate]] = {
        "blunder": (),
        "comeback": (),
        "other": _others(own, means),
        "process": _process(own),
        "lucky": _lucky(own),
        **(_of_replies(own, runs) if has_models else {}),
    }
    found |= _of_judged(own, runs, means)
    chosen = _various(found)
    return Moments(
        list(_with_sentences(chosen, runs)),
        int(pc.sum(seats["judged"]).as_py() or 0),
        int(pc.sum(seats["turns"]).as_py() or 0),
    )


def _means(seats: pa.Table) -> dict[str, float]:
    """Return the mean score of each player: of two blunders, that of the better one says more."""
    rows = seats.group_by("player", use_threads=False).aggregate([("score", "mean")])
    return {
        player: mean or 0.0
        for player, mean in zip(
            rows["player"].to_pylist(), rows["score_mean"].to_pylist(), strict=True
        )
    }


def _various(found: Mapping[str, Iterable[_Candidate]]) -> list[_Candidate]:
    """Return the first of each kind, then the second of each, not too many of one puzzle."""
    waiting = {kind.key: iter(found.get(kind.key, ())) for kind in KINDS}
    chosen, of_puzzle, known = list[_Candidate](), Counter[str](), set[tuple[str, int]]()
    kinds = set[tuple[str, str]]()
    for _ in range(OF_KIND):
        for key, candidates in waiting.items():
            for one in islice(candidates, LOOKED_AT):
                place, match = one.row["puzzle"], (one.row["run"], one.row["match"])
                is_new = match not in known and (key, place) not in kinds
                if is_new and of_puzzle[place] < OF_PUZZLE:
                    chosen.append(one)
                    of_puzzle[place] += 1
                    known.add(match)
                    kinds.add((key, place))
                    break
    order = [kind.key for kind in KINDS]
    return sorted(chosen, key=lambda one: order.index(one.kind))


def _rows(seats: pa.Table, at: NDArray[np.int64], *more: str) -> list[dict[str, Any]]:
    rows = seats.select([*COLUMNS, *more]).take(at[:LOOKED_AT]).to_pylist()
    return [row | {"puzzle": named(row["task"], row["puzzle"])} for row in rows]


def _process(seats: pa.Table) -> Iterator[_Candidate]:
    """Processes by how much of them is right before the first wrong entry; not short beginnings."""
    import numpy as np

    step = seats["first_wrong_step"].fill_null(0).to_numpy().astype(np.int64)
    share = seats["first_wrong_share"].fill_null(0.0).to_numpy()
    right = seats["answer_right"].fill_null(False).to_numpy().astype(bool)
    is_long = (step > FEWEST_RIGHT) & (share * (step - 1) >= LONG_SHARE * step)
    at = np.flatnonzero(is_long & ~right)
    order = at[np.argsort(-step[at], kind="stable")]
    for row in _rows(seats, order, "first_wrong_step"):
        yield _Candidate("process", row, {"step": row["first_wrong_step"]})


def _lucky(seats: pa.Table) -> Iterator[_Candidate]:
    """Right answers by how little of their process is right."""
    import numpy as np

    share = seats["process_share"].fill_null(1.0).to_numpy()
    right = seats["answer_right"].fill_null(False).to_numpy().astype(bool)
    at = np.flatnonzero(right & (share < 1.0))
    order = at[np.argsort(share[at], kind="stable")]
    for row in _rows(seats, order, "first_wrong_step"):
        yield _Candidate("lucky", row, {"step": row["first_wrong_step"]})


def _others(seats: pa.Table, means: Mapping[str, float]) -> Iterator[_Candidate]:
    """Instances that one player solved and another did not; those first in which the one that
    failed is the better one on the whole.
    """
    import numpy as np
    import pyarrow.compute as pc

    alone = seats.filter(pc.equal(seats["seats"], 1))
    if not len(alone):
        return
    group = groups(alone, ("run", "spec", "language"))
    score = alone["score"].to_numpy()
    mean = np.array([means[name] for name in alone["player"].to_pylist()])
    size = int(group.max()) + 1
    failed, solved = score <= 0.0, score >= WON
    best, worst = np.full(size, -1.0), np.full(size, 2.0)
    np.maximum.at(best, group[failed], mean[failed])
    np.minimum.at(worst, group[solved], mean[solved])
    odd = np.flatnonzero((best >= 0) & (worst <= 1))
    for one in odd[np.argsort(worst[odd] - best[odd], kind="stable")][:LOOKED_AT]:
        inside = group == one
        fails = np.flatnonzero(inside & failed & (mean == best[one]))
        solves = np.flatnonzero(inside & solved & (mean == worst[one]))
        [row], [other] = _rows(alone, fails[:1]), _rows(alone, solves[:1])
        facts = {"other": other["match"], "by": other["player"], "better": best[one] > worst[one]}
        yield _Candidate("other", row, facts)


def _of_judged(
    seats: pa.Table, runs: Mapping[str, Path], means: Mapping[str, float]
) -> dict[str, list[_Candidate]]:
    """Return the moves that gave away the most, and wins from positions that were lost."""
    blunders = list[tuple[tuple[float, float], _Candidate]]()
    comebacks = list[tuple[int, _Candidate]]()
    for run, folder in runs.items():
        judged = _judged(folder)
        rows = _seat_rows(seats, run, {one.match for one in judged})
        for one in judged:
            row = rows.get((one.match, one.seat))
            turns = [(at, turn) for at, turn in enumerate(one.turns, start=1) if turn]
            if row is None or not turns:
                continue
            at, (worth, regret, _) = max(turns, key=lambda turn: turn[1].regret)
            if regret >= BLUNDER:
                rank = -round(regret, 6), -means[row["player"]]
                facts = {"turn": at, "worth": worth, "regret": regret}
                blunders.append((rank, _Candidate("blunder", row, facts)))
            lost = [at for at, turn in turns if turn.worth <= LOST]
            if lost and row["seats"] > 1 and (row["score"] or 0.0) >= WON:
                comebacks.append((-lost[-1], _Candidate("comeback", row, {"turn": lost[-1]})))
    return {
        "blunder": [each for _, each in sorted(blunders, key=lambda each: each[0])],
        "comeback": [each for _, each in sorted(comebacks, key=lambda each: each[0])],
    }


def _judged(folder: Path) -> list[SeatJudged]:
    """Return what is judged already."""
    with ready(folder) as tables:
        seen = kept_survey(folder / RECORDS, covered(tables), tables)
        return judge_all(folder / RECORDS, seen.chosen, tables)


def _seat_rows(
    seats: pa.Table, run: str, matches: set[int]
) -> dict[tuple[int, int], dict[str, Any]]:
    import pyarrow as pa
    import pyarrow.compute as pc

    inside = pc.and_(
        pc.equal(seats["run"].cast("string"), run),
        pc.is_in(seats["match"], value_set=pa.array(sorted(matches), pa.int64())),
    )
    rows = seats.filter(inside).select([*COLUMNS, "seats", "score"]).to_pylist()
    return {
        (row["match"], row["seat"]): row | {"puzzle": named(row["task"], row["puzzle"])}
        for row in rows
    }


def _of_replies(seats: pa.Table, runs: Mapping[str, Path]) -> dict[str, list[_Candidate]]:
    """Replies that were refused or cut off, and those that only the lenient reading accepts."""
    import pyarrow.compute as pc

    found: dict[str, list[_Candidate]] = {"lenient": [], "refused": [], "truncated": []}
    wanted = ("match", "seat", "player", "turn", "status", "strict", "lenient")
    for run, folder in runs.items():
        hits = list[dict[str, Any]]()
        for part in parts(REPLIES, folder, run, wanted):
            status, strict, lenient = (
                part[name].cast("string") for name in ("status", "strict", "lenient")
            )
            moved = pc.and_(pc.equal(status, "answered"), pc.equal(strict, "unreadable"))
            masks = {
                "lenient": pc.and_(moved, pc.equal(lenient, "answered")),
                "refused": pc.equal(status, "refused"),
                "truncated": pc.equal(status, "truncated"),
            }
            for kind, mask in masks.items():
                rows = part.filter(mask).slice(0, LOOKED_AT).to_pylist()
                hits += [row | {"kind": kind} for row in rows]
        rows = _seat_rows(seats, run, {hit["match"] for hit in hits})
        for hit in hits:
            row = rows.get((hit["match"], hit["seat"]))
            if row is not None:
                found[hit["kind"]].append(_Candidate(hit["kind"], row, {"turn": hit["turn"]}))
    return found


def _with_sentences(chosen: Iterable[_Candidate], runs: Mapping[str, Path]) -> Iterator[Moment]:
    all_chosen = list(chosen)
    records = {
        (run, line.match): record_in(line)
        for run, folder in runs.items()
        for matches in [{one.row["match"] for one in all_chosen if one.row["run"] == run}]
        for line in lines(folder / RECORDS)
        if line.match in matches
    }
    kinds = {kind.key: kind for kind in KINDS}
    for one in all_chosen:
        row, record = one.row, records[one.row["run"], one.row["match"]]
        step = step_of(record, row["seat"], one.facts.get("turn"))
        yield Moment(
            kinds[one.kind],
            row["run"],
            row["match"],
            row["spec"],
            row["puzzle"],
            row["player"],
            _sentence(one, record),
            row["seat"],
            step,
            position_at(record, step),
            row["language"] or "",
            one.facts.get("other"),
        )


def _sentence(one: _Candidate, record: Record) -> str:
    player, facts = _quoted(one.row["player"]), one.facts
    match one.kind:
        case "blunder":
            own = [move for seat, move in record.log if seat == one.row["seat"]]
            move = _quoted(_shortened(own[facts["turn"] - 1]))
            after = max(0.0, facts["worth"] - facts["regret"])
            return (
                f"{player} played {move} as its move {facts['turn']}: best play was worth "
                f"{facts['worth']:.2f} before it, and {after:.2f} after it."
            )
        case "comeback":
            return f"{player} won from a position that was lost at its move {facts['turn']}."
        case "process":
            return (
                f"The process of {player} is right up to entry {facts['step'] - 1}; entry "
                f"{facts['step']} is the first wrong one."
            )
        case "lucky":
            where = f"goes wrong at entry {facts['step']}" if facts["step"] else "is not right"
            return f"The answer of {player} is right, but its process {where}."
        case "other":
            by = _quoted(facts["by"])
            less = ", which scores less on the whole," if facts["better"] else ""
            return f"{player} failed; {by}{less} solved the same instance."
        case "lenient":
            return (
                f"{player} did not answer in the form that was asked for; only the lenient reading "
                f"finds its answer."
            )
        case "refused":
            return f"{player} refused to answer (turn {facts['turn']})."
        case _:
            return (
                f"The reply of {player} was cut off before its answer was complete "
                f"(turn {facts['turn']})."
            )


def _quoted(text: str) -> str:
    """Return the whole of a name, or of a move, as code."""
    plain = text.replace("`", "'").replace("\n", " ")
    return f"`{plain}`"


def _shortened(move: str) -> str:
    """Return a move, which may be as long as a program, in one line."""
    plain = move.replace("\n", " ")
    return plain if len(plain) <= LONGEST else f"{plain[: LONGEST - 1]}…"

"""How the replies of models were read, and how many calls there were, as tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from quandary.arena.tally import Tally
from quandary.matches.record import MOVED
from quandary.players.model_names import is_model, prompt_choices
from quandary.players.prompts.settings import PromptSettings

from .groups import SeatColumns
from .readings import Readings
from .score_table import Cell, ScoreTable, score_table

if TYPE_CHECKING:
    import pyarrow as pa

COLUMNS = ("run", "match", "seat", "player", "status", "strict", "lenient")
# What can become of a reply, in the order of the columns.
STATUSES = (
    "answered", "illegal", "unreadable", "ambiguous", "malformed", "refused", "truncated", "empty",
    "timeout",
)  # fmt: skip
CALLS = (
    "There are more replies than in matches where a match was begun again after an interruption "
    "and asked anew, where programs were drawn, and where a tree of thoughts takes several calls "
    "for a reply. Tokens are those of all replies; the table of tokens and cost has those of "
    "matches."
)


class Place(NamedTuple):
    """A seat of a match."""

    run: str
    match: int
    seat: int


def readings_by_run(
    replies: pa.Table, defaults: Mapping[str, PromptSettings]
) -> dict[tuple[str, str], Readings]:
    """Return how the replies of each model player of each run were read, without scores.

    `defaults` are the settings of runs, which names of players override.
    """
    found = dict[tuple[str, str], Readings]()
    by = ["run", "player", "status", "strict", "lenient"]
    rows = replies.select(by).group_by(by, use_threads=False).aggregate([([], "count_all")])
    for row in rows.to_pylist():
        run, player, status, count = row["run"], row["player"], row["status"], row["count_all"]
        if not is_model(player):
            continue
        if (run, player) not in found:
            settings = prompt_choices(player, defaults[run])
            strictly, trees = settings.parsing == "strict", settings.prompting == "tree"
            found[run, player] = Readings(player, strictly=strictly, by_trees=trees)
        own = found[run, player]
        if status == "infrastructure":
            own.no_reply += count
            continue
        own.statuses[status] += count
        if row["strict"] != "answered" == row["lenient"]:
            counts = status == "unreadable" if own.strictly else status in MOVED
            own.lenient_only += count if counts else 0
    return found


def summed(readings: Iterable[Readings]) -> list[Readings]:
    """Return the readings of each player over several runs."""
    found = dict[str, Readings]()
    for one in readings:
        own = found.setdefault(
            one.player, Readings(one.player, strictly=one.strictly, by_trees=one.by_trees)
        )
        own.statuses += one.statuses
        own.no_reply += one.no_reply
        own.lenient_only += one.lenient_only
    return list(found.values())


def replies_table(readings: Iterable[Readings]) -> ScoreTable:
    """Return one row per model player: how many of its replies have each status."""
    every = sorted(readings, key=lambda each: each.player)
    used = [status for status in STATUSES if any(each.statuses[status] for each in every)]
    rows: list[tuple[Cell, ...]] = [
        (
            each.player,
            each.replies,
            *(each.statuses[status] for status in used),
            each.no_reply,
            each.lenient_only,
        )
        for each in every
    ]
    meanings = {
        "answered": "a move or answer was read",
        "illegal": "a move was read that the rules forbid",
        "unreadable": "nothing could be read",
        "ambiguous": "several moves or answers could be read",
        "malformed": "JSON that does not parse",
        "refused": "the model refused",
        "truncated": "cut off before the answer was complete",
        "empty": "no text",
        "timeout": "out of time",
    }
    told = "; ".join(f"{status}: {meanings[status]}" for status in used)
    return score_table(
        "replies",
        "Replies",
        f"How many replies of each model have each status. {told}. no reply: turns in which none "
        f"came. read only leniently: replies that do not have the requested form, but were played; "
        f"of players that are read strictly, those that were not played for that alone.",
        ("player", "replies", *used, "no reply", "read only leniently"),
        rows,
    )


def calls_table(tallies: Mapping[str, Tally], readings: Iterable[Readings]) -> ScoreTable:
    """Return one row per model: its calls in the journals of the runs."""
    in_matches = Counter[str]()
    for each in readings:
        in_matches[each.player.partition(",")[0]] += each.replies
    rows = [
        (
            model,
            *(tally.sent, tally.failed, tally.lost, tally.got, in_matches[model]),
            *(tally.read, tally.cached, tally.written, tally.uncounted),
        )
        for model, tally in sorted(tallies.items())
    ]
    return score_table(
        "calls",
        "Calls",
        "All calls that were sent to each model, as the end of a run counts them: calls = failed + "
        "lost (interrupted before a reply came) + replies. in matches: replies that matches have.",
        (
            *("model", "calls", "failed", "lost", "replies", "in matches", "tokens read"),
            *("of them cached", "tokens written", "replies without a count"),
        ),
        rows,
        (CALLS,),
    )


def lost_by_truncation(seats: pa.Table, replies: pa.Table) -> dict[str, int]:
    """Return how many matches each model lost because nothing could be read, with a last reply
    that was cut off; most first.
    """
    seated = SeatColumns(seats.select(["cause", "lost_by_failure"]))
    lost = seated.texts("cause").where("unreadable") & (seated.numbers("lost_by_failure") == 1)
    last = _truncated_at_last(replies)
    rows = seats.select(["run", "match", "seat", "player"]).take(np.flatnonzero(lost))
    counts = Counter(
        row["player"]
        for row in rows.to_pylist()
        if Place(row["run"], row["match"], row["seat"]) in last
    )
    return dict(counts.most_common())


def _truncated_at_last(replies: pa.Table) -> set[Place]:
    """Return the seats whose last reply was cut off; replies of a seat follow each other."""
    import pyarrow.compute as pc

    if not len(replies):
        return set()
    keys = [replies[name].to_numpy() for name in ("match", "seat")]
    runs = pc.dictionary_encode(replies["run"].cast("string")).combine_chunks()
    keys.append(runs.indices.to_numpy())
    ends = np.logical_or.reduce([np.diff(key) != 0 for key in keys])
    is_last = np.append(ends, True)
    truncated = pc.equal(replies["status"].cast("string"), "truncated").to_numpy()
    rows = replies.select(Place._fields).take(np.flatnonzero(is_last & truncated))
    return {Place(**row) for row in rows.to_pylist()}

"""The rows of a run, match by match, complete and without pyarrow."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from quandary.arena.journal import JOURNAL
from quandary.arena.store import RECORDS

from .calls import Calls, run_prices
from .from_records import MatchRows, RowMaker
from .judging import SeatJudged, judge_all
from .lines import RecordLine, lines
from .rows import ReplyRow, SeatRow
from .run_context import context_of
from .run_folders import TABLES
from .survey import survey


def match_rows(folder: Path, run: str) -> Iterator[tuple[RecordLine, MatchRows]]:
    """Yield every match of a run with its rows, in the order of its file.

    A match that was played again after a failure of the infrastructure counts once.
    """
    context, path = context_of(folder), folder / RECORDS
    seen = survey(path)
    judged = {(one.match, one.seat): one for one in judge_all(path, seen.chosen, folder / TABLES)}
    maker = RowMaker(context, Calls(folder / JOURNAL, run_prices(folder)), run)
    for line in lines(path):
        made = maker.rows(line)
        if line.match not in seen.superseded:
            seats = [_judged_seat(row, judged.get((row.match, row.seat))) for row in made.seats]
            replies = [
                _judged_reply(row, judged.get((row.match, row.seat))) for row in made.replies
            ]
            yield line, MatchRows(seats, replies)


def _judged_seat(row: SeatRow, judged: SeatJudged | None) -> SeatRow:
    regrets = judged.regrets if judged else []
    if not judged or not regrets:
        return row
    mean = sum(regrets) / len(regrets)
    return replace(row, regret_mean=mean, blunders=judged.blunders, judged=len(regrets))


def _judged_reply(row: ReplyRow, judged: SeatJudged | None) -> ReplyRow:
    if not judged or not row.move or row.turn > len(judged.turns):
        return row
    turn = judged.turns[row.turn - 1]
    return replace(row, worth=turn.worth, regret=turn.regret) if turn else row

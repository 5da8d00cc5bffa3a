"""Folders of runs that are made by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quandary.arena.journal import JOURNAL
from quandary.arena.store import MANIFEST, RECORDS, keep
from quandary.core.contract import Language, Seat
from quandary.matches.record import LoggedReply, Record
from quandary.results.rows import ReplyRow, SeatRow
from quandary.results.stream import match_rows
from small_games import TicTacToe

SUITE = {"name": "by_hand", "language": "en", "shots": 0, "prompting": "steps", "modality": None}


@dataclass(frozen=True)
class Board(TicTacToe):
    """A game without a judge, so records of it need not replay; it must be registered."""

    def text(self, seat: Seat, language: Language = "en") -> str:
        return f"Board: {self.board}"


def run_folder(
    folder: Path,
    records: Sequence[Record],
    journal: Sequence[dict[str, Any]] = (),
    **manifest: Any,
) -> Path:
    """A run of these records and lines of a journal; `manifest` adds to what identifies it."""
    folder.mkdir(exist_ok=True)
    whole = {"quandary": "0", "suite": SUITE, "specs": [], "players": []} | manifest
    (folder / MANIFEST).write_text(json.dumps(whole), "utf-8")
    keep(folder / RECORDS, *records)
    if journal:
        lines = "".join(json.dumps(line) + "\n" for line in journal)
        (folder / JOURNAL).write_text(lines, "utf-8")
    return folder


def rows_of(folder: Path) -> tuple[list[SeatRow], list[ReplyRow]]:
    """The rows of all seats and of all replies of a run."""
    made = [rows for _, rows in match_rows(folder, "here")]
    return [row for rows in made for row in rows.seats], [r for rows in made for r in rows.replies]


def answer(seat: int, move: str, words: str = "", status: str = "answered") -> LoggedReply:
    """A reply of seven tokens that took a quarter of a second."""
    return LoggedReply(seat, words or move, status, move, 0.25, 7)  # type: ignore[arg-type]


def on_board(
    seed: int = 1,
    players: tuple[str, str] = ("one", "two"),
    scores: tuple[float, float] | None = (1.0, 0.0),
    said: Sequence[LoggedReply] = (),
    **fields: Any,
) -> Record:
    """A record of this game; its log are the moves of its replies."""
    log = tuple((reply.seat, reply.move) for reply in said if reply.move)
    cause = fields.pop("cause", "infrastructure" if scores is None else "goal")
    return Record(
        f"board/only#{seed}", players, Board(), log, tuple(said), scores, None, cause, **fields
    )


def call(
    match: str,
    step: str,
    *,
    seat: int = 0,
    model: str = "openai/any",
    text: str = "Answer: 1",
    finish: str = "stop",
    **usage: int | None,
) -> list[dict[str, Any]]:
    """The two lines of a call that brought a reply."""
    digest = f"{match}/{seat}/{step}"
    sent = {"sent": digest, "model": model, "match": match, "seat": seat, "step": step}
    got = {"got": digest, "model": model, "seconds": 0.5, "served": "any", "usage": usage}
    choices = [{"text": text, "thinking": "", "finish": finish}]
    return [{**sent, "position": ""}, {**got, "choices": choices}]

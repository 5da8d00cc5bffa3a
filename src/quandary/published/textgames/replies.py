"""Published replies: who said what to which problem, and what the published graders made of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from quandary.core.errors import UserError
from quandary.matches.player import clean

from .archive import files, parsed, passed_over
from .problems import LEVELS, READERS

BEGINS, ENDS = "results", ".jsonl"


class Session(NamedTuple):
    """All replies of one player to one problem, in order."""

    player: str
    problem: str  # its name
    replies: tuple[str, ...]
    solved: tuple[bool, ...]  # the stored verdicts


def load(folder: Path) -> Iterator[Session]:
    """The sessions of every file of results in a folder; the player is named after its file."""
    players: dict[str, str] = {}
    for path, text in files(folder, BEGINS, ENDS):
        player = Path(path).stem.removeprefix("results_")
        if player in players:
            raise UserError(
                f"{players[player]} and {path} both hold the replies of {player}; leave one of "
                f"them out."
            )
        players[player] = path
        for name, given in _rows(path, text).items():
            turns = sorted(given)
            if [turn for turn, _, _ in turns] != list(range(1, len(turns) + 1)):
                raise UserError(f"{path} has not one reply a turn to {name}.")
            yield Session(
                player,
                name,
                tuple(said for _, said, _ in turns),
                tuple(right for _, _, right in turns),
            )


def skipped(folder: Path) -> list[str]:
    """Files beside the results that are not read, though they may have been meant to be."""
    return passed_over(folder, "result", BEGINS, ENDS)


def _rows(path: str, text: str) -> dict[str, list[tuple[int, str, bool]]]:
    """Turn, reply and verdict of every line that is not blank, by the name of the problem."""
    rows: dict[str, list[tuple[int, str, bool]]] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            where = f"line {number} of {path}"
            try:
                name, row = _row(parsed(line, where))
            except ValueError as reason:
                raise UserError(f"{where} is no reply: {reason}.") from None
            rows.setdefault(name, []).append(row)
    return rows


def _row(raw: Any) -> tuple[str, tuple[int, str, bool]]:
    """The name of a problem, and turn, reply and verdict; ValueError says what is missing."""
    if not isinstance(raw, dict):
        raise ValueError("it is no JSON object")
    missing = [key for key in ("game", "session", "turn", "response", "solved") if key not in raw]
    if missing:
        raise ValueError(f"it has no {' and no '.join(missing)}")
    turn, solved, session = raw["turn"], raw["solved"], raw["session"]
    title, _, level = str(raw["game"]).rpartition("_")
    if title not in READERS or level not in LEVELS:
        raise ValueError("its game is not one of TextGames, written like Islands_1")
    if not isinstance(session, str):
        raise ValueError("its session is no text")
    if type(turn) is not int or turn < 1:
        raise ValueError("its turn is no number from 1 on")
    if not isinstance(solved, bool):
        raise ValueError("its verdict, solved, is neither true nor false")
    return f"textgames {READERS[title][0]}/{LEVELS[level]} {session}", (
        turn,
        _said(raw["response"]),
        solved,
    )


def _said(response: Any) -> str:
    """The reply as a text: none at all is an empty one, and what is no text stays as JSON writes
    it.
    """
    if response is None:
        return ""
    return clean(
        response if isinstance(response, str) else json.dumps(response, ensure_ascii=False)
    )

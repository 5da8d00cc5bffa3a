"""Published replies: players, problems, texts and the verdicts of the published graders."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from quandary.core.errors import UserError
from quandary.matches.player import clean

from .archive import files, parsed, passed_over
from .problems import LEVELS
from .prompts import READERS

BEGINS, ENDS = "results", ".jsonl"


class Session(NamedTuple):
    """All replies of one player to one problem, in order."""

    player: str
    problem: str  # its name
    replies: tuple[str, ...]
    solved: tuple[bool, ...]  # the stored verdicts


def load(folder: Path) -> Iterator[Session]:
    """The sessions of every file of results in a folder; players are named after their files."""
    players: dict[str, str] = {}
    for path, text in files(folder, BEGINS, ENDS):
        player = Path(path).stem.removeprefix("results_")
        if player in players:
            raise UserError(
                f"{players[player]} and {path} both contain the replies of {player}; remove one "
                f"of them."
            )
        players[player] = path
        for name, given in _rows(path, text).items():
            turns = sorted(given)
            if [turn for turn, _, _ in turns] != list(range(1, len(turns) + 1)):
                raise UserError(f"{path} does not have one reply per turn to {name}.")
            yield Session(
                player,
                name,
                tuple(said for _, said, _ in turns),
                tuple(right for _, _, right in turns),
            )


def skipped(folder: Path) -> list[str]:
    """Files beside the results that are not read, although they look like results."""
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
                raise UserError(f"{where} is not a reply: {reason}.") from None
            rows.setdefault(name, []).append(row)
    return rows


def _row(raw: Any) -> tuple[str, tuple[int, str, bool]]:
    """The name of a problem, and turn, reply and verdict; ValueError says what is missing."""
    if not isinstance(raw, dict):
        raise ValueError("it is not a JSON object")
    missing = [key for key in ("game", "session", "turn", "response", "solved") if key not in raw]
    if missing:
        raise ValueError(f"it has no {' and no '.join(missing)}")
    turn, solved, session = raw["turn"], raw["solved"], raw["session"]
    title, _, level = str(raw["game"]).rpartition("_")
    if title not in READERS or level not in LEVELS:
        raise ValueError("its game is not one of TextGames, written like Islands_1")
    if not isinstance(session, str):
        raise ValueError("its session is not a text")
    if type(turn) is not int or turn < 1:
        raise ValueError("its turn is not a positive whole number")
    if not isinstance(solved, bool):
        raise ValueError("its verdict, solved, is neither true nor false")
    return f"textgames {READERS[title][0]}/{LEVELS[level]} {session}", (
        turn,
        _said(raw["response"]),
        solved,
    )


def _said(response: Any) -> str:
    """The reply as a text: "" for none, and JSON for anything that is not a text."""
    if response is None:
        return ""
    return clean(
        response if isinstance(response, str) else json.dumps(response, ensure_ascii=False)
    )

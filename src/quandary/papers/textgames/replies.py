"""Published replies: players, problems, texts and the verdicts of the published graders."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from quandary.core.errors import UserError
from quandary.matches.player import clean

from .archive import PACKED, Skipped, below, files, parsed
from .problems import LEVELS
from .prompts import READERS

BEGINS, ENDS = "results", ".jsonl"
OUTPUTS = "model_outputs"  # the folder of the published repository that has the replies
IDENTIFYING = frozenset(("game", "session", "turn"))  # keys by which a reply is known


class Session(NamedTuple):
    """All replies of one player to one problem, in order."""

    player: str
    problem: str  # its name
    replies: tuple[str, ...]
    solved: tuple[bool, ...]  # the stored verdicts


class Replies(NamedTuple):
    """The published replies in a folder, and the files that were not read."""

    sessions: list[Session]
    skipped: list[Skipped]


def load(folder: Path) -> Replies:
    """Return the replies in a folder, or in a checkout of the published repository.

    Players are named after their files.
    """
    found = Replies([], [])
    read: dict[str, Path] = {}  # player -> its file

    def skip(path: Path, reason: str) -> None:
        found.skipped.append(Skipped(path, reason))

    for place in (folder, folder / OUTPUTS):
        for name, text in files(place, BEGINS, ENDS, skip) if place.is_dir() else ():
            path = Path(name)
            player = path.stem.removeprefix("results_")
            if player in read:
                raise UserError(
                    f"{read[player]} and {path} both contain the replies of {player}; remove one "
                    f"of them."
                )
            sessions = list(_sessions(player, path, text))
            if sessions:
                read[player] = path
                found.sessions.extend(sessions)
            else:
                skip(path, "it has no replies in the published form")
    opened = {*read.values(), *(path for path, _ in found.skipped)}
    opened |= {path.parent for path in opened} | {Path(f"{path}{PACKED}") for path in opened}
    for path in _named_like_results(folder):
        if path not in opened:
            skip(path, f"replies are in files named results_*.jsonl, also packed, in {OUTPUTS}")
    if found.skipped and not found.sessions:
        (path, reason), *others = found.skipped
        more = f" ({len(others)} more were not read either)" if others else ""
        raise UserError(f"no replies were found in {folder}: {path} was not read: {reason}{more}.")
    return found


def _named_like_results(folder: Path) -> Iterator[Path]:
    for path in below(folder):
        name = path.name.lower()
        if "result" in name or ENDS in name:
            yield path


def _sessions(player: str, path: Path, text: str) -> Iterator[Session]:
    for name, given in _rows(path, text).items():
        turns = sorted(given)
        if [turn for turn, _, _ in turns] != list(range(1, len(turns) + 1)):
            raise UserError(f"{path} does not have one reply per turn to {name}.")
        replies, verdicts = (tuple(column) for column in list(zip(*turns, strict=True))[1:])
        yield Session(player, name, replies, verdicts)


def _rows(path: Path, text: str) -> dict[str, list[tuple[int, str, bool]]]:
    """Turn, reply and verdict of every line that is not blank, by the name of the problem.

    Nothing, if the first line shows that the file is of another kind, such as a log of calls.
    """
    rows: dict[str, list[tuple[int, str, bool]]] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            where = f"line {number} of {path}"
            raw = parsed(line, where)
            if not rows and isinstance(raw, dict) and not IDENTIFYING & raw.keys():
                return {}
            try:
                name, row = _row(raw)
            except ValueError as reason:
                raise UserError(f"{where} is not a reply: {reason}.") from None
            rows.setdefault(name, []).append(row)
    return rows


def _row(raw: Any) -> tuple[str, tuple[int, str, bool]]:
    """Return the name of a problem, and turn, reply and verdict; ValueError says what is
    missing.
    """
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
        _reply_text(raw["response"]),
        solved,
    )


def _reply_text(response: Any) -> str:
    """Return the reply as a text: "" for none, and JSON for anything that is not a text."""
    if response is None:
        return ""
    return clean(
        response if isinstance(response, str) else json.dumps(response, ensure_ascii=False)
    )

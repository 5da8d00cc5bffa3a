"""Published replies: who said what to which problem, and what the published graders made of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from quandary.core.mistake import Mistake

from .archive import files
from .problems import LEVELS, READERS


class Session(NamedTuple):
    """All replies of one player to one problem, in order."""

    player: str
    problem: str  # its name
    replies: tuple[str, ...]
    solved: tuple[bool, ...]  # the stored verdicts


def load(folder: Path) -> Iterator[Session]:
    """The sessions of every file of results in a folder; the player is named after its file."""
    for path, text in files(folder, "results", ".jsonl"):
        player = Path(path).stem.removeprefix("results_")
        rows: dict[str, list[tuple[int, str, bool]]] = {}
        for number, line in enumerate(text.splitlines(), start=1):
            try:
                name, row = _row(json.loads(line))
            except (ValueError, KeyError, TypeError) as reason:
                raise Mistake(f"line {number} of {path} is no reply: {reason}.") from None
            rows.setdefault(name, []).append(row)
        for name, given in rows.items():
            turns = sorted(given)
            if [turn for turn, _, _ in turns] != list(range(1, len(turns) + 1)):
                raise Mistake(f"{path} has not one reply a turn to {name}.")
            yield Session(player, name, tuple(said for _, said, _ in turns), tuple(right for _, _, right in turns))


def _row(raw: dict[str, object]) -> tuple[str, tuple[int, str, bool]]:
    """The name of a problem, and turn, reply and verdict; no reply at all counts as an empty one."""
    title, _, level = str(raw["game"]).rpartition("_")
    if not isinstance(raw["turn"], int) or not isinstance(raw["solved"], bool):
        raise ValueError("its turn or its verdict is missing")
    response = raw["response"]
    return f"textgames {READERS[title][0]}/{LEVELS[level]} {raw['session']}", (
        raw["turn"], response if isinstance(response, str) else "", raw["solved"],
    )  # fmt: skip

"""Runs to report on, with a model that says what no page should obey."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from quandary.cli.main import main
from server_thread import served

HOSTILE = (
    "</script><script>window.owned = 1</script><!-- <img src=x onerror='window.owned = 1'> "
    '"&amp;" <style>body { display: none }</style> \u202e\x1b[31m'
)
MODEL = "openai/<b>any"
THOUGHT = "Which card?"
SUITE = """
[[puzzles]]
puzzle = "card_nim"
levels = ["easy", "normal"]
seeds = "1-{seeds}"

[[puzzles]]
puzzle = "tidy_tower"
levels = ["easy"]
seeds = "1-{seeds}"
"""


def speak(body: Mapping[str, Any]) -> str:
    """Cards from low to high, after an unreadable reply; hostile words everywhere."""
    earlier = sum(message["role"] == "assistant" for message in body["messages"])
    answer = f"Answer: {earlier}" if earlier else "No answer yet."
    return f"<think>{THOUGHT} {HOSTILE}</think>{HOSTILE}\n{answer}"


def hostile_run(folder: Path, seeds: int = 2, *others: str) -> Path:
    """A run of this model and of others; returns its folder."""
    suite, out = folder / "suite.toml", folder / "run"
    suite.write_text(SUITE.format(seeds=seeds))
    players = [word for player in (MODEL, *others) for word in ("--player", player)]
    with served(speak=speak) as server:
        command = ["run", "--suite", str(suite), *players, "--out", str(out)]
        assert 0 == main([*command, "--base-url", server.address])
    return out

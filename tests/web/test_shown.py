"""What visitors are not shown."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("aiohttp", reason="needs aiohttp: pip install 'quandary[web]'")

from quandary.catalogue import drawing
from quandary.matches.codec import record_json
from quandary.matches.match import Match
from quandary.matches.player import Forfeit
from quandary.web.shown import for_visitors, shown_name

PROGRAM = "program//home/anna/secret/mine.py"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (PROGRAM, "program/mine.py"),
        ("program/C:\\Users\\anna\\mine.py", "program/mine.py"),
        ("openai/gpt-5-nano", "openai/gpt-5-nano"),
        ("human/anna", "human/anna"),
        ("house", "house"),
    ],
)
def test_programs_have_the_name_of_their_file(name: str, shown: str) -> None:
    assert shown_name(name) == shown


def data_of(record: str) -> dict[str, Any]:
    failed = {"seat": 1, "status": "infrastructure", "failure": "KEY is wrong at /home/anna"}
    return {
        "players": [PROGRAM, "house"],
        "result": f"{PROGRAM} won 1 : 0",
        "steps": [{"replies": [failed]}, {"frames": [0, 0]}],
        "programs": {PROGRAM: "class Player: ..."},
        "record": record,
    }


def test_neither_paths_nor_words_of_providers_are_shown() -> None:
    match = Match(drawing.game("card_nim/easy#1"), "card_nim/easy#1")
    match.fail(0, Forfeit("infrastructure", "KEY is wrong at /home/anna"))
    record = record_json(match.record([PROGRAM, "house"]))
    assert "/home/anna" in record

    shown = for_visitors(data_of(record))
    assert "/home" not in str(shown) and "KEY" not in str(shown)
    assert shown["programs"] == {"program/mine.py": "class Player: ..."}
    assert "program/mine.py" in shown["record"]


def test_a_damaged_record_is_not_shown() -> None:
    assert for_visitors(data_of(f'{{"players": ["{PROGRAM}'))["record"] == ""

"""The published items of cryptanalysis: read alike in both languages, with the published keys."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from quandary.papers.logicgame.prompts import NotRead
from quandary.papers.logicgame.readers.cryptanalysis import read

HOME = (
    Path(os.environ.get("QUANDARY_DATA") or Path(__file__).parents[4] / "shared" / "data")
    / "logicgame"
)
ITEMS = {"en": "en_all_304.jsonl", "zh": "zh_all_304.jsonl"}
REFERENCES = {"en": "dev/en_dev_10.jsonl", "zh": "dev/zh_dev_10.jsonl"}


def items(file: str) -> list[dict[str, Any]]:
    """The published items of the category, in order of level and number."""
    if not (HOME / file).exists():
        pytest.skip(
            f"LogicGame's published data is not at {HOME}; set QUANDARY_DATA to the folder with it"
        )
    lines = (HOME / file).read_text(encoding="utf-8").splitlines()
    own = [item for item in map(json.loads, lines) if item["category"] == "密码破译"]
    return sorted(own, key=lambda item: (item["level"], int(item["qid"].split("_")[-1])))


def test_all_items_are_read_alike_in_both_languages():
    english, chinese = (
        [read(item["contexts"][0], item["level"]) for item in items(ITEMS[language])]
        for language in ("en", "zh")
    )

    assert english == chinese
    assert [one.level for one in english] == [item["level"] for item in items(ITEMS["en"])]
    assert {one.family for one in english} == set("abcd")
    assert [one.work().answer for one in english] == [
        ["6"], ["F"], ["g"], ["3"],
        ["63"], ["37"], ["4A"], ["5", "4"],
        ["895"], ["042"], ["4B3"], ["1", "7", "9"],
        ["3G1"], ["TR83"], ["4B5B"], ["1", "2", "3", "4"],
    ]  # fmt: skip


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_published_references(language: str):
    found = [
        (read(item["contexts"][0], item["level"]).work(), item["reference"])
        for item in items(REFERENCES[language])
    ]

    assert len(found) == 4
    for work, reference in found:
        assert work._asdict() == reference


def test_what_the_published_processes_left_open_is_told():
    """Item 181: its third guess leaves 895 alone, so the third entry tells all of it; item 186 has
    three guesses and so three entries.
    """
    english = {item["qid"].split("_")[-1]: item["contexts"][0] for item in items(ITEMS["en"])}

    assert read(english["181"], 2).work().process == ["***", "***", "895", "895"]
    assert read(english["186"], 0).work().process == [["6", "10"], ["6", "7"], ["6"]]


LOCK = "The combination lock consists of two digits, and the digits do not repeat."


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("The lock has wheels.1. Guess: 67. Feedback: none.", "not understood: 'The lock has"),
        (f"{LOCK}1. Guess: 67. Feedback: Warm.", "not understood: 'Guess: 67. Feedback: Warm'"),
        (f"{LOCK}1. Guess: 67. Feedback: Both digits are incorrect.", "56 codes fit all clues"),
        (
            (
                f"{LOCK}1. Guess: 67. Feedback: Both digits are incorrect.2. Guess: 67. Feedback: "
                "Only one digit is correct, and it is in the correct position."
            ),
            "0 codes fit all clues",
        ),
    ],
)
def test_what_is_not_read(text: str, reason: str):
    """A line that is not understood, or clues that leave no code or several."""
    with pytest.raises(NotRead, match=reason):
        read(text, 1)

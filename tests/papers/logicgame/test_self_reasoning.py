"""The published items of self-reasoning: read alike in both languages, or refused with a reason."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from proofs.second_workings.self_reasoning import work

from quandary.papers.logicgame.prompts import NotRead
from quandary.papers.logicgame.readers.self_reasoning import read

HOME = (
    Path(os.environ.get("QUANDARY_DATA") or Path(__file__).parents[4] / "shared" / "data")
    / "logicgame"
)
TAIL = "\n\nPlease generate a JSON object with one field 'answer'."


def found(language: str) -> list[Any]:
    """The questions, in order of level and number, or why they are not read."""
    file = HOME / f"{language}_all_304.jsonl"
    if not file.exists():
        pytest.skip(
            f"LogicGame's published data is not at {HOME}; set QUANDARY_DATA to the folder with it"
        )
    items = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    own = [item for item in items if item["category"] == "单选自推理"]
    own.sort(key=lambda item: (item["level"], int(item["qid"].split("_")[-1])))
    return [_read(item) for item in own]


def _read(item: dict[str, Any]) -> Any:
    try:
        return read(item["contexts"][0], item["level"])
    except NotRead as reason:
        return str(reason)


def test_items_are_read_alike_in_both_languages():
    """Six of eight, each with the answer that trying every choice finds."""
    english, chinese = found("en"), found("zh")

    assert english == chinese
    assert ["".join(one.work().answer) if not isinstance(one, str) else one for one in english] == [
        "B",
        "it asks whether options are the same: those that are offered or chosen",
        "AAC",
        "AAB",
        "BCAB",
        "EDBBA",
        "EDCAEAEA",
        "it counts answers among five questions, but has 7",
    ]
    sheets = [one for one in english if not isinstance(one, str)]
    assert [(one.family, one.level) for one in sheets] == [
        ("a", 0), ("a", 1), ("b", 1), ("a", 2), ("b", 2), ("a", 3),
    ]  # fmt: skip
    assert [one.asks_process for one in sheets] == [False, True, False, True, False, True]
    assert all(one.work() == work(one) for one in sheets[:5])


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("1. Who are you?\nA. 1\nB. 2", "not understood: '1. Who are you"),
        ("1. How many questions have B as the correct answer?\nA. many", "not understood: 'many'"),
        ("1. How many questions have B as the correct answer?\nB. 1", "not understood: 'B. 1'"),
        ("1. What is the answer to the ninth question?\nA. A", "not understood: '1. What is the"),
        (
            "1. How many questions have B as the correct answer?\nA. 0\nB. 1",
            "not exactly one choice",
        ),
    ],
)
def test_what_is_not_read(body: str, reason: str):
    with pytest.raises(NotRead, match=reason):
        read(f"Deduce the answers.\n{body}{TAIL}", 0)

"""The calls of matches, found in a journal without reading all of it for each of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from quandary.arena.exchanges import JournalIndex, SentMessage, exchanges


def _sent(call: str, match: str, seat: int, step: str, *messages: str) -> dict[str, Any]:
    return {
        "sent": call, "model": "openai/m", "match": match, "seat": seat, "step": step,
        "position": "p", "messages": list(messages),
    }  # fmt: skip


def _message(name: str, text: str) -> dict[str, Any]:
    return {"message": name, "role": "user", "parts": [{"text": text}]}


def _journal(folder: Path, *lines: dict[str, Any]) -> Path:
    path = folder / "journal.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_calls_are_found_by_match_and_seat_in_their_order(tmp_path: Path) -> None:
    journal = _journal(
        tmp_path,
        _message("a", "first"),
        _sent("1", "one", 0, "1", "a"),
        _sent("2", "two", 0, "1", "a"),
        _message("b", "second\n漢"),
        _sent("3", "one", 0, "2", "a", "b"),
        _sent("4", "one", 1, "1", "b", "missing"),
    )
    index = JournalIndex(journal)
    first, second = SentMessage("user", "first"), SentMessage("user", "second\n漢")

    found = index.exchanges(["one", "one", "unknown"])  # a match may have been played again
    assert {("one", 0), ("one", 1)} == found.keys()
    assert [(call.step, call.sent) for call in found["one", 0]] == [
        ("1", (first,)),
        ("2", (first, second)),
    ]
    assert [call.sent for call in found["one", 1]] == [(second,)]
    assert index.exchanges(["two"]) == exchanges(journal, ["two"])


def test_a_call_that_was_sent_again_counts_once(tmp_path: Path) -> None:
    journal = _journal(
        tmp_path,
        _message("a", "first"),
        _sent("1", "one", 0, "1", "a"),
        _sent("1", "one", 0, "1", "a"),
    )

    [(_, calls)] = exchanges(journal, {"one"}).items()
    assert len(calls) == 1 and calls[0].generations == ()

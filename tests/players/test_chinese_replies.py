"""Replies in Chinese, in many manners, as a careful native reads them.

Every line of `chinese_replies.jsonl` is a reply: `answer` is the move or the answer that it gives,
null where it gives none or leaves it open.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from quandary.catalogue import registry
from quandary.catalogue.registry import named
from quandary.core.contract import Game, Question
from quandary.core.errors import Ambiguous, Unreadable
from quandary.models.provider import Generation
from quandary.players.reading.reply import read

FILE = Path(__file__).parent / "chinese_replies.jsonl"
REPLIES: list[dict[str, Any]] = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
NO_ANSWER = {"unknown_label", "unreadable"}  # kinds of errors of answers that name nothing

puzzle = cache(lambda spec: registry.instance(named(spec)))


def _understood(reply: dict[str, Any]) -> str | None:
    """What the reader and the puzzle make of a reply: a move, a right answer as it is in the case,
    any other answer as it was read; None if nothing.
    """
    asked = puzzle(reply["spec"])
    finish = reply.get("finish", "stop")
    reading = read(Generation(reply["reply"], finish=finish), asked.form).lenient
    if reading.status != "answered":
        return None
    if isinstance(asked, Question):
        return _answered(asked, reading.answer, reply["answer"])
    try:
        return asked.read(max(asked.options()), reading.answer)
    except (Ambiguous, Unreadable):
        return None


def _answered(question: Question, answer: str, expected: str | None) -> str | None:
    verdict = question.check(answer)
    if verdict.kind in NO_ANSWER:
        return None
    return expected if expected and verdict == question.check(expected) else answer


@pytest.mark.parametrize("reply", REPLIES, ids=lambda reply: reply["id"])
def test_reply(reply: dict[str, Any]) -> None:
    assert reply["answer"] == _understood(reply), reply["why"]


def test_replies_are_complete() -> None:
    """There are two hundred, no two alike, and every expected answer is one of its puzzle."""
    said = {(reply["spec"], reply["reply"], reply.get("finish")) for reply in REPLIES}

    assert 200 <= len(REPLIES) == len({reply["id"] for reply in REPLIES}) == len(said)
    assert all(reply["why"] for reply in REPLIES)
    for reply in REPLIES:
        asked, answer = puzzle(reply["spec"]), reply["answer"]
        if answer is not None and isinstance(asked, Game):
            assert answer == asked.read(max(asked.options()), answer), reply["id"]

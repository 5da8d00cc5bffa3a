"""Replies in Chinese, in many manners, as a careful native reads them.

Every line of `chinese_replies.jsonl` is a reply: `answer` is the move or the answer that it gives,
null where it gives none or leaves it open; `status` is that of a reply without an answer, and
`unread` says why the readers may miss an answer, for which they take no other.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from quandary.catalogue import drawing
from quandary.catalogue.drawing import named
from quandary.core.contract import Game, Question
from quandary.core.errors import Ambiguous, Unreadable
from quandary.core.question import form_of
from quandary.matches.player import Reading
from quandary.models.provider import Generation
from quandary.players.reading.reply import read

FILE = Path(__file__).parent / "chinese_replies.jsonl"
REPLIES: list[dict[str, Any]] = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
CHINESE = re.compile("[一-鿿]")  # no answer to a question of words has any
# kinds of errors of answers that name nothing, or not in a form that the puzzle takes
NO_ANSWER = {"unknown_label", "unreadable", "mark", "shape", "tile"}

puzzle = cache(lambda spec: drawing.instance(named(spec)))


def _read(reply: dict[str, Any]) -> Reading:
    generation = Generation(reply["reply"], finish=reply.get("finish", "stop"))
    return read(generation, form_of(puzzle(reply["spec"]))).lenient


def _understood(reply: dict[str, Any]) -> str | None:
    """What the reader and the puzzle make of a reply: a move, a right answer as it is in the case,
    any other answer as it was read; None if nothing.
    """
    asked, reading = puzzle(reply["spec"]), _read(reply)
    if reading.status != "answered":
        return None
    if isinstance(asked, Question):
        return _answered(asked, reading.answer, reply["answer"])
    assert isinstance(asked, Game)
    try:
        return asked.read(max(asked.options()), reading.answer)
    except (Ambiguous, Unreadable):
        return None


def _answered(question: Question, answer: str, expected: str | None) -> str | None:
    verdict = question.check(answer)
    is_right = verdict.score == 1.0 and bool(expected) and question.check(expected).score == 1.0
    if is_right or answer == expected:
        return expected
    is_refused = verdict.kind in NO_ANSWER or (not verdict.score and CHINESE.search(answer))
    return None if is_refused else answer


@pytest.mark.parametrize("reply", REPLIES, ids=lambda reply: reply["id"])
def test_reply(reply: dict[str, Any]) -> None:
    """It is understood; what may stay unread is at least not taken for something else."""
    understood = _understood(reply)

    assert understood == reply["answer"] or ("unread" in reply and understood is None), reply["why"]
    assert reply.get("status", "") in ("", _read(reply).status)


def test_few_replies_stay_unread() -> None:
    unread = [reply["id"] for reply in REPLIES if _understood(reply) != reply["answer"]]

    assert len(unread) <= 22, unread


def test_replies_are_complete() -> None:
    """There are two hundred, no two alike, and every expected answer is one of its puzzle."""
    said = {(reply["spec"], reply["reply"], reply.get("finish")) for reply in REPLIES}

    assert 200 <= len(REPLIES) == len({reply["id"] for reply in REPLIES}) == len(said)
    assert all(reply["why"] for reply in REPLIES)
    for reply in REPLIES:
        asked, answer = puzzle(reply["spec"]), reply["answer"]
        if answer is not None and isinstance(asked, Game):
            assert answer == asked.read(max(asked.options()), answer), reply["id"]

"""Any text gets a verdict within 50 ms, in all tasks on positions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from time import process_time

import pytest
from proofs.resumable import state_levels

from hostile_texts import repetitive_texts
from quandary.catalogue import drawing
from quandary.conformance.questions import HUGE
from quandary.conformance.texts import ODD_TEXTS
from quandary.core.contract import Game, Question
from quandary.core.errors import UserError
from quandary.tasks.next_state import NextState

LIMIT = 0.050  # seconds of this process
TRIES = 20
PLAIN, USUAL = "a\n" * 60_000, 0.015  # a text, and how many seconds its words usually take
LENGTHS = (40, 640, 5_120, 40_960)


def _texts(asked: Question) -> Iterator[str]:
    yield from (*ODD_TEXTS, *HUGE)
    yield from repetitive_texts(asked, LENGTHS)
    if isinstance(asked, NextState):
        yield from (position.state() for position in _positions(asked))


def _positions(asked: NextState) -> Iterator[Game]:
    """One move ahead up to the end, from every position that is shown."""
    rng = Random(1)
    for start in (asked.start, asked.parent, asked.position):
        for _ in range(5):
            position = start
            while moves := list(position.options().get(0) or ()):
                position = position.after(0, rng.choice(moves))
                yield position


@pytest.mark.heavy
@pytest.mark.parametrize("task", ["check", "next", "whole"])
@pytest.mark.parametrize("level", list(state_levels()))
def test_every_text_gets_a_verdict_in_time(task: str, level: str) -> None:
    """A text that takes too long is tried again: the machine may be busy."""
    for label in ("solvable", "unsolvable") if task == "next" else ("",):
        asked = _question(f"{task}:{level}", label)
        asked.check("")  # what is loaded once
        slow = [text for text in _texts(asked) if _seconds(asked, text) > LIMIT]
        slow = [text for text in slow if _is_slow(asked, text)]

        assert [] == [(len(text), text[:60], _seconds(asked, text)) for text in slow]


def _question(place: str, label: str) -> Question:
    try:
        asked = drawing.instance(f"{place},label={label}#1" if label else f"{place}#1")
    except UserError as refusal:
        pytest.skip(str(refusal))
    assert isinstance(asked, Question)
    return asked


def _is_slow(asked: Question, text: str) -> bool:
    """Whether every try takes too long, also for a machine as slow as this one is now."""
    return all(_seconds(asked, text) > LIMIT * _slowness() for _ in range(TRIES))


def _slowness() -> float:
    """How many times as long as usual this machine takes, at least 1."""
    begun = process_time()
    [word.strip() for word in re.split(r"\s+", PLAIN)]
    return max(1.0, (process_time() - begun) / USUAL)


def _seconds(asked: Question, text: str) -> float:
    begun = process_time()
    asked.check(text)
    return process_time() - begun

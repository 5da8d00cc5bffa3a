"""Questions with worked answers that people solved by hand from their prompts alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quandary.catalogue import registry
from quandary.core import codec
from quandary.core.worked import Worked

LINES = Path(__file__).with_name("solved_by_hand.jsonl").read_text("utf-8").splitlines()


@pytest.mark.parametrize("line", LINES, ids=range(len(LINES)))
def test_what_was_worked_out_by_hand_is_right(line: str) -> None:
    """Answer and process."""
    given = json.loads(line)
    version = registry.load(given["question"]["puzzle"]).version
    question = codec.unpack({**given["question"], "version": version}, registry.load)
    assert isinstance(question, Worked)
    verdict = question.check(json.dumps(given["solved"]))

    assert question.asks_process == ("process" in given["solved"])
    assert {1.0} == set(dict(verdict.parts).values())

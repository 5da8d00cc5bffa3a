"""Any text gets a verdict after little work, in all tasks on positions."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from proofs.resumable import state_levels

from counted_work import calls
from hostile_texts import repetitive_texts
from quandary.catalogue import drawing
from quandary.conformance.questions import HUGE
from quandary.conformance.texts import ODD_TEXTS
from quandary.core.contract import Game, Question
from quandary.core.errors import UserError
from quandary.core.mixins.whole_answers import moves_in
from quandary.tasks.next_state import NextState

MOST = 100_000  # calls of functions, which take some 30 ms
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
def test_every_text_gets_a_verdict_after_little_work(task: str, level: str) -> None:
    for label in ("solvable", "unsolvable") if task == "next" else ("",):
        asked = _question(f"{task}:{level}", label)
        asked.check("")  # what is loaded once
        for text in _texts(asked):
            assert calls(asked.check, text) <= MOST, (len(text), text[:60])


def _question(place: str, label: str) -> Question:
    try:
        asked = drawing.instance(f"{place},label={label}#1" if label else f"{place}#1")
    except UserError as refusal:
        pytest.skip(str(refusal))
    assert isinstance(asked, Question)
    return asked


@pytest.mark.parametrize("level", ["graph_coloring/easy", "sudoku/easy", "takuzu/easy"])
def test_each_different_line_is_read_once(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game, lines = drawing.game(f"{level}#1"), list[str]()
    solution = _question(f"whole:{level}", "").solution().splitlines()
    read = type(game).read

    def counted(position: Game, seat: int, said: str) -> str:
        lines.append(said)
        return read(position, seat, said)

    monkeypatch.setattr(type(game), "read", counted)
    moves = moves_in(game, "\n".join(solution * 100))

    assert list(moves) == solution * 100
    assert lines == list(dict.fromkeys(solution))

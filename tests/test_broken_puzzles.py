"""The conformance suite refuses broken puzzles and names what is broken."""

from __future__ import annotations

import time
from itertools import count

import pytest

from broken_canonical import FORGOTTEN, SoundDifference, SoundRuns, SoundSum
from broken_hooks import HOOK_FAULTS, Unfinished
from broken_puzzles import (
    BROKEN_TASKS,
    FAULTS,
    AlikeIsWorthMore,
    BeatenAlthoughOptimal,
    FewOnTheSly,
    LostInExpressions,
    Sound,
    SoundFamilies,
    SoundFoul,
    SoundQuestion,
    SoundShape,
    SoundSolo,
    SoundSymmetry,
    SoundTree,
    StateTells,
)
from broken_worked import WORKED_FAULTS, SoundWorked
from hostile_texts import hanging_text
from quandary.catalogue import registry
from quandary.conformance import check
from quandary.core import scene
from quandary.core.contract import Puzzle
from quandary.render import svg
from quandary.tasks.state_check import StateCheck

ALL_FAULTS: dict[type[Puzzle], str] = {**FAULTS, **FORGOTTEN, **WORKED_FAULTS}


@pytest.mark.parametrize(
    "puzzle",
    [
        Sound, SoundDifference, SoundFamilies, SoundFoul, SoundQuestion, SoundRuns, SoundShape,
        SoundSolo,
        SoundSum, SoundSymmetry, SoundTree, SoundWorked,
    ],
)  # fmt: skip
def test_a_sound_puzzle_from_elsewhere_passes(puzzle: type[Puzzle]) -> None:
    """The puzzles the broken ones are made from have no fault of their own."""
    assert [str(fault) for fault in check(puzzle)] == []
    assert registry.REGISTERED == {}


@pytest.mark.parametrize("puzzle", ALL_FAULTS, ids=lambda puzzle: puzzle.__name__)
def test_a_broken_puzzle_is_refused(puzzle: type[Puzzle]) -> None:
    """Each fault is found and named."""
    sentences = [fault.sentence for fault in check(puzzle)]

    assert any(ALL_FAULTS[puzzle] in sentence for sentence in sentences), sentences


@pytest.mark.parametrize("puzzle", HOOK_FAULTS, ids=lambda puzzle: puzzle.__name__)
def test_a_hook_of_another_type_is_named_and_nothing_else(puzzle: type[Puzzle]) -> None:
    """What follows from such a fault is not told."""
    sentences = [fault.sentence for fault in check(puzzle)]

    assert sentences == [HOOK_FAULTS[puzzle]]


def test_hooks_that_are_missing_are_named() -> None:
    [fault] = check(Unfinished)

    assert fault.sentence == "it does not define: after, text"


def test_levels_must_be_named() -> None:
    with pytest.raises(TypeError, match="`levels` of Listed must be a dict of levels"):
        type("Listed", (Sound,), {"levels": ["easy", "hard"]})


@pytest.mark.parametrize(
    "puzzle",
    [AlikeIsWorthMore, BeatenAlthoughOptimal, FewOnTheSly, StateTells],
    ids=lambda puzzle: puzzle.__name__,
)
def test_what_is_found_does_not_depend_on_the_clock(
    puzzle: type[Puzzle], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Faults that take many draws or matches to find; hours pass between two looks at a clock."""
    hours = count(step=3_600)
    for clock in ("process_time", "thread_time", "perf_counter", "monotonic", "time"):
        monkeypatch.setattr(time, clock, lambda: float(next(hours)))
    sentences = [fault.sentence for fault in check(puzzle)]

    assert any(FAULTS[puzzle] in sentence for sentence in sentences), sentences


@pytest.mark.parametrize("task", BROKEN_TASKS, ids=lambda task: task.__name__)
def test_a_broken_state_task_is_refused(
    task: type[StateCheck], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The puzzle it asks about is sound."""
    monkeypatch.setitem(registry.WRAPPERS, "check", task)
    sentences = [fault.sentence for fault in check(SoundTree)]

    assert any(BROKEN_TASKS[task] in sentence for sentence in sentences), sentences


def test_a_checker_that_hangs_is_found() -> None:
    """The texts that try for it find one that takes too long, before one that never ends."""
    # Of the first of these two, a fast machine may be done just before the limit.
    assert hanging_text(LostInExpressions(7), limit=0.1)[:12] in {"1" * 12, "0" * 12}
    assert "" == hanging_text(SoundQuestion(7))


def test_scenes_and_pictures_share_their_colours() -> None:
    """What conformance calls a colour is what can be drawn, and nothing else."""
    assert scene.COLOURS == tuple(svg.COLOURS)

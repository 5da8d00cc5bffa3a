"""Every puzzle keeps every promise of the contract.  A new puzzle is tested by existing."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hostile_texts import LENGTHS, LONG, hanging_text
from quandary.catalogue import drawing, registry
from quandary.conformance import violations_of
from quandary.conformance.case import FEW_DRAWS, Case, Draws
from quandary.conformance.tasks import task_cases
from quandary.core.contract import CHANCE, Game, Puzzle, Question
from quandary.core.errors import Unreadable
from quandary.core.mixins.turns import draw_of_chance
from quandary.render.svg import picture, svg
from quandary.tasks.question_game import QuestionGame

CASES = [(name, level) for name in registry.names() for level in registry.load(name).levels]
ENDS = [
    (name, level)
    for name in registry.names()
    for levels in [list(registry.load(name).levels)]
    for level in dict.fromkeys((levels[0], levels[-1]))
]
every = pytest.mark.parametrize(
    ("name", "level"), CASES, ids=[f"{name}/{level}" for name, level in CASES]
)


@pytest.mark.parametrize(("name", "level"), ENDS, ids=[f"{name}/{level}" for name, level in ENDS])
def test_every_promise_is_kept(name: str, level: str) -> None:
    """The conformance suite finds nothing in one instance of the easiest and the hardest level."""
    case = Case.of(registry.load(name), level, range(1), Draws(20, 50))

    assert [] == [str(violation) for violation in violations_of(case)]


@pytest.mark.heavy
@every
def test_every_promise_is_kept_by_more_instances(name: str, level: str) -> None:
    """Three instances of every level, as in `quandary check`, with more draws than above."""
    case = Case.of(registry.load(name), level, draws=Draws(200, 50))

    assert [] == [str(violation) for violation in violations_of(case)]


ONE_SEAT = [
    (name, level)
    for name, level in CASES
    if issubclass(puzzle := registry.load(name), Game) and puzzle.seats == 1
]
FIRST = [
    (name, level) for name, level in ONE_SEAT if level == next(iter(registry.load(name).levels))
]


@pytest.mark.parametrize(("name", "level"), FIRST, ids=[name for name, _ in FIRST])
def test_tasks_keep_every_promise(name: str, level: str) -> None:
    """State checks, next states and whole games are puzzles like any other."""
    _check_tasks(name, level, 1)


@pytest.mark.heavy
@pytest.mark.parametrize(("name", "level"), ONE_SEAT, ids=[f"{n}/{level}" for n, level in ONE_SEAT])
def test_tasks_keep_every_promise_at_every_level(name: str, level: str) -> None:
    """As `quandary check` finds it."""
    _check_tasks(name, level, 3)


def _check_tasks(name: str, level: str, seeds: int) -> None:
    for case in task_cases(registry.load(name), level, range(seeds), FEW_DRAWS):
        assert [] == [str(violation) for violation in violations_of(case)]


@every
def test_pictures_are_well_formed(name: str, level: str) -> None:
    """What is drawn of every position is XML."""
    _draw_all(name, level, 0)


@pytest.mark.heavy
@every
def test_pictures_of_a_second_instance_are_well_formed(name: str, level: str) -> None:
    """As those of the first."""
    _draw_all(name, level, 1)


def _draw_all(name: str, level: str, seed: int) -> None:
    for position in Case.of(registry.load(name), level, [seed]).positions():
        for seat in range(position.seats):
            assert ElementTree.fromstring(svg(picture(position, seat))) is not None


@pytest.mark.parametrize("name", registry.names())
@given(text=st.text(max_size=60))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_any_text_is_read_or_refused(name: str, text: str) -> None:
    """No text a player sends raises anything but Unreadable, and no checker raises at all."""
    puzzle = _first(name)
    if isinstance(puzzle, Question):
        assert 0.0 <= puzzle.check(text).score <= 1.0
        return
    assert isinstance(puzzle, Game)
    for seat in puzzle.options():
        if seat != CHANCE:
            try:
                move = puzzle.seen_by(seat).read(seat, text)
            except Unreadable as refusal:
                move = str(refusal)
            assert isinstance(move, str)


@pytest.mark.parametrize(
    "lengths", [LENGTHS, pytest.param(LONG, marks=pytest.mark.heavy)], ids=["short", "long"]
)
@pytest.mark.parametrize("name", registry.names())
def test_no_text_hangs(name: str, lengths: Sequence[int]) -> None:
    """Readers and checkers get through repetitive texts, so no reply can hold up a run."""
    assert "" == hanging_text(_first(name), lengths)


def _first(name: str) -> Puzzle:
    level = next(iter(registry.load(name).levels))
    puzzle = drawing.instance(f"{name}/{level}#0")
    while isinstance(puzzle, Game) and CHANCE in puzzle.options():
        puzzle = puzzle.play(CHANCE, draw_of_chance(puzzle, Random(0)))
    return puzzle


@every
def test_instances_keep_their_promises_as_attempts(name: str, level: str) -> None:
    """A question's last try counts, and feedback reaches the next turn."""
    puzzle = drawing.instance(f"{name}/{level}#3")
    if not isinstance(puzzle, Question):
        pytest.skip("it is no question")
    attempt = QuestionGame(puzzle, tries=2).play(0, "§ no answer §")

    assert attempt.options() == {0: None}
    assert puzzle.check("§ no answer §").feedback in attempt.text(0)

    solved = attempt.play(0, puzzle.seen_by(0).solution())

    assert solved.options() == {}
    assert (puzzle.check(puzzle.seen_by(0).solution()).score,) == solved.scores()

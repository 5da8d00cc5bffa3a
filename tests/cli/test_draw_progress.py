"""`quandary check` says why it takes long, and can be told to draw fewer instances."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from itertools import count
from random import Random
from typing import Any

import pytest

from quandary.cli import draw_progress
from quandary.cli.draw_progress import DrawProgress
from quandary.cli.main import main
from quandary.puzzles.questions.words.bracket_game import BracketGame

SECONDS = 0.5  # that an instance takes


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that only tests move on."""
    now = [0.0]
    monkeypatch.setattr(draw_progress, "monotonic", lambda: now[0])
    return now


def _run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    return code, *capsys.readouterr()


def _draw(progress: DrawProgress, place: str, drawn: range, of: int, clock: list[float]) -> None:
    for number in drawn:
        progress(place, number, of)
        clock[0] += SECONDS


def _new_that_also(act: Callable[[], object]) -> classmethod[Any, Any, Any]:
    """What makes instances of a puzzle, and does something else each time."""
    usual = BracketGame.new.__func__  # type: ignore[attr-defined]

    @wraps(usual)
    def new(cls: type[BracketGame], rng: Random, **level: Any) -> Any:
        act()
        return usual(cls, rng, **level)

    return classmethod(new)


def test_a_slow_new_is_named_once(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    """As soon as it is known how long an instance takes; a level's families are not told again."""
    progress = DrawProgress()
    _draw(progress, "stone_race/easy", range(10), 2_000, clock)
    assert ("", "") == capsys.readouterr()
    _draw(progress, "stone_race/easy", range(10, 300), 2_000, clock)
    _draw(progress, "stone_race/easy,family=a", range(300), 2_000, clock)
    sentence = (
        "quandary: `new` of stone_race/easy takes 0.50 s per instance; 11 of 2,000 instances are "
        "drawn, and the rest will take about 17 min. --instances N draws fewer, and the result "
        "says so.\n"
    )
    assert ("", sentence) == capsys.readouterr()
    _draw(progress, "stone_race/hard", range(20), 2_000, clock)
    assert "`new` of stone_race/hard takes 0.50 s" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("drawn", "of"), [(range(10), 2_000), (range(100), 130), (range(2_001), 2_000)]
)
def test_what_is_over_soon_is_not_named(
    drawn: range, of: int, clock: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    """After less than a few seconds, with less than a minute left, or for quick instances."""
    progress = DrawProgress()
    for number in drawn:
        progress("stone_race/easy", number, of)
        clock[0] += SECONDS if of != drawn[-1] else 0.01

    assert ("", "") == capsys.readouterr()


def test_progress_says_how_many_are_drawn(clock: list[float]) -> None:
    """Only while they are drawn."""
    progress = DrawProgress()
    assert "" == progress.words()
    _draw(progress, "stone_race/easy", range(1), 2_000, clock)
    assert "" == progress.words()  # nobody knows yet how long one takes
    _draw(progress, "stone_race/easy", range(1, 1_201), 2_000, clock)
    clock[0] -= SECONDS
    assert "1,200 of 2,000 instances drawn, 0.50 s each" == progress.words()
    progress("stone_race/easy", 2_000, 2_000)
    assert "" == progress.words()


def test_a_check_names_a_slow_new(
    clock: list[float], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once for each level."""

    def wait() -> None:
        clock[0] += SECONDS

    monkeypatch.setattr(BracketGame, "new", _new_that_also(wait))
    code, out, err = _run(capsys, "check", "bracket_game")

    assert (0, "bracket_game: all promises kept at 3 levels (version 2)\n") == (code, out)
    assert [
        f"quandary: `new` of bracket_game/{level} takes 0.50 s" for level in BracketGame.levels
    ] == [line.partition(" per ")[0] for line in err.splitlines() if "`new`" in line]


def test_the_result_says_that_fewer_were_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    """And only then."""
    fewer = ", by 50 instances per level instead of 2,000"
    found = [_run(capsys, "check", "bracket_game", *more) for more in ([], ["--instances", "50"])]
    kept = [
        json.loads(_run(capsys, "check", "bracket_game", "--json", *more)[1])
        for more in (["--instances", "2000"], ["--instances", "50"])
    ]

    assert [False, True] == [out.endswith(f"{fewer}\n") for _, out, _ in found]
    assert [0, 0] == [code for code, _, _ in found]
    assert [{}, {"instances": 50}] == [
        {key: value for key, value in one.items() if key not in ("puzzle", "kept")} for one in kept
    ]


def test_fewer_are_drawn(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By hundreds for each level; what every check needs is left."""
    drawn = count()
    monkeypatch.setattr(BracketGame, "new", _new_that_also(lambda: next(drawn)))
    assert 0 == _run(capsys, "check", "bracket_game", "--instances", "10")[0]

    assert next(drawn) < 250 * len(BracketGame.levels)

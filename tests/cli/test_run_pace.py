"""How long a run will still take, by the pace of each of its models."""

from __future__ import annotations

from quandary.cli.progress import LONGEST, Progress
from quandary.cli.run_pace import RunPace

SLOW, FAST = ("local/slow", "house"), ("random", "house")


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def _play(pace: RunPace, clock: Clock, players: tuple[str, ...], seconds: float) -> None:
    pace.begin(players)
    clock.now += seconds
    pace.end(players)


def test_a_slow_model_counts_by_its_own_pace() -> None:
    """However many matches strategies have finished meanwhile."""
    clock = Clock()
    pace = RunPace(clock)
    pace.plan([*[FAST] * 990, *[SLOW] * 10])
    for _ in range(980):
        _play(pace, clock, FAST, 0.01)
    assert pace.seconds_left() is None  # nothing is known of the model
    pace.begin(SLOW)
    for _ in range(2):
        _play(pace, clock, SLOW, 60)

    assert round(pace.seconds_left() or 0) == 8 * 60


def test_models_are_played_at_the_same_time() -> None:
    """The slowest of them says when the run ends."""
    clock = Clock()
    pace = RunPace(clock)
    other = ("openai/other",)
    pace.plan([SLOW, SLOW, other, other])
    pace.begin(SLOW)
    pace.begin(other)
    clock.now = 10
    pace.end(SLOW)
    clock.now = 20
    pace.end(other)

    assert pace.seconds_left() == 20
    pace.end(other)
    pace.end(SLOW)
    assert pace.seconds_left() == 0


def test_progress_tells_the_better_estimate() -> None:
    known: float | None = 600
    tell = Progress("matches", seconds_left=lambda: known)
    tell.begun -= 10
    tell.done, tell.total = 90, 100

    assert tell.line() == "matches: 90 of 100 (90 %), 9.0 per second, 10 min left"
    known = None
    assert tell.line() == "matches: 90 of 100 (90 %), 9.0 per second"


def test_a_line_of_progress_is_not_wider_than_a_terminal() -> None:
    """The rate goes first, then the end of the name."""
    tell = Progress("matches of " + "x" * 30, lambda: "1,234,567 tokens, $12.34")
    tell.begun -= 10
    tell.done, tell.total = 9_000, 100_000
    assert len(tell.line()) <= LONGEST and "per second" not in tell.line()
    assert tell.line().endswith("left, 1,234,567 tokens, $12.34")

    tell.what = "matches of " + "x" * 200
    assert len(tell.line()) == LONGEST and "x…: 9000 of 100000 (9 %)" in tell.line()

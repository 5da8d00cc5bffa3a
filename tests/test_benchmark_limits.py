"""Limits of speed: what fails is marked, and only what every round exceeds clearly is broken."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from benchmarks import strict
from benchmarks.limits import Limit, Measured, limit_table, ratios

LIMIT = Limit("some work", 1.0, aim=0.7)


@pytest.mark.parametrize(
    ("figures", "is_met", "is_broken"),
    [
        ([0.9, 1.4, 1.5], True, False),
        ([1.1, 1.4, 1.5], False, False),
        ([1.2, 1.4, 1.5], False, True),
    ],
)
def test_the_best_round_meets_a_limit_and_all_rounds_break_it(
    figures: list[float], is_met: bool, is_broken: bool
) -> None:
    row = Measured(LIMIT, figures)

    assert (is_met, is_broken) == (row.is_met, row.is_broken)
    assert ("**fails**" in limit_table([row])[-1]) != is_met


def test_memory_is_shown_in_whole_megabytes() -> None:
    row = Measured(Limit("memory", 120, "MB"), [74.6])

    assert "| memory | 75 MB | 120 MB |  |  |  |" == limit_table([row])[-1]
    assert [2.0, 0.5] == ratios([4.0, 1.0], [2.0, 2.0])


def test_strict_exits_with_1_for_a_broken_limit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It names the work and all rounds; sections without limits are left alone."""
    rows = {"met": [0.9, 2.0], "broken": [1.2, 1.3]}
    sections = {
        title: SimpleNamespace(measured=lambda rounds, figures=figures: [Measured(LIMIT, figures)])
        for title, figures in rows.items()
    }
    monkeypatch.setattr(strict, "SECTIONS", sections | {"other": SimpleNamespace()})
    monkeypatch.setattr(strict, "chosen", lambda words: words)

    assert 0 == strict.main(["met", "other"])
    assert 1 == strict.main(["met", "broken"])
    assert (
        "broken: some work: at most 1.00 x, and all rounds exceed that by 15 %: 1.20 x, 1.30 x"
        in (capsys.readouterr().out)
    )

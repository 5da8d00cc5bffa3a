"""How many seeds separate two players, and what pages say about it."""

from __future__ import annotations

from math import sqrt
from random import Random
from statistics import fmean, stdev

import pytest

from quandary.pages import separation as pages
from quandary.pages.puzzle_page import page
from quandary.scoring.separation import FEWEST, separation
from quandary.statistics.estimates import student


def _separated(differences: list[float]) -> bool:
    count = len(differences)
    return fmean(differences) > student(count - 1, 0.95) * stdev(differences) / sqrt(count)


def test_that_many_seeds_separate_four_times_in_five() -> None:
    """By simulation, with the difference and the deviation known from many instances."""
    rng = Random(1)
    many = [rng.gauss(0.1, 0.4) for _ in range(20_000)]
    seeds = separation(many).seeds
    assert seeds is not None
    share = fmean(_separated(rng.choices(many, k=seeds)) for _ in range(2_000))

    assert share == pytest.approx(0.8, abs=0.04)


def test_what_is_left_open_is_called_open() -> None:
    """No difference, or too few instances to know; and then not fewer seeds than were played."""
    rng = Random(2)
    open_still = separation([rng.gauss(0.0, 0.3) for _ in range(200)])

    assert open_still.seeds is None and open_still.more_than >= 200
    assert (None, FEWEST - 1) == separation([1.0] * (FEWEST - 1))[2:]
    assert FEWEST == separation([1.0] * 30).seeds


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"seeds": 12}, "easy 12 (`cautious` 0.80, `oracle` 0.90)"),
        ({"seeds": 4_000}, "At easy no affordable number of seeds"),
        ({"seeds": None, "more_than": 77}, "easy more than 77"),
        ({"seeds": 9, "rule_score": 0.95}, "9 (the rule is the better player)"),
    ],
)
def test_pages_say_what_separates(
    changes: dict[str, int | float | None], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number of seeds, or that the level does not separate decent players."""
    found = {
        "version": 1, "rule": "cautious", "against": "random", "played": 30, "rule_score": 0.8,
        "strongest_score": 0.9, "seeds": 12, "more_than": 0,
    }  # fmt: skip
    version = pages.registry.load("card_nim").version
    monkeypatch.setattr(
        pages, "measured", lambda: {"card_nim/easy": {**found, **changes, "version": version}}
    )

    assert said in page("card_nim")
    decent = {"seeds": 12} == changes
    assert decent != ("no affordable number" in page("card_nim"))


def test_measurements_of_another_version_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Instances of another version say nothing about those of this one."""
    monkeypatch.setattr(pages, "measured", lambda: {"card_nim/easy": {"version": 0}})

    assert [] == pages.sentences("card_nim")
    assert "card_nim/easy" not in pages.document()

"""What pages say about how many seeds separate players."""

from __future__ import annotations

import pytest

from quandary.puzzle_docs import separation as pages
from quandary.puzzle_docs.puzzle_page import page


def _measured(name: str, **changes: int | float | None) -> dict[str, object]:
    """One measurement of the easy level of a puzzle."""
    found = {
        "version": pages.registry.load(name).version, "rule": "cautious", "against": "random",
        "played": 30, "distinct": 30, "rule_score": 0.8, "strongest_score": 0.9, "seeds": 12,
        "more_than": 0,
    }  # fmt: skip
    return {f"{name}/easy": {**found, **changes}}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"seeds": 12}, "easy 12 (`cautious` 0.80, `oracle` 0.90)"),
        ({"seeds": 4_000}, "At easy no affordable number of seeds"),
        ({"seeds": None, "more_than": 77}, "easy more than 77"),
        ({"seeds": 9, "rule_score": 0.95}, "9 (the rule is the better player)"),
    ],
)
def test_pages_say_what_separates(
    changes: dict[str, int | float | None], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number of seeds, or that the level does not separate decent players."""
    monkeypatch.setattr(pages, "measured", lambda: _measured("card_nim", **changes))

    assert sentence in page("card_nim")
    decent = {"seeds": 12} == changes
    assert decent != ("no affordable number" in page("card_nim"))


@pytest.mark.parametrize(
    ("one", "other", "shown"),
    [
        (0.8961, 0.9004, "`cautious` 0.896, `oracle` 0.900"),
        (0.00022, 0.000421, "`cautious` 0.0002, `oracle` 0.0004"),
        (0.9, 0.9, "`cautious` 0.90, `oracle` 0.90)"),
    ],
)
def test_scores_have_the_decimals_that_tell_them_apart(
    one: float, other: float, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two, or as many more as it takes; on the page of a puzzle and in the table."""
    found = _measured("card_nim", rule_score=one, strongest_score=other)
    monkeypatch.setattr(pages, "measured", lambda: found)

    assert shown in page("card_nim")
    row = next(line for line in pages.document().splitlines() if "card_nim/easy" in line)
    cells = row.split(" | ")[5:7]
    assert (cells[0] == cells[1]) == (one == other)


@pytest.mark.parametrize(
    ("name", "distinct", "sentence"),
    [
        ("card_nim", 15, ", on only 15 distinct instances)"),
        ("card_nim", 1, ", on only 1 distinct instance)"),
        ("card_nim", 20, "`oracle` 0.90)"),
        ("superply", 1, ", on the only instance)"),
    ],
)
def test_measurements_on_few_instances_say_so(
    name: str, distinct: int, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often these were played."""
    monkeypatch.setattr(pages, "measured", lambda: _measured(name, distinct=distinct))

    [shown] = [line for line in pages.sentences(name) if "Seeds that separate" in line]
    assert sentence in shown
    assert sentence.rstrip(")").split("0.90")[-1] in pages.document().splitlines()[-1]


def test_no_measurement_rests_on_more_distinct_instances_than_were_played() -> None:
    """And those of the longest games, which rest on a handful, say so."""
    assert all(1 <= found["distinct"] <= found["played"] for found in pages.measured().values())
    few = pages.measured()["exclusivity_probes/hard"]
    assert few["distinct"] <= 15
    assert "distinct instance" in pages.few_text("exclusivity_probes", "hard", few)


def test_measurements_of_another_version_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Instances of another version say nothing about those of this one."""
    monkeypatch.setattr(pages, "measured", lambda: {"card_nim/easy": {"version": 0}})

    assert [] == pages.sentences("card_nim")
    assert "card_nim/easy" not in pages.document()

"""The comparison of two trees reports what differs, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from tools import same_as
from tools.same_as import Difference, Intended, Item, compare, report, seeds_at

NAMES = ("before", "here")
EQUAL: list[Item] = [("nim/easy#1", "Stones: 3"), ("nim/easy#2", "Stones: 4\nTake some.")]


def _compared(folder: Path, one: list[Item], other: list[Item]) -> same_as.Compared:
    same_as.write_items(one, folder / "one")
    same_as.write_items(other, folder / "other")
    return compare(folder / "one", folder / "other", NAMES)


def test_equal_items_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = _compared(tmp_path, EQUAL, EQUAL)

    assert not report("instances", found, ())
    assert capsys.readouterr().out == "instances: 1 puzzles, 1 places, 2 instances, equal\n"


def test_a_difference_is_shown_with_its_place_and_its_first_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed = [EQUAL[0], ("nim/easy#2", "Stones: 4\nTake one.")]
    found = _compared(tmp_path, EQUAL, changed)

    assert report("instances", found, ())
    output = capsys.readouterr().out
    assert "1 differ" in output and "  nim/easy#2\n    line 2, 1 of 2 lines differ:\n" in output
    assert "- before: Take some.\n      + here: Take one." in output


def test_an_item_that_one_tree_lacks_is_a_difference_and_those_after_it_are_not(
    tmp_path: Path,
) -> None:
    found = _compared(tmp_path, EQUAL, EQUAL[1:])

    assert found.places == ["nim/easy#2"]
    assert found.differences == [Difference("nim/easy#1", "    only in before")]


def test_the_letter_in_which_long_lines_differ_is_shown(tmp_path: Path) -> None:
    start = "a" * 5_000
    found = _compared(tmp_path, [("page", f"{start}left")], [("page", f"{start}right")])

    assert "left" in found.differences[0].shown and "right" in found.differences[0].shown
    assert len(found.differences[0].shown) < 1_000


def test_intended_differences_are_named_and_do_not_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(same_as, "INTENDED", (Intended(r"nim/.*#2", "other words"),))
    found = _compared(tmp_path, EQUAL, [EQUAL[0], ("nim/easy#2", "Stones: 4")])

    assert not report("instances", found, ())
    assert "intended, other words: 1, for example nim/easy#2" in capsys.readouterr().out


def test_numbers_of_seeds_follow_from_the_place_alone() -> None:
    slow = {20: "check:takuzu/hard self_reasoning/3"}

    assert seeds_at("check:takuzu/hard", 200, slow) == 20
    assert seeds_at("self_reasoning/3,family=a", 200, slow) == 20
    assert seeds_at("self_reasoning/3,family=a", 5, slow) == 5
    assert seeds_at("takuzu/hard", 200, slow) == 200

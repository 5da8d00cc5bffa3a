"""Which matches of a report have a transcript."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="tables need pyarrow: pip install 'quandary[report]'")

from quandary.arena.store import MANIFEST
from quandary.cli.main import main
from quandary.report.viewer import side_files
from quandary.report.viewer.chosen import Listed, in_reading_order, selected
from seat_tables import seat_row, seat_table


def _table() -> Any:
    """400 two-player games with random results; some matches have none."""
    random, rows = Random(7), list[dict[str, Any]]()
    for match in range(1, 401):
        score = random.choice([None, 0.0, 0.5, 1.0])
        for seat, player in enumerate(random.sample(["a", "b", "m/one"], 2)):
            own = score if score is None or seat == 0 else 1 - score
            rows.append(seat_row(match, player, own, match=match, seat=seat, seats=2))
    return seat_table(rows)


def test_all_matches_are_listed_up_to_the_limit() -> None:
    found = selected(_table(), (), 400)

    assert [one.match for one in found.matches] == list(range(1, 401))
    assert all(len(one.players) == len(one.scores) == 2 for one in found.matches)
    assert found.how == "All 400 matches have a transcript."


def test_of_more_matches_the_chosen_and_an_even_sample_are_listed() -> None:
    chosen = {("run", 7), ("run", 11), ("run", 123)}
    found = selected(_table(), chosen, 40, ", because of a reason")

    expected = {match for _, match in chosen} | set(range(1, 401, 10))
    assert {one.match for one in found.matches} == expected
    assert f"{len(expected)} of 400 matches have a transcript, because of a reason" in found.how
    assert "3 with moments" in found.how and "40 evenly spaced" in found.how
    assert "; 1 of them is both." in found.how
    assert {one.match for one in selected(_table(), chosen, 0).matches} == {7, 11, 123}


def test_a_file_holds_neighbours() -> None:
    """All keys of a run have a file, and few have the same."""
    files = [side_files.file_of(f"2-{match}") for match in range(1, 101)]

    assert files == sorted(files, key=lambda name: int(name.partition("-")[2]))
    assert {files.count(name) for name in files} <= {31, 32, 5}
    assert side_files.file_of("1-5") != side_files.file_of("2-5")


def test_what_does_not_fit_is_sampled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The page says so; all files together are about as large as they may be."""
    suite, run, out = tmp_path / "suite.toml", tmp_path / "run", tmp_path / "report"
    suite.write_text('[[puzzles]]\npuzzle = "card_nim"\nlevels = ["easy"]\nseeds = "1-40"\n')
    command = ["run", "--suite", str(suite), "--out", str(run), "--schedule", "house"]
    assert 0 == main([*command, "--player", "random"])
    monkeypatch.setattr(side_files, "ALWAYS_FIT", 10)
    monkeypatch.setattr(side_files, "LARGEST", 60_000)
    assert 0 == main(["report", str(run), "--out", str(out), "--json", "--no-judge"])

    data = json.loads(capsys.readouterr().out.splitlines()[-1])
    size = sum(path.stat().st_size for path in (out / "matches").glob("1-*.js"))
    assert 0 < data["transcripts"] < data["matches"] == 80 and 20_000 < size < 90_000
    page = (out / "index.html").read_text("utf-8")
    assert f"{data['transcripts']} of 80 matches have a transcript, because all would" in page


def test_the_list_begins_with_the_first_instance_and_its_best_player(tmp_path: Path) -> None:
    """As the suite has instances, not as they were played; games for two count for the better."""
    for name, specs in {"one": ["b/easy#1", "a/easy#2"], "two": ["a/easy#2", "a/easy#10"]}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / MANIFEST).write_text(json.dumps({"specs": specs}))
    runs = {name: tmp_path / name for name in ("one", "two")}
    rows = [
        Listed("one", 1, "a/easy#2", "a", "easy", ("poor",), (0.0,), "goal"),
        Listed("one", 2, "b/easy#1", "b", "easy", ("house", "poor"), (1.0, 0.0), "goal"),
        Listed("one", 3, "b/easy#1", "b", "easy", ("house", "good"), (1.0, 0.0), "goal"),
        Listed("two", 1, "a/easy#10", "a", "easy", ("good",), (0.0,), "goal"),
        Listed("two", 2, "a/easy#2", "a", "easy", ("good",), (0.0,), "goal"),
    ]
    found = in_reading_order(rows, runs, ["good", "poor"])

    keys = [(each.run, each.match) for each in found]
    assert keys == [("one", 3), ("one", 2), ("two", 2), ("one", 1), ("two", 1)]

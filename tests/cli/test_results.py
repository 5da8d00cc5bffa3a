"""`quandary results`, and the leaderboards at the end of `quandary run`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("numpy", reason="leaderboards need numpy: pip install 'quandary[report]'")
pytest.importorskip("pyarrow", reason="leaderboards need pyarrow: pip install 'quandary[report]'")

from quandary.arena.store import MANIFEST, RECORDS
from quandary.catalogue import drawing
from quandary.cli.main import main
from quandary.matches.record import Record
from quandary.results.table import seats
from quandary.results.unplayed import with_unplayed
from run_folders import run_folder

PLAYERS = ["--player", "random", "--player", "oracle"]
PLAY = ["run", "--puzzle", "card_nim", "--puzzle", "tidy_tower", "--level", "easy", *PLAYERS]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results") / "run"
    assert 0 == main([*PLAY, "--limit", "6", "--out", str(folder)])
    return folder


def _output(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    assert 0 == main(arguments)
    return capsys.readouterr().out


def _tables(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, object]]:
    output = _output(capsys, *arguments, "--json").splitlines()
    return [line for line in map(json.loads, output) if "key" in line]


def test_a_run_ends_with_its_leaderboard(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the numbers that `results` prints, and the commands for more."""
    ended = _output(capsys, *PLAY, "--limit", "6", "--out", str(played)).splitlines()
    board = _output(capsys, "results", str(played)).splitlines()
    rows = [line for line in board if line.startswith(("oracle ", "random "))]

    assert ["oracle", "random"] == [row.split()[0] for row in rows]
    assert rows == [line for line in ended if line.startswith(("oracle ", "random "))]
    assert max(map(len, ended)) <= 100 or str(played) in max(ended, key=len)
    assert len(ended) < 30
    [more] = [line for line in ended if line.startswith("More: ")]
    assert more.split()[:4] == ["More:", "quandary", "results", str(played)]
    assert board[-1] == f"More: quandary results {played} --by level"
    assert "Scores by level" in _output(capsys, *board[-1].split()[2:])


def test_normalised_means_end_in_one_screen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`quandary results` has the rows and columns that there is no room for."""
    out = str(tmp_path / "run")
    chosen = ["--suite", "quick", "--player", "house", "--seeds", "1"]
    assert 0 == main(["run", *chosen, "--normalised", "--out", out])
    ended = capsys.readouterr().out.splitlines()
    assert len(ended) < 45
    assert max(len(line) for line in ended if out not in line) <= 100
    assert any(line.endswith(f"quandary results {out} --normalised") for line in ended)

    assert 0 == main(["results", out, "--normalised"])
    whole = capsys.readouterr().out
    assert "strongest is" in whole and whole.count(" house ") > 20
    assert 0 == main(["results", out, "--normalised", "--json"])
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {"house"} == {row["player"] for row in rows}


def test_json_has_rows_and_leaderboards(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`run` keeps its rows; both commands print the same leaderboard as one line."""
    command = (*PLAY, "--limit", "6", "--out", str(played), "--json")
    *rows, board = map(json.loads, _output(capsys, *command).splitlines())

    assert 4 == len([row for row in rows if "low" in row])
    assert [board] == _tables(capsys, "results", str(played))
    assert ["oracle", "random"] == [row["player"] for row in board["rows"]]
    assert ["levels"] == [
        t["key"] for t in _tables(capsys, "results", str(played), "--by", "level")
    ]
    [puzzles] = _tables(capsys, "results", str(played), "--by", "puzzle")
    assert 4 == len(puzzles["rows"])  # type: ignore[arg-type]
    keys = [table["key"] for table in _tables(capsys, "results", str(played), "--ratings")]
    assert {"ratings", "elo", "wins", "ties"} < set(keys)


def test_a_run_of_one_level_names_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = ("--limit", "2", "--out", str(tmp_path / "out"))
    output = _output(capsys, "run", "--puzzle", "card_nim", "--level", "easy", *PLAYERS, *out)

    assert " on card_nim/easy: there are too few starts to say." in output


def test_several_suites_have_a_leaderboard_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And one over all of them; --suite chooses some."""
    for name, puzzle in (("one", "card_nim"), ("two", "tidy_tower")):
        text = f'[[puzzles]]\npuzzle = "{puzzle}"\nlevels = ["easy"]\nseeds = "1-2"\n'
        (tmp_path / f"{name}.toml").write_text(text)
    suites = [f"--suite={tmp_path / name}.toml" for name in ("one", "two")]
    monkeypatch.chdir(tmp_path)
    output = _output(capsys, "run", *suites, *PLAYERS, "--out", "out")

    titles = ["Leaderboard", "Leaderboard of one", "Leaderboard of two"]
    assert "all 3 leaderboards" in output
    found = _tables(capsys, "results", str(tmp_path / "out"))
    assert titles == [table["title"] for table in found]
    [chosen] = _tables(capsys, "results", str(tmp_path / "out"), "--suite", "two")
    assert "Leaderboard of two" == chosen["title"]
    assert 2 == main(["results", str(tmp_path / "out"), "--suite", "tow"])
    assert "plays the suite 'tow'; choose from one, two." in capsys.readouterr().err


def test_what_is_left_to_play_is_missing(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of 6 matches of each player on tidy_tower and 12 on card_nim, the last three are cut away."""
    lines = (played / RECORDS).read_bytes().splitlines(keepends=True)
    (tmp_path / MANIFEST).write_bytes((played / MANIFEST).read_bytes())
    (tmp_path / RECORDS).write_bytes(b"".join(lines[:-3]))
    lost = [player for line in lines[-3:] for player in json.loads(line)["players"]]
    [board] = _tables(capsys, "results", str(tmp_path))
    rows = {row["player"]: row for row in board["rows"]}  # type: ignore[attr-defined]

    assert {player: lost.count(player) for player in rows} == {
        player: row["missing"] for player, row in rows.items()
    }
    for row in rows.values():
        assert row["missing"] == 0 or row["worst"] <= row["score"] <= row["best"]
        assert (row["ranks"] is None) == (row["missing"] > 0) == isinstance(row["score"], float)
    assert "PARTIAL RESULTS" in str(board["notes"])
    whole = seats(played)
    assert with_unplayed(whole, [played]) is whole
    added = with_unplayed(seats(tmp_path), [tmp_path]).slice(len(seats(tmp_path)))
    assert {None} == set(added["score"].to_pylist())
    known = dict(zip(whole["spec"].to_pylist(), whole["instance"].to_pylist(), strict=True))
    for spec, instance in zip(*(added[n].to_pylist() for n in ("spec", "instance")), strict=True):
        assert instance in (known[spec], spec)


def test_no_score_is_no_nought(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A player none of whose matches is scored gets a dash, and null in JSON."""
    start = drawing.game("card_nim/easy#1")
    record = Record(
        "card_nim/easy#1", ("a", "b"), start, (), (), None, None, "infrastructure"
    )  # fmt: skip
    asked = ("results", str(run_folder(tmp_path / "run", [record])), "--by", "level")

    row = next(line for line in _output(capsys, *asked).splitlines() if "card_nim" in line)
    assert ["by_hand", "card_nim", "easy", "a", "-", "1"] == row.split()[:6]
    [table] = _tables(capsys, *asked)
    assert [None, None] == [row["score"] for row in table["rows"]]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [(["nowhere"], "is not the folder of a run"), ([], "required")],
)
def test_mistakes_are_told(
    arguments: list[str], advice: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one sentence."""
    assert 2 == main(["results", *arguments])
    assert advice in capsys.readouterr().err

"""Tables of runs: parts, reading back, exports, and agreement with the summary."""

from __future__ import annotations

import csv
import json
import re
from collections import defaultdict
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from quandary.arena.run import run
from quandary.arena.store import RECORDS, keep, read
from quandary.arena.suite import read as read_suite
from quandary.cli.main import main
from quandary.core.errors import UserError
from quandary.players.registry import PlayerRegistry
from quandary.results import inspect_logs, parquet
from quandary.results.columns import REPLIES, SEATS, columns_of
from quandary.results.level_scores import level_means
from quandary.results.run_folders import run_names
from run_folders import answer, on_board, run_folder

ROOT = Path(__file__).parent.parent.parent
SUITE = read_suite(
    "small",
    """
tries = 2
repeats = 2
[[puzzles]]
puzzle = "card_nim"
levels = ["easy"]
seeds = "1-3"
[[puzzles]]
puzzle = "expanding_nim"
levels = ["easy"]
seeds = "1-8"
[[puzzles]]
puzzle = "tidy_tower"
levels = ["easy"]
seeds = "1-3"
[[puzzles]]
puzzle = "anagram_scribble"
levels = ["easy"]
seeds = "1-2"
""",
)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "first"
    run(SUITE, ["random", "oracle"], folder, PlayerRegistry())
    return folder


def _arrow() -> Any:
    """The module that reads tables."""
    pytest.importorskip("pyarrow", reason="tables need pyarrow: pip install 'quandary[report]'")
    from quandary.results import table

    return table


def _csv_rows(path: Path, table: str) -> list[dict[str, Any]]:
    """The rows of a file, with values of the types that the table declares."""
    columns = columns_of(table)
    with path.open(encoding="utf-8", newline="") as file:
        return [
            {name: _value(text, *columns[name]) for name, text in row.items()}
            for row in csv.DictReader(file)
        ]


def _value(text: str, kind: type, nullable: bool) -> Any:
    if not text and (nullable or kind is not str):
        assert nullable
        return None
    return text == "true" if kind is bool else kind(text)


def test_the_page_lists_every_column() -> None:
    """docs/records.md has the same columns as the rows, in their order and with their types."""
    page = (ROOT / "docs" / "records.md").read_text("utf-8")
    words = {str: "text", int: "whole number", float: "number", bool: "true or false"}
    for title, table in (("seat and match", SEATS), ("reply", REPLIES)):
        part = page.partition(f"### One row per {title}\n")[2].partition("\n#")[0]
        listed = re.findall(r"^\| `(\w+)` \| ([^|]+) \| \S", part, re.M)
        kinds = {
            name: words[kind] + ((", or null" if kind is bool else " or null") if nullable else "")
            for name, (kind, nullable) in columns_of(table).items()
        }

        assert listed == list(kinds.items())


def test_means_agree_with_those_of_records(played: Path) -> None:
    """Means over starts of means over playings follow from the columns alone; so do the numbers of
    matches and starts.
    """
    rows = _arrow().seats(played).to_pylist()
    groups: dict[Any, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        groups[row["puzzle"], row["level"], row["player"]].append(row)
    found = {}
    for key, group in groups.items():
        starts: dict[str, dict[Any, list[float]]] = defaultdict(lambda: defaultdict(list))
        for row in group:
            starts[row["instance"]][row["spec"], row["repeat"]].append(row["score"])
        mean = fmean(fmean(map(fmean, playings.values())) for playings in starts.values())
        matches = len(
            {(row["seat"], row["opponents"], row["instance"], row["moves"]) for row in group}
        )
        found[key] = mean, len(starts), matches, group[0]["listed_starts"]
    expected = {
        (row.puzzle, row.level, row.player): (row.score, row.starts, row.matches, row.listed)
        for row in level_means(read(played / RECORDS))
    }

    assert found == expected and len(found) == 8
    assert any(listed for *_, listed in found.values())


def test_csv_equals_parquet(played: Path, tmp_path: Path) -> None:
    """Both exports have the same rows, value by value."""
    _arrow()
    from pyarrow.parquet import read_table

    for to in ("csv", "parquet"):
        assert main(["export", str(played), "--to", to, "--out", str(tmp_path)]) == 0
    for table in (SEATS, REPLIES):
        stored = read_table(tmp_path / f"{table}.parquet").to_pylist()

        assert stored == _csv_rows(tmp_path / f"{table}.csv", table)
        assert list(stored[0]) == list(columns_of(table))
    seats = read_table(tmp_path / "seats.parquet").to_pylist()
    assert seats == sorted(seats, key=lambda row: (row["match"], row["seat"]))
    assert sum(row["judged"] for row in seats) > 0


def test_only_new_records_are_converted(tmp_path: Path) -> None:
    """Closing a run again adds a part; a second time it does nothing."""
    table = _arrow()
    folder = run_folder(tmp_path / "run", [on_board(seed) for seed in (1, 2)])

    assert [parquet.close(folder), parquet.close(folder)] == [2, 0]
    before = (folder / "tables" / "seats-00001.parquet").stat().st_mtime_ns
    keep(folder / RECORDS, on_board(3))
    assert parquet.close(folder) == 1
    assert before == (folder / "tables" / "seats-00001.parquet").stat().st_mtime_ns
    assert [1, 1, 2, 2, 3, 3] == table.seats(folder, columns=["match"])["match"].to_pylist()


def test_a_match_that_was_played_again_later_counts_once(tmp_path: Path) -> None:
    """Also if the part with its first record was written before."""
    table = _arrow()
    cut = on_board(1, scores=None, said=[answer(0, "", "no server", "infrastructure")])
    folder = run_folder(tmp_path / "run", [cut, on_board(2, scores=None)])
    assert [1, 1, 2, 2] == table.seats(folder)["match"].to_pylist()
    assert [1] == table.replies(folder)["match"].to_pylist()
    keep(folder / RECORDS, on_board(1))

    assert [2, 2, 3, 3] == table.seats(folder)["match"].to_pylist()
    assert [] == table.replies(folder)["match"].to_pylist()


@pytest.mark.parametrize("change", ["line moved aside", "settings", "damaged part", "lost part"])
def test_parts_that_do_not_fit_are_made_again(tmp_path: Path, change: str) -> None:
    """The tables always tell of the records and settings as they are."""
    table = _arrow()
    folder = run_folder(tmp_path / "run", [on_board(1)])
    parquet.close(folder)
    keep(folder / RECORDS, on_board(2), on_board(3))
    parquet.close(folder)
    seeds, language = [1, 2, 3], "en"
    match change:
        case "line moved aside":
            lines = (folder / RECORDS).read_bytes().splitlines(keepends=True)
            (folder / RECORDS).write_bytes(b"".join(lines[1:]))
            seeds = [2, 3]
        case "settings":
            manifest = json.loads((folder / "manifest.json").read_text())
            manifest["suite"]["language"] = language = "zh"
            (folder / "manifest.json").write_text(json.dumps(manifest))
        case "damaged part":
            (folder / "tables" / "seats-00001.parquet").write_bytes(b"PAR1")
        case "lost part":
            (folder / "tables" / "replies-00001.parquet").unlink()
    rows = table.seats(folder).to_pylist()

    assert [seed for seed in seeds for _ in (0, 1)] == [row["seed"] for row in rows]
    assert {language} == {row["language"] for row in rows}
    assert [row["match"] for row in rows] == [m for m in range(1, len(seeds) + 1) for _ in (0, 1)]


def test_large_runs_come_in_several_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts and groups of rows change no row."""
    table = _arrow()
    records = [on_board(seed) for seed in range(1, 12)]
    whole = table.seats(run_folder(tmp_path / "a", records)).drop(["run"])
    monkeypatch.setattr(parquet, "RECORDS_PER_PART", 4)
    monkeypatch.setattr(parquet, "RECORDS_PER_GROUP", 3)
    parts = run_folder(tmp_path / "b", records)

    assert table.seats(parts).drop(["run"]).to_pylist() == whole.to_pylist()
    assert len(list((parts / "tables").glob("seats-*.parquet"))) == 3


def test_runs_that_cannot_be_written_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their tables are made elsewhere, for this time only."""
    table = _arrow()
    folder = run_folder(tmp_path / "run", [on_board(1)])
    (folder / "tables").write_text("a file in the way")

    assert [1, 1] == table.seats(folder, columns=["seed"])["seed"].to_pylist()


def test_runs_are_told_apart_by_their_paths(tmp_path: Path) -> None:
    """As much of the path as it takes."""
    table = _arrow()
    one = run_folder(tmp_path / "x", [on_board(1)])
    (tmp_path / "y").mkdir()
    same = run_folder(tmp_path / "y" / "x", [on_board(2)])
    other = run_folder(tmp_path / "z", [on_board(3)])

    assert ["x", "z"] == list(run_names([one, other]))
    rows = table.seats(one, same, columns=["run", "seed"]).to_pylist()
    assert [f"{tmp_path.name}/x"] * 2 + ["y/x"] * 2 == [row["run"] for row in rows]
    with pytest.raises(UserError, match="twice"):
        run_names([one, tmp_path / "y" / ".." / "x"])


def test_without_pyarrow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run ends normally; only the export to Parquet says what to install."""
    monkeypatch.setattr(parquet, "find_spec", lambda name: None)
    folder = tmp_path / "run"
    play = ["run", "--puzzle", "card_nim", "--seeds", "1", "--player", "random"]

    assert main([*play, "--out", str(folder)]) == 0
    assert not (folder / "tables").exists()
    export = ["export", str(folder), "--out", str(tmp_path / "out"), "--to"]
    capsys.readouterr()
    assert main([*export, "csv"]) == 0
    assert main([*export, "parquet"]) == 2
    assert "pip install 'quandary[report]'" in capsys.readouterr().err


def test_tables_are_written_for_those_who_read_them(tmp_path: Path) -> None:
    """Not by the run itself; they are complete also when it went on."""
    table = _arrow()
    play = ["run", "--puzzle", "card_nim", "--level", "easy", "--player", "random", "--limit"]
    folder = tmp_path / "run"

    for limit in ("2", "3"):
        assert main([*play, limit, "--out", str(folder)]) == 0
        assert len(list(folder.glob("tables/*.parquet"))) == (0 if limit == "2" else 2)
        assert table.seats(folder).num_rows == 2 * sum(1 for _ in read(folder / RECORDS))
        assert list(folder.glob("tables/*.parquet"))


def test_what_is_not_a_run_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In one sentence, before anything is written."""
    out = tmp_path / "out"

    assert main(["export", str(tmp_path), "--to", "csv", "--out", str(out)]) == 2
    assert "is not the folder of a run" in capsys.readouterr().err and not out.exists()


def test_no_reply_becomes_a_formula(tmp_path: Path) -> None:
    """In CSV, which spreadsheets open; Parquet has the text as it is."""
    formula = "=cmd|' /C calc'!A0"
    replies = [answer(0, formula), answer(1, "-3")]
    folder = run_folder(tmp_path / "run", [on_board(1, ("@one", "two"), said=replies)])

    assert main(["export", str(folder), "--to", "csv", "--out", str(tmp_path)]) == 0
    with (tmp_path / "replies.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(f"'{formula}", "'@one"), ("-3", "two")] == [
        (row["move"], row["player"]) for row in rows
    ]
    assert [formula, "-3"] == _arrow().replies(folder)["move"].to_pylist()


def test_a_refused_export_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither a folder nor half of the files, and files of an earlier export stay."""
    monkeypatch.setattr(inspect_logs, "find_spec", lambda name: None)
    folder, earlier = run_folder(tmp_path / "run", [on_board(1)]), tmp_path / "earlier"
    assert main(["export", str(folder), "--to", "csv", "--out", str(earlier)]) == 0
    before = {path.name: path.read_bytes() for path in earlier.iterdir()}
    for to, out in (("inspect", tmp_path / "a" / "b"), ("inspect", earlier)):
        assert main(["export", str(folder), "--to", to, "--out", str(out)]) == 2
    with (folder / RECORDS).open("ab") as file:
        file.write(b"{}\n")
    for out in (tmp_path / "a" / "b", earlier):
        assert main(["export", str(folder), "--to", "csv", "--out", str(out)]) == 2

    assert {"run", "earlier"} == {path.name for path in tmp_path.iterdir()}
    assert before == {path.name: path.read_bytes() for path in earlier.iterdir()}
    assert f"line 2 of {folder / RECORDS} is damaged" in capsys.readouterr().err
    assert main(["export", str(folder), "--to", "csv", "--out", str(earlier / "seats.csv")]) == 2
    assert "seats.csv: it is a file; choose another --out" in capsys.readouterr().err


def test_a_damaged_record_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A torn last line is ignored, as everywhere; any other is refused with its number."""
    folder = run_folder(tmp_path / "run", [on_board(1)])
    with (folder / RECORDS).open("ab") as file:
        file.write(b'{"name": "card')
    export = ["export", str(folder), "--to", "csv", "--out", str(tmp_path)]
    assert main(export) == 0
    with (folder / RECORDS).open("ab") as file:
        file.write(b"\n")

    capsys.readouterr()
    assert main(export) == 2
    assert f"line 2 of {folder / RECORDS} is damaged" in capsys.readouterr().err

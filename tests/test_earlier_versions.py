"""Runs of earlier versions: what can be read is read, the rest is counted and left out."""

from __future__ import annotations

import csv
import json
import logging
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import quandary as q
from quandary.arena.left_out import sentence
from quandary.arena.store import MANIFEST, RECORDS, Store, manifest_of, records
from quandary.catalogue import drawing
from quandary.cli.main import main
from quandary.core.errors import OtherVersion
from quandary.matches.codec import record_from_json, record_json
from quandary.matches.match import Match
from quandary.matches.origin import is_earlier
from quandary.matches.player import Reply
from quandary.matches.versions import PuzzleVersion
from quandary.puzzles.duels.card_nim import CardNim
from quandary.results import parquet
from quandary.results.table import seats
from quandary.results.unplayed import with_unplayed
from quandary.scoring.regrade import from_records, regrade, strictly
from quandary.tasks.question_game import asked_question

HERE = Path(__file__).parent / "earlier_versions"
UNREAD = {"3f3c718e": [13, 14], "df51f065": [13, 14], "8bc9c79e": list[int]()}  # record numbers
OLD = "3f3c718e"


@pytest.fixture
def copied(tmp_path: Path) -> Callable[[str], Path]:
    """Copies a run into a folder of its own."""

    def copy(name: str) -> Path:
        return Path(shutil.copytree(HERE / name, tmp_path / name))

    return copy


def warnings_in(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What was said about records that are left out."""
    named = [record for record in caplog.records if record.name == "quandary.arena.left_out"]
    return [record.getMessage() for record in named]


def left_out(folder: Path) -> str:
    return (
        f"2 of 30 records in {folder / RECORDS} are left out, because they need version 1 of "
        f"optimal_touring; a quandary with that version reads them, and nothing is removed from "
        f"the file."
    )


@pytest.mark.parametrize("name", [*UNREAD, f"{OLD}_in_chinese"])
def test_old_records_replay(name: str, caplog: pytest.LogCaptureFixture) -> None:
    """To the scores that the earlier version gave them."""
    loaded, lines = list(q.load(HERE / name)), (HERE / name / RECORDS).read_text().splitlines()
    unread = UNREAD.get(name, [])

    assert len(lines) == len(loaded) + len(unread)
    assert bool(unread) == bool(warnings_in(caplog))
    stored = [json.loads(line) for number, line in enumerate(lines, 1) if number not in unread]
    for record, plain in zip(loaded, stored, strict=True):
        assert q.replay(record)[-1].scores() == tuple(plain["scores"]) == record.scores
    assert any(map(is_earlier, loaded))
    assert {1.0} == {
        record.scores[0]
        for record in loaded
        if record.players == ("oracle",) and record.scores is not None
    }


def test_levels_that_were_not_stored_follow_from_the_position() -> None:
    """Of reversi and minesweeper, as the names of the records say."""
    for name in UNREAD:
        for record in q.load(HERE / name):
            puzzle, _, level = record.name.partition("#")[0].partition("/")
            if puzzle in ("reversi", "minesweeper"):
                asked = asked_question(record.start)
                assert asked and getattr(asked.question, "level") == int(level)  # noqa: B009


COMMANDS = {
    "replay": ["RUN"],
    "results": ["RUN"],
    "results by level": ["RUN", "--by", "level", "--json"],
    "results by turn": ["RUN", "--by", "turn"],
    "results with papers": ["RUN", "--papers"],
    "compare": ["RUN", "RUN", "--player-a", "oracle", "--player-b", "random"],
    "export to csv": ["RUN", "--to", "csv", "--out", "OUT"],
    "export to parquet": ["RUN", "--to", "parquet", "--out", "OUT"],
    "export to inspect": ["RUN", "--to", "inspect", "--out", "OUT"],
    "regrade": ["RUN"],
    "sample": ["RUN", "--n", "3", "--out", "OUT"],
}


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(command, marks=pytest.mark.heavy if "inspect" in command else ())
        for command in COMMANDS
    ],
)
def test_every_command_leaves_the_same_records_out(
    command: str,
    copied: Callable[[str], Path],
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With one sentence, and the file stays as it is; also when tables exist already."""
    run = copied(OLD)
    before = (run / RECORDS).read_bytes()
    names = {"RUN": str(run), "OUT": str(tmp_path / "out")}
    arguments = [command.split()[0], *(names.get(word, word) for word in COMMANDS[command])]

    assert main(arguments) == 0
    assert warnings_in(caplog) == [left_out(run)]
    assert (run / RECORDS).read_bytes() == before
    assert "PARTIAL" not in capsys.readouterr().out


@pytest.mark.heavy
def test_a_report_says_what_is_left_out(
    copied: Callable[[str], Path], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    run, out = copied(OLD), tmp_path / "out"

    assert main(["report", str(run), "--out", str(out)]) == 0
    assert warnings_in(caplog) == [left_out(run)]
    page = (out / "index.html").read_text("utf-8")
    assert "2 of 30 records in records.jsonl are left out, because they need version 1" in page


def test_tables_number_records_as_the_file_does(
    copied: Callable[[str], Path], caplog: pytest.LogCaptureFixture
) -> None:
    """Also after the run has grown; what is left out was played, and has no row."""
    run = copied(OLD)
    lines = (run / RECORDS).read_bytes().splitlines(keepends=True)
    (run / RECORDS).write_bytes(b"".join(lines[:14]))  # ends with what is left out
    assert [*range(1, 13)] == sorted(set(seats(run)["match"].to_pylist()))
    (run / RECORDS).write_bytes(b"".join(lines))
    table = seats(run, columns=["match", "spec", "version"]).to_pylist()

    assert [*range(1, 13), *range(15, 31)] == sorted({row["match"] for row in table})
    for row in table:
        plain = json.loads(lines[row["match"] - 1])
        assert row["spec"] == plain["name"]
        inner = plain["start"]
        while nested := next((each for each in inner.values() if isinstance(each, dict)), None):
            inner = nested
        assert row["version"] == inner["version"]
    assert len(with_unplayed(seats(run), [run])) == len(table)
    assert warnings_in(caplog)[-1] == left_out(run)
    caplog.clear()
    seats(run)
    assert warnings_in(caplog) == []  # once is enough


def test_stored_records_are_those_that_can_be_read(
    copied: Callable[[str], Path], caplog: pytest.LogCaptureFixture
) -> None:
    """By their offsets, as tables without pyarrow read them."""
    run = copied(OLD)

    assert [record.name for record in records(run)] == [record.name for record in q.load(run)]
    assert warnings_in(caplog) == [left_out(run)]


def test_csv_has_the_rows_of_the_tables(copied: Callable[[str], Path], tmp_path: Path) -> None:
    run = copied(OLD)
    assert main(["export", str(run), "--to", "csv", "--out", str(tmp_path / "out")]) == 0
    with (tmp_path / "out" / "seats.csv").open(encoding="utf-8", newline="") as file:
        numbers = [int(row["match"]) for row in csv.DictReader(file)]

    assert numbers == seats(run)["match"].to_pylist()


def test_one_match_by_its_number(
    copied: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """The number is that in the file; one that is left out is refused with the reason."""
    run = copied(OLD)
    assert main(["replay", str(run), "--match", "15"]) == 0
    assert "anagram_scribble/easy#1" in capsys.readouterr().out
    assert main(["replay", str(run), "--match", "13"]) == 2
    assert (
        "match 13 of" in (output := capsys.readouterr().err)
        and "this optimal_touring is of version 1, and this quandary reads version 2 of it"
        in output
    )
    assert main(["replay", str(run), "--match", "31"]) == 2
    assert "contains matches 1 to 30, but no match 31" in capsys.readouterr().err


def test_a_file_of_nothing_that_can_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = (HERE / OLD / RECORDS).read_bytes().splitlines(keepends=True)
    (tmp_path / "one.jsonl").write_bytes(lines[12])

    assert main(["replay", str(tmp_path / "one.jsonl")]) == 2
    assert "contains no record that can be read" in capsys.readouterr().err


def test_old_runs_are_not_continued(
    copied: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """By their manifests, or by their records where a manifest does not tell."""
    run = copied(OLD)
    before = (run / RECORDS).read_bytes()
    players = ["--player", "oracle", "--player", "random"]
    suite = str(HERE / "every_kind.toml")

    assert main(["run", "--suite", suite, *players, "--out", str(run)]) == 2
    assert "contains another run (they differ in " in capsys.readouterr().err
    with (
        pytest.raises(q.UserError, match="records that need version 1 of optimal_touring, which"),
        Store(run, manifest_of(run) or {}),
    ):
        pass
    assert (run / RECORDS).read_bytes() == before
    assert {MANIFEST, RECORDS} == {path.name for path in run.iterdir()}


def test_runs_of_an_earlier_task_are_not_continued(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its names stood for other positions, or its answers were judged otherwise, though the version
    of the puzzle, which the manifest has, is the same."""
    asked = ["--puzzle", "check:k_queens", "--level", "easy", "--player", "random"]
    command = ["run", *asked, "--out", str(tmp_path), "--seeds"]
    assert main([*command, "1-2"]) == 0
    _make_earlier(tmp_path / RECORDS)
    before = (tmp_path / RECORDS).read_bytes()

    assert main([*command, "1-3"]) == 2
    assert "was begun with version 4 of check:k_queens, and this quandary has version 5" in (
        capsys.readouterr().err
    )
    assert (tmp_path / RECORDS).read_bytes() == before


def _make_earlier(path: Path) -> None:
    plain = [json.loads(line) for line in path.read_text().splitlines()]
    lines = [json.dumps(record | {"version": record["version"] - 1}) for record in plain]
    path.write_text("\n".join(lines) + "\n")


def test_answers_that_were_judged_otherwise_are_graded_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A sentence that version 4 did not read; of today's version, such a record is a forgery."""
    asked = drawing.game("check:k_queens/easy#2")
    match = Match(asked, "check:k_queens/easy#2")
    match.receive(0, Reply("There is no contradiction, so the position is solvable."))
    record = match.record(["somebody"])
    assert (1.0,) == record.scores
    forged = replace(record, scores=(0.0,), cause="limit")
    [change] = regrade(from_records([replace(forged, version=4)]), strictly).changes

    assert (False, True) == (change.was, change.now)
    with pytest.raises(q.UserError, match="does not replay: the log ends by goal"):
        list(from_records([forged]))
    (tmp_path / RECORDS).write_text(record_json(replace(forged, version=4)) + "\n")
    assert main(["replay", str(tmp_path / RECORDS)]) == 1
    out = capsys.readouterr().out
    assert "it was recorded with version 4, and this quandary has version 5." in out


def test_merged_runs_keep_every_line(copied: Callable[[str], Path], tmp_path: Path) -> None:
    """Also those that are not read here: who has their version can still read them."""
    run, other = copied(OLD), Path(shutil.copytree(HERE / OLD, tmp_path / "other"))
    assert main(["merge", str(run), str(other), "--out", str(tmp_path / "merged")]) == 0

    assert (tmp_path / "merged" / RECORDS).read_bytes() == (run / RECORDS).read_bytes()


@pytest.mark.parametrize("version", [0, 99, 10**30])
def test_other_versions_are_told_from_damage(version: int, tmp_path: Path) -> None:
    """A version that was never read, or is not read yet, is named; what is no version is damage."""
    plain = json.loads((HERE / OLD / RECORDS).read_text().splitlines()[0])
    plain["start"]["version"] = version
    with pytest.raises(OtherVersion) as refused:
        record_from_json(json.dumps(plain))

    assert str(refused.value).startswith(f"this card_nim is of version {version}, and this ")
    for damage in (None, "1", True, 1.0):
        plain["start"]["version"] = damage
        with pytest.raises(q.UserError, match="whole number under `version`"):
            record_from_json(json.dumps(plain))


@pytest.mark.parametrize(
    ("line", "field", "value"),
    [(18, "places", 5), (18, "board", None), (18, "family", {}), (26, "boards", 1)],
)
def test_damaged_old_positions_are_refused(line: int, field: str, value: Any) -> None:
    """With one sentence, also where a field is to follow from what is damaged."""
    plain = json.loads((HERE / OLD / RECORDS).read_text().splitlines()[line])
    plain["start"]["question"][field] = value
    with pytest.raises(q.UserError, match=r"^[^\n]+\.$"):
        record_from_json(json.dumps(plain))
    del plain["start"]["question"][field]
    with pytest.raises(q.UserError, match=r"^[^\n]+\.$"):
        record_from_json(json.dumps(plain))


def test_tables_follow_the_versions_that_are_read(
    copied: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Tables that were made with other versions of the puzzles are made again."""
    run = copied("8bc9c79e")
    assert "card_nim" in set(seats(run)["puzzle"].to_pylist()) and parquet.close(run) == 0
    monkeypatch.setattr(CardNim, "version", 99)
    monkeypatch.setattr(CardNim, "rules_since", 98)

    assert "card_nim" not in set(seats(run)["puzzle"].to_pylist())
    assert (
        "4 of 30 records" in warnings_in(caplog)[-1]
        and "version 2 of card_nim" in warnings_in(caplog)[-1]
    )


def test_the_sentence_names_every_version() -> None:
    """And the quandary that wrote the records, if it was another one."""
    needed = {PuzzleVersion("reversi", 2): 1, PuzzleVersion("islands", 7): 1_200}

    assert sentence("a.jsonl", needed, 5_000) == (
        "1,201 of 5,000 records in a.jsonl are left out, because they need version 7 of islands "
        "(1,200), version 2 of reversi (1); a quandary with these versions reads them, and nothing "
        "is removed from the file."
    )
    assert sentence("a.jsonl", {PuzzleVersion("reversi", 2): 1}, 1, "0.0.9") == (
        "1 of 1 records in a.jsonl is left out, because it needs version 2 of reversi; quandary "
        "0.0.9 reads it, and nothing is removed from the file."
    )
    assert "a quandary with that version" in sentence("a", {PuzzleVersion("x", 1): 1}, 1, "0.1.0")


def test_no_warning_where_nothing_is_left_out(
    copied: Callable[[str], Path], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        assert len(list(q.load(copied("8bc9c79e")))) == 30
    assert warnings_in(caplog) == []

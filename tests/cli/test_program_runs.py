"""Models write programs on the command line: what is printed, kept, refused and compared."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="tables need pyarrow: pip install 'quandary[report]'")

from counting_server import counting_server
from quandary.cli.main import main

NIM = """
class Player:
    def play(self, view):
        return max(card for card in view["hands"][view["seat"]] if card <= view["stones"])
"""


def _speak(body: Mapping[str, Any]) -> str:
    """A program, or a move if that is asked for; the model `silent` never writes one."""
    if body["model"] == "silent":
        return "I cannot do that."
    if "Write a Python program" not in str(body["messages"][0]["content"]):
        return "1"
    return json.dumps({"reasoning": "", "code": NIM})


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with counting_server(_speak) as server:
        yield server.address


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "unused")


def _command(address: str, out: Path, *more: str) -> list[str]:
    return [
        *("run", "--puzzle", "card_nim", "--level", "easy", "--limit", "2"),
        *("--base-url", address, "--out", str(out), *more),
    ]


@pytest.mark.heavy
def test_a_run_ends_with_the_programs_of_each_model(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of a model that never writes one too; `results` has the other tables, and says what it
    changes that a model writes programs.
    """
    code = ("--setting", "code", "--samples", "2", "--player", "openai/x")
    command = _command(address, tmp_path / "code", *code, "--player", "openai/silent")
    assert 0 == main(command)
    out = capsys.readouterr().out
    assert "2 of 2 programs of `openai/silent` contained no code.\n" in out
    assert "Programs of models" in out and "Best of k programs" not in out
    average = " ".join(out.partition("Programs of models, average:")[2].split())
    assert average.startswith("openai/silent 0.000") and "; openai/x 0." in average

    assert 0 == main(_command(address, tmp_path / "moves", "--player", "openai/x"))
    capsys.readouterr()
    assert 0 == main(["results", str(tmp_path / "code"), str(tmp_path / "moves"), "--json"])
    tables = {
        table["key"]: table["rows"]
        for table in map(json.loads, capsys.readouterr().out.splitlines())
    }
    programs = {row["player"]: row for row in tables["programs"]}
    assert {"openai/x": 1, "openai/silent": 1} == {
        name: row["different"] for name, row in programs.items()
    }
    assert {2} == {row["programs"] for row in programs.values()}
    tokens = {row["player"]: row for row in tables["programs_tokens"]}
    assert (2, 10) == (tokens["openai/x"]["replies"], tokens["openai/silent"]["replies"])
    assert 2 == tokens["openai/silent"]["without code"]
    statuses = {row["player"]: row for row in tables["programs_statuses"]}
    assert 1.0 == statuses["openai/silent"]["not following instruction"]
    [setting] = tables["factors"]
    assert ("setting", "instruction", "code", "openai/x") == tuple(
        setting[name] for name in ("factor", "from", "to", "player")
    )
    assert 4 == setting["pairs"]  # both seats of two starts, against the house


REFUSED = [
    (("--setting", "code", "--samples", "0"), "--samples must be 1 or more."),
    (("--setting", "code", "--samples", "-3"), "--samples must be 1 or more."),
    (("--samples", "2"), "--samples draws programs; it needs --setting code."),
    (("--setting", "instruction", "--samples", "2"), "it needs --setting code."),
    (("--setting", "code"), "let models write programs with --samples N."),
    (
        ("--setting", "code", "--repairs", "1"),
        "is for programs that models write; add --samples N.",
    ),
    (("--programs-per-pair", "1"), "is for programs that models write; add --samples N."),
    (("--setting", "code", "--samples", "2", "--repairs", "-1"), "--repairs must be 0 or more."),
    (
        ("--setting", "code", "--samples", "2", "--programs-per-pair", "0"),
        "--programs-per-pair must be 1 or more.",
    ),
    (
        ("--setting", "code", "--samples", "2", "--programs-per-pair", "1", "--schedule", "house"),
        "is for games of two seats, and for --schedule pairs.",
    ),
    (
        ("--setting", "code", "--samples", "2", "--language", "zh"),
        "models are asked for programs in English; leave --language out.",
    ),
    (("--setting", "code", "--samples", "2", "--player", "house"), "'house' is not one"),
    (
        ("--setting", "code", "--samples", "2", "--player", "program/missing.py"),
        "draws programs of models, and 'program/missing.py' is not one",
    ),
]


@pytest.mark.parametrize(("options", "why"), REFUSED)
def test_what_makes_no_sense_is_refused_in_a_sentence(
    options: tuple[str, ...], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = _command("http://127.0.0.1:9/v1", tmp_path / "out", "--player", "openai/x", *options)
    assert 2 == main(command)
    out, err = capsys.readouterr()
    assert why in err and 1 == err.count("\n") and not out
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("chosen", "why"),
    [
        (
            ("--puzzle", "string_insertion"),
            "the rules of string_insertion are drawn with each instance",
        ),
        (("--puzzle", "check:sudoku"), "not for check:sudoku; leave it out."),
        (("--suite", "textgames"), "the suite textgames has nothing to play that way"),
        (("--suite", "missing.toml"), "the suite missing.toml cannot be read"),
        (("--suite", "puzzleplex", "--suite", "logicgame"), "the suite logicgame has nothing"),
    ],
)
def test_suites_without_puzzles_for_programs_are_refused(
    chosen: tuple[str, ...], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["run", *chosen, "--setting", "code", "--samples", "2", "--player", "openai/x"]
    assert 2 == main([*command, "--out", str(tmp_path / "out")])
    err = capsys.readouterr().err
    assert why in err and 1 == err.count("\n")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["missing.py", "missing.txt", "folder.py"])
def test_a_program_that_is_no_file_is_refused(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder.py").mkdir()
    command = ["run", "--puzzle", "card_nim", "--setting", "code", "--out", str(tmp_path / "out")]
    assert 2 == main([*command, "--player", f"program/{tmp_path / name}"])
    err = capsys.readouterr().err
    assert name in err and 1 == err.count("\n")
    assert not (tmp_path / "out").exists()

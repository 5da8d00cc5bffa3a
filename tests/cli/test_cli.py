"""The command line, run as a user runs it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from quandary.cli.main import COMMANDS, main

QUANDARY = [sys.executable, "-m", "quandary"]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(arguments)
    said = capsys.readouterr()
    return code, said.out, said.err


def test_every_command_has_help(capsys: pytest.CaptureFixture[str]) -> None:
    """The overview names each command, and each explains itself."""
    code, out, _ = run(capsys)
    assert code == 0
    for command in COMMANDS:
        assert command in out
        with pytest.raises(SystemExit, match="0"):
            main([command, "--help"])


def test_list_as_json_lines(capsys: pytest.CaptureFixture[str]) -> None:
    """One object a puzzle, with the fields other tools rely on."""
    code, out, _ = run(capsys, "list", "--json")
    rows = [json.loads(line) for line in out.splitlines()]
    nim = next(row for row in rows if row["name"] == "card_nim")

    assert code == 0
    assert {"name", "room", "seats", "chance", "hidden", "levels", "languages", "suites", "version"} <= set(nim)
    assert (nim["room"], nim["seats"], nim["levels"], nim["version"]) == ("duels", 2, ["easy", "normal", "hard"], 1)


def test_list_of_a_suite_names_its_puzzles_only(capsys: pytest.CaptureFixture[str]) -> None:
    """--suite narrows the list."""
    _, out, _ = run(capsys, "list", "--suite", "quick", "--json")

    assert all("quick" in json.loads(line)["suites"] for line in out.splitlines())


def test_show_in_words_picture_and_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Rules, position, solution, picture and the view of a program."""
    image = tmp_path / "board.png"
    code, out, _ = run(capsys, "show", "card_nim/easy#1", "--image", str(image), "--draw", "--solution")

    assert code == 0
    assert "Stones: " in out
    assert image.read_bytes().startswith(b"\x89PNG")

    code, out, _ = run(capsys, "show", "card_nim/easy#1", "--json", "--seat", "1")
    assert (json.loads(out)["spec"], json.loads(out)["view"]["seat"]) == ("card_nim/easy#1", 1)


def test_match_record_and_replay(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A match is told, kept, and replays to the same scores."""
    file = tmp_path / "match.jsonl"
    for players in (("random", "oracle"), ("oracle", "random")):
        code, out, _ = run(capsys, "match", "card_nim/easy#1", "--players", *players, "--out", str(file))
        assert code == 0
        assert "ended by" in out
    code, out, _ = run(capsys, "replay", str(file))
    assert (code, "2 of 2 matches replay") == (0, out.splitlines()[-1][:21])

    code, out, _ = run(capsys, "replay", str(file), "--match", "2")
    assert "oracle against random" in out


def test_a_record_that_lies_fails(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Scores that the log does not reach are exit code 1."""
    _, out, _ = run(capsys, "match", "card_nim/easy#1", "--players", "random", "oracle", "--json")
    file = tmp_path / "forged.jsonl"
    record = json.loads(out)
    record["scores"] = record["scores"][::-1]
    file.write_text(json.dumps(record) + "\n")

    code, out, _ = run(capsys, "replay", str(file))
    assert code == 1
    assert "does not replay" in out


def test_run_continues_and_prints_numbers(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The same command again prints the same numbers without playing again."""
    suite = tmp_path / "mine.toml"
    suite.write_text('[[puzzles]]\npuzzle = "card_nim"\nlevels = ["easy"]\nseeds = "1-2"\n')
    command = ("run", "--suite", str(suite), "--player", "oracle", "--player", "random", "--out", str(tmp_path / "out"), "--json")
    first = run(capsys, *command)
    kept = (tmp_path / "out" / "records.jsonl").read_bytes()

    assert first == run(capsys, *command)
    assert kept == (tmp_path / "out" / "records.jsonl").read_bytes()
    assert {"oracle", "random"} == {json.loads(line)["player"] for line in first[1].splitlines()}


def test_check_says_what_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    """A sound puzzle passes by name."""
    code, out, _ = run(capsys, "check", "card_nim")

    assert (code, "all promises kept" in out) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["lst"], "did you mean 'list'"),
        (["show", "card_nym/easy#1"], "did you mean 'card_nim'"),
        (["show", "card_nim/easi#1"], "did you mean 'easy'"),
        (["show", "card_nim/easy#one"], "whole number"),
        (["show", "card_nim/easy#1", "--seat", "2"], "seats 0 to 1"),
        (["show", "card_nim/easy#1", "--lang", "fr"], "language of card_nim"),
        (["show", "card_nim/easy#1", "--image", "x.gif"], "a .png or a .svg"),
        (["show", "card_nim/easy#1", "--image", "no/such/folder/x.svg"], "cannot be written"),
        (["show"], "required"),
        (["match", "card_nim/easy#1", "--players", "random"], "name 2 of --players"),
        (["match", "card_nim/easy#1", "--players", "random", "orakel"], "did you mean 'oracle'"),
        (["match", "card_nim/easy#1", "--players", "random", "random", "--tries", "0"], "--tries"),
        (["grade", "card_nim/easy#1", "--answer", "-"], "move by move"),
        (["replay", "no-such-file"], "cannot be read"),
        (["run", "--suite", "quik", "--player", "random", "--out", "x"], "did you mean 'quick'"),
        (["check", "card_nmi"], "did you mean 'card_nim'"),
        (["new", "duel/hex"], "did you mean 'duels'"),
        (["new", "duels/Hex"], "no puzzle name"),
        (["new", "duels/card_nim"], "already"),
        (["--nonsense"], "unrecognized|no command|arguments"),
    ],
)
def test_wrong_use_is_one_sentence(capsys: pytest.CaptureFixture[str], arguments: list[str], advice: str) -> None:
    """What a user gets wrong is said in one line, with exit code 2 and no traceback."""
    code, _, err = run(capsys, *arguments)

    assert code == 2
    assert len(err.strip().splitlines()) == 1
    assert err.startswith("quandary: ")
    assert __import__("re").search(advice, err)


def test_an_unreadable_record_is_one_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Garbage where records should be names the line."""
    for text in ("garbage\n", '{"name": 3}\n', "\x00\xff\n"):
        file = tmp_path / "bad.jsonl"
        file.write_text(text, encoding="latin-1")
        code, _, err = run(capsys, "replay", str(file))
        assert (2, "line 1 of" in err, 1) == (code, True, len(err.strip().splitlines()))


def test_a_closed_pipe_is_no_traceback() -> None:
    """`quandary list | head -1` ends quietly but not with exit code 0."""
    process = subprocess.Popen(
        [*QUANDARY, "list", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "PYTHONUNBUFFERED": "1"}
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    complaint = process.stderr.read().decode()
    process.stderr.close()

    assert process.wait(timeout=60) == 1
    assert "Traceback" not in complaint


def test_control_c_is_no_traceback(tmp_path: Path) -> None:
    """An interrupted run says so, keeps what is finished, and exits with 130."""
    suite = tmp_path / "long.toml"
    suite.write_text('[[puzzles]]\npuzzle = "card_nim"\nlevels = ["hard"]\nseeds = "1-100000"\n')
    command = [*QUANDARY, "run", "--suite", str(suite), "--player", "random", "--out", str(tmp_path / "out")]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    records = tmp_path / "out" / "records.jsonl"
    while process.poll() is None and not (records.exists() and records.stat().st_size > 10_000):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)

    assert process.returncode == 130
    assert b"Traceback" not in err
    assert b"stopped" in err


def test_play_at_the_terminal() -> None:
    """A person plays through standard input."""
    done = subprocess.run(
        [*QUANDARY, "play", "card_nim/easy#1"], input="rules\nresign\n", capture_output=True, text=True, check=False
    )

    assert done.returncode == 0
    assert "Stones: " in done.stdout
    assert "You gave up" in done.stdout

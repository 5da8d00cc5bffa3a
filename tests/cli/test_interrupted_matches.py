"""Ctrl-C and SIGTERM while `match` and `play` go on: calls in flight are awaited, and what was
played is kept.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest

pytest.importorskip(
    "aiohttp", reason="models behind HTTP servers need aiohttp: pip install 'quandary[models]'"
)

from fault_server import FaultServer
from quandary.arena.store import read
from quandary.cli.main import main
from quandary.matches.record import replay
from server_thread import served

pty = pytest.importorskip("pty", reason="needs a pseudo terminal")

HUNG = 60  # seconds


def _quandary(*arguments: str, home: Path, stdin: int | None = None) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "quandary", *arguments],
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "XDG_DATA_HOME": str(home)},
    )


def _wait_for_a_call(server: FaultServer) -> None:
    deadline = monotonic() + HUNG
    while not server.calls and monotonic() < deadline:
        sleep(0.01)


def _wait_for_a_prompt(play: subprocess.Popen[str]) -> None:
    seen = ""
    while not seen.endswith("\n> "):
        assert play.stdout
        letter = play.stdout.read(1)
        assert letter, seen  # it has not ended
        seen += letter


def test_a_match_awaits_its_call_and_is_kept(tmp_path: Path) -> None:
    """With the reply that was in flight; no other call is made."""
    file = tmp_path / "match.jsonl"
    with served(speak=lambda body: "Answer: 1", latency=0.4) as server:
        model = ["--players", "openai/any", "random", "--base-url", server.address]
        match = _quandary("match", "card_nim/easy#1", *model, "--out", str(file), home=tmp_path)
        _wait_for_a_call(server)
        match.send_signal(signal.SIGTERM)
        out, err = match.communicate(timeout=HUNG)

    [record] = read(file)
    assert [
        "quandary: waiting for 1 call in flight; a second signal ends at once.",
        f"quandary: stopped; the moves played so far are kept in {file}.",
    ] == err.splitlines()
    assert (143, 1) == (match.returncode, sum(server.calls.values()))
    assert ("unfinished", None, (0, "1")) == (record.cause, record.scores, record.log[0])
    assert replay(record) and "no result: it was not finished" in out


def test_a_second_signal_does_not_wait(tmp_path: Path) -> None:
    """And the sentence says what is lost."""
    file = tmp_path / "match.jsonl"
    with served(speak=lambda body: "Answer: 1", latency=10 * HUNG) as server:
        model = ["--players", "openai/any", "random", "--base-url", server.address]
        match = _quandary("match", "card_nim/easy#1", *model, "--out", str(file), home=tmp_path)
        _wait_for_a_call(server)
        match.send_signal(signal.SIGINT)
        assert match.stderr and "in flight" in match.stderr.readline()
        match.send_signal(signal.SIGINT)
        _, err = match.communicate(timeout=HUNG)

    assert (130, "quandary: stopped; the match is not kept.\n") == (match.returncode, err)
    assert [] == list(read(file))


@pytest.mark.parametrize(
    ("language", "moves", "sentence"),
    [
        ("en", ["0 0 4"], "stopped; the match is kept."),
        ("zh", ["0 0 4"], "已停止；这一局已保存。"),
    ],
)
def test_control_c_keeps_what_a_person_played(
    tmp_path: Path, language: str, moves: list[str], sentence: str
) -> None:
    """As /quit does."""
    person, terminal = pty.openpty()
    play = _quandary("play", "sudoku/easy#1", "--language", language, home=tmp_path, stdin=terminal)
    os.close(terminal)
    _wait_for_a_prompt(play)
    for move in moves:
        os.write(person, f"{move}\n".encode())
        _wait_for_a_prompt(play)
    play.send_signal(signal.SIGINT)
    out, err = play.communicate(timeout=HUNG)
    os.close(person)

    assert out.startswith("\n")  # not on the line of the prompt
    file = tmp_path / "quandary" / "played.jsonl"
    kept = list(read(file)) if file.exists() else []
    assert (130, f"quandary: {sentence}\n") == (play.returncode, err)
    assert [("resigned", ((0, move),)) for move in moves] == [
        (record.cause, record.log) for record in kept
    ]


def test_control_c_while_a_model_thinks(tmp_path: Path) -> None:
    """Its reply is awaited, and the match is kept with it."""
    person, terminal = pty.openpty()
    with served(speak=lambda body: "Answer: 2", latency=0.4) as server:
        model = ["--against", "openai/any", "--base-url", server.address]
        play = _quandary("play", "card_nim/easy#3", *model, home=tmp_path, stdin=terminal)
        os.close(terminal)
        os.write(person, b"1\n")
        _wait_for_a_call(server)
        play.send_signal(signal.SIGINT)
        out, err = play.communicate(timeout=HUNG)
    os.close(person)

    [record] = read(tmp_path / "quandary" / "played.jsonl")
    assert (130, "quandary: stopped; the match is kept.") == (play.returncode, err.split("\n")[-2])
    assert ("resigned", 0, ((0, "1"), (1, "2"))) == (record.cause, record.offender, record.log)
    assert "You gave up." in out


def test_a_server_that_is_not_there_is_noticed_before_the_first_move(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody is asked for a move that nobody would answer."""
    file = str(tmp_path / "match.jsonl")
    nowhere = ["--against", "openai/any", "--base-url", "http://127.0.0.1:9/v1"]
    assert 2 == main(["play", "card_nim/easy#3", *nowhere, "--out", file])
    out, err = capsys.readouterr()

    assert "start the server" in err and 1 == err.count("\n")
    assert "card_nim/easy#3\n\n" == out


def test_a_match_in_chinese_says_so_in_chinese(tmp_path: Path) -> None:
    """What is awaited, and what is kept."""
    file = tmp_path / "match.jsonl"
    with served(speak=lambda body: "答案：1", latency=0.4) as server:
        model = [
            "--players",
            "openai/any",
            "random",
            "--base-url",
            server.address,
            "--language",
            "zh",
        ]
        match = _quandary("match", "card_nim/easy#1", *model, "--out", str(file), home=tmp_path)
        _wait_for_a_call(server)
        match.send_signal(signal.SIGTERM)
        _, err = match.communicate(timeout=HUNG)

    assert [
        "quandary: 正在等待 1 个未完成的调用；再次中断则立即结束。",
        f"quandary: 已停止；已走的部分保存在 {file} 中。",
    ] == err.splitlines()


def test_a_person_is_told_in_their_language_what_is_awaited(tmp_path: Path) -> None:
    person, terminal = pty.openpty()
    with served(speak=lambda body: "答案：1", latency=0.4) as server:
        against = ["--against", "openai/any", "--seat", "1", "--base-url", server.address]
        options = ["play", "card_nim/easy#1", "--language", "zh", *against]
        play = _quandary(*options, home=tmp_path, stdin=terminal)
        os.close(terminal)
        _wait_for_a_call(server)
        play.send_signal(signal.SIGINT)
        _, err = play.communicate(timeout=HUNG)
    os.close(person)

    assert "正在等待 1 个未完成的调用；再次中断则立即结束。" in err.splitlines()[0]
    assert err.isascii() is False and "waiting" not in err

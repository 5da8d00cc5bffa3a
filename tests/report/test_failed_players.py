"""Programs that fail: matches and transcripts say why, in the words of their records."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quandary.arena.store import read
from quandary.cli.main import main
from quandary.programs.sandbox.seccomp import reason_missing
from quandary.report.outcomes import cause_words
from quandary.report.viewer.transcripts import transcript

pytestmark = pytest.mark.skipif(bool(reason_missing()), reason=reason_missing())

PROGRAM = "class Player:\n    def play(self, view):\n        {line}\n"
# By the line of a program: how its match ends, and why.
FAILING = {
    "return (": ("syntax", "SyntaxError: '(' was never closed (line 3)"),
    "return view['nothing']": ("crash", "KeyError: 'nothing' (line 3)"),
    "return [bytearray(1 << 20) for _ in range(9999)]": ("memory", "MemoryError (line 3)"),
    "return 'x' * 70_000": ("flood", "a move of more than 65,536 characters"),
    "return None": ("unreadable", "the value that the program returned is no move: None"),
    "return 'two\\nlines'": ("unreadable", "the answer of the program cannot be read: two lines"),
}


def _matched(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *more: str) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("failing.py").write_text(PROGRAM.format(line=line))
    out = tmp_path / "match.jsonl"
    players = ("random", "program/failing.py")
    command = ["match", "card_nim/easy#7", "--players", *players, "--out", str(out)]
    assert 0 == main([*command, *more])
    return out


@pytest.mark.parametrize("line", FAILING)
@pytest.mark.parametrize("more", [[], ["--quiet"]])
def test_a_match_says_why_a_program_failed(
    line: str,
    more: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    cause, why = FAILING[line]
    _matched(line, tmp_path, monkeypatch, *more)
    *_, ended, output = capsys.readouterr().out.splitlines()

    assert ended.endswith(f" won 1 : 0 ({cause_words(cause)})")
    assert f"seat 1 (program/failing.py) failed: {' '.join(why.split())}" == output


def test_a_match_says_so_in_chinese(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _matched("return view['nothing']", tmp_path, monkeypatch, "--language", "zh")
    output = capsys.readouterr().out.splitlines()

    assert "座位 1（program/failing.py）出错：KeyError: 'nothing' (line 3)" == output[-1]


@pytest.mark.parametrize("line", ["return '999'", "return min(view['hands'][view['seat']])"])
def test_what_the_rules_decide_has_no_such_line(
    line: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    _matched(line, tmp_path, monkeypatch)
    assert "failed" not in capsys.readouterr().out


@pytest.mark.parametrize("line", FAILING)
def test_replays_show_what_happened(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A failure is no reply that was refused; the words of another player stay its own."""
    _, why = FAILING[line]
    path = str(_matched(line, tmp_path, monkeypatch))
    capsys.readouterr()
    assert 0 == main(["replay", path, "--match", "1", "--transcript"])
    output = capsys.readouterr().out
    assert f"seat 1 (program/failing.py)\n  failed:\n    {why}" in output.replace(
        "two\n    ", "two "
    )
    assert "seat 0 (random): " in output
    assert ("was not accepted" in output) == ("two" in line)  # which is an answer, though no move
    assert 0 == main(["replay", path, "--match", "1", "--transcript", "--json"])
    *_, failed = json.loads(capsys.readouterr().out)["words"]
    assert ("", "", "") == (failed["text"], failed["why"], failed["answer"])
    assert why == failed["failure"].replace("\n", " ")


@pytest.mark.parametrize("line", FAILING)
def test_reports_show_what_happened(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [record] = read(_matched(line, tmp_path, monkeypatch))
    *_, step, end = transcript(record, {}, {}, ("en", "en"))["steps"]
    last, why = step["replies"][-1], FAILING[line][1]

    assert "replies" not in end
    assert why == last["failure"].replace("\n", " ")
    assert ("line 3" in why) == (last.get("line") == 3)
    assert not {"text", "why", "answer", "move"} & last.keys()

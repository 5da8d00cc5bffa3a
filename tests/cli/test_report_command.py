"""`quandary report` in a process of its own: it opens the page, and says how far it is."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("scipy", reason="needs scipy: pip install 'quandary[report]'")
pytest.importorskip("pyarrow", reason="needs pyarrow: pip install 'quandary[report]'")
pytest.importorskip("matplotlib", reason="needs matplotlib: pip install 'quandary[report]'")

from quandary.cli.main import main
from quandary.cli.progress import Progress


def _report(folder: Path, browser: str) -> subprocess.CompletedProcess[str]:
    suite, run = folder / "suite.toml", folder / "run"
    suite.write_text('[[puzzles]]\npuzzle = "card_nim"\nlevels = ["easy"]\nseeds = "1"\n')
    command = ["run", "--suite", str(suite), "--player", "random", "--out", str(run)]
    assert 0 == main(command)
    return subprocess.run(
        [
            *(sys.executable, "-m", "quandary", "report", str(run), "--open"),
            *("--out", str(folder / "report")),
        ],
        env={**os.environ, "BROWSER": browser},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_page_is_opened(tmp_path: Path) -> None:
    """By the browser of the environment, here a script that writes down what it is given."""
    script, opened = tmp_path / "browser", tmp_path / "opened"
    script.write_text(f'#!/bin/sh\nprintf %s "$1" > {opened}\n')
    script.chmod(0o755)
    done = _report(tmp_path, f"{script} %s")

    assert done.returncode == 0, done.stderr
    assert opened.read_text() == (tmp_path / "report" / "index.html").as_uri()


def test_a_negative_number_of_transcripts_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["report", str(tmp_path), "--out", str(tmp_path / "r"), "--transcripts", "-1"]
    assert 2 == main(command)
    assert "--transcripts must not be negative" in capsys.readouterr().err


def test_each_step_has_a_rate_of_its_own() -> None:
    """What was done in the step before does not count in the next."""
    with Progress("first") as progress:
        progress(90, 100)
        tell = progress.step("second")
        tell(40, 50)

        assert progress.line().startswith("second: 40 of 50 (80 %)")
        assert progress.first == 40
        tell(45, 50)
        assert progress.first == 40 and progress.done == 45

"""Ctrl-C and SIGTERM: a command says that something is kept only if that is true."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

STOPPED = "quandary: stopped."
RUN_IS_KEPT = f"{STOPPED[:-1]}; what was finished is kept, and the same command goes on from there."
# A sound puzzle, except that whoever asks for the end of a match is sent a signal.
TEMPLATE = files("quandary.cli").joinpath("templates", "solo.py.txt").read_text("utf-8")
ENDS = "def ending(self) -> Ending:\n"
SIGNAL = "        import signal\n\n        signal.raise_signal(signal.{})\n"


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (["check", "stopper"], STOPPED),
        (["run", "--puzzle", "stopper", "--player", "random", "--out", "OUT"], RUN_IS_KEPT),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_what_a_stopped_command_says(
    command: list[str], sentence: str, name: str, tmp_path: Path
) -> None:
    """`run` keeps what was played, and `check` keeps nothing."""
    source = TEMPLATE.format(title="stopper", class_name="Stopper")
    assert ENDS in source
    (tmp_path / "stopper.py").write_text(source.replace(ENDS, ENDS + SIGNAL.format(name)))
    words = [str(tmp_path / "out") if word == "OUT" else word for word in command]
    done = subprocess.run(
        [sys.executable, "-m", "quandary", "--puzzles", str(tmp_path), *words],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "QUANDARY_CACHE": str(tmp_path / "caches")},
    )

    assert (128 + signal.Signals[name], sentence) == (done.returncode, done.stderr.strip())

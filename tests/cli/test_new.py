"""`quandary new` writes files that need no correction."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from quandary.cli.main import main
from quandary.cli.new_command import KINDS

ROOT = Path(__file__).parents[2]
NAMES = ("ox", "pebble_clash", "a" * 30, "one_by_one_to_the_end_of_a_row")


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_puzzle_is_clean_whatever_its_name(tmp_path: Path, kind: str) -> None:
    for name in NAMES:
        assert main(["new", name, "--at", str(tmp_path), "--kind", kind]) == 0

    for check in (["check"], ["format", "--check", "--diff"]):
        config = ["--config", str(ROOT / "pyproject.toml"), "--no-cache"]
        command = [sys.executable, "-m", "ruff", *check, *config, str(tmp_path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

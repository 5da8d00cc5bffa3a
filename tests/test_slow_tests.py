"""The list of slow tests names tests that exist."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent


@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_test_that_is_gone_is_told(workers: str, tmp_path: Path) -> None:
    """In one sentence, and nothing is run, whether by one process or by several."""
    (tmp_path / "pytest.ini").write_text("[pytest]\ntestpaths = tests\nmarkers = heavy")
    tests = tmp_path / "tests"
    tests.mkdir()
    for name in ("conftest.py", "slow_levels.py"):
        shutil.copy(TESTS / name, tests)
    (tests / "test_one.py").write_text("def test_here(): pass")
    (tests / "slow_tests.txt").write_text(
        "tests/test_one.py::test_here\ntests/test_one.py::test_gone"
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-n", workers, "-p", "no:cacheprovider"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "tests/slow_tests.txt names tests that do not exist; " in done.stderr
    assert done.stderr.strip().endswith("these lines: tests/test_one.py::test_gone")
    assert "INTERNALERROR" not in done.stdout + done.stderr
    assert "passed" not in done.stdout

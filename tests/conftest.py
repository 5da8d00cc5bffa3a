"""What all tests share: the flag that rewrites golden files, and the published data where it is at
hand.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

from quandary.puzzles.questions import optimal_touring
from slow_levels import SLOW_LEVELS

# The same examples on every machine, however busy it is.
settings.register_profile("same", derandomize=True, deadline=None)
settings.load_profile("same")

# A shell's background jobs ignore Ctrl-C, and so would the programs that tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).parent.parent
# Tests that take a second or more; the list names them as pytest does.
SLOW_TESTS = frozenset((ROOT / "tests" / "slow_tests.txt").read_text("utf-8").splitlines())


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update",
        action="store_true",
        help="rewrite golden files, records and puzzle pages",
    )


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their marks
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid in SLOW_TESTS or any(f"[{level}" in item.name for level in SLOW_LEVELS):
            item.add_marker(pytest.mark.heavy)
    if not config.option.file_or_dir:  # all tests
        _check_slow_tests({item.nodeid for item in items})


def _check_slow_tests(names: set[str]) -> None:
    """A test that has got another name must not leave the list unnoticed."""
    files = {name.partition("::")[0] for name in names}  # others need packages that are not here
    gone = {name for name in SLOW_TESTS - names if name.partition("::")[0] in files}
    if gone:
        raise pytest.UsageError(f"tests/slow_tests.txt names no test: {', '.join(sorted(gone))}")


@pytest.fixture(scope="session")
def data() -> Path:
    """The published problem sets and replies, which are not part of this project."""
    folder = Path(os.environ.get("QUANDARY_DATA") or ROOT.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip("the published data is not here; set QUANDARY_DATA to its folder")
    return folder


@pytest.fixture
def short_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests of texts and moves, not of tours: proving the best tour takes seconds."""
    monkeypatch.setattr(optimal_touring, "BUDGET", optimal_touring.BUDGET // 100)

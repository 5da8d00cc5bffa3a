"""What all tests share: the flag that rewrites golden files, and the published data where it is at
hand.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

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
MOST_FOUND = 10  # things that a failed test shows where it should find none
# Tests that take a second or more; the list names them as pytest does.
SLOW_TESTS = frozenset((ROOT / "tests" / "slow_tests.txt").read_text("utf-8").splitlines())


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update",
        action="store_true",
        help="write golden files, digests and puzzle pages anew",
    )


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their marks
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid in SLOW_TESTS or any(f"[{level}" in item.name for level in SLOW_LEVELS):
            item.add_marker(pytest.mark.heavy)
    if config.option.file_or_dir:  # not all tests
        return
    if gone := _gone({item.nodeid for item in items}):
        if not hasattr(config, "workeroutput"):
            raise _no_such_tests(gone)
        config.workeroutput["gone"] = gone  # an error here would show as one of xdist
        items.clear()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Fail in the process that started the workers, which found the same."""
    if gone := getattr(node, "workeroutput", {}).get("gone"):
        raise _no_such_tests(gone)


def _gone(names: set[str]) -> list[str]:
    """The tests that the list names and that are not there any more, or have another name."""
    files = {name.partition("::")[0] for name in names}  # others need packages that are not here
    return sorted(name for name in SLOW_TESTS - names if name.partition("::")[0] in files)


def _no_such_tests(gone: list[str]) -> pytest.UsageError:
    return pytest.UsageError(
        f"tests/slow_tests.txt names tests that do not exist; rename or remove these lines: "
        f"{', '.join(gone)}"
    )


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Show in full what was found where nothing should be: faults, broken promises, lost files."""
    found = right if left == [] else left if right == [] else None
    if op != "==" or not isinstance(found, list) or not all(isinstance(x, str) for x in found):
        return None
    shown = [*found[:MOST_FOUND], *([f"... and more: {len(found)}"] if found[MOST_FOUND:] else [])]
    return ["nothing should be found, but there is:", *shown]


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """Whether files that keep what the code makes are to be written anew."""
    return bool(request.config.getoption("--update"))


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

"""Programs make the same records by every engine, and in a second run."""

from __future__ import annotations

from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest

from program_files import PLAYERS, SUITE, write_programs
from quandary.arena.engines.choice import engine_named
from quandary.arena.run import run
from quandary.arena.suite import read as read_suite
from quandary.matches.record import Record
from quandary.players.registry import PlayerRegistry
from quandary.programs.pool import ProgramPool
from quandary.programs.sandbox.seccomp import reason_missing
from quandary.programs.settings import ProgramSettings
from run_files import without_times

pytestmark = pytest.mark.skipif(bool(reason_missing()), reason=reason_missing())

ENGINES = [
    ("asyncio", None),
    ("processes", 2),
    pytest.param(
        "ray",
        2,
        marks=[
            pytest.mark.heavy,
            pytest.mark.skipif(
                find_spec("ray") is None,
                reason="Ray is not installed: pip install 'quandary[ray]'",
            ),
        ],
    ),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the programs are, and a first run of them."""
    folder = tmp_path_factory.mktemp("programs")
    write_programs(folder)
    return folder


def _records(
    folder: Path, out: str, engine: str = "asyncio", workers: int | None = None, **how: bool
) -> Counter[Record]:
    registry = PlayerRegistry(programs=ProgramPool(ProgramSettings(**how)))
    played = run(
        read_suite("mixed", SUITE.format(seeds=4)),
        PLAYERS,
        folder / out,
        registry,
        engine=engine_named(engine, workers),
    )
    assert ("", played.matches) == (played.stopped, len(played.records))
    return without_times(folder / out)


@pytest.fixture(scope="module")
def first(folder: Path) -> Counter[Record]:
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        return _records(folder, "first")


@pytest.mark.parametrize(("engine", "workers"), ENGINES)
def test_records_are_equal(
    folder: Path,
    first: Counter[Record],
    monkeypatch: pytest.MonkeyPatch,
    engine: str,
    workers: int | None,
) -> None:
    monkeypatch.chdir(folder)
    assert first == _records(folder, engine, engine, workers)


def test_records_are_equal_with_a_process_per_match(
    folder: Path, first: Counter[Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    assert first == _records(folder, "apart", process_per_match=True)


def test_the_programs_failed_in_several_ways(first: Counter[Record]) -> None:
    causes = {record.cause for record in first}
    assert causes >= {"timeout", "crash", "memory", "goal"}

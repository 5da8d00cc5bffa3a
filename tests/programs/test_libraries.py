"""Programs may use a library that is there, if they are given it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from programs.asking import end_of, player, seated, take_seat, turn
from quandary.core.errors import UserError
from quandary.programs.host import Sandbox
from quandary.programs.imports import LAZY, libraries, versions_of
from quandary.programs.levels import open_sandbox
from quandary.programs.settings import ProgramSettings

numpy = pytest.importorskip("numpy")
BEFORE = "import numpy"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    [library] = libraries(["numpy"])
    opened = Sandbox(memory=96 << 20, modules=library.modules, folders=[library.folder])
    yield opened
    opened.close()


def test_large_matrices_need_no_thread(sandbox: Sandbox) -> None:
    """A thread that the fork server had started would be missing in its children."""
    body = "a = numpy.ones((500, 500)); return float((a @ a).sum())"
    assert end_of(sandbox, player(body, BEFORE)) == ("answer", 500.0**3)
    body = "return float(numpy.linalg.solve(2 * numpy.eye(300), numpy.ones(300)).sum())"
    assert end_of(sandbox, player(body, BEFORE)) == ("answer", 150.0)


def test_its_luck_is_that_of_the_seat(sandbox: Sandbox) -> None:
    process = seated(sandbox, player("return numpy.random.random(3).tolist()", BEFORE))
    first = [turn(process).move for _ in range(2)]
    take_seat(process)
    assert first == [turn(process).move for _ in range(2)]
    assert first[0] != first[1]
    process.close()


def test_its_whole_numbers_are_numbers(sandbox: Sandbox) -> None:
    body = "return {'row': numpy.argmax([1, 3, 2]), 'cells': [numpy.int8(4)]}"
    assert end_of(sandbox, player(body, BEFORE)) == ("answer", {"row": 1, "cells": [4]})


def test_its_memory_is_limited(sandbox: Sandbox) -> None:
    body = "kept = []\nwhile True: kept.append(numpy.ones(10**6))"
    assert end_of(sandbox, player(body, BEFORE))[0] == "memory"


@pytest.mark.parametrize(
    "body",
    [
        "return numpy.fromfile('/proc/self/environ', 'b').tolist()",
        "numpy.save('/tmp/quandary-test', numpy.ones(1))",
        "return numpy.memmap('/proc/self/maps').tolist()",
        "return numpy.loadtxt('/etc/hostname')",
    ],
)
def test_it_opens_no_files(sandbox: Sandbox, body: str) -> None:
    assert end_of(sandbox, player(body, BEFORE))[0] == "crash"


@pytest.mark.parametrize("module", LAZY["numpy"])
def test_its_lazy_modules_are_there(sandbox: Sandbox, module: str) -> None:
    assert end_of(sandbox, player(f"return {module}.__name__", BEFORE)) == ("answer", module)


def test_a_library_is_found_where_it_is_installed() -> None:
    [library] = libraries(["numpy", "numpy"])
    assert Path(library.folder) == Path(numpy.__file__).resolve().parents[1]
    assert versions_of(["numpy"]) == {"numpy": numpy.__version__}


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("no_such_library", "there is no such library here; install it"),
        ("numpy.linalg", "there is no such library here"),
        ("", "there is no such library here"),
        ("../numpy", "there is no such library here"),
        ("socket", "socket is a module of Python, not a library"),
        ("quandary", "programs must not ask the strategies"),
    ],
)
def test_what_is_no_library(name: str, why: str) -> None:
    with pytest.raises(UserError, match=f"^--library {name}: .*{why}"):
        libraries([name])


def test_a_library_that_cannot_be_imported_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_library.py").write_text("raise RuntimeError('no')")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(UserError, match="broken_library cannot be imported in the sandbox; leave"):
        open_sandbox(ProgramSettings(libraries=("broken_library",)))

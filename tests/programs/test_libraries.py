"""Programs may use a library that is there, if they are given it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from programs.asking import end_of, player, seated, sit, turn
from quandary.programs.host import Sandbox

numpy = pytest.importorskip("numpy")
MODULES = ("numpy", "numpy.fft", "numpy.linalg", "numpy.random")
BEFORE = "import numpy"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    folder = str(Path(numpy.__file__).parents[1])
    opened = Sandbox(memory=96 << 20, modules=MODULES, folders=[folder])
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
    sit(process)
    assert first == [turn(process).move for _ in range(2)]
    assert first[0] != first[1]
    process.close()


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

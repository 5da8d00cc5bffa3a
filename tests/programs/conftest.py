"""A sandbox for the tests of a file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from quandary.programs.host import Sandbox
from quandary.programs.sandbox.seccomp import reason_missing


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    if reason := reason_missing():
        pytest.skip(reason)
    opened = Sandbox(memory=64 << 20)
    yield opened
    opened.close()

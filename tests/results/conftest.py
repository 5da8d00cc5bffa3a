"""The game by which records are made by hand is known to all tests of tables."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from quandary.catalogue.registry import registered
from run_folders import Board


@pytest.fixture(autouse=True)
def board() -> Iterator[None]:
    with registered(Board):
        yield

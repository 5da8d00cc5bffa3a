"""The published problems of FineReason, read once."""

from __future__ import annotations

from pathlib import Path

import pytest

from quandary.papers.finereason.imported import Published, load


@pytest.fixture(scope="session")
def published(data: Path) -> list[Published]:
    return list(load(data / "finereason"))

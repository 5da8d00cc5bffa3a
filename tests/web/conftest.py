"""What the tests of the site share."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def replies_have_their_verdicts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reply to a question waits for its verdict, however slow the machine is."""
    judging = pytest.importorskip("quandary.web.judging", reason="needs quandary[web]")
    monkeypatch.setattr(judging, "SOON", 60.0)

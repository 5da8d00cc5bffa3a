"""The browser that all of these tests share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from watched_pages import CHROMIUM


@pytest.fixture(scope="module", autouse=True)
def chromium() -> str:
    """Where the browser is; looked for before anything is made to be shown in it."""
    if CHROMIUM is None:
        pytest.skip("no chromium here: apt-get install chromium")
    return CHROMIUM


@pytest.fixture(scope="module")
def browser(chromium: str, shown: object) -> Iterator[Any]:
    """A browser, started after `shown` is made, because playwright keeps a loop running."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        found = started.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield found
        found.close()

"""Draws the pictures in the README and in docs: a report, two stages and a match on the site.

    make screenshots

It needs chromium, and makes all that is shown in a folder that is removed afterwards.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import sync_playwright

from quandary.arena.store import records
from quandary.cli.main import main
from scripted_models import scripted_run
from watched_pages import CHROMIUM

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/")
FILL = re.compile(r"\d \d \d")  # row, column and value
WIDTH = 1280


def draw() -> None:
    """Make a run of scripted models, its report and a site, and take all pictures."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        os.chdir(folder)  # paths are shown in reports
        run = scripted_run(Path("runs/quick"), "oracle", "random")
        assert main(["report", str(run), "--out", "report"]) == 0
        report = (folder / "report" / "index.html").as_uri()
        with sync_playwright() as started, site(folder) as address:
            browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])

            def shot(name: str, height: int, show: Callable[[Any], None]) -> None:
                page = browser.new_context(viewport={"width": WIDTH, "height": height}).new_page()
                show(page)
                page.wait_for_timeout(500)  # pictures appear
                page.screenshot(path=DOCS / f"{name}.png")

            shot("report", 760, lambda page: page.goto(report))
            game, two = game_of(run), two_of(run)
            shot("stage", 640, lambda page: on_stage(page, report, game))
            shot("two_matches", 760, lambda page: on_stage(page, report, two))
            shot("site", 680, lambda page: play_sudoku(page, address))
            browser.close()


def game_of(run: Path) -> str:
    """Return the place of the third move in a game of random against the strongest player."""
    numbers = [
        number
        for number, record in enumerate(records(run), 1)
        if record.name.startswith("sudokill") and record.players == ("random", "oracle")
    ]
    return f"1-{numbers[0]}/3?seat=0"


def two_of(run: Path) -> str:
    """Return the place of a worked question that two models answered, only one of them rightly."""
    answered = [
        (number, record)
        for number, record in enumerate(records(run), 1)
        if record.name.startswith("reversi/") and record.players[0].endswith("language=en")
    ]
    return next(
        f"1-{first},1-{second}/1"
        for first, one in answered
        for second, other in answered
        if one.name == other.name and one.scores == (1.0,) and other.scores == (0.0,)
    )


def on_stage(page: Any, report: str, place: str) -> None:
    page.goto(f"{report}#match-{place}")
    page.locator("dialog[open] .counter").first.wait_for()


def play_sudoku(page: Any, address: str) -> None:
    """Fill two cells of a sudoku by hints, and choose a third."""
    page.goto(f"{address}p/sudoku")
    page.get_by_label("Seed").fill("7")
    page.get_by_role("button", name="Play").click()
    page.locator(".choosable").first.wait_for()
    for _ in range(2):
        page.get_by_role("button", name="Hint").click()
        page.locator(".advice", has_text=FILL).wait_for()
        row, column, value = page.locator(".advice").inner_text().split()[-3:]
        page.get_by_role("button", name=f"row {row}, column {column}", exact=True).click()
        page.locator(".keypad button:not(:disabled)", has_text=value).first.click()
        page.wait_for_timeout(800)  # the board has changed
    page.locator(".choosable").nth(12).click()


@contextmanager
def site(folder: Path) -> Iterator[str]:
    """The address of a site that lives as long as the block."""
    command = [
        sys.executable,
        "-m",
        "quandary",
        "web",
        "--port",
        "0",
        "--data",
        str(folder / "data"),
    ]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=os.environ | {"BROWSER": "true"}
    ) as process:
        try:
            assert process.stdout
            found = next(filter(None, map(ADDRESS.search, process.stdout)))
            yield found[0]
        finally:
            process.terminate()


if __name__ == "__main__":
    draw()

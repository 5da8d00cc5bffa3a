"""Golden playthroughs and puzzle pages: what players see, kept as files, so that any change of it
is read before it lands.

`make docs` rewrites them; read the difference as a player would.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from quandary.catalogue import drawing, registry
from quandary.puzzle_docs.gallery import document as gallery
from quandary.puzzle_docs.playthrough import playthrough
from quandary.puzzle_docs.puzzle_page import page
from quandary.puzzle_docs.separation import document
from quandary.render.svg import picture, svg

GOLDEN = Path(__file__).parent / "golden"
PAGES = Path(__file__).parent.parent / "docs" / "puzzles"
CASES = [(name, level) for name in registry.names() for level in registry.load(name).levels]


def _same(path: Path, text: str, update: bool) -> None:
    if update:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    kept = path.read_text("utf-8") if path.exists() else "(there is no such file)"

    assert kept == text, f"{path.name} is out of date; run make docs, and read the difference"


@pytest.mark.parametrize(("name", "level"), CASES, ids=[f"{name}/{level}" for name, level in CASES])
def test_playthrough_is_the_one_on_file(
    name: str, level: str, request: pytest.FixtureRequest
) -> None:
    """Rules, views, moves and scores of one match a level are unchanged."""
    _same(
        GOLDEN / f"{name}-{level}.txt",
        playthrough(name, level),
        request.config.getoption("--update"),
    )


@pytest.mark.parametrize("name", registry.names())
def test_page_is_the_one_on_file(name: str, request: pytest.FixtureRequest) -> None:
    """The page of each puzzle says what the puzzle does now."""
    update = request.config.getoption("--update")
    game = drawing.game(f"{name}/{next(iter(registry.load(name).levels))}#1")
    _same(PAGES / f"{name}.md", page(name), update)
    _same(PAGES / "pictures" / f"{name}.svg", svg(picture(game, 0)) + "\n", update)


def test_the_table_of_separations_is_the_one_on_file(request: pytest.FixtureRequest) -> None:
    """It says what was measured of the present versions."""
    _same(PAGES.parent / "separation.md", document(), request.config.getoption("--update"))


def test_the_gallery_is_the_one_on_file(request: pytest.FixtureRequest) -> None:
    """It shows every puzzle."""
    text = gallery()
    assert [] == [name for name in registry.names() if f'"puzzles/pictures/{name}.svg"' not in text]
    _same(PAGES.parent / "gallery.md", text, request.config.getoption("--update"))


def test_no_file_is_left_of_a_puzzle_that_is_gone(request: pytest.FixtureRequest) -> None:
    """Golden files, pages and pictures belong to puzzles that exist."""
    expected = {GOLDEN / f"{name}-{level}.txt" for name, level in CASES}
    expected |= {PAGES / f"{name}.md" for name in registry.names()}
    expected |= {PAGES / "pictures" / f"{name}.svg" for name in registry.names()}
    found = {*GOLDEN.glob("*.txt"), *PAGES.glob("*.md"), *(PAGES / "pictures").glob("*.svg")}
    if request.config.getoption("--update"):
        for path in found - expected:
            path.unlink()
        return
    assert expected == found, "run make docs"

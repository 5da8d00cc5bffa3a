"""What readers see, kept as files: a match of each puzzle as text, its page, its picture, and the
pages about all puzzles.

A change is read before it lands: `make docs` writes the files, and their difference is read as a
player would.  What else a puzzle does is kept as digests, in `test_digests.py`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from quandary.catalogue import drawing, registry
from quandary.puzzle_docs.gallery import document as gallery
from quandary.puzzle_docs.playthrough import playthrough
from quandary.puzzle_docs.puzzle_page import page
from quandary.puzzle_docs.separation import document as separations
from quandary.render.svg import picture, svg
from snapshots import check_files

GOLDEN = Path(__file__).parent / "golden"
DOCS = Path(__file__).parent.parent / "docs"
PAGES = DOCS / "puzzles"


@pytest.mark.parametrize("name", registry.names())
def test_match_and_page_are_those_on_file(name: str, update: bool) -> None:
    """A match of the first level, the page of the puzzle, and its picture."""
    level = next(iter(registry.load(name).levels))
    made = {
        GOLDEN / f"{name}.txt": playthrough(name, level),
        PAGES / f"{name}.md": page(name),
        PAGES / "pictures" / f"{name}.svg": svg(picture(drawing.game(f"{name}/{level}#1"), 0))
        + "\n",
    }
    check_files(made, f"pytest --update -k {name} (or make docs, for all puzzles)", update)


def test_the_table_of_separations_is_the_one_on_file(update: bool) -> None:
    """It says what was measured of the present versions."""
    check_files({DOCS / "separation.md": separations()}, "make docs", update)


def test_the_gallery_is_the_one_on_file(update: bool) -> None:
    """It shows every puzzle."""
    text = gallery()
    assert [] == [name for name in registry.names() if f'"puzzles/pictures/{name}.svg"' not in text]
    check_files({DOCS / "gallery.md": text}, "make docs", update)


def test_no_file_is_left_of_a_puzzle_that_is_gone(update: bool) -> None:
    """Golden files, pages and pictures belong to puzzles that exist."""
    folders = {GOLDEN: ".txt", PAGES: ".md", PAGES / "pictures": ".svg"}
    found = {path for folder, suffix in folders.items() for path in folder.glob(f"*{suffix}")}
    left = {path for path in found if path.stem not in registry.names()}
    if update:
        for path in left:
            path.unlink()
        return
    assert set() == left, "these belong to no puzzle; make docs removes them"

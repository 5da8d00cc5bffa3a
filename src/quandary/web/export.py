"""The library as files that open by double click, beside the report of some runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from quandary.catalogue import drawing, registry
from quandary.core.errors import UserError
from quandary.report.write import check_packages, write_report

from . import pages, tasks
from .assets import assets
from .library import PICTURED_SEED, WIDTH, usual_level
from .links import file_links


def export(runs: Sequence[Path], out: Path, tell: Callable[[int, int], None]) -> Path:
    """Write the library, and the report of the runs if there are any; returns the first page."""
    if runs:
        check_packages()
        write_report(runs, out)
    out.mkdir(parents=True, exist_ok=True)
    (out / "site").mkdir(exist_ok=True)
    (out / "puzzles").mkdir(exist_ok=True)
    for name, asset in assets().items():
        (out / "site" / name).write_bytes(asset.text)
    rows = [row for row in tasks.described() if "error" not in row]
    links = file_links("", has_report=bool(runs))
    (out / "library.html").write_text(pages.library_page(rows, links), "utf-8", newline="\n")
    inner = file_links("../", has_report=bool(runs))
    for number, row in enumerate(rows):
        tell(number, len(rows))
        _write_pictures(row["name"], out / "puzzles")
        game = drawing.game(f"{row['name']}/{usual_level(registry.load(row['name']))}#1")
        text = pages.puzzle_file(row, game.rules("en"), row["levels"], inner)
        (out / "puzzles" / f"{row['name']}.html").write_text(text, "utf-8", newline="\n")
    tell(len(rows), len(rows))
    return out / ("index.html" if runs else "library.html")


def _write_pictures(name: str, folder: Path) -> None:
    """The pictures of a puzzle: one per level, and one of the usual level."""
    puzzle = registry.load(name)
    for level in puzzle.levels:
        try:
            drawn = tasks.thumbnail(f"{name}/{level}#{PICTURED_SEED}", WIDTH)
        except (UserError, ValueError):
            continue
        (folder / f"{name}-{level}.svg").write_text(drawn, "utf-8", newline="\n")
        if level == usual_level(puzzle):
            (folder / f"{name}.svg").write_text(drawn, "utf-8", newline="\n")

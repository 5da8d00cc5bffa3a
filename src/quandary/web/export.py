"""The library as files that open by double click, beside the report of some runs."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from quandary.catalogue import drawing, registry
from quandary.core.errors import UserError
from quandary.report.write import WRITTEN, check_packages, write_report

from . import pages, tasks
from .assets import assets
from .library import PICTURED_SEED, WIDTH, usual_level
from .links import file_links

LIBRARY, PARTS = "library.html", ("site", "puzzles")


def export(runs: Sequence[Path], out: Path, tell: Callable[[int, int], None]) -> Path:
    """Write the library, and the report of the runs if there are any, and return the first page."""
    there = {path.name for path in out.iterdir()} if out.is_dir() else set()
    # All of it is replaced, so nothing else may be among it.
    if there and (LIBRARY not in there or there - {LIBRARY, *PARTS, *WRITTEN}):
        raise UserError(f"{out} has other files in it; choose another --export.")
    if runs:
        check_packages()
    (out / LIBRARY).unlink(missing_ok=True)
    for part in (*PARTS, *(WRITTEN if not runs else ())):
        _remove(out / part)
    if runs:
        write_report(runs, out, home=LIBRARY)
    out.mkdir(parents=True, exist_ok=True)
    for part in PARTS:
        (out / part).mkdir()
    for name, asset in assets().items():
        (out / "site" / name).write_bytes(asset.text)
    rows = [row for row in tasks.described() if "error" not in row]
    links = file_links("", has_report=bool(runs))
    (out / LIBRARY).write_text(pages.library_page(rows, links), "utf-8", newline="\n")
    inner = file_links("../", has_report=bool(runs))
    for number, row in enumerate(rows):
        tell(number, len(rows))
        _write_pictures(row["name"], out / "puzzles")
        game = drawing.game(f"{row['name']}/{usual_level(registry.load(row['name']))}#1")
        text = pages.puzzle_file(row, game.rules("en"), row["levels"], inner)
        (out / "puzzles" / f"{row['name']}.html").write_text(text, "utf-8", newline="\n")
    tell(len(rows), len(rows))
    return out / LIBRARY


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


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

"""The library as files that open by double click, beside the report of some runs."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from quandary.catalogue import drawing, registry
from quandary.core.errors import UserError
from quandary.report.write import DATA, check_packages, write_report

from . import pages, tasks
from .assets import assets
from .library import PICTURED_SEED, WIDTH, usual_level
from .links import file_links

LIBRARY, PARTS = "library.html", ("site", "puzzles")


def export(runs: Sequence[Path], out: Path, tell: Callable[[int, int], None]) -> Path:
    """Write the library, and the report of the runs if there are any; returns the first page."""
    is_ours = not out.exists() or not any(out.iterdir()) or (out / LIBRARY).exists()
    if not is_ours:
        raise UserError(f"{out} has other files in it; choose another --export.")
    if runs:
        check_packages()
    elif (out / DATA).exists():  # a report was written with it, which would stay
        shutil.rmtree(out)
    (out / LIBRARY).unlink(missing_ok=True)
    for part in PARTS:
        shutil.rmtree(out / part, ignore_errors=True)
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

"""`python -m benchmarks`: all of them, printed and written to `docs/benchmarks.md`."""

from __future__ import annotations

import gc
import platform
import sys
from pathlib import Path

from . import (
    engines,
    generation,
    graphs,
    logic_grids,
    models,
    plies,
    ratings,
    report,
    startup,
    state_tasks,
    sudoku,
    tables,
    textgames,
    worked_answers,
)

SECTIONS = {
    "Plies": plies,
    "Sudoku": sudoku,
    "State tasks": state_tasks,
    "Graphs": graphs,
    "Logic grids": logic_grids,
    "TextGames": textgames,
    "Worked answers": worked_answers,
    "Language models": models,
    "Tables": tables,
    "Starting": startup,
    "Making instances": generation,
    "Engines": engines,
    "Ratings": ratings,
    "Report": report,
}
PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"


def main() -> None:
    chosen = sys.argv[1:]
    lines = [
        "# Speed",
        "",
        "<!-- Written by `make bench`. -->",
        "",
        f"One core, processor time, Python {platform.python_version()} on {platform.machine()}.",
        "The figures are of one run on a machine that may be busy: compare them with each other.",
    ]
    for title, section in SECTIONS.items():
        if not chosen or any(word in title.lower() for word in chosen):
            gc.collect()
            gc.freeze()  # what earlier sections hold must not slow down later ones
            part = ["", f"## {title}", "", (section.__doc__ or "").strip(), "", *section.table()]
            print("\n".join(part), flush=True)
            lines += part
    if not chosen:
        PAGE.write_text("\n".join(lines) + "\n", "utf-8")


main()

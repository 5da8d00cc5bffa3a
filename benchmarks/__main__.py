"""`python -m benchmarks`: all of them, printed and written to `docs/benchmarks.md`."""

from __future__ import annotations

import gc
import platform
import sys
from pathlib import Path

from .sections import SECTIONS, chosen

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"


def main() -> None:
    words = sys.argv[1:]
    lines = [
        "# Speed",
        "",
        "<!-- Written by `make bench`. -->",
        "",
        f"One core, processor time, Python {platform.python_version()} on {platform.machine()}.",
        "The figures are of one run on a machine that may be busy: compare them with each other.",
    ]
    for title in chosen(words):
        section = SECTIONS[title]
        gc.collect()
        gc.freeze()  # what earlier sections hold must not slow down later ones
        part = ["", f"## {title}", "", (section.__doc__ or "").strip(), "", *section.table()]
        print("\n".join(part), flush=True)
        lines += part
    if not words:
        PAGE.write_text("\n".join(lines) + "\n", "utf-8")


main()

"""`python -m benchmarks`: all of them, printed and written to `docs/benchmarks.md`.

Words choose sections by their titles; their tables are printed alone.
"""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

from .sections import SECTIONS, chosen

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"


def main(words: list[str]) -> None:
    titles = chosen(words)
    if len(titles) == 1:
        print("\n".join(_part(titles[0])), flush=True)
        return
    lines = [
        "# Speed",
        "",
        "<!-- Written by `make bench`. -->",
        "",
        f"One core, processor time, Python {platform.python_version()} on {platform.machine()}.",
        "Each section is measured by itself, perhaps on a busy machine: compare figures within it.",
    ]
    for title in titles:
        lines += _in_its_own_process(title)
    if not words:
        PAGE.write_text("\n".join(lines) + "\n", "utf-8")


def _part(title: str) -> list[str]:
    section = SECTIONS[title]
    return ["", f"## {title}", "", (section.__doc__ or "").strip(), "", *section.table()]


def _in_its_own_process(title: str) -> list[str]:
    """What an earlier section holds must neither slow down a later one nor count as its memory: a
    process that is started counts the memory of the one that started it."""
    command = [sys.executable, "-m", "benchmarks", title.lower()]
    lines = list[str]()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        for line in process.stdout:
            print(line, end="", flush=True)
            lines.append(line.rstrip("\n"))
    if process.returncode:
        raise SystemExit(f"{title} failed")
    return lines


main(sys.argv[1:])

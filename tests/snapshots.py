"""What the code makes now compared with what a file keeps, and the difference told to people."""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterable, Mapping
from difflib import unified_diff
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MOST_LINES = 40  # of a difference that are shown
WIDEST = 160  # characters of a line that are shown


def check_files(made: Mapping[Path, str], accept: str, update: bool) -> None:
    """Fail if a file does not hold its text; with `update`, write it instead.

    `accept` is the command that writes these files.
    """
    if update:
        for path, text in made.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        return
    changed = [path for path, text in made.items() if _kept(path) != text]
    if changed:
        lines = [line for path in changed for line in _difference(path, made[path])]
        _fail(changed, lines, accept)


def check_lines(
    path: Path, own: Callable[[str], bool], made: Iterable[str], accept: str, update: bool
) -> None:
    """The same for the lines of a sorted file for which `own` is true."""
    now = sorted(made)
    if update:
        _write_lines(path, own, now)
        return
    kept = list(filter(own, _kept(path).splitlines()))
    if kept != now:
        changes = unified_diff(kept, now, n=0, lineterm="")
        _fail([path], [line for line in changes if line[:2] not in ("--", "++", "@@")], accept)


def _write_lines(path: Path, own: Callable[[str], bool], lines: list[str]) -> None:
    """Several processes may do so at once."""
    path.touch()
    with path.open("r+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        others = [line for line in file.read().splitlines() if not own(line)]
        file.seek(0)
        file.truncate()
        file.write("".join(f"{line}\n" for line in sorted([*others, *lines])))


def _fail(paths: list[Path], difference: list[str], accept: str) -> None:
    """Show the first lines of the difference, and ask whether it is meant."""
    shown = [line if len(line) <= WIDEST else f"{line[:WIDEST]} ..." for line in difference]
    if len(shown) > MOST_LINES:
        shown[MOST_LINES:] = [f"... and {len(shown) - MOST_LINES} more lines"]
    files = ", ".join(str(path.relative_to(ROOT)) for path in paths)
    lines = [
        f"What is made now differs from {files} (- on file, + now):",
        *shown,
        f"Is this meant? If so, accept it with: {accept}",
    ]
    pytest.fail("\n".join(lines), pytrace=False)


def _difference(path: Path, text: str) -> list[str]:
    name, kept = str(path.relative_to(ROOT)), _kept(path).splitlines()
    lines = unified_diff(
        kept, text.splitlines(), f"{name} on file", f"{name} now", n=1, lineterm=""
    )
    return list(lines) or [f"{name}: only the ends of lines differ"]


def _kept(path: Path) -> str:
    return path.read_text("utf-8") if path.exists() else ""

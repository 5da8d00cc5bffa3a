"""`quandary check`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from quandary.core.errors import UserError, unknown
from quandary.report.tables import counted

from .draw_progress import DrawProgress
from .output import json_line
from .progress import Progress

if TYPE_CHECKING:
    from quandary.conformance import Violation
    from quandary.core.contract import Puzzle


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="PUZZLE", help="a puzzle (default: all)")
    parser.add_argument(
        "--instances",
        type=int,
        metavar="N",
        help="draw at most N instances per level, instead of 2,000, to find repeated ones, and "
        "report this in the result: for puzzles whose `new` is slow",
    )
    parser.add_argument(
        "--matrix",
        action="store_true",
        help="write a table of the ways in which each puzzle can be asked",
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("docs/matrix.md"),
        metavar="FILE",
        help="the file for this table",
    )
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object per distinct violation"
    )


def run(options: Namespace) -> int:
    from quandary.catalogue import registry
    from quandary.conformance import distinct, violations
    from quandary.conformance.case import ALL_DRAWS, Draws

    most = ALL_DRAWS.instances
    count = most if options.instances is None else options.instances
    if not 1 <= count <= most:
        raise UserError(f"--instances must be 1 to {most:,}.")
    if options.name in registry.WRAPPERS:
        raise unknown("puzzle", options.name, registry.names())
    names = [options.name] if options.name else registry.names()
    unusable = {} if options.name else _unusable(names)
    names = [name for name in names if name not in unusable]
    puzzles = [registry.load(name) for name in names]
    if options.matrix:
        return write_matrix(names, options.out)
    done, broken = 0, len(unusable)
    for name, why in unusable.items():
        if options.json:
            json_line({"puzzle": name, "sentence": why, "kept": False})
        else:
            print(f"{name}: {why}")
    levels = [list(puzzle.levels) or ["none"] for puzzle in puzzles]
    total = sum(map(len, levels))
    draws, drawn = Draws(*(min(count, each) for each in ALL_DRAWS)), DrawProgress()
    with Progress("levels checked", drawn.words) as tell:
        for name, puzzle, own in zip(names, puzzles, levels, strict=True):
            found: list[Violation] = []
            for level in own:
                tell(done, total)
                found += violations(puzzle, [level], draws=draws, tell=drawn)
                done += 1
            broken += bool(found)
            if found:
                show_violations(distinct(found), options.json)
            else:
                show_kept(name, puzzle, count, most, options.json)
        tell(total, total)
    return 1 if broken else 0


def show_violations(found: Iterable[Violation], as_json: bool) -> None:
    for violation in found:
        if as_json:
            json_line({**vars(violation), "kept": False})
        else:
            print(violation)


def show_kept(name: str, puzzle: type[Puzzle], drawn: int, most: int, as_json: bool) -> None:
    """That a puzzle keeps all promises, as far as so many instances of each level show."""
    if as_json:
        json_line({"puzzle": name, "kept": True, **({"instances": drawn} if drawn < most else {})})
        return
    kept = f"{name}: all promises kept at {counted(len(puzzle.levels), 'level')}"
    fewer = f", by {drawn:,} instances per level instead of {most:,}" if drawn < most else ""
    print(f"{kept} (version {puzzle.version}){fewer}")


def _unusable(names: list[str]) -> dict[str, str]:
    """Return the puzzles that cannot be loaded, and why."""
    from quandary.catalogue import registry

    found = registry.refused()
    for name in names:
        try:
            registry.load(name)
        except UserError as reason:
            found[name] = str(reason)
    return found


def write_matrix(names: list[str], path: Path) -> int:
    from quandary.puzzle_docs.matrix import page

    with Progress("puzzles tried") as tell:
        text = page(names, tell)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    except OSError as reason:
        raise UserError(f"the matrix cannot be written to {path}: {reason.strerror}.") from None
    print(f"{path}: {counted(len(names), 'puzzle')}; cells that work: {text.count('✔') - 1}.")
    return 0

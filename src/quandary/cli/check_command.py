"""`quandary check`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from quandary.cli.output import Progress, json_line
from quandary.core.mistake import Mistake


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="a puzzle; all of them if none is named")
    parser.add_argument("--matrix", action="store_true", help="write which puzzle works in which way of asking")
    parser.add_argument("--out", type=Path, default=Path("docs/matrix.md"), metavar="FILE", help="where the matrix goes")
    parser.add_argument("--json", action="store_true", help="one JSON object a fault")


def run(options: Namespace) -> int:
    from quandary.core import registry
    from quandary.core.conformance import check

    names = [options.name] if options.name else registry.names()
    puzzles = [registry.load(name) for name in names]
    if options.matrix:
        return write_matrix(names, options.out)
    tell, broken = Progress("puzzles checked"), 0
    for done, (name, puzzle) in enumerate(zip(names, puzzles, strict=True)):
        tell(done, len(names))
        faults = check(puzzle)
        broken += bool(faults)
        for fault in faults:
            if options.json:
                json_line({**vars(fault), "kept": False})
            else:
                print(fault)
        if not faults and options.json:
            json_line({"puzzle": name, "kept": True})
        elif not faults:
            print(f"{name}: all promises kept at {len(puzzle.levels)} levels (version {puzzle.version})")
    tell(len(names), len(names))
    return 1 if broken else 0


def write_matrix(names: list[str], path: Path) -> int:
    from quandary.report.matrix import page

    text = page(names, Progress("puzzles tried"))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    except OSError as reason:
        raise Mistake(f"the matrix cannot be written to {path}: {reason.strerror}.") from None
    print(f"{path}: {len(names)} puzzles, {text.count('✔') - 1} cells work.")
    return 0

"""`quandary new`."""

from __future__ import annotations

import keyword
from argparse import ArgumentParser, Namespace
from importlib.resources import files
from io import StringIO
from pathlib import Path
from shlex import quote
from tokenize import NAME, generate_tokens

from quandary.catalogue.discovery import GROUPS
from quandary.catalogue.external import NAME as PUZZLE_NAME
from quandary.core.errors import UserError, unknown
from quandary.core.naming import class_name

KINDS = ("duel", "solo", "question", "worked")
FIRST_LEVELS = {"worked": "0"}  # kind -> the first level of its template, if not "easy"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "place",
        metavar="[GROUP/]NAME",
        help="with --at, a name, for example hex; in a checkout, a group and a name, for example "
        "duels/hex, solo/maze or questions/words/rhymes",
    )
    parser.add_argument(
        "--at", type=Path, metavar="DIR", help="write it into this folder, outside the checkout"
    )
    parser.add_argument(
        "--kind",
        choices=KINDS,
        help="with --at: two seats, one seat, a question, or a question with a worked answer, "
        "which is an answer and the process that leads to it (default: duel)",
    )


def run(options: Namespace) -> int:
    group, _, name = options.place.rpartition("/")
    if options.at is None:
        return _into_package(group, name, options.kind)
    if group:
        raise UserError(f"with --at a puzzle has no group; write {name} --kind {KINDS[0]}.")
    _check_name(name)
    if options.at.exists() and not options.at.is_dir():
        raise UserError(f"--at must name a folder, but {options.at} is a file.")
    if (options.at / name).is_dir():
        raise UserError(f"the folder {options.at / name} already exists; choose another name.")
    kind = options.kind or KINDS[0]
    _write(options.at / f"{name}.py", kind)
    _print_next(f"quandary --puzzles {quote(str(options.at))}", name, kind)
    return 0


def _into_package(group: str, name: str, kind: str | None) -> int:
    if kind:
        raise UserError("--kind needs --at; without --at, the group decides what is written.")
    home = Path(str(files("quandary.puzzles")))
    if not group:
        raise UserError(
            f"{name!r} has no group; write GROUP/NAME, for example duels/{name}, or choose a "
            "folder of your own with --at DIR."
        )
    if group not in GROUPS:
        raise unknown("group", group, GROUPS)
    _check_name(name)
    for known in GROUPS:
        if name == known.rpartition("/")[2]:
            raise UserError(
                f"{name!r} is a group; choose another name, or write {known}/NAME for a puzzle in "
                f"it."
            )
    written = _kind(group)
    _write(home / group / f"{name}.py", written)
    _print_next("quandary", name, written)
    print(f"  pytest --update -k {name}   # writes down what players see; read it as one of them")
    return 0


def _kind(group: str) -> str:
    """Return what a new puzzle of a group begins with."""
    match group.split("/"):
        case ["duels", *_]:
            return "duel"
        case ["solo", *_]:
            return "solo"
        case ["questions", "execution" | "planning"]:
            return "worked"
        case _:
            return "question"


def _print_next(command: str, name: str, kind: str) -> None:
    level = FIRST_LEVELS.get(kind, "easy")
    print(f"  {command} check {name}\n  {command} play {name}/{level}#1")


def _check_name(name: str) -> None:
    from quandary.catalogue import registry

    if not PUZZLE_NAME.fullmatch(name) or keyword.iskeyword(name):
        raise UserError(
            f"{name!r} is not a valid puzzle name; use small letters, digits and single "
            f"underscores, for example word_ladder."
        )
    if name in registry.names() or name in registry.WRAPPERS:
        raise UserError(f"the puzzle {name!r} already exists; choose another name.")


def _write(path: Path, kind: str) -> None:
    name = path.stem
    template = files("quandary.cli").joinpath("templates", f"{kind}.py.txt").read_text("utf-8")
    if keyword.iskeyword(class_name(name)) or class_name(name) in _names(template):
        raise UserError(
            f"the class of {name!r} would be called {class_name(name)}, which means something "
            f"else in the template; choose another name."
        )
    title = name.replace("_", " ").capitalize()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(template.format(title=title, class_name=class_name(name)))
    except OSError as reason:
        raise UserError(f"the puzzle cannot be written to {path}: {reason.strerror}.") from None
    print(f"Written: {path}\nIt already works. Change it, then:")


def _names(template: str) -> set[str]:
    """Return every name a template uses besides the puzzle's own."""
    code = template.format(title="", class_name="_")
    return {
        token.string for token in generate_tokens(StringIO(code).readline) if token.type == NAME
    }

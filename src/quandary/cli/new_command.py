"""`quandary new`."""

from __future__ import annotations

import keyword
import re
from argparse import ArgumentParser, Namespace
from importlib.resources import files
from io import StringIO
from pathlib import Path
from tokenize import NAME, generate_tokens

from quandary.core.errors import UserError, unknown

TEMPLATES = {"duels": "duel", "solo": "solo", "questions": "question"}


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "place",
        metavar="GROUP/NAME",
        help="for example duels/hex, solo/maze or questions/words/rhymes",
    )


def run(options: Namespace) -> int:
    from quandary.catalogue import registry

    group, _, name = options.place.rpartition("/")
    kind = group.partition("/")[0]
    home = Path(str(files("quandary.puzzles")))
    groups = sorted(
        str(path.parent.relative_to(home))
        for path in home.rglob("__init__.py")
        if path.parent != home
    )
    if group not in groups:
        raise unknown("group", group, groups)
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or keyword.iskeyword(name):
        raise UserError(
            f"{name!r} is not a valid puzzle name; use small letters, digits and single "
            f"underscores, for example word_ladder."
        )
    if name in registry.names() or name in registry.WRAPPERS:
        raise UserError(f"there is a puzzle {name!r} already; choose another name.")
    for known in groups:
        if name == known.rpartition("/")[2]:
            raise UserError(
                f"{name!r} is a group; choose another name, or write {known}/NAME for a puzzle in "
                f"it."
            )
    class_name = "".join(word.capitalize() for word in name.split("_"))
    template = (
        files("quandary.cli").joinpath("templates", f"{TEMPLATES[kind]}.py.txt").read_text("utf-8")
    )
    if keyword.iskeyword(class_name) or class_name in _names(template):
        raise UserError(
            f"the class of {name!r} would be called {class_name}, which means something else "
            f"there; choose another name."
        )
    path = home / group / f"{name}.py"
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(
                template.format(title=name.replace("_", " ").capitalize(), class_name=class_name)
            )
    except OSError as reason:
        raise UserError(f"the puzzle cannot be written to {path}: {reason.strerror}.") from None
    print(f"Written: {path}\nIt works already. Change it, then:")
    print(f"  quandary check {name}\n  quandary play {name}/easy#1")
    print("  pytest --update   # writes down what players see; read it as one of them")
    return 0


def _names(template: str) -> set[str]:
    """Every name a template uses besides the puzzle's own."""
    code = template.format(title="", class_name="_")
    return {
        token.string for token in generate_tokens(StringIO(code).readline) if token.type == NAME
    }

"""`quandary new`."""

from __future__ import annotations

import keyword
import re
from argparse import ArgumentParser, Namespace
from importlib.resources import files
from pathlib import Path

from quandary.core.mistake import Mistake, unknown

TEMPLATES = {"duels": "duel", "solo": "solo", "questions": "question"}


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("place", metavar="ROOM/NAME", help="for example duels/hex, solo/maze or questions/words/rhymes")


def run(options: Namespace) -> int:
    from quandary.core import registry

    room, _, name = options.place.rpartition("/")
    kind = room.partition("/")[0]
    home = Path(str(files("quandary.puzzles")))
    rooms = sorted(str(path.parent.relative_to(home)) for path in home.rglob("__init__.py") if path.parent != home)
    if room not in rooms:
        raise unknown("room", room, rooms)
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or keyword.iskeyword(name):
        raise Mistake(f"{name!r} is no puzzle name; use small letters, digits and single underscores, for example word_ladder.")
    if name in registry.names() or name in registry.WRAPPERS:
        raise Mistake(f"there is a puzzle {name!r} already; choose another name.")
    class_name = "".join(word.capitalize() for word in name.split("_"))
    template = files("quandary.cli").joinpath("templates", f"{TEMPLATES[kind]}.py.txt").read_text("utf-8")
    path = home / room / f"{name}.py"
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(template.format(title=name.replace("_", " ").capitalize(), class_name=class_name))
    except OSError as reason:
        raise Mistake(f"the puzzle cannot be written to {path}: {reason.strerror}.") from None
    print(f"Written: {path}\nIt works already. Change it, then:")
    print(f"  quandary check {name}\n  quandary play {name}/easy#1")
    print("  pytest --update   # writes down what players see; read it as one of them")
    return 0

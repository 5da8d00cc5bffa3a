"""Pictures of the puzzles that were played, and of positions at moments worth seeing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from quandary.catalogue import drawing
from quandary.core.errors import UserError
from quandary.render.svg import picture, svg
from quandary.report.viewer.chosen import groups
from quandary.report.viewer.frames import spoken_language
from quandary.report.viewer.moments import Moment

if TYPE_CHECKING:
    import pyarrow as pa

FOLDER = "pictures"
LONGEST = 220  # pixels
MOST_BYTES = 100_000  # of the picture of a moment


def puzzle_pictures(seats: pa.Table, out: Path) -> dict[str, str]:
    """A picture of each puzzle, drawn from the first instance of it in the tables: files in the
    folder of the report, by puzzle, without those that cannot be drawn.
    """
    import numpy as np

    (out / FOLDER).mkdir(exist_ok=True)
    found = dict[str, str]()
    _, first = np.unique(groups(seats, ("task", "puzzle")), return_index=True)
    for row in seats.select(["task", "puzzle", "spec"]).take(np.sort(first)).to_pylist():
        name = f"{row['task']}:{row['puzzle']}" if row["task"] else row["puzzle"]
        try:
            start = drawing.game(row["spec"])
            drawn = svg(picture(start, max(0, min(start.options(), default=0))), LONGEST)
        except (UserError, ValueError):  # a problem of an import, or a puzzle that is not here
            continue
        path = f"{FOLDER}/{re.sub(r'[^a-z0-9]+', '_', name.lower())}.svg"
        (out / path).write_text(drawn, "utf-8", newline="\n")
        found[name] = path
    return found


def moment_pictures(moments: Iterable[Moment], out: Path) -> list[str]:
    """What the player of each moment saw: a file in the folder of the report; "" for a position
    that is text alone, or takes too much.
    """
    (out / FOLDER).mkdir(exist_ok=True)
    found = list[str]()
    for number, one in enumerate(moments, start=1):
        seen = one.position.seen_by(one.seat)
        scene = seen.scene(one.seat, spoken_language(one.language or "en", one.position))
        drawn = svg(scene, LONGEST) if scene else ""
        path = f"{FOLDER}/moment-{number}.svg" if drawn and len(drawn) <= MOST_BYTES else ""
        if path:
            (out / path).write_text(drawn, "utf-8", newline="\n")
        found.append(path)
    return found

"""A picture of each puzzle that was played, drawn from the first instance of it in the tables."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from quandary.catalogue import drawing
from quandary.core.errors import UserError
from quandary.render.svg import picture, svg
from quandary.report.viewer.chosen import groups

if TYPE_CHECKING:
    import pyarrow as pa

FOLDER = "pictures"
LONGEST = 220  # pixels


def puzzle_pictures(seats: pa.Table, out: Path) -> dict[str, str]:
    """Their files in the folder of the report, by puzzle; without those that cannot be drawn."""
    import numpy as np

    (out / FOLDER).mkdir()
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

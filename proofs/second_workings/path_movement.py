"""Path movement on one long text: every command adds to a number that is taken round the edges."""

from __future__ import annotations

from typing import Any

DOWN = {"a": {"i": -1, "k": 1}, "b": {"i": -1, "j": 1}}
RIGHT = {"a": {"j": -1, "l": 1}, "b": {"k": -1, "l": 1}}


def work(instance: Any) -> tuple[list[Any], list[Any]]:
    height, width = len(instance.grid), len(instance.grid[0])
    cells = "".join("".join(row) for row in instance.grid)
    downs, rights = divmod(cells.index("B"), width)
    ground = cells.replace("B", "A")
    grids, is_caught = [], False
    for command in instance.commands:
        if not is_caught:
            downs += DOWN[instance.family].get(command, 0)
            rights += RIGHT[instance.family].get(command, 0)
        at = downs % height * width + rights % width  # sums are taken round only when drawn
        is_caught = is_caught or ground[at] == "X"
        text = ground[:at] + "B" + ground[at + 1 :]
        grids.append([list(text[row : row + width]) for row in range(0, len(text), width)])
    return grids[-1], grids

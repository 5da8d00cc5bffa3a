"""Lights out lamp by lamp: how often each has been changed by the end of a round."""

from __future__ import annotations

from typing import Any


def work(instance: Any) -> tuple[list[Any], list[Any]]:
    cycle = "01" if instance.family == "a" else "123"
    grids = []
    for last in range(len(instance.rounds)):
        pressed = "".join(instance.rounds[: last + 1])
        grid = []
        for y, row in enumerate(instance.grid):
            states = []
            for x, state in enumerate(row):
                times = 0
                for place, lamps in enumerate(instance.buttons):
                    if (y, x) in lamps:
                        times += pressed.count("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[place])
                states.append(cycle[(cycle.index(str(state)) + times) % len(cycle)])
            grid.append(states)
        grids.append(grid)
    return grids[-1], grids

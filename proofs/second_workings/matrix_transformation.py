"""Matrices turned and mirrored cell by cell, by the distance of a cell from the edges."""

from __future__ import annotations

from typing import Any


def work(instance: Any) -> tuple[list[Any], list[Any]]:
    rows, columns = len(instance.matrix), len(instance.matrix[0])
    placed = {}
    for from_top in range(rows):
        for from_left in range(columns):
            letter = instance.matrix[from_top][from_left]
            from_bottom, from_right = rows - 1 - from_top, columns - 1 - from_left
            if instance.family == "a":  # the left edge comes to the top, the bottom to the left
                placed[from_left, from_bottom] = letter
            else:
                placed[from_top, from_right] = letter
    height, width = (columns, rows) if instance.family == "a" else (rows, columns)
    made = [[placed[y, x] for x in range(width)] for y in range(height)]
    return made, made

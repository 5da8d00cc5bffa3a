"""Slide 2048 as a person would do it: step by step, on a dictionary of cells."""

from __future__ import annotations

from typing import Any

STEPS = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}


def work(instance: Any) -> tuple[list[Any], list[Any]]:
    return _slides(instance) if instance.family == "d" else _walk(instance)


def _walk(instance: Any) -> tuple[list[Any], list[Any]]:
    row, column = instance.start
    number, values = instance.grid[row][column], []
    for letter in instance.moves:
        row, column = row + STEPS[letter][0], column + STEPS[letter][1]
        other = instance.grid[row][column]
        if other == number and instance.family == "a":
            number = other + number
        elif other == number and instance.family == "b":
            number = other * number
        elif other == number:
            number = {2 * half: half for half in range(1, number)}[number]
        elif instance.family != "a" and other > number:
            number = other
        values.append(str(number))
    return [values[-1]], values


def _slides(instance: Any) -> tuple[list[Any], list[Any]]:
    size = len(instance.grid)
    cells = {(y, x): instance.grid[y][x] for y in range(size) for x in range(size)}
    grids = []
    for letter in instance.moves:
        cells = _moved(cells, size, STEPS[letter])
        grids.append([[str(cells[y, x]) for x in range(size)] for y in range(size)])
    return grids[-1], grids


def _moved(
    cells: dict[tuple[int, int], int], size: int, step: tuple[int, int]
) -> dict[tuple[int, int], int]:
    """One cell after the other, those nearest to the side first, moves on while it can."""
    now = dict(cells)
    made = set[tuple[int, int]]()  # where a number has merged in this move
    down, right = step
    order = sorted(now, key=lambda place: -(place[0] * down + place[1] * right))
    for place in order:
        number = now[place]
        if number == 0:
            continue
        now[place] = 0
        ahead = (place[0] + down, place[1] + right)
        while now.get(ahead) == 0:
            place, ahead = ahead, (ahead[0] + down, ahead[1] + right)
        if now.get(ahead) == number and ahead not in made:
            now[ahead] = 2 * number
            made.add(ahead)
        else:
            now[place] = number
    return now

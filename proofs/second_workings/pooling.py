"""Pooling as a person would do it: one window after the other, cell by cell."""

from __future__ import annotations

from fractions import Fraction
from typing import Any


def work(instance: Any) -> tuple[list[Any], list[Any]]:
    last = len(instance.grid) - instance.window
    rows, steps = [], []
    top = left = 0
    while top <= last:
        numbers = []
        for index in range(instance.window**2):
            down, right = divmod(index, instance.window)
            numbers.append(instance.grid[top + down][left + right])
        if instance.family == "a":
            value = Fraction(sorted(numbers)[-1])
        else:
            value = Fraction(sum(numbers), len(numbers))
        steps.append(str(value))  # an average that is not whole would be written as a fraction
        if left == 0:
            rows.append([str(value)])
        else:
            rows[-1].append(str(value))
        top, left = (top, left + 1) if left < last else (top + 1, 0)
    return rows, steps

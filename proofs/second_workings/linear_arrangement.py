"""Linear arrangement by trying every order and crossing out those that a condition forbids."""

from __future__ import annotations

from itertools import permutations
from typing import Any


def work(instance: Any) -> tuple[list[str], list[str]]:
    left, process = every_order(instance.things), []
    for clue in instance.clues:
        left = [order for order in left if all(is_true(order, *said) for said in clue)]
        columns = [set(column) for column in zip(*left, strict=True)]
        process.append("".join(min(one) if len(one) == 1 else "*" for one in columns))
    (only,) = left  # exactly one order fits
    return [only], process


def every_order(things: int) -> list[str]:
    return ["".join(order) for order in permutations("ABCDEFGHIJ"[:things])]


def is_true(order: str, about: str, things: str, number: int) -> bool:
    x = order.index(things[0])
    if len(things) == 1:
        return {"at": x + 1 == number, "not_at": x + 1 != number, "anywhere": True}[about]
    y = order.index(things[1])
    steps = len(order[x:y] or order[y:x])  # from one to the other
    if len(things) == 2:
        return {
            "before": x < y,
            "just_before": things in order,
            "next_to": things in order or things[::-1] in order,
            "not_next_to": not (things in order or things[::-1] in order),
            "apart": steps - 1 == number,
        }[about]
    z = order.index(things[2])
    inner = sorted([x, y, z])[1]
    return {
        "between": inner == x,
        "farther": steps > len(order[x:z] or order[z:x]),
    }[about]

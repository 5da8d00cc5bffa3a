"""Synthesis and decomposition with one shelf per good: a text with a mark for each unit."""

from __future__ import annotations

from typing import Any


def work(instance: Any) -> tuple[list[str], list[list[str]]]:
    shelves = ["|" * number for number in instance.counts]
    seen: list[list[str]] = []
    turn = waiting = 0
    while waiting < len(instance.methods):
        takes, makes = instance.methods[turn % len(instance.methods)]
        turn += 1
        if all(
            shelf.startswith("|" * number) for shelf, number in zip(shelves, takes, strict=True)
        ):
            for at, number in enumerate(takes):
                shelves[at] = shelves[at].replace("|", "", number)
            for at, number in enumerate(makes):
                shelves[at] += number * "|"
            seen.append([str(shelf.count("|")) for shelf in shelves])
            waiting = 0
        else:
            waiting += 1
    return [str(len(shelf)) for shelf in shelves], seen

"""String synthesis with a box of single blocks, from which they are taken one by one."""

from __future__ import annotations

from typing import Any

NAMES = ["[A]", "[B]", "[C]", "{A}", "{B}", "{C}", "(A)", "(B)", "(C)"]


def work(instance: Any) -> tuple[list[str], list[str]]:
    names = NAMES[: len(instance.counts)]
    box = _blocks(names, instance.counts)
    uses: list[str] = []
    done = -1
    while done != len(uses):  # a whole round after the other
        done = len(uses)
        for takes, makes in instance.methods:
            rest, needed = list(box), _blocks(names, takes)
            for block in needed:
                if block not in rest:
                    break
                rest.remove(block)
            else:
                box = rest + _blocks(names, makes)
                uses.append(" ".join(needed) + " -> " + " ".join(_blocks(names, makes)))
    answer = [str(box.count(name)) for name in names]
    return answer, answer if instance.level == 0 else uses


def _blocks(names: list[str], counts: Any) -> list[str]:
    blocks: list[str] = []
    for name, number in zip(names, counts, strict=True):
        blocks += [name] * number
    return blocks

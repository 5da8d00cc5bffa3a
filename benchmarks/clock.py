"""Processor time of repeated work, so that a busy machine does not change the figures much."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

ENOUGH = 2.0  # seconds of processor time a figure is taken over


def rate(episode: Callable[[int], int], seconds: float = ENOUGH, most: int = 1_000_000) -> float:
    """How many units a second `episode(i)` gets through; it returns how many it did."""
    episode(0)
    done, begun, i = 0, process_time(), 1
    while (spent := process_time() - begun) < seconds and i < most:
        done += episode(i)
        i += 1
    return done / max(spent, 1e-9)


def durations(work: Callable[[int], object], count: int) -> list[float]:
    """Seconds of each of `count` calls, shortest first."""
    taken = []
    for i in range(count):
        begun = process_time()
        work(i)
        taken.append(process_time() - begun)
    return sorted(taken)


def at(share: float, ordered: list[float]) -> float:
    """The value below which so large a share lies."""
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

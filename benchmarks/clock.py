"""Processor time of repeated work, so that a busy machine does not change the figures much."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

ROUNDS, ENOUGH = 7, 0.4  # how often a figure is taken, and over how many seconds of processor time


def rate(episode: Callable[[int], int]) -> float:
    """How many units a second `episode(i)` gets through in its best round; it returns how many it
    did.
    """
    return rates(episode)[0]


def rates(*episodes: Callable[[int], int], rounds: int = ROUNDS) -> list[float]:
    """The rates of several functions, measured in turns, so that a slow spell hits all of them."""
    best = [0.0] * len(episodes)
    for turn in range(rounds):
        for which, episode in enumerate(episodes):
            done, i, begun = 0, turn * 100_000, process_time()
            while (spent := process_time() - begun) < ENOUGH:
                done += episode(i)
                i += 1
            best[which] = max(best[which], done / spent)
    return best


def long_rate(episode: Callable[[int], int], most: int, seconds: float) -> float:
    """The rate over many episodes in a row, for what slows down on the way.

    It stops after `most` episodes or `seconds`.
    """
    done, begun, i = 0, process_time(), 0
    while (spent := process_time() - begun) < seconds and i < most:
        done += episode(i)
        i += 1
    return done / spent


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

"""A part of the pairs of programs: n for each two authors, the same on every machine.

The programs of each author are put in an order by hashes of their names.  The pairs are then the
diagonals of the table of one author's programs against the other's, one after another, so that
each program plays about as often as every other of its author, and no pair comes twice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from itertools import combinations
from math import lcm

from quandary.programs.library import author_of, is_program


def chosen_pairs(players: Iterable[str], count: int) -> set[frozenset[str]]:
    """Return `count` pairs of programs for each two authors, or all if there are fewer."""
    programs = defaultdict[str, list[str]](list)
    for player in players:
        if is_program(player):
            programs[author_of(player)].append(player)
    return {
        frozenset(pair)
        for one, other in combinations(sorted(programs), 2)
        for pair in _pairs(_ordered(programs[one], other), _ordered(programs[other], one), count)
    }


def _ordered(programs: Sequence[str], opponents: str) -> list[str]:
    """Return programs in an order that differs for each author that they meet."""
    return sorted(
        programs,
        key=lambda name: blake2b(f"{name} {opponents}".encode(), digest_size=8).digest(),
    )


def _pairs(one: Sequence[str], other: Sequence[str], count: int) -> Iterable[tuple[str, str]]:
    diagonal = lcm(len(one), len(other))  # steps until a diagonal is back at its start
    for number in range(min(count, len(one) * len(other))):
        shift = number // diagonal
        yield one[number % len(one)], other[(number + shift) % len(other)]

"""Canonical forms of graphs, against all renumberings and against counts of unlabelled graphs."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, permutations
from random import Random

import pytest

from quandary.algorithms.graphs import Graph, canonical_form


def graph(nodes: int, edges: Iterable[tuple[int, int]]) -> Graph:
    near = [0] * nodes
    for one, other in edges:
        near[one] |= 1 << other
        near[other] |= 1 << one
    return tuple(near)


def pairs(nodes: int) -> list[tuple[int, int]]:
    return list(combinations(range(nodes), 2))


def renumbered(old: Graph, numbers: list[int] | tuple[int, ...]) -> Graph:
    edges = [(one, other) for one, other in pairs(len(old)) if old[one] >> other & 1]
    return graph(len(old), [(numbers[one], numbers[other]) for one, other in edges])


def rings(*lengths: int) -> Graph:
    edges, start = [], 0
    for length in lengths:
        edges += [(start + i, start + (i + 1) % length) for i in range(length)]
        start += length
    return graph(start, edges)


def rook(side: int) -> Graph:
    """Squares of a board, joined where a rook can go."""
    return graph(
        side * side,
        [
            (one, other)
            for one, other in pairs(side * side)
            if one // side == other // side or one % side == other % side
        ],
    )


def paley(prime: int) -> Graph:
    squares = {number * number % prime for number in range(1, prime)}
    return graph(prime, [(a, b) for a, b in pairs(prime) if (b - a) % prime in squares])


STEPS = {(0, 1), (0, 3), (1, 0), (3, 0), (1, 1), (3, 3)}
SHRIKHANDE = graph(
    16, [(a, b) for a, b in pairs(16) if ((b // 4 - a // 4) % 4, (b % 4 - a % 4) % 4) in STEPS]
)
PETERSEN = graph(
    10,
    [edge for i in range(5) for edge in ((i, (i + 1) % 5), (5 + i, 5 + (i + 2) % 5), (i, i + 5))],
)
HARD = {
    "empty": (0,) * 18,
    "complete": graph(18, pairs(18)),
    "ring of 18": rings(18),
    "rings of 6 and 12": rings(6, 12),
    "two rings of 9": rings(9, 9),
    "six triangles": rings(*[3] * 6),
    "nine pairs": graph(18, [(2 * i, 2 * i + 1) for i in range(9)]),
    "Petersen": PETERSEN,
    "rook 3": rook(3),
    "rook 4": rook(4),
    "Shrikhande": SHRIKHANDE,
    "cube of 4 dimensions": graph(16, [(a, b) for a, b in pairs(16) if (a ^ b).bit_count() == 1]),
    "Paley 13": paley(13),
    "Paley 17": paley(17),
    "rook 6": rook(6),
    "Paley 37": paley(37),
}


@pytest.mark.parametrize(
    ("nodes", "graphs"),
    [(1, 1), (2, 2), (3, 4), (4, 11), (5, 34), pytest.param(6, 156, marks=pytest.mark.heavy)],
)
def test_there_are_as_many_forms_as_graphs(nodes: int, graphs: int) -> None:
    """Over all graphs with numbered nodes; and a form is the graph under some numbers."""
    chosen = pairs(nodes)
    every = [
        graph(nodes, [pair for place, pair in enumerate(chosen) if number >> place & 1])
        for number in range(1 << len(chosen))
    ]

    assert graphs == len({canonical_form(one) for one in every})
    for one in Random(1).sample(every, min(len(every), 30)):
        assert canonical_form(one) in {
            renumbered(one, numbers) for numbers in permutations(range(nodes))
        }


@pytest.mark.parametrize("name", HARD)
def test_numbers_do_not_matter_in_regular_graphs(name: str) -> None:
    """Where many nodes look alike, and up to more nodes than any level has."""
    rng, hard = Random(name), HARD[name]
    for _ in range(8):
        numbers = rng.sample(range(len(hard)), len(hard))

        assert canonical_form(hard) == canonical_form(renumbered(hard, numbers))


def test_regular_graphs_are_told_apart() -> None:
    """Even where degrees and numbers of common neighbours are all equal."""
    assert len(HARD) == len({canonical_form(hard) for hard in HARD.values()})
    assert canonical_form(rook(4)) != canonical_form(SHRIKHANDE)


def test_numbers_do_not_matter_in_random_graphs() -> None:
    """Sparse and dense ones, of the sizes of all levels."""
    rng = Random("graphs")
    for _ in range(150):
        nodes = rng.randint(3, 18)
        edges = rng.sample(pairs(nodes), rng.randint(0, len(pairs(nodes))))
        one = graph(nodes, edges)
        other = renumbered(one, rng.sample(range(nodes), nodes))

        assert canonical_form(one) == canonical_form(other)
        assert sorted(map(int.bit_count, one)) == sorted(map(int.bit_count, canonical_form(one)))

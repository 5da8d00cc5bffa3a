"""Chromatic numbers and completions, against known graphs and brute force."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, permutations, product
from random import Random

import pytest

from quandary.algorithms.graphs import Graph
from quandary.puzzles.solo.graph_coloring.solver.coloring import (
    Colouring,
    as_bits,
    canonical,
    chromatic_number,
    completion,
    extended,
    is_proper,
    lookahead,
    random_graph,
    renamed,
)
from quandary.puzzles.solo.graph_coloring.solver.moves import Moves


def graph(vertices: int, edges: Iterable[tuple[int, int]]) -> Graph:
    near = [set[int]() for _ in range(vertices)]
    for one, other in edges:
        near[one].add(other)
        near[other].add(one)
    return as_bits(tuple(tuple(sorted(row)) for row in near))


def edges_of(old: Graph) -> list[tuple[int, int]]:
    pairs = combinations(range(len(old)), 2)
    return [(one, other) for one, other in pairs if old[one] >> other & 1]


def ring(length: int) -> list[tuple[int, int]]:
    return [(at, (at + 1) % length) for at in range(length)]


def wheel(rim: int) -> Graph:
    return graph(rim + 1, [*ring(rim), *((at, rim) for at in range(rim))])


def mycielski(old: Graph) -> Graph:
    """A graph that needs one colour more and has no larger cliques."""
    size, edges = len(old), edges_of(old)
    beside = [(one, size + other) for pair in edges for one, other in (pair, pair[::-1])]
    return graph(2 * size + 1, [*edges, *beside, *((size + at, 2 * size) for at in range(size))])


PETERSEN = graph(
    10,
    [
        *ring(5),
        *((at, at + 5) for at in range(5)),
        *((5 + at, 5 + (at + 2) % 5) for at in range(5)),
    ],
)
GROETZSCH = mycielski(graph(5, ring(5)))
QUEENS = graph(  # squares of a board of 5 by 5, joined where a queen can go
    25,
    [
        (a, b)
        for a, b in combinations(range(25), 2)
        if a // 5 == b // 5 or a % 5 == b % 5 or abs(a // 5 - b // 5) == abs(a % 5 - b % 5)
    ],
)


@pytest.mark.parametrize(
    ("drawn", "colours"),
    [
        (graph(1, []), 1),
        (graph(3, []), 1),
        (graph(7, ring(7)), 3),
        (graph(8, ring(8)), 2),
        (graph(9, combinations(range(9), 2)), 9),
        (graph(9, product(range(4), range(4, 9))), 2),
        (wheel(6), 3),
        (wheel(7), 4),
        (PETERSEN, 3),
        (GROETZSCH, 4),
        (mycielski(GROETZSCH), 5),
        (QUEENS, 5),
    ],
)
def test_known_graphs(drawn: Graph, colours: int) -> None:
    """Rings, complete and bipartite graphs, wheels, and graphs of few cliques and many colours."""
    assert colours == chromatic_number(drawn)


def brute(drawn: Graph, begun: Colouring, colours: int) -> list[Colouring]:
    """Every completion, by trying all."""
    choices = [[colour] if colour else range(1, colours + 1) for colour in begun]
    edges = edges_of(drawn)
    return [full for full in product(*choices) if all(full[a] != full[b] for a, b in edges)]


def test_chromatic_numbers_agree_with_brute_force() -> None:
    """Of every fifth graph of five vertices, against trying every colouring."""
    pairs = list(combinations(range(5), 2))
    for chosen in range(0, 1 << len(pairs), 5):
        drawn = graph(5, [pair for at, pair in enumerate(pairs) if chosen >> at & 1])
        fewest = next(colours for colours in range(1, 6) if brute(drawn, (0,) * 5, colours))

        assert fewest == chromatic_number(drawn)


def test_completions_agree_with_brute_force() -> None:
    """A colouring is completed exactly if it can be; dead ends are seen ahead, and no others."""
    rng, dead = Random(1), 0
    for _ in range(400):
        size, colours = rng.randint(2, 7), rng.randint(2, 3)
        pairs = list(combinations(range(size), 2))
        drawn = graph(size, rng.sample(pairs, rng.randint(0, len(pairs))))
        begun = tuple(rng.choice((0, 0, rng.randint(1, colours))) for _ in range(size))
        right = brute(drawn, begun, colours)
        found, ahead = completion(drawn, begun, colours), lookahead(drawn, begun, colours)

        assert found in right if right else found is None
        assert (ahead is None) == bool(right)
        left = [vertex for vertex in range(size) if not begun[vertex]]
        shows = not is_proper(drawn, begun, colours) or any(
            not any(is_proper(drawn, with_colour(begun, vertex, at), colours) for at in range(1, 4))
            for vertex in left
        )
        assert (ahead == 0) == shows
        dead += ahead is not None and ahead > 0

    assert dead > 10


def with_colour(old: Colouring, vertex: int, colour: int) -> Colouring:
    return (*old[:vertex], colour, *old[vertex + 1 :])


def test_looking_ahead_counts_moves() -> None:
    """The ends of a path of four vertices force those between them towards each other."""
    path = graph(4, [(0, 1), (1, 2), (2, 3)])

    assert lookahead(path, (1, 0, 0, 1), 2) == 1
    assert lookahead(path, (1, 0, 0, 2), 2) is None
    assert lookahead(graph(3, ring(3)), (1, 0, 0), 2) == 1
    assert lookahead(graph(3, ring(3)), (1, 2, 0), 2) == 0
    assert lookahead(path, (1, 1, 0, 0), 2) == 0
    assert lookahead(path, (1, 3, 0, 0), 2) == 0


def test_random_graphs_need_exactly_their_colours() -> None:
    """They are connected, and one colour less is not enough."""
    rng, made = Random(2), 0
    for _ in range(60):
        size, colours = rng.randint(4, 12), rng.randint(2, 4)
        drawn = random_graph(rng, size, colours)
        if drawn is None:
            continue
        made += 1
        reached = {0}
        for _ in range(size):
            reached |= {b for a in reached for b in range(size) if drawn[a] >> b & 1}

        assert len(reached) == size
        assert chromatic_number(drawn) == colours

    assert made > 30


def test_canonical_forms_of_what_is_left() -> None:
    """Equal exactly if other names of vertices and colours make two tasks the same."""
    rng, forms = Random(3), dict[object, object]()
    for _ in range(150):
        size, colours = rng.randint(2, 4), 2
        pairs = list(combinations(range(size), 2))
        drawn = graph(size, rng.sample(pairs, rng.randint(1, len(pairs))))
        begun = tuple(rng.choice((0, 0, 0, 1, 2)) for _ in range(size))
        if not is_proper(drawn, begun, colours):
            continue
        form = canonical(drawn, begun, colours)

        assert form == canonical(*renamed(rng, drawn, begun, colours), colours)
        assert forms.setdefault(form, least_task(drawn, begun, colours)) == least_task(
            drawn, begun, colours
        )

    assert len(set(forms.values())) == len(forms) > 10


def least_task(drawn: Graph, begun: Colouring, colours: int) -> object:
    """The vertices that are left with the colours they can take, under the least numbers."""
    left = [vertex for vertex, colour in enumerate(begun) if not colour]
    names = list(permutations(range(1, colours + 1)))

    def task(order: tuple[int, ...], named: tuple[int, ...]) -> object:
        edges = [(a, b) for a, one in enumerate(order) for b, two in enumerate(order)
                 if drawn[one] >> two & 1]  # fmt: skip
        taken = [sorted(named[begun[near] - 1] for near in range(len(begun))
                        if drawn[one] >> near & 1 and begun[near]) for one in order]  # fmt: skip
        return edges, [sorted(set(row)) for row in taken]

    return repr(min(task(order, named) for order in permutations(left) for named in names))


def test_extended() -> None:
    """More colours that fit are an extension; a change, a loss or a conflict is none."""
    path = graph(3, [(0, 1), (1, 2)])

    assert extended(path, (1, 0, 0), (1, 2, 1), 2) == [1, 2]
    assert extended(path, (1, 0, 0), (1, 0, 0), 2) == []
    assert extended(path, (1, 0, 0), (2, 1, 0), 2) == []
    assert extended(path, (1, 0, 2), (1, 0, 0), 2) == []
    assert extended(path, (1, 0, 0), (1, 1, 0), 2) == []
    assert extended(path, (1, 0, 0), (1, 3, 0), 2) == []


def test_moves_are_found_without_listing_them() -> None:
    moves = Moves(3, [0b101, 0b100])
    assert list(moves) == ["0 1", "2 1", "2 2"]
    assert len(moves) == 3
    texts = [f"{vertex} {colour}" for vertex in range(-1, 4) for colour in range(4)]
    assert [text for text in [*texts, "01 1", "0  1", ""] if text in moves] == list(moves)

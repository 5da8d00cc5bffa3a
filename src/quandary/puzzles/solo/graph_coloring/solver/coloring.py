"""Colouring graphs: exact chromatic numbers, and exact completions of partial colourings.

A graph is a tuple with the neighbours of each vertex, as bits.  Colours count from 1; a colouring
has one for each vertex, 0 for a vertex without a colour.

The search keeps for each colour the vertices that can still take it, as bits.  It goes on with a
vertex of the fewest colours (DSATUR: Brélaz 1979, "New methods to color the vertices of a graph").
Colours that the same vertices can take differ by name only, so one of them is tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import TypeAlias

from quandary.algorithms.graphs import Graph, canonical_form

Neighbours: TypeAlias = tuple[tuple[int, ...], ...]  # of each vertex
Colouring: TypeAlias = tuple[int, ...]
Room: TypeAlias = list[int]  # for each colour, from 1, the vertices that can still take it

STARTS = 3  # vertices of the most neighbours, from which a large clique is sought


@lru_cache(maxsize=1 << 10)
def as_bits(neighbours: Neighbours) -> Graph:
    return tuple([sum([1 << other for other in others]) for others in neighbours])


def as_lists(graph: Graph) -> Neighbours:
    return tuple(tuple(members(near)) for near in graph)


def members(bits: int) -> Iterator[int]:
    """Yield the vertices of a set, lowest first."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def room_for(graph: Graph, colouring: Colouring, colours: int) -> Room:
    """For each colour the vertices without a colour of which no neighbour has it."""
    left, near = 0, [0] * (colours + 1)
    for vertex, colour in enumerate(colouring):
        if not colour:
            left |= 1 << vertex
        elif colour <= colours:
            near[colour] |= graph[vertex]
    return [left & ~beside for beside in near[1:]]


def is_proper(graph: Graph, colouring: Colouring, colours: int) -> bool:
    """Return whether all colours exist, and no two neighbours have the same one."""
    having = [0] * (colours + 1)
    for vertex, colour in enumerate(colouring):
        if colour > colours or (colour and having[colour] & graph[vertex]):
            return False
        having[colour] |= 1 << vertex
    return True


@lru_cache(maxsize=1 << 12)
def completion(graph: Graph, colouring: Colouring, colours: int) -> Colouring | None:
    """Return one way to colour the vertices that are left, None if there is none."""
    steps, full = list[tuple[int, int]](), list(colouring)
    if lookahead(graph, colouring, colours, steps) is not None:
        return None
    for vertex, colour in steps:
        full[vertex] = colour
    return tuple(full)


def lookahead(
    graph: Graph, colouring: Colouring, colours: int, steps: list[tuple[int, int]] | None = None
) -> int | None:
    """Return how many moves one must look ahead to see that a colouring cannot be completed.

    It is 0 if a vertex has no colour left, or if the colouring breaks the rules; None if it can be
    completed, and then `steps` are the vertices that are left and their colours.  Who looks ahead
    goes on with a vertex of the fewest colours.
    """
    if not is_proper(graph, colouring, colours):
        return 0
    left = sum([1 << vertex for vertex, colour in enumerate(colouring) if not colour])
    return _search(graph, left, room_for(graph, colouring, colours), [] if steps is None else steps)


def chromatic_number(graph: Graph) -> int:
    """Return the fewest colours that are enough, by trying all numbers from the size of a clique
    on.
    """
    clique = large_clique(graph)
    begun = [0] * len(graph)
    for colour, vertex in enumerate(clique, start=1):
        begun[vertex] = colour
    colours = len(clique)
    while completion(graph, tuple(begun), colours) is None:
        colours += 1
    return colours


def extended(graph: Graph, old: Colouring, new: Colouring, colours: int) -> list[int]:
    """Return the vertices to which it adds colours; none if it changes others or is not proper."""
    changed = [vertex for vertex, colour in enumerate(new) if colour != old[vertex]]
    is_longer = not any(old[vertex] for vertex in changed) and is_proper(graph, new, colours)
    return changed if is_longer else []


def renamed(
    rng: Random, graph: Graph, colouring: Colouring, colours: int
) -> tuple[Graph, Colouring]:
    """Return the graph and its colouring under other numbers of vertices and colours."""
    order = rng.sample(range(len(graph)), len(graph))
    names = [0, *rng.sample(range(1, colours + 1), colours)]
    return (
        tuple(_chosen(graph[vertex], order) for vertex in order),
        tuple(names[colouring[vertex]] for vertex in order),
    )


def canonical(graph: Graph, colouring: Colouring, colours: int) -> Graph:
    """Equal for what is left of two colourings if it differs by the names of vertices and colours.

    It is a graph of the vertices without a colour and, after them, the colours, where a colour is
    joined to the vertices that can take it.
    """
    left = [vertex for vertex, colour in enumerate(colouring) if not colour]
    room = room_for(graph, colouring, colours)
    rows = [_chosen(near, left) for near in (*(graph[vertex] for vertex in left), *room)]
    for colour, takers in enumerate(rows[len(left) :], start=len(left)):
        for vertex in members(takers):
            rows[vertex] |= 1 << colour
    return canonical_form(tuple(rows), (0,) * len(left) + (1,) * colours)


def _chosen(bits: int, vertices: Sequence[int]) -> int:
    """Return a set of vertices under their places among some."""
    return sum([1 << place for place, vertex in enumerate(vertices) if bits >> vertex & 1])


def random_graph(rng: Random, vertices: int, colours: int) -> Graph | None:
    """Return a connected graph that needs so many colours; None if luck makes no such graph.

    Edges are added in random order as long as the colours are enough.  The next edge would need one
    colour more, and one edge never needs two more, so that fewer colours are not enough either.
    """
    pairs = list(combinations(range(vertices), 2))
    rng.shuffle(pairs)
    nothing = (0,) * vertices
    enough, too_many = 0, len(pairs) + 1
    while too_many - enough > 1:
        middle = (enough + too_many) // 2
        if completion(_graph(vertices, pairs[:middle]), nothing, colours):
            enough = middle
        else:
            too_many = middle
    graph = _graph(vertices, pairs[:enough])
    return graph if enough < len(pairs) and _is_connected(graph) else None


def deepest_dead_end(rng: Random, graph: Graph, colours: int) -> int:
    """Return the most moves to look ahead after a move that cannot be followed up; 0 if it shows at
    once.

    The move is made after a third of the vertices, drawn at random, have a colour of a solution.
    """
    solution = completion(graph, (0,) * len(graph), colours)
    assert solution is not None
    begun = [0] * len(graph)
    for vertex in rng.sample(range(len(graph)), len(graph) // 3):
        begun[vertex] = solution[vertex]
    deepest = 0
    for colour, takers in enumerate(room_for(graph, tuple(begun), colours), start=1):
        for vertex in members(takers):
            after = (*begun[:vertex], colour, *begun[vertex + 1 :])
            deepest = max(deepest, lookahead(graph, after, colours) or 0)
    return deepest


def _graph(vertices: int, edges: Sequence[tuple[int, int]]) -> Graph:
    near = [0] * vertices
    for one, other in edges:
        near[one] |= 1 << other
        near[other] |= 1 << one
    return tuple(near)


def _is_connected(graph: Graph) -> bool:
    reached, news = 1, 1
    while news:
        around = 0
        for vertex in members(news):
            around |= graph[vertex]
        news = around & ~reached
        reached |= news
    return reached.bit_count() == len(graph)


def large_clique(graph: Graph) -> list[int]:
    """Vertices that are all neighbours of each other, as many as are found quickly."""
    largest = list[int]()
    for vertex in sorted(range(len(graph)), key=lambda vertex: -graph[vertex].bit_count())[:STARTS]:
        clique, near = [vertex], graph[vertex]
        while near:
            clique.append(_with_most_neighbours(graph, near, near))
            near &= graph[clique[-1]]
        largest = max(largest, clique, key=len)
    return largest


def _search(graph: Graph, left: int, room: Room, steps: list[tuple[int, int]]) -> int | None:
    """Return how many moves ahead all is lost; None if the vertices that are left were coloured."""
    if not left:
        return None
    tightest = _tightest(left, room)
    if not tightest:
        return 0
    vertex = _with_most_neighbours(graph, tightest, left)
    bit, away, tried, deepest = 1 << vertex, ~graph[vertex], set[int](), 0
    rest = [takers & ~bit for takers in room]
    for place, takers in enumerate(room):
        if not takers & bit or takers in tried:
            continue
        tried.add(takers)
        after = rest.copy()
        after[place] &= away
        ahead = _search(graph, left ^ bit, after, steps)
        if ahead is None:
            steps.append((vertex, place + 1))
            return None
        deepest = max(deepest, ahead + 1)
    return deepest


def _with_most_neighbours(graph: Graph, vertices: int, left: int) -> int:
    """Return the one of some vertices with the most neighbours left, the lowest of several."""
    found, most = -1, -1
    while vertices:
        lowest = vertices & -vertices
        vertex = lowest.bit_length() - 1
        if (count := (graph[vertex] & left).bit_count()) > most:
            found, most = vertex, count
        vertices ^= lowest
    return found


def _tightest(left: int, room: Room) -> int:
    """Return the vertices with the fewest colours; no vertices if one has none."""
    once, twice = 0, 0
    for takers in room:
        twice |= once & takers
        once |= takers
    if once != left:
        return 0
    if twice != left:
        return left & ~twice  # most of the time
    having = [left] + [0] * len(room)  # the vertices with at least 0, 1, 2 ... colours
    for number, takers in enumerate(room, start=1):
        for count in range(number, 0, -1):
            having[count] |= having[count - 1] & takers
    return left & ~next((more for more in having if more != left), 0)

"""Graphs up to the numbers of their nodes.

A graph is a tuple with the neighbours of each node, as bits.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

from .canonical_labelling import Colours, Order, Structure, least_image, ranked

Graph: TypeAlias = tuple[int, ...]


@lru_cache(maxsize=1 << 16)
def canonical_form(graph: Graph, kinds: tuple[int, ...] = ()) -> Graph:
    """Return the graph under numbers that do not depend on its own: equal for exactly the
    isomorphic.

    If nodes are of several kinds, the same nodes must be of each kind in all graphs to compare;
    only nodes of one kind are then exchanged.
    """
    return least_image([_Nodes(graph, kinds)], len(graph)) if graph else graph


class _Nodes(Structure[Graph]):
    """The nodes of a graph."""

    def __init__(self, graph: Graph, kinds: tuple[int, ...] = ()) -> None:
        self.graph, self.kinds = graph, kinds
        nodes = range(len(graph))
        self.near = [[node for node in nodes if near >> node & 1] for near in graph]

    def refined(self, colours: Colours, fixed: Order) -> list[int]:
        """Nodes by how many neighbours of each colour they have, until no more are told apart."""
        width = len(self.graph).bit_length()  # bits for the number of neighbours of one colour
        above = width * len(self.graph)
        is_first = self.kinds and not fixed
        found = ranked(self.kinds if is_first else colours)
        kinds = len(set(found))
        while kinds < len(found):
            weights = [1 << width * colour for colour in found]
            found = ranked(
                [
                    (own << above) + sum([weights[node] for node in near])
                    for own, near in zip(found, self.near, strict=True)
                ]
            )
            before, kinds = kinds, max(found) + 1
            if kinds == before:
                break
        return found

    def image(self, order: Order) -> Graph:
        bits = [0] * len(order)
        for place, node in enumerate(order):
            bits[node] = 1 << place
        return tuple([sum([bits[other] for other in self.near[node]]) for node in order])

    def interchangeable(self, one: int, other: int) -> bool:
        return not (self.graph[one] ^ self.graph[other]) & ~(1 << one | 1 << other)

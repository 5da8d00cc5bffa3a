"""Lists of cocktails (sets of drugs without clashes), and exact play of the game of adding clashes.

A graph is a tuple with the clashing drugs of each drug, as bits.  A cocktail (an independent set)
is also a number of bits.  Maximal cocktails are listed by the search of Bron and Kerbosch.  The
effect of one more clash needs no search: cocktails without both its drugs stay maximal, and a
cocktail with both is replaced by two halves, each without one of the drugs.  A half is maximal
unless some drug outside clashed with the removed drug alone; then the removed drug is `needed`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Literal, TypeAlias

from quandary.algorithms.graphs import Graph, canonical_form
from quandary.algorithms.proof_number_search import UNPROVABLE, Node, ProofNumberSearch

Edge: TypeAlias = tuple[int, int]  # two drugs that clash, the lower one first
# All cocktails to which no drug can be added, or only the largest ones.
Counted: TypeAlias = Literal["maximal", "maximum"]


def graph_of(drugs: int, edges: Iterable[Edge]) -> Graph:
    """Return the graph of edges between drugs counted from 1; all other functions count from 0."""
    found = (0,) * drugs
    for one, other in edges:
        found = with_edge(found, (one - 1, other - 1))
    return found


def renumbered(edges: Iterable[Edge], numbers: Sequence[int]) -> tuple[Edge, ...]:
    """Return the edges, in order, if drug 1 gets the first of these numbers, and so on."""
    pairs = ((numbers[one - 1], numbers[other - 1]) for one, other in edges)
    return tuple(sorted((min(pair), max(pair)) for pair in pairs))


def with_edge(graph: Graph, edge: Edge) -> Graph:
    """Return the graph with one more edge."""
    found = list(graph)
    found[edge[0]] |= 1 << edge[1]
    found[edge[1]] |= 1 << edge[0]
    return tuple(found)


@lru_cache(maxsize=1 << 16)
def members(cocktail: int) -> tuple[int, ...]:
    """Return the drugs of a cocktail, lowest first."""
    return tuple(drug for drug in range(cocktail.bit_length()) if cocktail >> drug & 1)


def maximal(graph: Graph, most: int | None = None) -> list[int]:
    """Return the cocktails to which no drug can be added; at most one more than `most` of them."""
    found: list[int] = []

    def grow(cocktail: int, fitting: int, tried: int) -> None:
        if not fitting and not tried:
            found.append(cocktail)
        # Every maximal cocktail contains the pivot or a drug that clashes with it, so only these
        # are tried.
        pivots = members(fitting | tried) if fitting else ()
        branches = min(
            (fitting & (graph[pivot] | 1 << pivot) for pivot in pivots),
            key=int.bit_count,
            default=0,
        )
        for drug in members(branches):
            if most is not None and len(found) > most:
                return
            stays = ~(graph[drug] | 1 << drug)
            grow(cocktail | 1 << drug, fitting & stays, tried & stays)
            fitting ^= 1 << drug
            tried |= 1 << drug

    grow(0, (1 << len(graph)) - 1, 0)
    return found


def counted_cocktails(cocktails: Sequence[int], counted: Counted) -> list[int]:
    """Return the maximal cocktails that count."""
    fewest = max(map(int.bit_count, cocktails)) if counted == "maximum" else 0
    return [cocktail for cocktail in cocktails if cocktail.bit_count() >= fewest]


@lru_cache(maxsize=256)
def all_counted(drugs: int, edges: tuple[Edge, ...], counted: Counted) -> frozenset[int]:
    """Return all cocktails of a graph that count."""
    return frozenset(counted_cocktails(maximal(graph_of(drugs, edges)), counted))


def random_maximal(rng: Random, graph: Graph) -> int:
    """Return a maximal cocktail, with drugs added in random order."""
    cocktail = 0
    for drug in rng.sample(range(len(graph)), len(graph)):
        if not graph[drug] & cocktail:
            cocktail |= 1 << drug
    return cocktail


def needed(graph: Graph, cocktail: int) -> int:
    """Return the drugs of a maximal cocktail without which some drug outside it could be added."""
    once = often = 0
    for drug in members(cocktail):
        often |= once & graph[drug]
        once |= graph[drug]
    alone = once & ~often
    return sum([1 << drug for drug in members(cocktail) if graph[drug] & alone])


def after_edge(graph: Graph, cocktails: Iterable[int], edge: Edge) -> list[int]:
    """Return all maximal cocktails after an edge is added, given all those before."""
    one, other = 1 << edge[0], 1 << edge[1]
    found = []
    for cocktail in cocktails:
        if cocktail & one and cocktail & other:
            kept = needed(graph, cocktail)
            found += [cocktail ^ lost for lost in (one, other) if not kept & lost]
        else:
            found.append(cocktail)
    return found


def safe_edges(graph: Graph, cocktails: Sequence[int], counted: Counted) -> list[Edge]:
    """Return the new edges after which no fewer cocktails count, given all maximal ones."""
    size = len(graph)
    # The largest with both drugs are lost; if these are all, twice as many halves count.
    if counted == "maximum":
        some, every = 0, -1
        for cocktail in counted_cocktails(cocktails, counted):
            some |= _pairs(cocktail, size)
            every &= _pairs(cocktail, size)
        unsafe = (some & ~every) << size
    # A cocktail with both drugs becomes two if neither drug is needed, and none if both are.
    else:
        gains = _pairs((1 << size) - 1, size) << size
        for cocktail in cocktails:
            kept = needed(graph, cocktail)
            gains += _pairs(cocktail ^ kept, size) - _pairs(kept, size)
        unsafe = ~gains
    return [
        edge
        for edge, bit in _fields(size)
        if not unsafe & bit and not graph[edge[0]] >> edge[1] & 1
    ]


@lru_cache(maxsize=1 << 14)
def _pairs(cocktail: int, size: int) -> int:
    """Return a number with a field for each edge, which is 1 if the cocktail has both drugs."""
    return sum(
        1 << (one * size + other) * (size + 1) for one, other in combinations(members(cocktail), 2)
    )


@lru_cache(maxsize=64)
def _fields(size: int) -> list[tuple[Edge, int]]:
    """Return each edge and the top bit of its field.

    The bit stays set while the edge has lost no cocktails, since their number is small enough.
    """
    return [
        (edge, _pairs(1 << edge[0] | 1 << edge[1], size) << size)
        for edge in combinations(range(size), 2)
    ]


class Position(Node):
    """A graph, all its maximal cocktails, and the edges that may be added."""

    __slots__ = ("cocktails", "edges", "graph")

    def __init__(self, graph: Graph, cocktails: list[int], counted: Counted) -> None:
        self.graph, self.cocktails = graph, cocktails
        self.edges = safe_edges(graph, cocktails, counted)
        super().__init__(len(self.edges))


class ClashSearch(ProofNumberSearch[Position]):
    """A proof-number search over at most `budget` positions; labels do not matter."""

    def __init__(self, counted: Counted, budget: int) -> None:
        self.counted, self.budget = counted, budget
        self.known: dict[Graph, Position] = {}

    def root(self, graph: Graph) -> Position:
        """Return the root of a search: a position with its own labels."""
        return Position(graph, maximal(graph), self.counted)

    def children(self, node: Position) -> list[Position]:
        """Return the positions after each safe edge, in their order."""
        if node.after is None:
            node.after = [self.child(node, edge) for edge in node.edges]
        return node.after

    def child(self, node: Position, edge: Edge) -> Position:
        graph = with_edge(node.graph, edge)
        key = canonical_form(graph)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = Position(
                graph, after_edge(node.graph, node.cocktails, edge), self.counted
            )
            self.budget -= 1
        return found

    def winning_replies(self, node: Position) -> float:
        """Return the share of the moves from a position that are known to win."""
        replies = self.children(node)
        for reply in replies:
            self.prove(reply)
        return sum(reply.loss == 0 for reply in replies) / len(replies)


@lru_cache(maxsize=2)
def complete_search(counted: Counted) -> ClashSearch:
    """Return the one search for all graphs that are small enough to be solved; it keeps all
    results.
    """
    return ClashSearch(counted, UNPROVABLE)

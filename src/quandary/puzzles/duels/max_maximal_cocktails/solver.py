"""The game of adding clashes: which moves are allowed, and how good they are.

A move is the two drugs it makes clash, the lower one first, counted from 1: "1 2".
"""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import NamedTuple

from quandary.algorithms.graphs import Graph
from quandary.core.contract import Move
from quandary.puzzles._shared.cocktails.solver import (
    ClashSearch,
    Counted,
    Edge,
    Position,
    complete_search,
    counted_cocktails,
    graph_of,
    maximal,
    safe_edges,
)

SOLVED = 8  # drugs; they make 12,346 graphs, few enough to solve all that matter once and for all
JUDGED = 2_000  # positions that a verdict on more drugs may cost
TOO_OPEN = 30  # allowed moves beyond which such a verdict is out of reach


class ClashGame(NamedTuple):
    """A position, whoever is to move."""

    drugs: int  # numbered from 1
    edges: tuple[Edge, ...]  # the drugs that clash, the lower one first, in order
    counted: Counted

    @property
    def graph(self) -> Graph:
        return graph_of(self.drugs, self.edges)

    def cocktail_count(self) -> int:
        """Return how many cocktails count."""
        return _count(self)

    def moves(self) -> tuple[Move, ...]:
        """Return the moves after which no fewer cocktails count, in order."""
        return _moves(self)

    def after(self, move: Move) -> ClashGame:
        return self._replace(edges=tuple(sorted((*self.edges, edge_of(move)))))

    def values(self) -> dict[Move, float] | None:
        """Return the value of each move under perfect play, where few enough positions
        decide it.
        """
        large = self.drugs > SOLVED and self.counted == "maximal"
        if large and len(self.moves()) > TOO_OPEN:
            return None
        search = self._search(JUDGED)
        return search.values(_after(search, search.root(self.graph)))

    def best_moves(self, budget: int) -> list[Move]:
        """Return the moves proven to win, or those closest to a proof; exact with few drugs.

        If all moves lose, those with the smallest share of winning replies.
        """
        search = self._search(budget)
        root = search.root(self.graph)
        after = _after(search, root)
        for node in after.values() if self.drugs <= SOLVED else [root]:
            search.prove(node)
        if all(node.win == 0 for node in after.values()):
            hardship = {node: search.winning_replies(node) for node in after.values()}
        else:
            hardship = {node: node.distance_to_loss for node in after.values()}
        least = min(hardship.values())
        return [move for move, node in after.items() if hardship[node] == least]

    def _search(self, budget: int) -> ClashSearch:
        small = self.drugs <= SOLVED
        return complete_search(self.counted) if small else ClashSearch(self.counted, budget)


def random_game(rng: Random, drugs: int, moves: int, counted: Counted) -> ClashGame:
    """Return a game after some random moves, or after fewer, so that a move is always left."""
    game = ClashGame(drugs, (), counted)
    for _ in range(moves):
        after = game.after(rng.choice(game.moves()))
        if not after.moves():
            break
        game = after
    return game


def edge_of(move: Move) -> Edge:
    one, other = move.split()
    return int(one), int(other)


@lru_cache(maxsize=1 << 12)
def _count(game: ClashGame) -> int:
    return len(counted_cocktails(maximal(game.graph), game.counted))


@lru_cache(maxsize=1 << 12)
def _moves(game: ClashGame) -> tuple[Move, ...]:
    return tuple(map(_written, safe_edges(game.graph, maximal(game.graph), game.counted)))


def _after(search: ClashSearch, root: Position) -> dict[Move, Position]:
    return dict(zip(map(_written, root.edges), search.children(root), strict=True))


def _written(edge: Edge) -> Move:
    """Return the move that adds an edge between drugs counted from 0."""
    return f"{edge[0] + 1} {edge[1] + 1}"

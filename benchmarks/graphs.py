"""Chromatic numbers of the same graphs, proven here and by OR-Tools CP-SAT on one core.

CP-SAT is given the number and the colours of a clique. It finds a colouring with that many colours,
and proves that there is none with one less. reasoning-gym's graph_color proves nothing, so it is
listed without a ratio.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random

from quandary.puzzles.solo.graph_coloring import GraphColoring
from quandary.puzzles.solo.graph_coloring.solver import coloring

from .clock import rate, rates

GRAPHS = 200  # of each level


def table() -> list[str]:
    rows = [
        "| level | quandary, proofs a second | CP-SAT | ratio | graphs made a second |",
        "|---|---|---|---|---|",
    ]
    for level in GraphColoring.levels:
        ours, theirs, made = rates(_proof(level), _cp_sat_proof(level), _making(level))
        rows.append(
            f"| {level} | {ours:,.0f} | {theirs:,.0f} | {ours / theirs:.0f} x | {made:,.0f} |"
        )
    return [*rows, "", f"reasoning-gym makes {_gym():,.0f} graphs of 10 vertices a second."]


@cache
def _game(level: str, number: int) -> GraphColoring:
    return GraphColoring.new(Random(f"graphs/{level}#{number}"), **GraphColoring.levels[level])


def _proof(level: str) -> Callable[[int], int]:
    def prove(i: int) -> int:
        game = _game(level, i % GRAPHS)
        coloring.completion.cache_clear()
        assert coloring.chromatic_number(coloring.as_bits(game.neighbours)) == game.colours
        return 1

    return prove


def _cp_sat_proof(level: str) -> Callable[[int], int]:
    def prove(i: int) -> int:
        game = _game(level, i % GRAPHS)
        assert _cp_sat_colours(game, game.colours) and not _cp_sat_colours(game, game.colours - 1)
        return 1

    return prove


def _cp_sat_colours(game: GraphColoring, colours: int) -> bool:
    """Whether so many colours are enough, where they are at least as many as a clique has."""
    from ortools.sat.python import cp_model

    clique = coloring.large_clique(coloring.as_bits(game.neighbours))
    if len(clique) > colours:
        return False
    model = cp_model.CpModel()
    vertices = [model.new_int_var(1, colours, "") for _ in game.neighbours]
    for one, near in enumerate(game.neighbours):
        for other in near:
            if one < other:
                model.add(vertices[one] != vertices[other])
    for colour, vertex in enumerate(clique, start=1):
        model.add(vertices[vertex] == colour)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    return bool(solver.solve(model) == cp_model.OPTIMAL)


def _making(level: str) -> Callable[[int], int]:
    def make(i: int) -> int:
        GraphColoring.new(Random(f"making/{level}#{i}"), **GraphColoring.levels[level])
        return 1

    return make


def _gym() -> float:
    from reasoning_gym.algorithmic.graph_color import GraphColorConfig, GraphColorDataset

    theirs = GraphColorDataset(GraphColorConfig(seed=1, size=1_000_000))
    return rate(lambda seed: len([theirs[seed]["question"]]))

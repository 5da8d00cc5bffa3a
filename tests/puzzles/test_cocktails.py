"""Cocktails: listing against every subset, edges against counting again."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from quandary.puzzles._shared.cocktails.solver import (
    ClashSearch,
    Counted,
    Edge,
    after_edge,
    complete_search,
    counted_cocktails,
    graph_of,
    maximal,
    members,
    needed,
    safe_edges,
)

Edges = list[tuple[int, int]]


def _by_force(drugs: int, edges: Edges) -> set[frozenset[int]]:
    """The maximal cocktails, by trying every set of drugs."""
    clashes = {frozenset(edge) for edge in edges}
    every = range(1, drugs + 1)
    mixtures = [
        frozenset(chosen) for size in range(drugs + 1) for chosen in combinations(every, size)
    ]
    cocktails = {mixture for mixture in mixtures if not any(clash <= mixture for clash in clashes)}
    return {
        cocktail
        for cocktail in cocktails
        if not any(cocktail | {drug} in cocktails for drug in set(every) - cocktail)
    }


def _number(drugs: int, edges: Edges, counted: Counted) -> int:
    found = _by_force(drugs, edges)
    return (
        len(found)
        if counted == "maximal"
        else sum(len(cocktail) == max(map(len, found)) for cocktail in found)
    )


def _pairs(drugs: int) -> Edges:
    return list(combinations(range(1, drugs + 1), 2))


def _some_edges(rng: Random, drugs: int) -> Edges:
    pairs = _pairs(drugs)
    return rng.sample(pairs, rng.randint(0, len(pairs)))


def _numbered(cocktails: list[int]) -> set[frozenset[int]]:
    return {frozenset(drug + 1 for drug in members(cocktail)) for cocktail in cocktails}


def _wins(
    drugs: int, edges: frozenset[Edge], counted: Counted, known: dict[frozenset[Edge], bool]
) -> bool:
    """Whether the player to move wins, by playing every edge that counting again allows."""
    if edges not in known:
        before = _number(drugs, list(edges), counted)
        after = [edges | {pair} for pair in _pairs(drugs) if pair not in edges]
        allowed = [more for more in after if _number(drugs, list(more), counted) >= before]
        known[edges] = not all(_wins(drugs, more, counted, known) for more in allowed)
    return known[edges]


@pytest.mark.parametrize(
    ("drugs", "edges", "number", "largest"),
    [
        (1, [], 1, 1),
        (4, [], 1, 1),
        (4, [(1, 2)], 2, 2),
        (3, [(1, 2), (2, 3)], 2, 1),
        (3, [(1, 2), (2, 3), (1, 3)], 3, 3),
        (4, [(1, 2), (2, 3), (3, 4)], 3, 3),
        (5, [(1, 3), (2, 3), (4, 5), (1, 5)], 4, 1),
    ],
)
def test_known_graphs(drugs: int, edges: Edges, number: int, largest: int) -> None:
    """Paths, a triangle and the papers' examples, under both meanings."""
    found = maximal(graph_of(drugs, edges))

    assert number == len(counted_cocktails(found, "maximal"))
    assert largest == len(counted_cocktails(found, "maximum"))


def test_known_families() -> None:
    """Paths have Padovan's numbers of maximal cocktails, rings Perrin's, triangles three each
    (the most there can be)."""
    paths = [
        len(maximal(graph_of(drugs, [(i, i + 1) for i in range(1, drugs)])))
        for drugs in range(1, 11)
    ]
    rings = [
        len(maximal(graph_of(drugs, [(1, drugs), *[(i, i + 1) for i in range(1, drugs)]])))
        for drugs in range(3, 11)
    ]
    triangles = [edge for i in range(1, 16, 3) for edge in ((i, i + 1), (i, i + 2), (i + 1, i + 2))]

    assert [1, 2, 2, 3, 4, 5, 7, 9, 12, 16] == paths
    assert [3, 2, 5, 5, 7, 10, 12, 17] == rings
    assert 3**5 == len(maximal(graph_of(15, triangles)))


def test_every_maximal_cocktail_is_listed_once() -> None:
    """On random graphs, sparse and dense: those that trying every set finds."""
    rng = Random("cocktails")
    for _ in range(150):
        drugs = rng.randint(1, 9)
        edges = _some_edges(rng, drugs)
        found = maximal(graph_of(drugs, edges))

        assert _by_force(drugs, edges) == _numbered(found)
        assert len(found) == len(set(found))


@pytest.mark.parametrize(
    ("most", "listed"), [(0, 1), (1, 2), (26, 27), (27, 27), (1_000, 27), (None, 27)]
)
def test_listing_stops_soon_after_the_limit(most: int | None, listed: int) -> None:
    """One more than the limit tells that there are more."""
    triangles = [edge for i in (1, 4, 7) for edge in ((i, i + 1), (i, i + 2), (i + 1, i + 2))]

    assert listed == len(maximal(graph_of(9, triangles), most))


@pytest.mark.parametrize("counted", ["maximal", "maximum"])
def test_safe_edges_are_those_of_counting_again(counted: Counted) -> None:
    """Any graph, whether or not play could lead there."""
    rng, unsafe = Random("safe"), 0
    for _ in range(60):
        drugs = rng.randint(2, 7)
        edges = _some_edges(rng, drugs)
        graph = graph_of(drugs, edges)
        before, absent = (
            _number(drugs, edges, counted),
            [pair for pair in _pairs(drugs) if pair not in edges],
        )
        expected = [pair for pair in absent if _number(drugs, [*edges, pair], counted) >= before]

        assert [(one - 1, other - 1) for one, other in expected] == safe_edges(
            graph, maximal(graph), counted
        )
        unsafe += len(absent) - len(expected)

    assert unsafe


def test_one_more_edge_needs_no_new_search() -> None:
    """The cocktails after an edge follow from those before it, and a drug is needed where
    another could take its place."""
    rng = Random("halved")
    for _ in range(200):
        drugs = rng.randint(2, 9)
        edges = _some_edges(rng, drugs)[: len(_pairs(drugs)) - 1]
        one, other = rng.choice([pair for pair in _pairs(drugs) if pair not in edges])
        before = graph_of(drugs, edges)
        after = maximal(graph_of(drugs, [*edges, (one, other)]))

        assert sorted(after) == sorted(after_edge(before, maximal(before), (one - 1, other - 1)))

    # of 2, 3 and 4 none is needed; without 1, both 2 and 3 could come in
    star = graph_of(4, [(1, 2), (1, 3)])
    assert [0b1110, 0b1001] == sorted(maximal(star), reverse=True)
    assert (0, 0b0001) == (needed(star, 0b1110), needed(star, 0b1001))


@pytest.mark.parametrize("counted", ["maximal", "maximum"])
def test_proofs_agree_with_brute_force(counted: Counted) -> None:
    """Every graph of four drugs and many of five, whoever is to move: won or lost, never both."""
    rng, wins = Random("proof"), 0
    for drugs, count in ((4, 64), (5, 250)):
        pairs, known = _pairs(drugs), dict[frozenset[Edge], bool]()
        for number in rng.sample(range(1 << len(pairs)), count):
            edges = frozenset(pair for place, pair in enumerate(pairs) if number >> place & 1)
            root = complete_search(counted).root(graph_of(drugs, edges))
            complete_search(counted).prove(root)
            expected = _wins(drugs, edges, counted, known)

            assert (expected, not expected) == (root.win == 0, root.loss == 0)
            wins += expected

    assert 50 < wins < 264


@pytest.mark.heavy
def test_proofs_agree_with_brute_force_on_six_drugs() -> None:
    """All 32,768 graphs, by brute force; every twentieth of them by proof."""
    pairs, known = _pairs(6), dict[frozenset[Edge], bool]()
    for number in range(0, 1 << 15, 20):
        edges = frozenset(pair for place, pair in enumerate(pairs) if number >> place & 1)
        root = complete_search("maximal").root(graph_of(6, edges))
        complete_search("maximal").prove(root)

        assert _wins(6, edges, "maximal", known) == (root.win == 0)


def test_searches_keep_their_budget() -> None:
    """A small one says nothing false: what it calls decided is so, and it looks at hardly more
    positions than it may."""
    undecided = 0
    for edges in ([], [(1, 2)], [(1, 2), (3, 4)], [(1, 2), (2, 3)]):
        graph = graph_of(7, edges)
        exact = complete_search("maximal").root(graph)
        complete_search("maximal").prove(exact)
        for budget in (1, 50, 2_000):
            search = ClashSearch("maximal", budget)
            root = search.root(graph)
            search.prove(root)

            assert len(search.known) <= budget + 21
            assert root.win or exact.win == 0
            assert root.loss or exact.loss == 0
            undecided += bool(root.win and root.loss)

    assert undecided

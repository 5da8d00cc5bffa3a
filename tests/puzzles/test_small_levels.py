"""The numbers of instances that levels declare, by listing all that can be drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from itertools import (
    combinations,
    combinations_with_replacement,
    pairwise,
    permutations,
    product,
)

import pytest

from quandary.catalogue import registry
from quandary.puzzles._shared.sudoku.solver import count
from quandary.puzzles.duels.card_nim import CardNim
from quandary.puzzles.duels.sudokill import Sudokill
from quandary.puzzles.questions.count_maximal_cocktails import CountMaximalCocktails
from quandary.puzzles.questions.execution.reversi import Reversi
from quandary.puzzles.questions.execution.reversi.solver.games import boards_after
from quandary.puzzles.solo.exclusivity_probes import ExclusivityProbes
from quandary.puzzles.solo.game_of_24 import GameOf24
from quandary.puzzles.solo.k_queens import KQueens
from quandary.puzzles.solo.k_queens.solver import away, nearest
from quandary.puzzles.solo.sudoku import Sudoku
from quandary.puzzles.solo.tidy_tower import TidyTower

heavy = pytest.mark.heavy


def declared(name: str, key: str) -> int:
    return registry.load(name).distinct_instances[key].instances


@pytest.mark.parametrize("level", ["easy", "normal"])
def test_card_nim(level: str) -> None:
    """Equal hands of all cards up to one below the pile; together they can clear it."""
    low, high = CardNim.levels[level]["stones"]
    forms = {
        CardNim(pile, (tuple(range(1, top + 1)),) * 2).canonical()
        for pile in range(low, high + 1)
        for top in range(1, pile)  # a card as large as the pile would win at once
        if 2 * sum(range(1, top + 1)) >= pile
    }

    assert declared("card_nim", level) == len(forms)


@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
def test_beat_or_bomb_sto(level: str) -> None:
    """Pairs of different hands of one size and total, which leaves enough hands in doubt."""
    arguments, deals = registry.load("beat_or_bomb_sto").levels[level], 0
    low, high = arguments["cards"]
    for size in range(low, high + 1):
        totals = Counter(sum(hand) for hand in combinations(range(1, 14), size))
        doubtful = (hands for hands in totals.values() if hands > arguments.get("doubt", 1))
        deals += sum(hands * (hands - 1) // 2 for hands in doubtful)

    assert declared("beat_or_bomb_sto", level) == deals


def test_tidy_tower() -> None:
    """All towers of six cubes that are not tidy."""
    towers = ("".join(cubes) for cubes in product("RYBG", repeat=6) if len(set(cubes)) > 1)

    assert declared("tidy_tower", "easy") == len({TidyTower(cubes).canonical() for cubes in towers})


@heavy
def test_k_queens() -> None:
    """All boards with one queen per row, one or two moves from a placement without attacks."""
    forms, boards = set(), 0
    for columns in product(range(6), repeat=6):
        queens = tuple(enumerate(columns))
        moves = away(queens, nearest(queens, 2) or ()) if nearest(queens, 2) else 0
        if moves:
            forms.add(KQueens(queens, moves + 1).canonical())
            boards += 1

    assert 1_620 == boards
    assert declared("k_queens", "easy") == len(forms)


@pytest.mark.parametrize("level", [0, 1])
def test_reversi_from_the_start(level: int) -> None:
    """All rounds of which half flip pieces."""
    rounds, board = Reversi.sizes["a"][level]["rounds"], ("****", "*01*", "*10*", "****")
    free = [square for square in product(range(1, 5), repeat=2) if {*square} & {1, 4}]
    forms = set()
    for places in permutations(free, rounds):
        game = Reversi("a", level, "cascade", board, "0", "0", places)
        boards = [board, *boards_after(board, "0", places, "cascade")]
        flips = 0
        for number, (before, now) in enumerate(pairwise(boards)):
            rival = "10"[number % 2]
            flips += sum(row.count(rival) for row in now) < sum(row.count(rival) for row in before)
        if flips >= max(1, rounds // 2):
            forms.add(game.canonical())

    assert declared("reversi", f"{level},family=a") == len(forms)


@heavy
def test_exclusivity_probes() -> None:
    """All sets that contain the place 0, as the cube can be turned to put one there."""
    forms = set[Hashable]()
    for bits, size, distance in [(5, 2, 2), (5, 3, 2), *product((6,), (2, 3), (2, 3))]:
        for others in combinations(range(1, 1 << bits), size - 1):
            places = (0, *others)
            if all((a ^ b).bit_count() >= distance for a, b in combinations(places, 2)):
                hidden = tuple(f"{place:0{bits}b}" for place in places)
                probes = ExclusivityProbes(bits, size, distance, hidden, "?" * (1 << bits))
                forms.add(probes.canonical())

    assert declared("exclusivity_probes", "easy") == len(forms)


@heavy
def test_few_drugs_make_few_graphs() -> None:
    """Three to six drugs, of which at most half of all pairs clash; seven make 522 more."""
    forms = set()
    for drugs in range(3, 7):
        pairs = list(combinations(range(1, drugs + 1), 2))
        for size in range(len(pairs) // 2 + 1):
            forms.update(
                CountMaximalCocktails(drugs, edges).canonical()
                for edges in combinations(pairs, size)
            )

    reason = registry.load("count_maximal_cocktails").distinct_instances["easy"].reason
    assert f" {len(forms) + 522} have three to seven drugs" in reason


@heavy
def test_game_of_24() -> None:
    """All sets of four numbers from 1 to 13, by how many first steps leave them solvable."""
    found = dict.fromkeys(GameOf24.levels, 0)
    for numbers in combinations_with_replacement(range(1, 14), 4):
        game = GameOf24(tuple(map(str, sorted(numbers, reverse=True))))
        good = sum((game.judge(0) or {}).values())
        for level, arguments in GameOf24.levels.items():
            low, high = arguments["openings"]
            found[level] += low <= good <= high

    assert {level: declared("game_of_24", level) for level in found} == found


@heavy
def test_sudokus_of_side_4() -> None:
    """All grids with 4 blanks or 8 to 12; those with one solution for sudoku and text sudoku."""
    positions, puzzles = dict[int, set[Hashable]](), dict[int, set[Hashable]]()
    grids = {Sudokill(grid).canonical(): grid for grid in _grids("1234" + "." * 12)}
    for grid, blanks in product(grids.values(), (4, *range(8, 13))):
        for empty in combinations(range(16), blanks):
            cells = "".join("." if cell in empty else value for cell, value in enumerate(grid))
            form, seen = Sudokill(cells).canonical(), positions.setdefault(blanks, set())
            if form not in seen and count(cells, 2) == 1:
                puzzles.setdefault(blanks, set()).add(Sudoku(cells, cells).canonical())
            seen.add(form)

    assert 2 == len(grids)  # the known number of essentially different ones
    assert declared("sudokill", "easy") == sum(len(positions[blanks]) for blanks in range(8, 13))
    assert declared("sudoku", "easy") == sum(len(puzzles[blanks]) for blanks in range(8, 13))
    assert declared("text_sudoku", "easy") == len(puzzles[4])
    assert declared("text_sudoku", "medium") == len(puzzles[8])


def _grids(cells: str) -> Iterator[str]:
    """All full grids of side 4 that begin like this; the others have other names of values."""
    place = cells.find(".")
    if place < 0:
        yield cells
        return
    row, column = divmod(place, 4)
    for value in "1234":
        if not any(
            cells[r * 4 + c] == value
            for r, c in product(range(4), repeat=2)
            if r == row or c == column or (r // 2, c // 2) == (row // 2, column // 2)
        ):
            yield from _grids(cells[:place] + value + cells[place + 1 :])

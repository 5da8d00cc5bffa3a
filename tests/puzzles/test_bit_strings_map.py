"""Maps of bit strings: what a cell stands for, and how many places are left in it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from quandary.catalogue import drawing
from quandary.core.scene import Box, Label

NAMES = ("exclusivity_particles", "exclusivity_probes")


def _played(spec: str, moves: int) -> Any:
    """A position after some moves, as the seat to move sees it."""
    game, rng = drawing.game(spec), Random(spec)
    for _ in range(moves):
        [(seat, open_now)] = game.options().items()
        if open_now is None:
            break
        game = game.play(seat, rng.choice(list(open_now)))
    return game.seen_by(0)


@pytest.mark.parametrize("spec", ["exclusivity_particles/hard#1", "exclusivity_probes/hard#1"])
def test_a_map_says_for_how_many_places_a_cell_stands(spec: str) -> None:
    """In both languages, with the bits that all of them have in common."""
    puzzle = _played(spec, 3)
    places = str(2 ** (puzzle.dimension - 8))

    for language in puzzle.languages:
        scene = puzzle.scene(0, language)
        said = "".join(shape.text for shape in scene.shapes if isinstance(shape, Label))

        assert places in said and "8" in said
        assert len([shape for shape in scene.shapes if isinstance(shape, Box)]) == 2**8


@pytest.mark.parametrize("seed", range(1, 5))
@pytest.mark.parametrize("level", ["normal", "hard"])
@pytest.mark.parametrize("name", NAMES)
def test_cells_stand_in_the_order_of_their_bits(name: str, level: str, seed: int) -> None:
    """A cell of a group counts the places left; a cell of one place can be clicked or is taken."""
    puzzle = _played(f"{name}/{level}#{seed}", 4)
    cells = [shape for shape in puzzle.scene(0).shapes if isinstance(shape, Box)]
    bits = len(cells).bit_length() - 1
    block = 2 ** (puzzle.dimension - bits)
    if name == "exclusivity_probes":
        left = [mark == "?" for mark in puzzle.known]
        assert sum(left) == len(left) - 4
    else:
        _, moves = next(iter(puzzle.options().items()))
        free = {int(move, 2) for move in moves or ()}
        left = [place in free for place in range(2**puzzle.dimension)]

    for number, cell in enumerate(cells):
        count = sum(left[number * block : (number + 1) * block])
        if block > 1:
            no_place = "0" if name == "exclusivity_probes" else ""
            assert cell.text == (str(count) if count else no_place)
        elif cell.click:
            assert count == 1 and int(cell.click["place"], 2) == number

"""What questions in words show in their pictures: all that their answer depends on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, zip_longest
from typing import Any

import pytest

from quandary.catalogue import drawing, registry
from quandary.core.scene import Box, Label
from quandary.render.svg import picture

Texts = Sequence[str]


def _of_synthesis(puzzle: Any) -> Texts:
    """Counts at the start; and by method, what becomes less and what becomes more."""
    changes = [
        f"{f'-{taken}' if taken else ''}{f'+{made}' if made else ''}"
        for method in puzzle.methods
        for taken, made in zip(*method, strict=True)
    ]
    return [*map(str, puzzle.counts), *filter(None, changes)]


def _of_rounds(puzzle: Any) -> Texts:
    rounds = zip_longest(puzzle.added, puzzle.removed)
    return [*puzzle.hand, *filter(None, chain.from_iterable(rounds))]


def _of_commands(puzzle: Any) -> Texts:
    codes = [str(puzzle.operations.index(one.operation) + 1) for one in puzzle.commands]
    commands = zip(codes, puzzle.commands, strict=True)
    arguments = [[code, *map(str, one.arguments)] for code, one in commands]
    return [*puzzle.document, *chain.from_iterable(arguments)]


CELLS: dict[str, Callable[[Any], Texts]] = {
    "character_search": lambda puzzle: [*puzzle.moved],
    "combinatorial_calculation": lambda puzzle: [*map(str, (*puzzle.numbers, puzzle.target))],
    "cryptanalysis": lambda puzzle: [sign for clue in puzzle.clues for sign in clue.guess],
    "linear_arrangement": lambda puzzle: [],
    "logical_equations": lambda puzzle: [*map(str, puzzle.numbers)],
    "mahjong": _of_rounds,
    "statistical_counting": lambda puzzle: [*puzzle.string],
    "string_deletion": lambda puzzle: [*puzzle.string],
    "string_insertion": lambda puzzle: [*puzzle.string],
    "string_processing": _of_commands,
    "string_rearrangement": lambda puzzle: [*puzzle.numbers],
    "string_splitting": lambda puzzle: [*puzzle.string],
    "string_synthesis": _of_synthesis,
    "synthesis_and_decomposition": _of_synthesis,
}
SPECS = [f"{name}/{level}" for name in CELLS for level in registry.load(name).levels]
LINES = ("arithmetic_sudoku", "cryptanalysis", "linear_arrangement", "logical_equations")


@pytest.mark.parametrize("spec", SPECS)
def test_cells_show_letters_and_numbers_in_their_order(spec: str) -> None:
    """Whichever instance it is, nothing is missing and nothing is added."""
    for seed in range(8):
        puzzle = drawing.instance(f"{spec}#{seed}")
        scene = puzzle.scene(0)
        assert scene
        cells = [shape.text for shape in scene.shapes if isinstance(shape, Box) and shape.text]

        assert cells == [*CELLS[spec.partition("/")[0]](puzzle)]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", LINES)
def test_sentences_of_the_text_stand_in_the_picture(name: str, language: str) -> None:
    """Clues, conditions and relations are told, in lines that may be broken."""
    for level in registry.load(name).levels:
        puzzle = drawing.game(f"{name}/{level}#3")
        scene = picture(puzzle, 0, language)
        shown = "".join(shape.text for shape in scene.shapes if isinstance(shape, Label))
        told = [line for line in puzzle.text(0, language).split("\n") if line[:1].isdigit()]

        assert told
        for line in told:
            assert line.replace(" ", "") in shown.replace(" ", "")


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("level", ["0", "1", "2", "3"])
def test_rounds_of_mutual_restriction_show_cards_and_results(level: str, language: str) -> None:
    """A row has the name of a card and the colour of its result."""
    fills = {"win": "good", "loss": "bad", "draw": "shade"}
    for seed in range(8):
        puzzle: Any = drawing.instance(f"mutual_restriction/{level}#{seed}")
        cells = [shape for shape in puzzle.scene(0, language).shapes if isinstance(shape, Box)]
        rows = zip(cells[::3], cells[1::3], puzzle.own, puzzle.results, strict=True)

        assert len(puzzle.own) == len(cells) // 3
        for card, result, letter, told in rows:
            assert letter in card.text and result.fill == fills[told]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_questions_about_answers_show_all_their_options(language: str) -> None:
    """In the order of the text, each in a cell below its question."""
    for level in registry.load("self_reasoning").levels:
        puzzle = drawing.instance(f"self_reasoning/{level}#5")
        scene = puzzle.scene(0, language)
        assert scene
        lines = puzzle.text(0, language).split("\n")
        cells = [shape.text for shape in scene.shapes if isinstance(shape, Box)]
        questions = "".join(shape.text for shape in scene.shapes if isinstance(shape, Label))

        assert cells == [line for line in lines if line[0].isalpha()]
        for line in lines:
            if line[0].isdigit():
                assert line.replace(" ", "") in questions.replace(" ", "")


@pytest.mark.parametrize("level", ["0", "1", "2", "3"])
def test_new_operators_stand_in_the_picture(level: str) -> None:
    """Their formulas, and what is to be computed."""
    for seed in range(8):
        puzzle: Any = drawing.instance(f"new_operator/{level}#{seed}")
        labels = [shape.text for shape in puzzle.scene(0).shapes if isinstance(shape, Label)]
        formulas = [f"x {symbol} y = {formula}" for symbol, formula in puzzle.operators]

        assert labels[: len(formulas)] == formulas
        assert puzzle.expression.replace(" ", "") in "".join(labels).replace(" ", "")

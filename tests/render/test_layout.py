"""What can be read off pictures: numbers and words do not cover each other, lines pass by."""

from __future__ import annotations

from functools import cache
from itertools import combinations, islice, pairwise
from math import floor, hypot
from typing import NamedTuple

import pytest

from quandary.catalogue import drawing, registry
from quandary.conformance.case import as_game, walk
from quandary.core.contract import Game
from quandary.core.scene import Box, Disc, Label, Line, Scene
from quandary.core.text_width import text_width
from quandary.puzzles.questions.count_maximal_cocktails import CountMaximalCocktails
from quandary.render.svg import MARGIN, Text, elements, picture
from quandary.render.terminal import ACROSS, DOWN, SLACK, terminal

CASES = [
    pytest.param(
        name,
        level,
        id=f"{name}/{level}",
        marks=[] if level in (levels[0], levels[-1]) else pytest.mark.heavy,
    )
    for name in registry.names()
    for levels in [list(registry.load(name).levels)]
    for level in levels
]
SEEDS, PLIES = range(3), (0, 1, 7, 20)
HEIGHT = 0.73  # of a capital of the fonts, per size
TELEPHONE = 390  # pixels: the width of the screens that pictures must fit
PIXELS = 512  # the longer side of the pictures that models are shown


class Place(NamedTuple):
    """Where a text stands."""

    text: str
    left: float
    top: float
    right: float
    bottom: float

    def covers(self, other: Place) -> bool:
        slack = 0.01
        return (
            self.left + slack < other.right
            and other.left + slack < self.right
            and self.top + slack < other.bottom
            and other.top + slack < self.bottom
        )


@cache
def _positions(name: str, level: str) -> list[Game]:
    starts = [(seed, as_game(drawing.instance(f"{name}/{level}#{seed}"))) for seed in SEEDS]
    return [
        position
        for seed, start in starts
        for ply, position in enumerate(islice(walk(start, str(seed)), PLIES[-1] + 1))
        if ply in PLIES
    ]


def _size(shape: Box | Disc | Label) -> float:
    """The size of the letters of a shape, which shrink to fit boxes and discs."""
    if isinstance(shape, Label):
        return shape.size
    [text] = [element for element in elements(shape) if isinstance(element, Text)]
    return text.size


def _texts(scene: Scene) -> list[Place]:
    places = []
    for shape in scene.shapes:
        if isinstance(shape, Line) or not shape.text:
            continue
        size, anchor = _size(shape), getattr(shape, "anchor", "middle")
        x = shape.x + shape.width / 2 if isinstance(shape, Box) else shape.x
        y = shape.y + shape.height / 2 if isinstance(shape, Box) else shape.y
        wide, high = text_width(shape.text, size), HEIGHT * size
        left = x - {"start": 0.0, "middle": wide / 2, "end": wide}[anchor]
        places.append(Place(shape.text, left, y - high / 2, left + wide, y + high / 2))
    return places


def _distance(point: tuple[float, float], ends: tuple[tuple[float, float], ...]) -> float:
    """The distance of a point from the straight line between two others."""
    (ax, ay), (bx, by) = ends
    length = (bx - ax) ** 2 + (by - ay) ** 2
    along = ((point[0] - ax) * (bx - ax) + (point[1] - ay) * (by - ay)) / length if length else 0.0
    along = max(0.0, min(1.0, along))
    return hypot(point[0] - ax - along * (bx - ax), point[1] - ay - along * (by - ay))


def _crossed_discs(scene: Scene) -> list[tuple[Line, Disc]]:
    """Lines with the discs they pass through, other than those at their ends."""
    discs = [shape for shape in scene.shapes if isinstance(shape, Disc)]
    return [
        (line, disc)
        for line in scene.shapes
        if isinstance(line, Line)
        for ends in zip(line.points, line.points[1:], strict=False)
        for disc in discs
        if _distance((disc.x, disc.y), ends) < disc.radius
        and all(hypot(disc.x - x, disc.y - y) > disc.radius for x, y in ends)
    ]


@pytest.mark.parametrize(("name", "level"), CASES)
def test_texts_do_not_cover_each_other(name: str, level: str) -> None:
    """In no picture of any puzzle."""
    for position in _positions(name, level):
        for seat in range(position.seats):
            texts = _texts(picture(position, seat))
            covered = [pair for pair in combinations(texts, 2) if pair[0].covers(pair[1])]

            assert covered == []


@pytest.mark.parametrize(("name", "level"), CASES)
def test_lines_do_not_pass_through_foreign_discs(name: str, level: str) -> None:
    """A line meets the two discs that it joins and no other one."""
    for position in _positions(name, level):
        assert _crossed_discs(picture(position, 0)) == []


@pytest.mark.parametrize(("name", "level"), CASES)
def test_every_line_is_drawn_in_a_terminal(name: str, level: str) -> None:
    """There is a character wherever a line passes."""
    for position in _positions(name, level):
        scene = picture(position, 0)
        rows = [row.ljust(300) for row in terminal(scene, colour=False).split("\n")]
        for line in (shape for shape in scene.shapes if isinstance(shape, Line)):
            for (x, y), (u, v) in pairwise(line.points):
                across, down = round((x + u) / 2 * ACROSS), floor((y + v) / 2 * DOWN + SLACK)

                assert rows[down][max(0, across - 1) : across + 2].strip()


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("name", "level"), CASES)
def test_letters_are_large_enough_on_a_telephone(name: str, level: str, language: str) -> None:
    """Each letter of a picture measures nine pixels where the picture is 390 pixels wide."""
    for position in _positions(name, level):
        for seat in range(position.seats if language in position.languages else 0):
            scene = picture(position, seat, language)
            unit = TELEPHONE / (scene.width + 2 * MARGIN)
            sizes = {s.text: _size(s) for s in scene.shapes if not isinstance(s, Line) and s.text}

            assert {text: size * unit for text, size in sizes.items() if size * unit < 9} == {}


@pytest.mark.parametrize(("name", "level"), CASES)
def test_letters_are_large_enough_for_models(name: str, level: str) -> None:
    """Each letter measures nine pixels in the pictures that models are shown."""
    for position in _positions(name, level):
        scene = picture(position, 0)
        unit = PIXELS / (max(scene.width, scene.height) + 2 * MARGIN)

        assert min(_size(s) for s in scene.shapes if not isinstance(s, Line) and s.text) * unit >= 9


@pytest.mark.parametrize(
    "seeds", [range(12), pytest.param(range(12, 60), marks=pytest.mark.heavy)], ids=["few", "many"]
)
@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
def test_maps_of_many_towns_can_be_read(level: str, seeds: range) -> None:
    """Sites may lie close together, at the edge or in the same place."""
    for seed in seeds:
        scene = picture(drawing.game(f"optimal_touring/{level}#{seed}"), 0)
        covered = [pair for pair in combinations(_texts(scene), 2) if pair[0].covers(pair[1])]

        assert (seed, covered, _crossed_discs(scene)) == (seed, [], [])


def test_many_clashes_are_not_drawn_as_lines() -> None:
    """Lines between 14 and more drugs would be tangled: the picture is a table instead."""
    for seed in range(10):
        game = drawing.game(f"count_maximal_cocktails/hard#{seed}")
        puzzle = game.inner
        assert isinstance(puzzle, CountMaximalCocktails)
        scene = picture(game, 0)
        cells = [shape for shape in scene.shapes if isinstance(shape, Box)]
        filled = [divmod(i, puzzle.drugs) for i, cell in enumerate(cells) if cell.fill == "blue"]

        assert not any(isinstance(shape, Line) for shape in scene.shapes)
        assert {(row + 1, column + 1) for row, column in filled if row < column} == {*puzzle.edges}
        assert len(filled) == 2 * len(puzzle.edges)


@pytest.mark.parametrize(("name", "level"), CASES)
def test_texts_do_not_overwrite_each_other_in_a_terminal(name: str, level: str) -> None:
    """Every text of a picture can be found in its column of the drawing with characters, in a row
    with the texts beside it and below those above it.
    """
    for position in _positions(name, level):
        scene = picture(position, 0)
        places = dict[int, list[tuple[int, str]]]()
        for shape in scene.shapes:
            if isinstance(shape, Line) or not shape.text.strip():
                continue
            anchor = getattr(shape, "anchor", "middle")
            x = shape.x + shape.width / 2 if isinstance(shape, Box) else shape.x
            y = shape.y + shape.height / 2 if isinstance(shape, Box) else shape.y
            back = {"start": 0, "middle": len(shape.text) // 2, "end": len(shape.text)}[anchor]
            start = max(0, round(x * ACROSS) - back)
            if isinstance(shape, Box):  # between the edges as they are drawn
                left, right = round(shape.x * ACROSS), round((shape.x + shape.width) * ACROSS)
                start = left + (right - left + 1 - len(shape.text)) // 2
            places.setdefault(floor(y * DOWN + SLACK), []).append((start, shape.text))
        rows = iter(terminal(scene, colour=False).split("\n"))
        for _, texts in sorted(places.items()):
            assert any(all(row.startswith(text, at) for at, text in texts) for row in rows), texts

"""Moves composed from clicks and form fields, and texts in Chinese, over many matches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from random import Random

import pytest

from quandary.catalogue import drawing, registry
from quandary.conformance.case import pick, some
from quandary.conformance.languages import names_of, shown_texts
from quandary.conformance.moves import clicks_of
from quandary.core.contract import CHANCE, Game
from quandary.core.moves import MoveIndex, compose
from quandary.core.moves.fields import Value
from quandary.core.moves.notation import filled_in
from quandary.core.translations import english_in
from slow_levels import SLOW_LEVELS

GAMES = [name for name in registry.names() if issubclass(registry.load(name), Game)]
SPEAKING = [
    name
    for name in registry.names()
    if "zh" in drawing.game(f"{name}/{next(iter(registry.load(name).levels))}#1").languages
]
DRAWN = 200  # options that are tried where there are more
LOOKED_AT = 10  # positions of a match
SELDOM = 20  # one of so many matches is played at levels whose matches take long
LONG_MATCHES = (*SLOW_LEVELS, "exclusivity_probes/normal", "exclusivity_particles/hard")
pytestmark = pytest.mark.usefixtures("short_searches")


def _positions(name: str, level: str, matches: int) -> Iterator[Game]:
    for seed in range(matches):
        game, rng = drawing.game(f"{name}/{level}#{seed}", tries=2), Random(seed)
        awaited = [] if CHANCE in game.options() else [game]
        while options := game.options():
            seat = min(options)
            game = game.after(seat, pick(game, seat, rng))
            if CHANCE not in game.options():
                awaited.append(game)
        yield from awaited[:: max(1, len(awaited) // LOOKED_AT)]


def _shares(name: str, matches: int) -> Iterator[tuple[str, int]]:
    """How many of the matches are played at each level."""
    levels = registry.load(name).levels
    slow = [level for level in levels if f"{name}/{level}" in LONG_MATCHES]
    quick = [level for level in levels if level not in slow]
    yield from ((level, matches // SELDOM) for level in slow)
    yield from ((level, -(-matches // len(quick))) for level in quick)


def _compose_all(name: str, matches: int) -> int:
    """Compose options of many positions; returns how many."""
    puzzle, composed = registry.load(name), 0
    for level, share in _shares(name, matches):
        notation = puzzle.level_notation(**drawing.level_of(drawing.named(f"{name}/{level}#1")))
        index = MoveIndex(notation) if notation else None
        for position in _positions(name, level, share):
            composed += _compose(position, index)
    return composed


def _compose(position: Game, index: MoveIndex | None) -> int:
    notation, rng, composed = position.notation(), Random(0), 0
    for seat, moves in position.options().items():
        if seat == CHANCE or moves is None or notation is None:
            continue
        clicks = [filled_in(notation, click) for click in clicks_of(position.scene(seat))]
        by_field = defaultdict[object, list[dict[str, Value]]](list)  # a picture may have thousands
        for click in clicks:
            by_field[next(iter(click.items()))].append(click)
        form, used = {field.name for field in notation.form()}, 0
        for move in some(moves, rng, DRAWN):
            wanted = notation.parse(move)
            possible = (click for field in wanted.items() for click in by_field[field])
            fitting = [click for click in possible if click.items() <= wanted.items()]
            clicked = {name for click in fitting for name in click}
            typed = {name: wanted[name] for name in wanted.keys() & form - clicked}
            used += len(fitting)

            assert move == compose(notation, [*fitting, typed])
            assert notation.from_json(notation.to_json(move)) == move
            if index:
                assert index.move(index.index(move)) == move
            composed += 1
        assert used or not clicks, "no click on the picture is part of a legal move"
    return composed


@pytest.mark.parametrize("name", GAMES)
def test_moves_are_composed_from_clicks_and_fields(name: str) -> None:
    """Every option of some random matches, of each level."""
    assert _compose_all(name, 3) > 0 or drawing.game(f"{name}/easy#1").notation() is None


@pytest.mark.heavy
@pytest.mark.parametrize("name", GAMES)
def test_moves_of_many_matches_are_composed(name: str) -> None:
    """Every option, or 200 drawn ones, of 200 random matches."""
    assert _compose_all(name, 200) > 0 or drawing.game(f"{name}/easy#1").notation() is None


def _read_all(name: str, matches: int) -> int:
    """Read all that is shown in Chinese; returns the number of texts."""
    read = 0
    for level, share in _shares(name, matches):
        for position in _positions(name, level, share):
            for seat in range(position.seats):
                allowed = names_of(position, seat)
                for what, text in shown_texts(position, seat, "zh"):
                    assert [] == english_in(text, allowed), f"{what}: {text}"
                    read += 1
    return read


@pytest.mark.heavy
@pytest.mark.parametrize("name", SPEAKING)
def test_chinese_of_many_matches_holds_no_english(name: str) -> None:
    """Beyond names and symbols of the instance, in 200 random matches."""
    assert _read_all(name, 200) > 0

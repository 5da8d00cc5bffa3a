"""Checks of how moves are written: reading, numbers and clicks must follow one declaration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from random import Random

from quandary.core.contract import CHANCE, Game, Move, Seat
from quandary.core.errors import Unreadable, UserError
from quandary.core.moves import MoveIndex, Notation, compose
from quandary.core.scene import Scene

from .case import Case, some


def play_is_final(case: Case) -> Iterator[str]:
    if issubclass(case.puzzle, Game) and case.puzzle.play is not Game.play:
        yield "it overrides `play`, which checks moves for all games: write `after` instead"


def moves_have_one_notation(case: Case) -> Iterator[str]:
    for start, *positions in case.matches:
        for position in positions:
            if position.notation() != start.notation():
                yield "`notation` changes during a match: its bounds must be those of the start"


def options_are_written_as_declared(case: Case) -> Iterator[str]:
    for _, notation, move in _options(case):
        try:
            written = notation.write(notation.parse(move))
        except ValueError:
            yield f"the option {move!r} does not fit the notation {notation.template!r}"
            continue
        if written != move:
            yield f"the option {move!r} is written {written!r} by the notation"


def moves_are_numbered_per_level(case: Case) -> Iterator[str]:
    if not issubclass(case.puzzle, Game) or case.starts[0].notation() is None:  # type: ignore[attr-defined]
        return
    widest = case.puzzle.level_notation(**case.arguments)
    if widest is None:
        yield "it declares a `notation` but no `level_notation`: moves cannot be numbered"
        return
    try:
        index = MoveIndex(widest)
    except ValueError:
        return  # too many moves: the game is played by text only
    for _, _, move in _options(case):
        try:
            back = index.move(index.index(move))
        except UserError as reason:
            yield f"the option {reason}"
            continue
        if back != move:
            yield f"the option {move!r} has the number of {back!r}"


def how_to_sentences_can_be_followed(case: Case) -> Iterator[str]:
    for start in case.games:
        notation = start.notation()
        if notation is None:
            continue
        for language in start.languages:
            how, say = start.how(language), start.say(language)
            for name in notation.fields:
                if not _names(how, say.label(name)) and not _names(how, name.replace("_", " ")):
                    yield f"`how` does not name the field {say.label(name)!r} ({language}): {how!r}"
        for optional in (False, True):
            example = notation.example(optional)
            with suppress(Unreadable):
                if start.read(0, example) == example:
                    continue
            yield f"the example {example!r} of the notation cannot be read"


def _names(how: str, label: str) -> bool:
    """Return whether a sentence names a field, perhaps in the plural or in capitals."""
    return all(word.rstrip("s") in how.casefold() for word in label.casefold().split())


def clicks_fill_in_moves(case: Case) -> Iterator[str]:
    rng = Random(case.name)
    for position in case.positions()[::3]:
        for seat, moves in position.options().items():
            notation = position.notation()
            if seat == CHANCE or moves is None or notation is None:
                continue
            scene = position.seen_by(seat).scene(seat)
            for move in some(moves, rng, 4):
                for click in clicks_of(scene):
                    yield from _fills_in(notation, move, click)


def _fills_in(notation: Notation, move: Move, click: Mapping[str, str]) -> Iterator[str]:
    """A click that replaces fields of a move must give a move again."""
    try:
        notation.parse(compose(notation, [notation.parse(move), click]))
    except ValueError as reason:
        yield f"the click {dict(click)} does not fit the move {move!r}: {reason}"


def clicks_of(scene: Scene | None) -> list[Mapping[str, str]]:
    """Return the fields of moves that clicks on a picture fill in."""
    shapes = scene.shapes if scene else ()
    return [shape.click for shape in shapes if getattr(shape, "click", None)]  # type: ignore[union-attr, misc]


def _options(case: Case) -> Iterator[tuple[Seat, Notation, Move]]:
    """Some options of the players at many positions, with the notation they are written in."""
    rng = Random(case.name)
    for position in case.positions():
        notation = position.notation()
        for seat, moves in position.options().items():
            if seat != CHANCE and moves is not None and notation is not None:
                for move in some(moves, rng):
                    yield seat, notation, move

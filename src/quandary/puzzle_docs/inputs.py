"""How a puzzle is played on the site besides typing: what can be clicked, and what is filled in."""

from __future__ import annotations

from collections.abc import Iterator

from quandary.catalogue import drawing, registry
from quandary.core.answers import Answer
from quandary.core.contract import Game, Question
from quandary.core.forms import FormField
from quandary.core.scene import Box, Disc
from quandary.core.wrapper import inner_of
from quandary.matches.match import Match
from quandary.matches.player import Turn

KEYS = 40  # values of a field that are shown as keys
KINDS = {
    "list": "a list of entries",
    "table": "a table, one row per line",
    "tables": "tables, with an empty line between them",
    "area": "several lines",
    "number": "a number",
    "choice": "one of some words",
    "text": "a text",
}


def sentences(name: str) -> str:
    """Return one sentence for all levels, or one for each where they differ."""
    found = {level: sentence(f"{name}/{level}#1") for level in registry.load(name).levels}
    if len(set(found.values())) == 1:
        return next(iter(found.values()))
    return "\n".join(f"- {level}: {words}" for level, words in found.items())


def sentence(spec: str) -> str:
    """Return what can be done on the first position of an instance."""
    turns = Match(drawing.game(spec), spec).pending()
    turn = turns[min(turns)]
    question = inner_of(turn.position)
    shape = question.answer_shape() if isinstance(question, Question) else None
    if shape is not None:
        return f"A form has {_parts(shape)}."
    if turn.position.notation() is None:
        return "Legal moves are buttons." if turn.options else "A text is typed."
    return _of_moves(turn)


def _of_moves(turn: Turn) -> str:
    notation = turn.position.notation()
    assert notation is not None
    fields = {field.name: field for field in notation.form()}
    clicks = list(_clicked(turn.position, turn.seat))
    clicked = list(dict.fromkeys(name for name, _ in clicks))
    left = [field for name, field in fields.items() if name not in clicked]
    if not clicked:
        verb = "a field" if len(left) == 1 else "fields"
        return f"A form has {verb} for {_listed([_named(field) for field in left])}."
    [first, *others] = fields.values()
    if not others and len(set(clicks)) < len(turn.options or ()):
        return f"Some values of {_named(first)} are clicked on the board, and any is typed."
    if notation.unordered or not left:
        return "A move is clicked on the board."
    keys = [_named(field) for field in left if _size(field) <= KEYS]
    typed = [_named(field) for field in left if _size(field) > KEYS]
    words = [f"{_listed(keys)} {'is' if len(keys) == 1 else 'are'} chosen on a keypad"] * bool(keys)
    words += [f"{_listed(typed)} {'is' if len(typed) == 1 else 'are'} typed"] * bool(typed)
    shown = _listed([name.replace("_", " ") for name in clicked])
    verb = "is" if len(clicked) == 1 else "are"
    return f"On the board, {shown} {verb} clicked; {_listed(words)}."


def _clicked(position: Game, seat: int) -> Iterator[tuple[str, str]]:
    """Yield the fields that shapes of the picture fill in, with their values."""
    scene = position.seen_by(seat).scene(seat)
    for shape in scene.shapes if scene else ():
        if isinstance(shape, Box | Disc) and shape.click:
            yield from shape.click.items()


def _size(field: FormField) -> int:
    """Return how many values a field has."""
    if field.kind == "number" and field.low is not None and field.high is not None:
        return field.high - field.low + 1
    return {"choice": len(field.choices), "flag": 1}.get(field.kind, KEYS + 1)


def _named(field: FormField) -> str:
    return field.name.replace("_", " ")


def _parts(shape: Answer) -> str:
    """Return the parts of an answer: grids by their number, and the kinds of other fields."""
    grids, others = dict[str, None](), dict[str, None]()
    for field in shape.form():
        if field.longest == 1:
            grids[field.name.rsplit(".", 2)[0]] = None
        else:
            others[KINDS[field.kind]] = None
    words = [f"{len(grids)} grids" if len(grids) > 1 else "a grid"] if grids else []
    return _listed([*words, *others])


def _listed(words: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]])) if words else ""

"""The notation of a game's moves, declared once, and everything that follows from it.

    Notation("{card}", card=Number(1, 20))
    Notation("{row} {column} {value}", row=Number(0, 8), column=Number(0, 8), value=Number(1, 9))
    Notation("{cube} {turn}[ hold {held}]", cube=Number(0, 5), turn=Number(1, 3), held=Number(1, 5))
    Notation("{stones}[ reset]", stones=Number(1, 30))
    Notation("{card} {decision}", card=Choice("A", "K"), decision=Choice("compete", "give up"))
    Notation("{place}", place=Bits(5))

A part in square brackets is optional; one without a field is a flag with the name of its word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Protocol, TypeAlias

from quandary.core.errors import Unreadable
from quandary.core.forms import FormField

from .chinese_numbers import in_digits
from .fields import (
    Bits,
    Choice,
    DeclaredField,
    Field,
    Flag,
    JsonSchema,
    Move,
    Number,
    Value,
)
from .reading import Reader, half_width
from .template import Template

Labels: TypeAlias = Mapping[str, tuple[str, ...]]
Click: TypeAlias = Mapping[str, Value]  # values may be texts, "true" and "false" for a flag


class Say(Protocol):
    """Puts a phrase with its values into the reader's language."""

    def __call__(self, phrase: str, /, **values: object) -> str: ...


@dataclass(frozen=True, init=False, eq=False)
class Notation(Template):
    """The declaration of how moves are written; immutable and hashable.

    `labels` gives further English labels per field name, and synonyms of the words.
    """

    labels: tuple[tuple[str, tuple[str, ...]], ...]

    def __init__(
        self,
        template: str,
        *,
        unordered: bool = False,
        labels: Labels | None = None,
        **fields: DeclaredField,
    ) -> None:
        super().__init__(template, fields, unordered)
        object.__setattr__(self, "labels", _frozen(labels or {}))

    def read(self, text: str, labels: Labels | None = None) -> Move:
        """Return the one move that a reply names, legal or not, in its canonical text.

        `labels` are those of other languages.  Raises Unreadable if no move is named, and Ambiguous
        if several are.
        """
        if not self.unordered and self._spelling.fullmatch(text):
            return text
        return _reader(self, _frozen(labels or {})).read(text)

    def translated(self, move: Move, label: Callable[[str], str]) -> str:
        """Return a move with its words as `label` names them; a text that is no move stays as it
        is.
        """
        try:
            values = self.parse(move)
        except Unreadable:
            return move
        for name, field in self.fields.items():
            if isinstance(field, Choice) and name in values:
                values[name] = label(str(values[name]))
        texts = (
            part.text.replace(part.word, label(part.word), 1) if part.optional else part.text
            for part in self.written_parts(values)
        )
        return "".join(text.format_map(values) for text in texts)

    def lines(self, text: str) -> list[str]:
        """Return the lines of a reply with a move on each, to be read one by one.

        In Chinese, 第一行 on one line may be the second row because of 第零行 on another.
        """
        plain = text if text.isascii() else in_digits(half_width(text), self.from_zero)
        return [line for line in plain.splitlines() if line.strip()]

    def how(self, say: Say, names: Mapping[str, str]) -> str:
        """Return a sentence on how to write a move; `names` are the displayed names of fields."""
        shown = {name: names.get(name, name.replace("_", " ")) for name in self.fields}
        form, longer = self._shown(shown, False), self._shown(shown, True)
        if longer != form:
            return say(
                "Write your move as: {form}, or as: {longer}, for example: {example}, or: "
                "{longer_example}",
                form=form,
                longer=longer,
                example=self.example(),
                longer_example=self.example(optional=True),
            )
        if len(self.fields) == 1 and isinstance(self.fields[self.required[0]], Number):
            return say(
                "Write your move as one number ({form}), for example: {example}",
                form=form,
                example=self.example(),
            )
        return say(
            "Write your move as: {form}, for example: {example}", form=form, example=self.example()
        )

    def _shown(self, names: Mapping[str, str], optional: bool) -> str:
        parts = [part for part in self.parts if optional or not part.optional]
        return "".join(part.text.format_map(names) for part in parts)

    def example(self, optional: bool = False) -> Move:
        """Return a well-formed move within the bounds, with its optional parts if asked for."""
        # The first values look special, but an unordered pair may have no others.
        first = 0 if self.unordered else 2
        names = self.fields if optional else self.required
        return self.write({n: _some_value(self.fields[n], first + i) for i, n in enumerate(names)})

    def to_json(self, move: Move) -> dict[str, Value]:
        """Return the fields of a move as a JSON object."""
        return self.parse(move)

    def from_json(self, fields: object) -> Move:
        """Return the move of a JSON object, legal or not; Unreadable if the object does not fit."""
        if not isinstance(fields, Mapping):
            raise Unreadable()
        given = {name: value for name, value in fields.items() if value is not None}
        try:
            return self.write(given)
        except ValueError:
            raise Unreadable() from None

    def schema(self) -> JsonSchema:
        """Return the JSON schema of a move."""
        return {
            "type": "object",
            "properties": {name: field.schema() for name, field in self.fields.items()},
            "required": list(self.required),
            "additionalProperties": False,
        }

    def form(self) -> tuple[FormField, ...]:
        """Return the fields of a form, in the order of the template."""
        fields = self.fields.items()
        return tuple(_form_field(name, field, name not in self.required) for name, field in fields)

    @cached_property
    def _key(self) -> tuple[object, ...]:
        return self.template, self.declared, self.unordered, self.labels


def compose(notation: Notation, clicks: Iterable[Click]) -> Move:
    """Return the move that clicks add up to; a later one replaces what an earlier one filled in.

    ValueError, naming what is missing, if a required field is not filled in.
    """
    values: dict[str, Value] = {}
    for click in clicks:
        values |= filled_in(notation, click)
    return notation.write(values)


def filled_in(notation: Notation, click: Click) -> dict[str, Value]:
    """Return the values that a click fills in; ValueError for an unknown field or an unfitting
    value.
    """
    values: dict[str, Value] = {}
    for name, given in click.items():
        if name not in notation.fields:
            raise ValueError(f"{name!r} is not a field of {notation.template!r}")
        field = notation.fields[name]
        value: Value | None = given
        if isinstance(given, str) and not field.accepts(given):
            value = _from_text(field, given)
        if value is None or not field.accepts(value):
            raise ValueError(f"{given!r} cannot be the {name} of a move")
        values[name] = value
    return values


def _from_text(field: Field, text: str) -> Value | None:
    match field:
        case Flag():
            return {"true": True, "false": False}.get(text)
        case Number() | Bits():
            return field.read(text)
    return None


def composable(notation: Notation, options: Iterable[Move], clicks: Sequence[Click]) -> bool:
    """Return whether clicks add up to every option, and every click is part of some option."""
    moves = [notation.parse(move) for move in options]
    clicks = [filled_in(notation, click) for click in clicks]
    for move in moves:
        filled: dict[str, Value] = {}
        for click in clicks:
            if click.items() <= move.items():
                filled |= click
        if filled != {name: value for name, value in move.items() if value is not False}:
            return False
    return all(any(click.items() <= move.items() for move in moves) for click in clicks)


@lru_cache(maxsize=512)
def _reader(notation: Notation, labels: tuple[tuple[str, tuple[str, ...]], ...]) -> Reader:
    merged = dict(notation.labels)
    for name, words in labels:
        merged[name] = (*merged.get(name, ()), *words)
    return Reader(notation, merged)


def _frozen(labels: Labels) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((name, tuple(words)) for name, words in labels.items())


def _some_value(field: Field, place: int) -> Value:
    if isinstance(field, Bits):
        return ("01101001" * field.length)[: field.length]
    return field.value(min(place, field.size - 1))


def _form_field(name: str, field: Field, optional: bool) -> FormField:
    match field:
        case Number():
            return FormField(name, "number", optional, low=field.low, high=field.high)
        case Choice():
            return FormField(name, "choice", optional, choices=field.words)
        case Bits():
            return FormField(name, "bits", optional, longest=field.length)
        case Flag():
            return FormField(name, "flag", optional)

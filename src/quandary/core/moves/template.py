"""The template of a move: its fields, its optional parts, and the one canonical spelling."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from quandary.core.errors import Unreadable

from .fields import DeclaredField, Field, Flag, Move, Number, Value

FIELD = re.compile(r"{(\w+)}")
OPTIONAL = re.compile(r"\[([^\[\]]*)\]")


@dataclass(frozen=True)
class Part:
    """A part of a template: a required one, or an optional one in square brackets."""

    text: str
    optional: bool

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """The names of its fields, in order."""
        return tuple(FIELD.findall(self.text))

    @cached_property
    def pieces(self) -> tuple[tuple[str, str], ...]:
        """Each literal with the name of the field after it, "" at the end."""
        split = [*FIELD.split(self.text), ""]
        return tuple(zip(split[::2], split[1::2], strict=True))

    @cached_property
    def word(self) -> str:
        """The word that an optional part begins with; the name of a flag."""
        return FIELD.split(self.text)[0].strip()


@dataclass(frozen=True, init=False, eq=False)
class Template:
    """A template with its fields; `write` and `parse` convert between values and the move."""

    template: str
    declared: tuple[tuple[str, DeclaredField], ...]
    unordered: bool

    def __init__(
        self, template: str, fields: Mapping[str, DeclaredField], unordered: bool = False
    ) -> None:
        object.__setattr__(self, "template", template)
        object.__setattr__(self, "declared", tuple(fields.items()))
        object.__setattr__(self, "unordered", unordered)
        self._check()

    def _check(self) -> None:
        """Reject a declaration whose moves could not be written or read."""
        if sorted(FIELD.findall(self.template)) != sorted(name for name, _ in self.declared):
            raise ValueError(f"the fields of {self.template!r} are not those that are declared")
        for part in self.parts:
            if part.optional and not (part.word.isalpha() and len(part.fields) <= 1):
                raise ValueError(f"an optional part is a word and at most one field: {part.text!r}")
        if self.unordered and not (
            len(self.fields) == len(self.required) == 2 and len(set(self.fields.values())) == 1
        ):
            raise ValueError("only two equal fields and nothing else can be unordered")

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The parts of the template, in order."""
        pieces = OPTIONAL.split(self.template)  # every second piece was in square brackets
        return tuple(Part(text, bool(i % 2)) for i, text in enumerate(pieces) if text)

    @cached_property
    def fields(self) -> dict[str, Field]:
        """Every field by name, flags included, in the order of the template."""
        declared, found = dict(self.declared), dict[str, Field]()
        for part in self.parts:
            found |= {name: declared[name] for name in part.fields}
            if part.optional and not part.fields:
                found[part.word] = Flag()
        return found

    @cached_property
    def required(self) -> tuple[str, ...]:
        """The fields that every move has."""
        return tuple(name for part in self.parts if not part.optional for name in part.fields)

    @cached_property
    def from_zero(self) -> bool:
        """Whether some numbers count from 0."""
        return any(isinstance(field, Number) and field.low == 0 for _, field in self.declared)

    def write(self, values: Mapping[str, Value]) -> Move:
        """Return the canonical text of a move; ValueError if a value is missing, unknown or
        ill-formed.
        """
        self._check_values(values)
        if self.unordered:
            ranked = sorted(values.values(), key=_natural_order)
            values = dict(zip(self.required, ranked, strict=True))
        return "".join(part.text.format_map(values) for part in self.written_parts(values))

    def written_parts(self, values: Mapping[str, Value]) -> list[Part]:
        """Return the parts of a move: all required ones, and the optional ones that have a
        value.
        """
        return [part for part in self.parts if not part.optional or self._is_written(part, values)]

    def _is_written(self, optional: Part, values: Mapping[str, Value]) -> bool:
        return optional.fields[0] in values if optional.fields else bool(values.get(optional.word))

    def _check_values(self, values: Mapping[str, Value]) -> None:
        missing = [name for name in self.required if name not in values]
        if missing:
            raise ValueError(f"the move lacks: {', '.join(missing)}")
        for name, value in values.items():
            if name not in self.fields:
                raise ValueError(f"a move has no field {name!r}")
            if not self.fields[name].accepts(value):
                raise ValueError(f"{value!r} cannot be the {name} of a move")

    def parse(self, move: Move) -> dict[str, Value]:
        """Return the values of a move in its canonical text, else Unreadable.

        Absent optional fields are left out; flags are true or false.
        """
        found = self._spelling.fullmatch(move)
        if not found:
            raise Unreadable()
        values: dict[str, Value] = {}
        for name, text in found.groupdict().items():
            field = self.fields[name]
            if isinstance(field, Flag):
                values[name] = text is not None
            elif text is not None:
                values[name] = int(text) if isinstance(field, Number) else text
        if self.unordered and self.write(values) != move:
            raise Unreadable()
        return values

    @cached_property
    def _spelling(self) -> re.Pattern[str]:
        """The canonical texts, with one group per field."""
        spellings = {name: f"(?P<{name}>{field.spelling})" for name, field in self.declared}
        pattern = ""
        for part in self.parts:
            inner = "".join(re.escape(text) + spellings.get(name, "") for text, name in part.pieces)
            if part.optional:
                inner = f"(?:{inner})?" if part.fields else f"(?P<{part.word}>{inner})?"
            pattern += inner
        return re.compile(pattern)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._key == other._key

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _key(self) -> tuple[object, ...]:
        return self.template, self.declared, self.unordered

    @cached_property
    def _hash(self) -> int:
        return hash(self._key)


def _natural_order(value: Value) -> tuple[int, str]:
    return (value, "") if isinstance(value, int) else (0, value)

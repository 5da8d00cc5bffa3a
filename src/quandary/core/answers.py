"""Shapes of answers: what a question expects, for JSON schemas and forms.

    Text()                                     one line of text
    Text(choices=("solvable", "unsolvable"))   one of some words
    Number(0)                                  a whole number of 0 or more
    Grid(4, 4, ".#")                           rows of symbols, one row per line
    ListOf(Text(), lines=True)                 entries, one per line
    ListOf(Number(1, 20))                      a JSON list: [3, 1, 5]
    JsonObject({"answer": Grid(8, 8, "01*"), "process": ListOf(Grid(8, 8, "01*"), count=3)})

Shapes judge nothing: `write` turns JSON data into the text that `check` judges, whatever the data.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeGuard

from .forms import FormField

Schema: TypeAlias = dict[str, object]
UNFILLED = "?"  # a cell of a grid that was left empty in a form
# The entries of a list that a person types: brackets are not part of a number or of a row of a
# table, but in a list of texts a round bracket is its own entry, as in 2 * ( 3 + 4 ).
WORDS = re.compile(r"[^\s,;()\[\]，、；（）【】]+")
EMPTY_LINES = re.compile(r"\n\s*\n")
# The kind of field for a list of lists, by the kind for one of these.
DEEPER: Mapping[str, Literal["table", "tables"]] = {"list": "table", "table": "tables"}
WORDS_AND_BRACKETS = re.compile(r"[()]|[^\s,;()\[\]，、；（）【】]+")


class Answer(ABC):
    """The shape of an answer or of a part of one."""

    @abstractmethod
    def schema(self) -> Schema:
        """Return the JSON schema of the answer as JSON data."""

    @abstractmethod
    def form(self, name: str = "answer") -> tuple[FormField, ...]:
        """Return the fields of a form for the answer."""

    @abstractmethod
    def from_form(self, values: Mapping[str, str], name: str = "answer") -> object:
        """Return the answer as JSON data, from the values of the fields by their names."""

    def write(self, value: object) -> str:
        """Return the answer as text for `check`; strings are kept, and unfitting data
        becomes JSON.
        """
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


@dataclass(frozen=True)
class Text(Answer):
    """One line of text, or one of some words."""

    choices: tuple[str, ...] = ()

    def schema(self) -> Schema:
        return {"enum": list(self.choices)} if self.choices else {"type": "string"}

    def form(self, name: str = "answer") -> tuple[FormField, ...]:
        return (FormField(name, "choice" if self.choices else "text", choices=self.choices),)

    def from_form(self, values: Mapping[str, str], name: str = "answer") -> object:
        return values.get(name, "")


@dataclass(frozen=True)
class Number(Answer):
    """A whole number."""

    low: int | None = None
    high: int | None = None

    def schema(self) -> Schema:
        bounds = {"minimum": self.low, "maximum": self.high}
        return {"type": "integer"} | {key: at for key, at in bounds.items() if at is not None}

    def form(self, name: str = "answer") -> tuple[FormField, ...]:
        return (FormField(name, "number", low=self.low, high=self.high),)

    def from_form(self, values: Mapping[str, str], name: str = "answer") -> object:
        text = values.get(name, "").strip()
        is_number = text.isascii() and text.removeprefix("-").isdigit() and len(text) < 20
        return int(text) if is_number else text


@dataclass(frozen=True)
class Grid(Answer):
    """Rows of symbols, one character each: as text one row per line, as JSON a list of lists."""

    rows: int
    columns: int
    symbols: str = ""  # "" for any character

    def schema(self) -> Schema:
        symbol: Schema = {"type": "string", "minLength": 1, "maxLength": 1}
        row = _array({"enum": list(self.symbols)} if self.symbols else symbol, self.columns)
        return _array(row, self.rows)

    def form(self, name: str = "answer") -> tuple[FormField, ...]:
        kind: Literal["choice", "text"] = "choice" if self.symbols else "text"
        names = (name for row in self._names(name) for name in row)
        symbols = tuple(self.symbols)
        return tuple(FormField(name, kind, choices=symbols, longest=1) for name in names)

    def from_form(self, values: Mapping[str, str], name: str = "answer") -> object:
        return [[values.get(name) or UNFILLED for name in row] for row in self._names(name)]

    def write(self, value: object) -> str:
        if not _is_list(value):
            return super().write(value)
        return "\n".join("".join(map(str, row)) if _is_list(row) else str(row) for row in value)

    def _names(self, name: str) -> list[list[str]]:
        rows, columns = range(1, self.rows + 1), range(1, self.columns + 1)
        return [[f"{name}.{row}.{column}" for column in columns] for row in rows]


@dataclass(frozen=True)
class ListOf(Answer):
    """Entries of one shape: a JSON list, or as text one entry per line."""

    entry: Answer
    count: int | None = None  # None for any number
    lines: bool = False

    def schema(self) -> Schema:
        return _array(self.entry.schema(), self.count)

    def form(self, name: str = "answer") -> tuple[FormField, ...]:
        if self.count is None:
            return (FormField(name, self._kind),)
        entries = (self.entry.form(f"{name}.{place}") for place in range(1, self.count + 1))
        return tuple(field for fields in entries for field in fields)

    def from_form(self, values: Mapping[str, str], name: str = "answer") -> object:
        if self.count is not None:
            places = range(1, self.count + 1)
            return [self.entry.from_form(values, f"{name}.{place}") for place in places]
        return self.from_text(values.get(name, ""))

    @property
    def _kind(self) -> Literal["area", "list", "table", "tables"]:
        """The kind of field in which any number of entries is typed."""
        if self.lines:
            return "area"
        if isinstance(self.entry, Text | Number):
            return "list"
        if isinstance(self.entry, ListOf) and self.entry.count is None:
            return DEEPER.get(self.entry._kind, "area")
        return "area"

    def from_text(self, text: str) -> object:
        """Return the list that a person typed: as JSON, or its entries with spaces or lines
        between.
        """
        lines = [line for line in text.splitlines() if line.strip()]
        if not lines:
            return [[]] if self._kind == "table" else []  # how questions write "nothing"
        if self.lines:
            given = _data(text) if text.lstrip().startswith('["') else None
            return given if _is_list(given) else lines
        if self._kind == "area" or text.lstrip().startswith(("[[", "{", '["')):
            return _data(text)
        match self._kind, self.entry:
            case "tables", ListOf() as table:
                return [table.from_text(block) for block in EMPTY_LINES.split(text.strip())]
            case "table", ListOf() as row:
                return [row.entries(line) for line in lines]
        return self.entries(text, with_brackets=isinstance(self.entry, Text))

    def entries(self, text: str, *, with_brackets: bool = False) -> list[object]:
        """Return the entries that a person typed on one line."""
        words = (WORDS_AND_BRACKETS if with_brackets else WORDS).findall(text)
        return [self.entry.from_form({"answer": word}) for word in words]

    def write(self, value: object) -> str:
        if self.lines and _is_list(value):
            return "\n".join(map(self.entry.write, value))
        return super().write(value)


@dataclass(frozen=True)
class JsonObject(Answer):
    """A JSON object with the shapes of its values by their keys."""

    keys: Mapping[str, Answer]

    def schema(self) -> Schema:
        properties = {key: shape.schema() for key, shape in self.keys.items()}
        return {"type": "object", "properties": properties, "required": list(self.keys)}

    def form(self, name: str = "answer") -> tuple[FormField, ...]:
        parts = (shape.form(f"{name}.{key}") for key, shape in self.keys.items())
        return tuple(field for fields in parts for field in fields)

    def from_form(self, values: Mapping[str, str], name: str = "answer") -> object:
        return {key: shape.from_form(values, f"{name}.{key}") for key, shape in self.keys.items()}


def _array(items: Schema, count: int | None) -> Schema:
    bounds: Schema = {} if count is None else {"minItems": count, "maxItems": count}
    return {"type": "array", "items": items, **bounds}


def _is_list(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _data(text: str) -> object:
    """Return the data of a JSON text; any other text is returned unchanged."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text

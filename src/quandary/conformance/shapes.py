"""Checks that answers have the shape that their question declares."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from quandary.core.answers import Answer, Grid, JsonObject, ListOf, Number, Schema
from quandary.core.contract import Question
from quandary.core.forms import FormField

from .case import Case

KEYWORDS = {
    "enum", "type", "items", "properties", "required", "minimum", "maximum", "minItems", "maxItems",
    "minLength", "maxLength",
}  # fmt: skip
SAMPLES = 10  # well-formed guesses per question
TYPES: Mapping[str, type[Any]] = {"string": str, "integer": int, "array": list, "object": dict}


def answers_have_the_declared_shape(case: Case) -> Iterator[str]:
    """Solutions and samples must fit the schema, and keep their verdicts as data and in a form."""
    rng = Random(case.name)
    for question in case.questions:
        seen = question.seen_by(0)
        if shape := seen.answer_shape():
            yield from _fits_its_shape(question, shape, "solution", seen.solution())
            for _ in range(SAMPLES):
                yield from _fits_its_shape(question, shape, "sample", seen.sample(rng))


def _fits_its_shape(question: Question, shape: Answer, what: str, text: str) -> Iterator[str]:
    shown = f"the {what} {text[:80]!r}"
    try:
        value = data(shape, text)
    except ValueError:
        value = None
    if not fits(value, shape.schema()):
        yield f"{shown} does not fit `answer_shape`: {shape}"
        return
    typed = filled_form(shape, value)
    form = {field.name: field for field in shape.form()}
    if form.keys() != typed.keys() or not all(
        _can_be_typed(form[name], value) for name, value in typed.items()
    ):
        yield f"{shown} does not fit the form of `answer_shape`: {shape}"
        return
    verdict = question.check(text)
    for how, written in (
        ("as JSON data", shape.write(value)),
        ("in a form", shape.write(shape.from_form(typed))),
    ):
        if question.check(written) != verdict:
            yield f"{shown} is judged differently if it is given {how}: {written[:80]!r}"


def _can_be_typed(field: FormField, value: str) -> bool:
    return (
        (not field.choices or value in field.choices)
        and (field.longest is None or len(value) <= field.longest)
        and (field.kind in ("area", "table", "tables") or len(value.splitlines()) <= 1)
    )


def data(shape: Answer, text: str) -> Any:
    """Return the JSON data that an answer stands for; ValueError if it stands for none."""
    match shape:
        case Grid():
            return [list(line) for line in text.splitlines()]
        case ListOf(lines=True):
            return [data(shape.entry, line) for line in text.splitlines()]
        case Number() | ListOf() | JsonObject():
            return json.loads(text)
        case _:
            return text


def fits(value: Any, schema: Schema) -> bool:
    """Return whether JSON data is valid, by the keywords of JSON Schema that shapes use."""
    rules: Mapping[str, Any] = schema
    if unknown := rules.keys() - KEYWORDS:
        raise ValueError(f"a schema has unknown keywords: {', '.join(sorted(unknown))}")
    if "enum" in rules:
        return value in rules["enum"]
    if not isinstance(value, TYPES[rules["type"]]) or isinstance(value, bool):
        return False
    if isinstance(value, int):
        return bool(rules.get("minimum", value) <= value <= rules.get("maximum", value))
    if isinstance(value, str):
        return bool(rules.get("minLength", 0) <= len(value) <= rules.get("maxLength", len(value)))
    if isinstance(value, list):
        is_long = rules.get("minItems", 0) <= len(value) <= rules.get("maxItems", len(value))
        return is_long and all(fits(entry, rules["items"]) for entry in value)
    return all(key in value for key in rules["required"]) and all(
        fits(value[key], inner) for key, inner in rules["properties"].items() if key in value
    )


def _typed_list(shape: ListOf, name: str, value: Any) -> str:
    """Return a list as a person types it: its entries with spaces between, a list per line, or
    JSON.
    """
    [field] = shape.form(name)
    if field.kind == "list":
        return " ".join(map(str, value))
    if field.kind == "table":
        return "\n".join(" ".join(map(str, row)) for row in value)
    if field.kind == "tables" and all(map(all, value)):
        return "\n\n".join(_typed_list(shape.entry, name, table) for table in value)  # type: ignore[arg-type]
    return json.dumps(value)


def filled_form(shape: Answer, value: Any, name: str = "answer") -> dict[str, str]:
    """Return what a person types into the fields of a form for an answer."""
    match shape:
        case ListOf(count=None, lines=True):
            return {name: "\n".join(map(str, value))}
        case ListOf(count=None):
            return {name: _typed_list(shape, name, value)}
        case JsonObject():
            parts = [(inner, value[key], f"{name}.{key}") for key, inner in shape.keys.items()]
        case ListOf():
            parts = [(shape.entry, part, f"{name}.{i}") for i, part in enumerate(value, 1)]
        case Grid():
            rows = enumerate(value, 1)
            return {f"{name}.{r}.{c}": cell for r, row in rows for c, cell in enumerate(row, 1)}
        case _:
            return {name: str(value)}
    return {field: typed for part in parts for field, typed in filled_form(*part).items()}

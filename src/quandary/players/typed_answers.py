"""Answers in JSON that a person types part by part."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from quandary.core.answers import Answer, Grid, JsonObject, ListOf, Text
from quandary.core.contract import Game, Question
from quandary.core.words import Say
from quandary.core.wrapper import inner_of

Ask: TypeAlias = Callable[[str], Awaitable[str]]  # the line that is typed after a prompt
BETWEEN_SYMBOLS = re.compile(r"[\s,，、]+")
MORE = "... "  # the prompt of further lines


def typed_shape(position: Game) -> Answer | None:
    """Return the shape of the answer to a question that asks for JSON; None for any other."""
    question = inner_of(position)
    shape = question.answer_shape() if isinstance(question, Question) else None
    is_json = isinstance(shape, JsonObject) or (isinstance(shape, ListOf) and not shape.lines)
    return shape if is_json else None


class JsonTyped(Exception):
    """Raised if a person types JSON in place of a part; the argument is its first line."""


class Mistyped(Exception):
    """What was typed cannot be meant; the argument says why, and it must be typed again."""


def check_json(text: str, say: Say) -> str:
    """Return the text, if it is JSON; Mistyped if not."""
    try:
        json.loads(text, strict=False)
    except json.JSONDecodeError as error:
        place = {"line": error.lineno, "column": error.colno}
        raise Mistyped(
            say("This is not valid JSON, from line {line}, column {column} on.", **place)
        ) from None
    return text


async def type_in(shape: Answer, ask: Ask, say: Say, name: str = "") -> object:
    """Return the answer as JSON data; `name` says which part of it is asked for.

    JsonTyped if the first line is JSON; Mistyped if a bracket is missing.
    """
    name = name or say("answer")
    match shape:
        case JsonObject():
            shown = {"answer": say("answer"), "process": say("process")}
            return {
                key: await type_in(part, ask, say, shown.get(key, key))
                for key, part in shape.keys.items()
            }
        case ListOf(entry, int(count)):
            numbered = [
                say("{name} {at} of {of}", name=name, at=at, of=count) for at in range(1, count + 1)
            ]
            return [await type_in(entry, ask, say, place) for place in numbered]
        case Grid():
            prompts = [
                say("{name}, row {row}: ", name=name, row=row + 1) for row in range(shape.rows)
            ]
            return [list(BETWEEN_SYMBOLS.sub("", await _line(ask, each))) for each in prompts]
        case ListOf(lines=True):
            return await _lines(ask, say, name)
        case ListOf(ListOf(ListOf()) as table):
            return await _tables(table, ask, say, name)
        case ListOf(ListOf() as row):
            lines = await _lines(ask, say, name, may_be_json=True)
            # How questions write "nothing".
            return [row.entries(_whole(line, say)) for line in lines] or [[]]
        case ListOf(entry):
            prompt = say("{name} (a list, with spaces between its entries): ", name=name)
            text = _whole(await _line(ask, prompt), say)
            return shape.entries(text, with_brackets=isinstance(entry, Text))
    return shape.from_form({"answer": await _line(ask, say("{name}: ", name=name))})


async def _line(ask: Ask, prompt: str) -> str:
    line = await ask(prompt)
    if line.lstrip().startswith(("{", "[[")):
        raise JsonTyped(line)
    return line


async def _lines(ask: Ask, say: Say, name: str, *, may_be_json: bool = False) -> list[str]:
    """Return entries, one per line; an empty line ends them."""
    prompt = say(
        "{name} (one entry per line, with spaces between its parts; an empty line ends it): ",
        name=name,
    )
    read = _line if may_be_json else _any_line
    found = list[str]()
    while line := (await read(ask, prompt)).strip():
        found.append(line)
        prompt = MORE
    return found


async def _any_line(ask: Ask, prompt: str) -> str:
    """Return a line that may begin as JSON does."""
    return await ask(prompt)


async def _tables(table: ListOf, ask: Ask, say: Say, name: str) -> list[object]:
    """Return tables, one row per line, until there is one without rows."""
    prompt = say(
        "{name} (one row per line; an empty line ends an entry, a second one ends it all): ",
        name=name,
    )
    found, rows = list[object](), list[str]()
    while True:
        line = (await _line(ask, prompt)).strip()
        prompt = MORE
        if line:
            rows.append(_whole(line, say))
        elif rows:
            found.append(table.from_text("\n".join(rows)))
            rows = []
        else:
            return found


def _whole(text: str, say: Say) -> str:
    """Return what was typed; Mistyped if a bracket of it is missing."""
    if any(text.count(left) != text.count(right) for left, right in ("[]", "()", "（）", "【】")):
        raise Mistyped(say("A bracket is missing in: {text}", text=text))
    return text

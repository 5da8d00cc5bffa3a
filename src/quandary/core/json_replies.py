"""Finding the JSON object in a reply, and reading it."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator
from typing import Any, NamedTuple

from .contract import Language
from .errors import Unreadable
from .words import say_in

LONGEST = 1_000_000  # characters; far more than any answer needs
DEEPEST = 40  # levels of nested lists
NESTED = (dict, list)
JSON_FENCE = re.compile(r"```[ \t]*json", re.IGNORECASE | re.ASCII)
ESCAPE = re.compile(r'\\(["\\/bfnrt]|u[0-9A-Fa-f]{4})?')
OBJECT = re.compile(r"""\{\s{0,99}(?:["'}]|\w{1,40}\s?:)""")  # how one begins, or nearly
MOST_BROKEN = 1_000  # objects before the search ends: each error counts all lines before it
DECODER = json.JSONDecoder(strict=False, parse_int=str, parse_float=str)
CHINESE_SIGNS = str.maketrans("｛｝［］“”：，", '{}[]"":,')
CHINESE_KEYS = {'"答案"': '"answer"', '"过程"': '"process"'}
CHINESE_KEY = re.compile(rf"(?:{'|'.join(CHINESE_KEYS)})(?=\s?:)")


def json_text(reply: str) -> str | None:
    """Return the part of a reply that is meant as its JSON object; None if there is none.

    That is the last json fence, otherwise the last fence that contains an opening brace, otherwise
    everything from the first opening brace to the last closing one.
    """
    tagged = [fence.end() for fence in JSON_FENCE.finditer(reply)]
    if tagged:
        return reply[tagged[-1] :].partition("```")[0]
    for fenced in reversed(reply.split("```")[1::2]):
        if "{" in fenced:
            return fenced[fenced.index("{") :]
    start, end = reply.find("{"), reply.rfind("}")
    if start < 0:
        return None
    return reply[start : end + 1] if end > start else reply[start:]


class Fence(NamedTuple):
    """A fence that names JSON."""

    content: str
    is_closed: bool


def json_fence(reply: str) -> Fence | None:
    """Return the last json fence that is not empty, as a mere mention of one is; None
    without any.
    """
    for tag in reversed(list(JSON_FENCE.finditer(reply))):
        end = reply.find("```", tag.end())
        content = reply[tag.end() : end] if end >= 0 else reply[tag.end() :]
        if content.strip():
            return Fence(content, end >= 0)
    return None


def escaped(text: str) -> str:
    """A text in which each backslash that begins no escape of JSON is doubled: \\(x\\)."""
    return ESCAPE.sub(lambda escape: escape[0] if escape[1] else "\\\\", text)


def committed_object(reply: str, cut: bool, *, in_fence: bool) -> str | None:
    """Return the object that a reply commits to; "" if it is broken, None if there is none.

    It is the last one, of the last json fence where one was asked for and is there.  In a reply
    that was cut off it counts in a closed fence or at the end: elsewhere it may be a first thought.
    """
    fence = json_fence(reply) if in_fence else None
    text = fence.content if fence else reply
    last = last_object(text)
    if not last:
        return "" if fence else last
    is_closed = (
        fence.is_closed if fence else any(last in inner for inner in reply.split("```")[1:-1:2])
    )
    return last if not cut or is_closed or text.rstrip("` \n").endswith("}") else ""


def last_object(text: str) -> str | None:
    """Return the last JSON object of a text, with its backslashes `escaped`; "" if it is broken.

    Chinese names of keys are translated, and so are Chinese signs where no object is found without.
    """
    last = _last_as_written(text)
    if not last and not text.isascii():
        last = _last_as_written(text.translate(CHINESE_SIGNS)) or last
    return CHINESE_KEY.sub(lambda key: CHINESE_KEYS[key[0]], last) if last else last


def _last_as_written(text: str) -> str | None:
    objects = deque(json_objects(text), maxlen=1)
    return objects[0] if objects else None


def json_objects(text: str) -> Iterator[str]:
    """Yield the JSON objects of a text that are in no other, `escaped`; "" for a broken one.

    Nothing is read out of a broken object, so the time is linear in the text.
    """
    text, at, broken = escaped(text), 0, 0
    while broken < MOST_BROKEN and (start := OBJECT.search(text, at)):
        try:
            _, at = DECODER.raw_decode(text, start.start())
            yield text[start.start() : at]
        except json.JSONDecodeError as reason:
            at, broken = max(reason.pos, start.end() - 1), broken + 1
            yield ""
        except RecursionError:
            yield ""
            return


def last_answer(text: str) -> tuple[str, str, str] | None:
    """Return what stands before the last object of a text, its "answer", and what stands after it;
    None if it has no answer.
    """
    last = _last_as_written(text) if '"answer"' in text else None
    try:
        value = parsed(last) if last else None
    except Unreadable:
        return None
    answer = value.get("answer") if isinstance(value, dict) else None
    if not last or answer is None:
        return None
    before, _, after = escaped(text).rpartition(last)
    return before, answer if isinstance(answer, str) else json.dumps(answer), after


def parsed(text: str) -> object:
    """Return the value of a JSON text, or Unreadable: no key twice, no NaN, not too deep.

    Line breaks within strings and LaTeX are read as they are meant.
    """
    if len(text) > LONGEST:
        raise Unreadable("The JSON object cannot be read: it is far too long.")
    try:
        value = json.loads(
            escaped(text), strict=False, object_pairs_hook=_once, parse_constant=_refused_constant
        )
    except json.JSONDecodeError as reason:
        raise Unreadable(
            "The JSON object cannot be read: check line {line}, character {character} of it.",
            line=reason.lineno,
            character=reason.colno,
        ) from None
    except RecursionError:
        raise _too_deep() from None
    except Unreadable:
        raise
    except ValueError:  # Python refuses to read integers of thousands of digits
        raise _not_a_number() from None
    if _is_deeper(value, DEEPEST):
        raise _too_deep()
    return value


def worded(reason: Unreadable, language: Language) -> str:
    """Return what is wrong with a JSON text, in a sentence."""
    return say_in(__name__, language).stored(reason.phrase, reason.values)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise Unreadable("The JSON object cannot be read: it contains the same key twice.")
    return fields


def _refused_constant(name: str) -> object:
    raise _not_a_number()


def _not_a_number() -> Unreadable:
    return Unreadable(
        "The JSON object cannot be read: it contains a number that JSON does not allow, or one "
        "with too many digits."
    )


def _too_deep() -> Unreadable:
    return Unreadable("The JSON object cannot be read: its lists are nested too deeply.")


def _is_deeper(value: object, levels: int) -> bool:
    """Return whether lists and objects, as `json` makes them, are nested more deeply."""
    nested: list[Any] = [value] if type(value) in NESTED else []
    while nested and levels:
        inside = [one.values() if type(one) is dict else one for one in nested]
        nested = [one for values in inside for one in values if type(one) in NESTED]
        levels -= 1
    return bool(nested)

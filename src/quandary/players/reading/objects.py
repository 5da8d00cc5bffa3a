"""JSON objects in a text, found in one pass however its braces nest."""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Iterable
from typing import NamedTuple

SIGNS = re.compile(r'\\.|["{}\n]', re.S)
BRACES = re.compile(r"\\.|[{}]", re.S)
# how one begins, well formed or nearly
OBJECT = re.compile(r"""\{\s{0,99}(?:["'“}]|\w{1,40}\s{0,9}:)""")


class Braces(NamedTuple):
    """Where braces outside strings pair up, in arrays, for there may be millions."""

    starts: array[int]  # of the outermost pairs
    ends: array[int]  # of the outermost pairs
    left_open: array[int]


def is_object(text: str) -> bool:
    """Whether the text is one JSON object; numbers are checked by the puzzle, however long."""
    try:
        return isinstance(
            json.loads(text, parse_int=str, parse_float=str, parse_constant=_unknown), dict
        )
    except (ValueError, RecursionError):
        return False


def _unknown(constant: str) -> None:
    """Reject NaN and infinities, which Python's parser accepts but JSON does not have."""
    raise ValueError(constant)


def first_object(text: str) -> str | None:
    """What the first brace that looks like an object's, or else the first of all, and its partner
    enclose.

    "" where it has no partner, None where there is no brace.
    """
    starts, ends, left_open = paired(text)
    likely = (start for start in sorted([*starts, *left_open]) if OBJECT.match(text, start))
    first = next(likely, text.find("{"))
    if first < 0:
        return None
    return text[first : ends[starts.index(first)]] if first in starts else ""


def last_object(text: str) -> str | None:
    """The last object that is not inside another; "" where any such
    is left open.
    """
    starts, ends, left_open = paired(text)
    if any(OBJECT.match(text, start) for start in left_open):
        return ""
    return next(
        (
            text[starts[at] : ends[at]]
            for at in reversed(range(len(starts)))
            if OBJECT.match(text, starts[at])
        ),
        None,
    )


def closing_brace(text: str, at: int) -> int:
    """Where the brace at `at` is closed in a formula, or -1."""
    depth = 0
    for found in BRACES.finditer(text, at):
        depth += (found[0] == "{") - (found[0] == "}")
        if depth == 0:
            return found.start()
    return -1


def paired(text: str) -> Braces:
    """All braces but those in strings; a string ends on its line, or is none."""
    braces, quoted, waiting = Braces(array("q"), array("q"), array("q")), False, array("q")
    for sign in SIGNS.finditer(text):
        if sign[0] == '"':
            quoted, waiting = not quoted, array("q")
        elif sign[0] == "\n":
            _pair(text, waiting, braces)
            quoted, waiting = False, array("q")
        elif sign[0] in "{}" and quoted:
            waiting.append(sign.start())
        elif sign[0] in "{}":
            _pair(text, (sign.start(),), braces)
    _pair(text, waiting, braces)
    return braces


def _pair(text: str, places: Iterable[int], braces: Braces) -> None:
    starts, ends, left_open = braces
    for at in places:
        if text[at] == "{":
            left_open.append(at)
        elif left_open:
            start = left_open.pop()
            while starts and starts[-1] > start:
                starts.pop()
                ends.pop()
            starts.append(start)
            ends.append(at + 1)

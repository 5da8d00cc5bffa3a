"""HTML from Python values; every text is escaped, whoever wrote it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from html import escape
from typing import Any, TypeAlias

from quandary.core.control_characters import visible


class Markup(str):
    """A text that is HTML already."""

    __slots__ = ()


Content: TypeAlias = str | Markup | Iterable[str | Markup]
EMPTY = frozenset(("img", "input", "link", "meta", "source"))  # elements without an end


def element(name: str, /, *content: Content, **attributes: str | bool) -> Markup:
    """Return an element; `class_` and `for_` stand for class and for, `data_x` for data-x.

    An attribute that is True has no value, and one that is False is left out.
    """
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}"
        + ("" if value is True else f'="{escape(printable(str(value)))}"')
        for key, value in attributes.items()
        if value is not False
    )
    inside = "".join(map(markup, content))
    return Markup(f"<{name}{written}>" + ("" if name in EMPTY else f"{inside}</{name}>"))


def markup(content: Content) -> Markup:
    """Any content as HTML."""
    if isinstance(content, Markup):
        return content
    if isinstance(content, str):
        return Markup(escape(printable(content), quote=False))
    return Markup("".join(map(markup, content)))


def printable(text: str) -> str:
    """Return a text that can be written as UTF-8 and shown: control characters as Python writes
    them.
    """
    found = visible(text).encode("utf-8", "backslashreplace").decode("utf-8")
    return found.replace("\ufffe", r"\ufffe").replace("\uffff", r"\uffff")  # no characters of XML


def script_data(data: Any) -> str:
    """Data as JavaScript, which stays data inside a script of a page and in a file of its own.

    All letters outside ASCII are escaped, and so is whatever could end a script or start a comment.
    """
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    for mark in "<>&":
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return text

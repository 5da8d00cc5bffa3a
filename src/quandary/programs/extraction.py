"""The program in a reply: a JSON object with `code`, a fenced block, or a bare module.

The text is never compiled or parsed here, and the time is linear in its length.
"""

from __future__ import annotations

import json
import re

from quandary.core.json_replies import json_objects

from .library import LONGEST, is_storable

ENTRY = re.compile(r"^class\s+Player\b", re.MULTILINE)
FENCE = re.compile(r"^([ \t]*)(```+|~~~+)[ \t]*([\w+-]*)[^\n]*$", re.MULTILINE)
INDENTED = 4  # characters beyond its opening, from which on a fence is part of the code
PYTHON = ("python", "python3", "py")
MODULE = re.compile(r"^(?:import|from|class|def|@|#!|\"\"\"|[A-Z_]+ = )", re.MULTILINE)


def code_in(reply: str, *, is_cut: bool = False) -> str | None:
    """Return the code of the last program of a reply; None if there is none.

    A JSON object with `code` counts before a fence, and a fence before a bare module.  A reply that
    was cut off at its limit of tokens has what it completed: objects and closed fences.  What could
    not be a file is no program: a text that is far too long, or that UTF-8 cannot write.
    """
    code = _in_objects(reply) or _in_fences(reply, may_be_open=not is_cut)
    if not code and not is_cut:
        code = _bare(reply)
    return code if code and len(code) <= LONGEST and is_storable(code) else None


def _in_objects(reply: str) -> str | None:
    found = None
    for text in json_objects(reply) if '"code"' in reply else ():
        code = _code_of(text)
        found = found if code is None else code
    return found


def _code_of(text: str) -> str | None:
    """Return the code of a JSON object, without a fence around it."""
    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
    code = value.get("code") if isinstance(value, dict) else None
    if not isinstance(code, str) or not code.strip():
        return None
    return _in_fences(code, may_be_open=FENCE.match(code.lstrip()) is not None) or code


def _in_fences(text: str, *, may_be_open: bool) -> str | None:
    """Return the last fence that defines a player, otherwise the last one that is marked as
    Python.
    """
    defining = marked = None
    for tag, content in _fences(text, may_be_open=may_be_open):
        if ENTRY.search(content):
            defining = content
        elif tag in PYTHON:
            marked = content
    return defining or marked


def _fences(text: str, *, may_be_open: bool) -> list[tuple[str, str]]:
    """Return the marks and contents of all fences; if the last one may be open, it ends with the
    text.
    """
    found, opened, is_clear = list[tuple[str, str]](), None, True
    for line in FENCE.finditer(text):
        if opened is None:
            opened, is_clear = line, True
        elif not _may_close(line, opened):
            continue
        elif line[3]:  # words after the mark: another fence, or the end of this one
            is_clear = False
        else:
            found.append(_fence(opened, text[opened.end() + 1 : line.start()]))
            opened = None
    if opened and may_be_open and is_clear:
        found.append(_fence(opened, text[opened.end() + 1 :]))
    return found


def _may_close(line: re.Match[str], opened: re.Match[str]) -> bool:
    """Return whether a fence may end another one; one in a docstring does not."""
    return line[2].startswith(opened[2]) and len(line[1]) < len(opened[1]) + INDENTED


def _fence(opened: re.Match[str], content: str) -> tuple[str, str]:
    return opened[3].lower(), _outdented(content, len(opened[1]))


def _outdented(content: str, width: int) -> str:
    """Return the content of a fence that is indented itself, as in a list."""
    return re.sub(rf"^[ \t]{{1,{width}}}", "", content, flags=re.MULTILINE) if width else content


def _bare(reply: str) -> str | None:
    """Return a reply that is a module, perhaps after some words."""
    if FENCE.search(reply) or reply.lstrip().startswith("{") or not ENTRY.search(reply):
        return None
    start = MODULE.search(reply)
    return reply[start.start() :] if start else None

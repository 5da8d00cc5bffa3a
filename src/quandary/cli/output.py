"""How commands print for programs, and long sentences for people."""

from __future__ import annotations

import json
import sys
from textwrap import wrap
from typing import Any

from quandary.core.control_characters import visible

WIDTH = 100  # columns


def warn(text: str) -> None:
    """A sentence beside the results of a command."""
    print(wrapped(f"quandary: {text}", "  "), file=sys.stderr)


def json_line(data: Any) -> None:
    print(json.dumps(data, ensure_ascii=False))


def wrapped(text: str, indent: str = "") -> str:
    """Return a sentence in lines of at most 100 columns; `indent` stands before all but the
    first.
    """
    lines = wrap(visible(text), WIDTH, subsequent_indent=indent, break_on_hyphens=False)
    return "\n".join(lines)

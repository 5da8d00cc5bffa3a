"""How commands print: JSON lines, the width of the terminal, and colours."""

from __future__ import annotations

import json
import os
import sys
from shutil import get_terminal_size
from typing import Any


def json_line(data: Any) -> None:
    print(json.dumps(data, ensure_ascii=False))


def terminal_width() -> int | None:
    """The columns of the terminal that standard output is; None for a file or a pipe."""
    return get_terminal_size().columns if sys.stdout.isatty() else None


def colourful() -> bool:
    """Whether colours may be used: on a terminal that has them, unless NO_COLOR is set."""
    return (
        sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    )

"""Regular expressions that are compiled when they are first used.

Compiling a long one takes milliseconds, and most commands read no reply.
"""

from __future__ import annotations

import re
from typing import Any, cast


class LatePattern:
    """Becomes its compiled pattern, as far as methods go."""

    def __init__(self, text: str, flags: int) -> None:
        self._given = text, flags

    def __getattr__(self, name: str) -> Any:
        # Called for what the object does not have yet: later calls find the method itself.
        if name.startswith("__"):
            raise AttributeError(name)
        found = getattr(re.compile(*self._given), name)
        setattr(self, name, found)
        return found


def late_pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """Return the pattern of a text; for its methods, not for those of `re` that take a pattern."""
    return cast(re.Pattern[str], LatePattern(text, flags))

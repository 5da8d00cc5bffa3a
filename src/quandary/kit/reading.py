"""Reading a list of whole numbers."""

from __future__ import annotations

import re

# what may lead to a list, in lower case: operation: [3, 1, 5], list[int] = [3, 1, 5]
LIST_NAME = re.compile(r"(?:operation ?[:=] ?)?(?:list\[int\] ?[:=]? ?)?")
BETWEEN_NUMBERS = re.compile(r" ?(?:,|->|→) ?| ")


def read_numbers(said: str) -> list[int] | None:
    """The numbers of a list or of a row such as 3, 1, 5 or 3 -> 1 -> 5; None for anything else."""
    plain = " ".join(said.casefold().split()).strip(" `*'\".")
    named = LIST_NAME.match(plain)
    body = plain[named.end() if named else 0 :]
    if body.startswith("[") and body.endswith("]"):
        body = body[1:-1].strip()
        if not body:
            return []
    words = BETWEEN_NUMBERS.split(body)
    if not all(word.isascii() and word.isdigit() and len(word) < 10 for word in words):
        return None
    return [int(word) for word in words]

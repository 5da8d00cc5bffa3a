"""Reading whole numbers: one that is a move, whatever words surround it, or a list of them."""

from __future__ import annotations

import re

from quandary.core.contract import Move
from quandary.core.errors import Unreadable

NUMBER = r"(?<![\d.])(?<!\d,)-?[0-9]{1,9}(?!\d|[.,]\d)"  # whole, not a piece of 2.5 or 1,000
BRACKETS = re.compile(rf"\[\s{{0,9}}({NUMBER})\s{{0,9}}\]")
# Names that may precede brackets: bid = [7], operation = [(0, 3), 2].
NAME = r"[A-Za-z_\]]['\"`*]{0,3}\s{0,9}=\s{0,9}\[?"
# what may lead to a list, in lower case: operation: [3, 1, 5], list[int] = [3, 1, 5]
LIST_NAME = re.compile(r"(?:operation ?[:=] ?)?(?:list\[int\] ?[:=]? ?)?")
BETWEEN_NUMBERS = re.compile(r" ?(?:,|->|→) ?| ")


def read_number(said: str, how: str) -> Move:
    """The one number in a reply; Unreadable with the phrase `how` if there is none or several.

    A number that stands alone in brackets takes precedence: 3 + 4, so [7].
    """
    inside = set(map(int, BRACKETS.findall(said)))
    around = set(map(int, re.findall(NUMBER, outside_brackets(said, BRACKETS))))
    numbers = inside | around if len(around) == 1 else inside or around
    if len(numbers) != 1:
        raise Unreadable(how)
    return str(numbers.pop())


def outside_brackets(said: str, brackets: re.Pattern[str]) -> str:
    """The words outside of brackets, which may name a move too.

    Empty if a name precedes the brackets, as in bid = [7].
    """
    return (
        ""
        if re.search(rf"{NAME}(?:{brackets.pattern})", said, brackets.flags)
        else brackets.sub(" ", said)
    )


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

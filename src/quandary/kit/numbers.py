"""Reading a move that is one whole number, however it is dressed in words."""

from __future__ import annotations

import re

from quandary.core.contract import Move, Unreadable

NUMBER = r"(?<![\d.])(?<!\d,)-?[0-9]{1,9}(?!\d|[.,]\d)"  # whole, not a piece of 2.5 or 1,000
BRACKETS = re.compile(rf"\[\s{{0,9}}({NUMBER})\s{{0,9}}\]")


def read_number(said: str, how: str) -> Move:
    """The one number that is meant; of numbers alone in brackets the last.  `how` says how to write it, where there is none."""
    numbers = BRACKETS.findall(said)[-1:] or re.findall(NUMBER, said)
    if len({int(number) for number in numbers}) != 1:
        raise Unreadable(how)
    return str(int(numbers[0]))

"""Seeds as suites and commands write them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from quandary.core.errors import UserError

MOST_SEEDS = 1_000_000  # of one level: a suite holds all its instances in memory


def seeds(text: str) -> Iterator[int]:
    """Yield the numbers in "1-10" or "1-5, 8"."""
    ranges = list(_ranges(text))
    if (count := sum(map(len, ranges))) > MOST_SEEDS:
        raise UserError(
            f"{text!r} are {count:,} seeds; name {MOST_SEEDS:,} or fewer, and others in another "
            f"run."
        )
    for numbers in ranges:
        yield from numbers


def in_ranges(numbers: Sequence[int]) -> str:
    """Return ascending seeds as they are written: "1-5, 8"."""
    parts = list[list[int]]()
    for number in numbers:
        if parts and parts[-1][-1] == number - 1:
            parts[-1][1:] = [number]
        else:
            parts.append([number])
    return ", ".join("-".join(map(str, part)) for part in parts)


def _ranges(text: str) -> Iterator[range]:
    for part in text.split(","):
        found = re.fullmatch(r"\s*(\d{1,9})\s*(?:-\s*(\d{1,9})\s*)?", part)
        if not found:
            raise UserError(
                f"{text!r} are not valid seeds; write them as 1-10, or 1-5, 8, with at most 9 "
                f"digits each."
            )
        first, last = int(found[1]), int(found[2] or found[1])
        if first > last:
            raise UserError(
                f"the seeds {part.strip()!r} are not a valid range; write the lower number first, "
                f"as {last}-{first}."
            )
        yield range(first, last + 1)

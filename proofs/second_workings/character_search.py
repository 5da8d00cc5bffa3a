"""Character search the other way round: the letter is found that is encrypted as the given one."""

from __future__ import annotations

from typing import Any

LETTERS = "abcdefghijklmnopqrstuvwxyz"
NEXT = dict(zip(LETTERS, LETTERS[1:] + "a", strict=True))
PREVIOUS = {later: letter for letter, later in NEXT.items()}


def work(instance: Any) -> tuple[list[Any], list[Any]]:
    shifts = list(instance.shifts) * len(instance.moved)
    found = []
    for given, shift in zip(instance.moved, shifts, strict=False):
        (original,) = [letter for letter in LETTERS if _encrypted(letter, shift) == given]
        found.append(original)
    return found, found


def _encrypted(letter: str, shift: int) -> str:
    for _ in range(abs(shift)):
        letter = NEXT[letter] if shift > 0 else PREVIOUS[letter]
    return letter

"""String deletion on lists of letters, with the rules written out in a long row of turns."""

from __future__ import annotations

from itertools import cycle
from typing import Any


def work(instance: Any) -> tuple[list[str], list[str]]:
    letters, seen, unused = list(instance.string), [], 0
    for rule in cycle(instance.edits):
        if unused == len(instance.edits):
            break
        if _holds(rule, letters):
            _edit(rule, letters)
            seen.append("".join(letters))
            unused = 0
        else:
            unused += 1
    return ["".join(letters)], seen


def _holds(rule: Any, letters: list[str]) -> bool:
    there = letters if rule.end == "prefix" else letters[::-1]
    pattern = rule.pattern if rule.end == "prefix" else rule.pattern[::-1]
    if len(there) < len(pattern):
        return False
    if any(there[place] != letter for place, letter in enumerate(pattern)):
        return False
    return rule.new is None or len(there) - len(pattern) >= rule.first + rule.last


def _edit(rule: Any, letters: list[str]) -> None:
    for _ in range(rule.first):
        del letters[0]
    for _ in range(rule.last):
        del letters[-1]
    if rule.new is not None:
        at = 0 if rule.end == "prefix" else len(letters) - len(rule.pattern)
        for _ in rule.pattern:
            del letters[at]
        letters[at:at] = rule.new

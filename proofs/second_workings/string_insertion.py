"""String insertion by walking through the string, letter by letter, and looking around."""

from __future__ import annotations

from typing import Any


def work(instance: Any) -> tuple[list[str], list[str]]:
    string, seen = instance.string, []
    for rule in instance.instructions:
        new = ""
        for gap in range(len(string) + 1):  # before each letter, and at the end
            left, right = string[:gap], string[gap:]
            if rule.side == "after" and left[-len(rule.pattern) :] == rule.pattern:
                new += rule.letter
            if rule.side == "before" and right[: len(rule.pattern)] == rule.pattern:
                new += rule.letter
            new += right[:1]
        string = new
        seen.append(string)
    return [string], seen

"""String splitting by trying every rule at every gap between two characters."""

from __future__ import annotations

from typing import Any


def work(instance: Any) -> tuple[list[str], list[str]]:
    pieces = [""]
    for place, character in enumerate(instance.string):
        if place > 0 and any(_cuts(rule, instance.string, place) for rule in instance.cuts):
            pieces.append("")
        pieces[-1] += character
    return pieces, pieces


def _cuts(rule: Any, string: str, gap: int) -> bool:
    """Whether the characters that a rule speaks of stand beside a gap."""
    size = 1 if rule.what in ("letter", "digit") else len(rule.what)
    start = gap if rule.side == "before" else gap - size
    if start < 0 or start + size > len(string):
        return False
    seen = (
        (rule.what, string[start : start + size]),
        (rule.left, string[start - 1 : start] if start > 0 else ""),
        (rule.right, string[start + size : start + size + 1]),
    )
    return all(_is(wanted, there) for wanted, there in seen)


def _is(wanted: str, there: str) -> bool:
    if wanted == "":
        return True
    if wanted == "letter":
        return there.isalpha()
    if wanted == "digit":
        return there.isdigit()
    return there == wanted

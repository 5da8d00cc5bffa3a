"""Relations between letters, in words and signs."""

from __future__ import annotations

from quandary.core.words import Say

from .solver.relations import Relation, Side

LETTERS = "ABCDEFG"


def relation_words(say: Say, relation: Relation) -> str:
    kind, left, right = relation.kind, _signs(relation.left), _signs(relation.right)
    if kind == "divides":
        return say("{one} is a divisor of {other}", one=left, other=right)
    if kind == "not_largest":
        return say("{one} is not the largest", one=left)
    if kind == "not_smallest":
        return say("{one} is not the smallest", one=left)
    return f"{left} {kind} {right}"


def _signs(side: Side) -> str:
    """Return a sum, such as 2A × B - C + 1."""
    text = ""
    for factor, letters in side:
        sign = (" - " if factor < 0 else " + ") if text else "-" if factor < 0 else ""
        number = "" if letters and abs(factor) == 1 else str(abs(factor))
        text += sign + number + " × ".join(LETTERS[letter] for letter in letters)
    return text

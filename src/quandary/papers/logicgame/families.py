"""The families of published items: the n-th items of a category, by number, are of its n-th family.

Most words tell which family an item is of; where those of several are the same, its place does.
"""

from __future__ import annotations

from dataclasses import replace

from quandary.core.naming import name_of
from quandary.core.worked import Worked

USUAL = "abcd"
ORDER = {"slide_2048": "adbc"}  # of the families of a category, if it is not the usual one
# Category -> level -> the families that have the same words there.
SAME_WORDS = {
    "combinatorial_calculation": {0: "ab", 3: "ab"},
    "cryptanalysis": {1: "ab", 2: "ab"},
    "logic_puzzle": {0: "ab", 1: "ab", 3: "ab"},
    "logical_equations": {0: "ab", 3: "ab"},
}


def family_at(category: str, place: int) -> str:
    """Return the family of the items at a place, counted from 0; "" where no item was published."""
    return ORDER.get(category, USUAL)[place : place + 1]


def at_place(question: Worked, place: int) -> Worked:
    """Return a question as one of the family of its place, unless its words tell another family."""
    category = name_of(type(question))
    family = family_at(category, place)
    same = SAME_WORDS.get(category, {}).get(question.level, "")
    is_other = family and {question.family, family} <= {*same}
    return replace(question, family=family) if is_other else question

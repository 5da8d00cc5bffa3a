"""Edits at the ends of strings: rules that replace or delete letters, and drawing them.

A drawn rule makes a string shorter, or puts earlier letters in place of others, in a drawn order of
the letters; so edits come to an end, whichever drawn rules they are made by.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random
from typing import Annotated, Literal, NamedTuple, TypeAlias

from quandary.core.descriptions import Doc

End: TypeAlias = Literal["prefix", "suffix"]
ALPHABET = "abc"
# The chance that letters are drawn so that a rule applies: one not used before, and another.
MATCHING, MATCHING_AGAIN = 0.8, 0.2
SHORTEST = 2  # of a drawn string on its way
# Family -> kinds of rules, in the order in which they come with the levels: an end ("either" is
# drawn), and what happens.  "both" replaces letters there and deletes one at the other end.
KINDS = {
    "a": ("prefix replace", "suffix replace", "prefix both", "prefix delete", "either two"),
    "b": ("suffix replace", "prefix replace", "suffix across", "prefix both", "either two"),
}


class Edit(NamedTuple):
    """A rule: if a string begins or ends with a pattern, letters are replaced, deleted or both."""

    end: Annotated[
        End,
        Doc(
            "where the pattern must stand: prefix, at the beginning of the string, or suffix, at "
            "its end"
        ),
    ]
    pattern: Annotated[str, Doc("the letters that must stand there")]
    new: Annotated[
        str | None,
        Doc("the letters by which the pattern is replaced; null if it is not replaced"),
    ] = None
    first: Annotated[
        int, Doc("how many letters are deleted at the beginning of the string, 0 for none")
    ] = 0
    last: Annotated[
        int, Doc("how many letters are deleted at the end of the string, 0 for none")
    ] = 0

    def contradicts(self, other: Edit) -> bool:
        """Return whether both replace the same letters, or delete because of the same ones."""
        return self[:2] == other[:2] and (self.new is None) == (other.new is None)


def edited(rule: Edit, string: str) -> str | None:
    """Return the string after a rule; None if the rule does not apply."""
    is_prefix, size = rule.end == "prefix", len(rule.pattern)
    if not (string.startswith if is_prefix else string.endswith)(rule.pattern):
        return None
    if rule.new is not None:
        if size + rule.first + rule.last > len(string):
            return None
        string = rule.new + string[size:] if is_prefix else string[:-size] + rule.new
    return string[rule.first : len(string) - rule.last]


def kind_of(rule: Edit) -> str:
    """Return the entry of KINDS that a drawn rule is of."""
    if rule.first + rule.last == 2:
        return "either two"
    if rule.new is not None:
        return f"{rule.end} {'both' if rule.first + rule.last else 'replace'}"
    return f"{rule.end} {'delete' if bool(rule.first) == (rule.end == 'prefix') else 'across'}"


def random_string(rng: Random, size: int) -> str:
    return "".join(rng.choices(ALPHABET, k=size))


def drawn(rng: Random, kind: str, string: str, order: Sequence[str]) -> Edit | None:
    """Return a rule that applies to a string and makes it shorter, or earlier in the order of
    letters.
    """
    where, what = kind.split()
    is_prefix = where == "prefix" or (where == "either" and rng.random() < 0.5)
    end: End = "prefix" if is_prefix else "suffix"
    size = 3 if what == "two" else 2
    pattern = string[:size] if is_prefix else string[-size:]
    here, there = ("first", "last") if is_prefix else ("last", "first")
    if len(string) < SHORTEST + size:
        return None
    if what == "replace":
        words = list(map("".join, product(order, repeat=size)))  # in that order
        earlier = words[: words.index(pattern)]
        return Edit(end, pattern, rng.choice(earlier)) if earlier else None
    if what == "both":
        new = random_string(rng, size)
        return None if new == pattern else _deleting(Edit(end, pattern, new), there, 1)
    side, number = {"delete": (here, 1), "two": (here, 2), "across": (there, 1)}[what]
    return _deleting(Edit(end, pattern), side, number)


def _deleting(rule: Edit, side: str, number: int) -> Edit:
    return rule._replace(first=number) if side == "first" else rule._replace(last=number)


def string_for(rng: Random, rules: Sequence[Edit], size: int, most: int) -> str | None:
    """Try to find a string on which every rule is used, in at most so many edits.

    Its letters are drawn only when a rule looks at them, often so that the rule applies.
    """
    known: dict[int, str] = {}
    items: list[int | str] = list(range(size))  # letters, or places of the string that is drawn
    used, place, idle, edits = set[int](), 0, 0, 0
    while idle < len(rules) and edits <= most:
        rule, idle = rules[place], idle + 1
        chance = MATCHING_AGAIN if place in used else MATCHING
        if _draws_match(rng, rule, items, known, chance):
            if rule.new is not None:
                width = len(rule.pattern)
                at = 0 if rule.end == "prefix" else len(items) - width
                items[at : at + width] = rule.new
            items = items[rule.first : len(items) - rule.last]
            used.add(place)
            idle, edits = 0, edits + 1
        place = (place + 1) % len(rules)
    if edits > most or len(used) < len(rules) or len(items) < SHORTEST:
        return None
    return "".join(known.get(at) or rng.choice(ALPHABET) for at in range(size))


def _draws_match(
    rng: Random, rule: Edit, items: Sequence[int | str], known: dict[int, str], chance: float
) -> bool:
    """Return whether a rule applies, after the letters that it looks at have been drawn."""
    width = len(rule.pattern)
    if len(items) < width + (rule.first + rule.last if rule.new is not None else 0):
        return False
    seen = items[:width] if rule.end == "prefix" else items[-width:]
    matching = rng.random() < chance
    for item, letter in zip(seen, rule.pattern, strict=True):
        if isinstance(item, int) and item not in known:
            known[item] = letter if matching else rng.choice(ALPHABET)
        if letter != (known[item] if isinstance(item, int) else item):
            return False
    return True

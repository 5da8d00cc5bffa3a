"""Passwords: what is counted in them, and making one with given pieces and given counts.

Pieces may overlap.  A piece is a row of cells, each with the characters that may stand there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import permutations, product
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits
from typing import TypeAlias

SPECIALS, ROMANS = "!@#$%^&*", "IVXLCD"
# What is counted -> the characters that a random password uses for it.
MEMBERS = {
    "romans": ROMANS,
    "letters": ascii_letters,
    "digits": digits,
    "specials": SPECIALS,
    "uppercase": ascii_uppercase,
    "lowercase": ascii_lowercase,
    "length": ascii_letters + digits + SPECIALS,
}
MEMBER_BYTES = {kind: members.encode() for kind, members in MEMBERS.items()}
PLAIN_UPPER = "".join(letter for letter in ascii_uppercase if letter not in ROMANS)
CASED = frozenset(("romans", "uppercase", "lowercase"))  # counts that the case of a letter changes
REST = "_"  # counts towards the length only
# For each place the characters that may stand there: "aA" if case does not matter.
Cells: TypeAlias = tuple[str, ...]


def count(kind: str, password: str) -> int:
    if kind == "length":
        return len(password)
    plain = password.encode("ascii", "replace")
    return len(plain) - len(plain.translate(None, MEMBER_BYTES[kind]))


def counts_of(demanded: Iterable[tuple[str, int]]) -> dict[str, int] | None:
    """Return the required number of each thing; None if two numbers are required."""
    counts = dict[str, int]()
    return (
        None
        if any(counts.setdefault(what, number) != number for what, number in demanded)
        else counts
    )


def cells_of(spelling: str, loose: bool) -> Cells:
    """Return the cells of a text; a loose one may be written in any case."""
    return tuple(
        character + character.upper() if loose and character in ascii_lowercase else character
        for character in spelling
    )


def _meet(one: str, two: str) -> str:
    """Return the characters that fit two cells."""
    return one if one in two else two if two in one else ""


def outermost(pieces: Iterable[Cells]) -> list[Cells]:
    """Return the pieces without those contained in others."""
    kept = list[Cells]()
    for piece in sorted(pieces, key=len, reverse=True):
        for place, other in enumerate(kept):
            if held := _holding(other, piece):
                kept[place] = held
                break
        else:
            kept.append(piece)
    return kept


def _holding(outer: Cells, inner: Cells) -> Cells:
    """Return the outer piece with the inner one inside; empty if it does not fit."""
    for start in range(len(outer) - len(inner) + 1):
        met = tuple(map(_meet, outer[start:], inner))
        if all(met):
            return outer[:start] + met + outer[start + len(inner) :]
    return ()


def joined(pieces: Sequence[Cells]) -> Iterator[Cells]:
    """Yield the pieces side by side, then with overlaps in every order.

    A longer overlap is never worse, because the characters it saves can be added again.
    """
    places = range(len(pieces))
    links = {
        (one, two) for one, two in permutations(places, 2) if _overlap(pieces[one], pieces[two])
    }

    def choices(one: int, after: Mapping[int, int]) -> Iterator[Mapping[int, int]]:
        if one == len(pieces):
            yield after
            return
        yield from choices(one + 1, after)
        for two in places:
            if (one, two) in links and two not in after.values():
                yield from choices(one + 1, {**after, one: two})

    for after in choices(0, {}):
        chains = [[place] for place in places if place not in after.values()]
        for chain in chains:
            while chain[-1] in after:
                chain.append(after[chain[-1]])
        if sum(map(len, chains)) == len(pieces):  # otherwise some pieces form a cycle
            yield tuple(
                cell
                for chain in chains
                for cell in reduce(_onto, (pieces[place] for place in chain))
            )


def _onto(one: Cells, two: Cells) -> Cells:
    """Two pieces that overlap as far as they can."""
    depth = _overlap(one, two)
    start = len(one) - depth
    return one[:start] + tuple(map(_meet, one[start:], two)) + two[depth:]


def _overlap(one: Cells, two: Cells) -> int:
    """Return how far the end of one piece can lie on the beginning of another."""
    depths = range(min(len(one), len(two)) - 1, 0, -1)
    return next((depth for depth in depths if all(map(_meet, one[-depth:], two))), 0)


def completed(cells: Cells, wanted: Mapping[str, int], exact: Mapping[str, int]) -> str | None:
    """Return the cells with cases chosen and characters added to meet all counts; None if
    impossible.
    """
    settled = list(cells)
    for letter, number in exact.items():
        missing = number - settled.count(letter)
        for place, cell in enumerate(settled):
            if len(cell) > 1 and letter in cell:
                settled[place] = letter if missing > 0 else cell.replace(letter, "")
                missing -= missing > 0
        if missing < 0:
            return None
        settled += [letter] * missing
    has = {kind: count(kind, "".join(cell[0] for cell in settled)) for kind in wanted}
    if any(number < has[kind] for kind, number in wanted.items() if kind not in CASED):
        return None
    loose = [
        place
        for place, cell in enumerate(settled)
        if len(cell) > 1 and not CASED.isdisjoint(wanted)
    ]
    romans, others = (
        sorted(place for place in loose if (settled[place][1] in ROMANS) is roman)
        for roman in (True, False)
    )
    for one, two in product(range(len(romans) + 1), range(len(others) + 1)):
        raised = {"romans": one, "uppercase": one + two, "lowercase": -one - two}
        added = _added(
            {kind: number - has[kind] - raised.get(kind, 0) for kind, number in wanted.items()},
            exact,
        )
        if added is not None:
            upper = {*romans[:one], *others[:two]}
            return (
                "".join(cell[-1 if place in upper else 0] for place, cell in enumerate(settled))
                + added
            )
    return None


def _added(missing: Mapping[str, int], exact: Mapping[str, int]) -> str | None:
    """Characters that supply the missing counts, without any that are counted individually."""
    romans, lower = missing.get("romans", 0), missing.get("lowercase", 0)
    upper = missing.get("uppercase", romans) - romans
    if "letters" in missing:
        more = missing["letters"] - romans - upper - lower
        if "lowercase" not in missing:
            lower += more
        elif "uppercase" not in missing:
            upper += more
        elif more:
            return None
    numbers = {ROMANS: romans, PLAIN_UPPER: upper, ascii_lowercase: lower}
    numbers |= {digits: missing.get("digits", 0), SPECIALS: missing.get("specials", 0)}
    numbers[REST] = missing.get("length", sum(numbers.values())) - sum(numbers.values())
    added = ""
    for members, number in numbers.items():
        free = "".join(member for member in members if member not in exact)
        if number < 0 or (number and not free):
            return None
        added += (free * number)[:number]
    return added

"""Clues to a code, drawn at random: all of them true, each of them telling something, and together
just enough.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import log2
from random import Random
from typing import NamedTuple, TypeAlias

from quandary.algorithms.entailment import is_one

from .codes import Clue, Code, Kind, Said, codes_of, fitting, rank, true_sign

NEARER = 0.2  # the share of symbols that are made right, because guesses would tell too little
# What is said about a guess at a code, after the clues so far.
Feedback: TypeAlias = Callable[[Random, Code, Code, Sequence[Clue]], Clue]

TRIES = 12  # guesses that are tried for a clue
LAST_TRIES = 60  # and for the last one, divided by the number of codes that are left
# Clues that are found for a place in the row; one of them is taken, by which the number of codes
# that are left goes down most evenly.
SAMPLES = 3


class _Row(NamedTuple):
    """Clues so far, and what they leave."""

    clues: tuple[Clue, ...]
    left: int
    without: tuple[int, ...]  # what is left without each of the clues
    shown: tuple[bool, ...]  # whether an entry of the process shows that each was there


def drawn_clues(
    rng: Random, kind: Kind, count: int, feedback: Feedback, entry: Callable[[int], object]
) -> tuple[Clue, ...] | None:
    """So many clues that leave one code, none of them idle; None if chance did not find them.

    `entry` is what a process tells of the codes that are left; a clue is idle if all entries would
    be the same without it.
    """
    codes = codes_of(kind)
    code, all_bits = codes.drawn(codes.everything, rng), log2(codes.everything.bit_count())
    row = _Row((), codes.everything, (), ())
    for place in range(1, count + 1):
        found, tried = list[_Row](), set[Clue]()
        for _ in range(2 + LAST_TRIES // row.left.bit_count() if place == count else TRIES):
            guess = codes.drawn(row.left if rng.random() < 0.7 else codes.everything, rng)
            guess = _nearer(rng, code, guess)
            clue = feedback(rng, code, guess, row.clues)
            if clue.guess == code or clue in tried or _is_repeated(clue, row.clues):
                continue
            tried.add(clue)
            longer = _longer(row, clue, fitting(kind, clue), entry, ends=place == count)
            if longer is not None:
                found.append(longer)
                if len(found) == (1 if place == count else SAMPLES):
                    break
        if not found:
            return None
        aim = all_bits * (1 - place / count) ** 1.7
        row = min(found, key=lambda one: abs(log2(one.left.bit_count()) - aim))
    return row.clues


def _is_repeated(clue: Clue, clues: Sequence[Clue]) -> bool:
    return clue in clues or any(one.guess == clue.guess != () for one in clues)


def _longer(
    row: _Row, clue: Clue, fits: int, entry: Callable[[int], object], *, ends: bool
) -> _Row | None:
    """Return the row with one more clue, unless that or an earlier one would be idle."""
    left = row.left & fits
    if left == row.left or is_one(left) != ends:
        return None
    without = (*(some & fits for some in row.without), row.left)
    earlier = list(zip((*row.shown, False), without, strict=True))
    if any(some == left and not known for known, some in earlier):
        return None
    now = entry(left)
    shown = tuple(known or entry(some) != now for known, some in earlier)
    if ends and not all(shown):
        return None
    return _Row((*row.clues, clue), left, without, shown)


def one_symbol(rng: Random, code: Code, guess: Code, clues: Sequence[Clue]) -> Clue:
    """Return whether the code comes before or after the guess."""
    return Clue(guess, (_part(code, guess, (0,)),))


def lock(sign: str, rng: Random, code: Code, guess: Code, clues: Sequence[Clue]) -> Clue:
    """Return how many digits and letters are right and in their place, or how the others compare;
    about two digits only by one sign.
    """
    signs = sign if len(code) == 2 else "<>"
    statements = [_counted(rng, code, guess, "digits", signs)]
    if any(map(str.isalpha, code)):
        between = _between(rng, code, guess, clues)
        statements.append(between or _counted(rng, code, guess, "letters", signs))
    return Clue(guess, tuple(statements))


def numbers_of(places: str) -> list[tuple[int, ...]]:
    """Return the places of the numbers in a row of digits that letters may follow: 9F9 has two."""
    starts = [place for place, last in enumerate(places) if last.isdigit()]
    ends = [*starts[1:], len(places)]
    return [tuple(range(start, end)) for start, end in zip(starts, ends, strict=True)]


def numbers(rng: Random, code: Code, guess: Code, clues: Sequence[Clue]) -> Clue:
    """Return how each number compares with that of the guess, and perhaps its digit or its
    letter.
    """
    found, shape = list[Said](), "".join("9" if symbol.isdigit() else "F" for symbol in code)
    for number in numbers_of(shape):
        if len(code) > 2:
            found.append(_part(code, guess, number))
        if len(number) > 1 and not (found and found[-1].value == "="):
            compared = rng.choice([[0], [1], [0, 1]] if len(code) == 2 else [[], [], [0], [1]])
            found += [_part(code, guess, (number[index],)) for index in compared]
    return Clue(guess, tuple(found))


def unknowns(rng: Random, code: Code, guess: Code, clues: Sequence[Clue]) -> Clue:
    """First two clues that say something of the numbers, then guesses at them; about one number
    there are only such sayings.
    """
    places = tuple(range(len(code)))
    if len(code) == 1 or len(clues) < 2:
        return _claim(rng, code, guess, clues)
    if len(code) < 4:
        compared = sorted(rng.sample(places, max(rng.choices(range(1, len(places) + 1), k=2))))
        return Clue(guess, tuple(_part(code, guess, (place,)) for place in compared))
    statements = list[Said]()
    for about, odd in (("odd", 1), ("even", 0)):
        right = sum(a == b for a, b in zip(code, guess, strict=True) if int(b) % 2 == odd)
        statements.append(Said(about, right=right))
    return Clue(guess, tuple(statements))


def _claim(rng: Random, code: Code, guess: Code, clues: Sequence[Clue]) -> Clue:
    values, places = [int(number) for number in code], tuple(range(len(code)))
    place, number = rng.choice(places), int(rng.choice(guess))
    if len(code) == 4:  # the order first, then which are odd and which even
        if not clues:
            order = tuple(sorted(places, key=lambda place: values[place]))
            return Clue((), (Said("rising", order, right=int(len(set(values)) == len(values))),))
        odd = tuple(place for place in places if values[place] % 2)
        even = tuple(place for place in places if place not in odd)
        parities = (("is_odd", odd), ("is_even", even))
        return Clue((), tuple(Said(about, at, right=1) for about, at in parities if at))
    pair = tuple(rng.sample(places, 2)) if len(code) > 1 else ()
    claims: dict[str, tuple[bool, tuple[int, ...], str]] = {
        "is_odd": (values[place] % 2 == 1, (place,), ""),
        "is_even": (values[place] % 2 == 0, (place,), ""),
        "above": (values[place] > number, (place,), str(number)),
        "below": (values[place] < number, (place,), str(number)),
    }
    if len(code) == 1:
        claims["equal"] = (values[0] == number, (0,), str(number))
    else:
        claims["rising"] = (values[pair[0]] < values[pair[1]], pair, "")
    if len(code) > 2:
        claims["different"] = (len(set(values)) == len(values), places, "")
    about = rng.choice(list(claims))
    true, at, value = claims[about]
    return Clue((), (Said(about, at, value, int(true)),))


def _nearer(rng: Random, code: Code, guess: Code) -> Code:
    """Return the guess with some symbols made right, if no symbol then stands there twice that did
    not, and it has as many letters as before.
    """
    if len(code) == 1:
        return guess
    pairs = zip(code, guess, strict=True)
    nearer = tuple(right if rng.random() < NEARER else own for right, own in pairs)
    letters = sum(map(str.isalpha, nearer)) == sum(map(str.isalpha, guess))
    return nearer if letters and len(set(nearer)) >= len(set(guess)) else guess


def _part(code: Code, guess: Code, places: tuple[int, ...]) -> Said:
    one, other = ([rank(symbols[place]) for place in places] for symbols in (code, guess))
    return Said("part", places, "=" if one == other else "<" if one < other else ">")


def _counted(rng: Random, code: Code, guess: Code, about: str, signs: str) -> Said:
    letters = about == "letters"
    own = [(place, x) for place, x in enumerate(guess) if x.isalpha() == letters]
    inside = [x for x in code if x.isalpha() == letters]
    right = sum(x in inside for _, x in own)
    placed = sum(code[place] == x for place, x in own)
    missed = [x for x in inside if x not in guess]
    sign = true_sign(missed, [x for _, x in own if x not in inside]) if len(own) < 3 else ""
    if right and right != placed and len(code) == 2:
        sign = ""  # a digit in the wrong place could be taken for the one that is compared
    if sign and sign in signs and rng.random() < 0.6:
        return Said(about, (), sign, right, placed if right and len(code) > 2 else None)
    return Said(about, (), "", right, placed if right else None)


def _between(rng: Random, code: Code, guess: Code, clues: Sequence[Clue]) -> Said | None:
    """That the only letter is between that of the guess and that of an earlier one."""
    own, letter = (next(x for x in symbols if x.isalpha()) for symbols in (guess, code))
    if sum(map(str.isalpha, code)) > 1 or rng.random() < 0.5:
        return None
    seen = [x for clue in clues for x in clue.guess if x.isalpha()]
    across = [x for x in seen if min(x, own) < letter < max(x, own)]
    return Said("between", value=rng.choice(across) + own) if across else None


FEEDBACK: dict[str, Feedback] = {
    "a": partial(lock, "<"),  # as published: the wrong one of two digits is too large,
    "b": partial(lock, ">"),  # or too small
    "c": numbers,
    "d": unknowns,
}


def feedback_of(family: str, places: str) -> Feedback:
    """Return how guesses at a code are answered in a family."""
    return one_symbol if len(places) == 1 and family != "d" else FEEDBACK[family]

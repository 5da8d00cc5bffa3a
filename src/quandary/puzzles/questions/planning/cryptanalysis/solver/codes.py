"""Codes and what is said about guesses at them: which codes there are, and which of them fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from itertools import combinations, pairwise, permutations, product
from typing import Annotated, NamedTuple, TypeAlias

from quandary.algorithms.entailment import Candidates, any_of, exactly
from quandary.core.descriptions import Doc

Code: TypeAlias = tuple[str, ...]
Codes: TypeAlias = Candidates[str]

NUMBER = "#"
MOST_PLACES, MOST_NUMBERS = 8, 1_000


class Kind(NamedTuple):
    """The kind of the code: what stands in each of its places, and what may be repeated."""

    places: Annotated[
        str,
        Doc(
            "a character for each place of the code: 9 for a digit from 0 to 9; a capital letter "
            "for a letter from A to that one; z for a letter of A, a, B, b, ..., Z, z, which is "
            "also their order; # for a whole number within the bounds"
        ),
    ]
    bounds: Annotated[
        tuple[int, int],
        Doc("the least and the greatest number that a place # can hold; [0, 0] if there is none"),
    ] = (0, 0)
    mixed: Annotated[
        bool,
        Doc("true if the places can come in any order in the code, false if only in this one"),
    ] = False
    unrepeated: Annotated[
        str,
        Doc(
            'what the code does not hold twice: "digits", "symbols" (digits and letters), or "" if '
            "anything may be repeated"
        ),
    ] = ""


class Said(NamedTuple):
    """One statement about a code, mostly about how a guess compares with it."""

    about: Annotated[
        str,
        Doc(
            "what is said. part: how some places of the code compare with those of the guess, the "
            "first place that differs decides; digits, letters: how many digits or letters of the "
            "guess the code holds; odd, even: how many odd or even numbers of the guess stand in "
            "the code at the same place; between: all letters of the code are between two "
            "letters, neither included. The others are claims about the numbers at some places of "
            "the code, which may be false: is_odd, is_even: all are odd, or even; above, below, "
            "equal: all are greater than a value, less than it, or equal to it; rising: each is "
            "less than the next; different: no two are equal"
        ),
    ]
    places: Annotated[
        tuple[int, ...],
        Doc("the places, counted from 0, for part and for claims; [] for the others"),
    ] = ()
    value: Annotated[
        str,
        Doc(
            "for part, <, = or >: the code is less than the guess (of letters, earlier), equal or "
            "greater; for digits and letters, < or >: each one of the code that is not in the "
            "guess is less, or greater, than each one of the guess that is not in the code, or "
            '"" if neither is told; for between, the two letters in any order; for above, below '
            'and equal, the value; "" for the others'
        ),
    ] = ""
    right: Annotated[
        int,
        Doc(
            "for digits, letters, odd and even, how many; for claims, 1 if the claim is true and 0 "
            "if it is false; 0 for the others"
        ),
    ] = 0
    placed: Annotated[
        int | None,
        Doc(
            "for digits and letters, how many of the guess stand in the code at the same place; "
            "null if that is not told, and for the others"
        ),
    ] = None


class Clue(NamedTuple):
    """A guess at the code, and what is said about it."""

    guess: Annotated[
        Code,
        Doc("the symbols of the guess, by place; [] where claims were guessed instead of a code"),
    ]
    said: Annotated[
        tuple[Said, ...],
        Doc("the statements, which are all true: where a claim is false, its `right` is 0"),
    ]


@cache
def rank(symbol: str) -> int:
    """Return where a symbol stands in its order; a capital letter comes before its small letter."""
    return int(symbol) if symbol.isdigit() else 2 * ord(symbol.upper()) + symbol.islower()


def symbols(last: str, bounds: tuple[int, int]) -> list[str]:
    """Return what a place can hold."""
    if last == NUMBER:
        return [str(number) for number in range(bounds[0], bounds[1] + 1)]
    if last == "z":
        return [
            letter
            for pair in zip(_up_to("A", "Z"), _up_to("a", "z"), strict=True)
            for letter in pair
        ]
    return _up_to("0" if last.isdigit() else "A", last)


@lru_cache(maxsize=32)
def codes_of(kind: Kind) -> Codes:
    """Return all codes of a kind, in order where the places do not mix; ValueError if out
    of reach.
    """
    if len(kind.places) > MOST_PLACES or kind.bounds[1] - kind.bounds[0] > MOST_NUMBERS:
        raise ValueError(f"codes of the kind {kind.places}, {kind.bounds} are out of reach")
    orders = sorted(set(permutations(kind.places))) if kind.mixed else [tuple(kind.places)]
    found = (
        code
        for order in orders
        for code in product(*(symbols(last, kind.bounds) for last in order))
        if not _repeats(code, kind.unrepeated)
    )
    return Candidates(found)


@lru_cache(maxsize=1 << 12)
def fitting(kind: Kind, clue: Clue) -> int:
    """Return the codes of which all is true that a clue says."""
    codes = codes_of(kind)
    left = codes.everything
    for statement in clue.said:
        left &= _fitting(codes, clue.guess, statement)
    return left


def true_sign(one: Iterable[str], other: Iterable[str]) -> str:
    """Return how all of the one compare with all of the other; "" if not all in the same way."""
    pairs = [(rank(a), rank(b)) for a, b in product(one, other)]
    if pairs and all(a < b for a, b in pairs):
        return "<"
    return ">" if pairs and all(a > b for a, b in pairs) else ""


def _repeats(code: Code, unrepeated: str) -> bool:
    if unrepeated == "digits":
        code = tuple(symbol for symbol in code if symbol.isdigit())
    return bool(unrepeated) and len(set(code)) < len(code)


def _up_to(first: str, last: str) -> list[str]:
    return [chr(code) for code in range(ord(first), ord(last) + 1)]


def _fitting(codes: Codes, guess: Code, statement: Said) -> int:
    if statement.about == "part":
        return _compared(codes, guess, statement.places, statement.value)
    if statement.about in ("digits", "letters"):
        return _counted(codes, guess, statement)
    if statement.about in ("odd", "even"):
        right = [
            codes.having(place, number)
            for place, number in enumerate(guess)
            if int(number) % 2 == (statement.about == "odd")
        ]
        return exactly(statement.right, right, codes.everything)
    if statement.about == "between":
        low, high = sorted(map(rank, statement.value))
        outside = [x for x in _symbols(codes, letters=True) if not low < rank(x) < high]
        return codes.everything & ~any_of(map(codes.holding, outside))
    true = _claimed(codes, statement)
    return true if statement.right else codes.everything & ~true


def _claimed(codes: Codes, statement: Said) -> int:
    true, at = codes.everything, statement.places
    if statement.about == "rising":
        for one, two in pairwise(at):
            true &= any_of(
                codes.having(one, x) & _in(codes, two, ">", x) for x in codes.values(one)
            )
    elif statement.about == "different":
        for one, two in combinations(at, 2):
            true &= ~any_of(codes.having(one, x) & codes.having(two, x) for x in codes.values(one))
    else:
        tests: dict[str, Callable[[int], bool]] = {
            "is_odd": lambda number: number % 2 == 1,
            "is_even": lambda number: number % 2 == 0,
            "above": lambda number: number > int(statement.value),
            "below": lambda number: number < int(statement.value),
            "equal": lambda number: number == int(statement.value),
        }
        holds = tests[statement.about]
        for place in at:
            true &= any_of(codes.having(place, x) for x in codes.values(place) if holds(int(x)))
    return true


@lru_cache(maxsize=1 << 11)
def _in(codes: Codes, place: int, sign: str, symbol: str) -> int:
    """Return the codes whose symbol in a place is "<" or ">" another one."""
    bound, least = rank(symbol), sign == ">"
    return any_of(
        codes.having(place, x)
        for x in codes.values(place)
        if (rank(x) > bound if least else rank(x) < bound)
    )


def _compared(codes: Codes, guess: Code, places: Sequence[int], sign: str) -> int:
    equal, found = codes.everything, 0
    for place in places:
        if sign != "=":
            found |= equal & _in(codes, place, sign, guess[place])
        equal &= codes.having(place, guess[place])
    return equal if sign == "=" else found


def _counted(codes: Codes, guess: Code, statement: Said) -> int:
    letters = statement.about == "letters"
    own = [(place, x) for place, x in enumerate(guess) if x.isalpha() == letters]
    fit = exactly(statement.right, [codes.holding(x) for _, x in own], codes.everything)
    if statement.placed is not None:
        fit &= exactly(
            statement.placed, [codes.having(place, x) for place, x in own], codes.everything
        )
    if statement.value:
        above = statement.value == ">"
        others = [(x, rank(x)) for x in _symbols(codes, letters=letters) if x not in guess]
        for _, wrong in own:
            refuted = [x for x, at in others if (at > rank(wrong)) != above]
            fit &= codes.holding(wrong) | ~any_of(map(codes.holding, refuted))
    return fit


def _symbols(codes: Codes, *, letters: bool) -> list[str]:
    return [x for x in codes.values() if x.isalpha() == letters]

"""Codes, and clues to them, in words."""

from __future__ import annotations

from functools import reduce

from quandary.core.words import Say

from .solver.clues import numbers_of
from .solver.codes import Clue, Kind, Said

NAMES = {1: "L", 2: "LR", 3: "LMR", 4: "lLrR"}  # of unknown numbers that have names


def kind_words(say: Say, kind: Kind, *, named: bool) -> str:
    """Return which codes there are."""
    (low, high), places = kind.bounds, kind.places
    if named and len(places) > 2:
        names = NAMES[len(places)]
        values = {"names": say.list(names[:-1]), "last": names[-1], "low": low, "high": high}
        return say(
            "{names} and {last} are whole numbers from {low} to {high}; some may be equal.",
            **values,
        )
    if named and len(places) == 2:
        return say(
            "L and R are whole numbers from {low} to {high}; they may be equal.", low=low, high=high
        )
    if named:
        return say("L is a whole number from {low} to {high}.", low=low, high=high)
    letters = len(places) - places.count("9")
    count = {"digits": places.count("9"), "letters": letters, "last": places[-1]}
    if kind.mixed and letters:
        return say(
            "The code of a lock has {digits} digits from 0 to 9 and {letters} "
            "{letters:letter|letters} from A to {last}, in any order. No digit or letter occurs "
            "twice.",
            **count,
        )
    if kind.mixed:
        return say("The code of a lock has {digits} different digits from 0 to 9.", **count)
    if places == "#":
        return say("The secret is a whole number from {low} to {high}.", low=low, high=high)
    if places == "z":
        return say(
            "The secret is one of the letters A, a, B, b, C, c and so on up to Z, z. This is also "
            "their order: each capital letter comes just before its small letter."
        )
    if len(places) == 1:
        return say("The secret is a capital letter from A to {last}.", last=places)
    pairs = {
        "9F": say(
            "The secret is a two-symbol number: a digit from 0 to 9 followed by a letter from A to "
            "F."
        ),
        "9F9": say(
            "A code consists of two numbers. The first is a digit from 0 to 9 followed by a letter "
            "from A to F; the second is a digit from 0 to 9. The two digits are different."
        ),
        "9F9F": say(
            "A code consists of two numbers. Each is a digit from 0 to 9 followed by a letter from "
            "A to F. The two digits are different; the two letters may be equal."
        ),
    }
    order = say(
        "Numbers are compared by their digits first and, if these are equal, by their letters in "
        "alphabetical order."
    )
    return say.lines(pairs[places], order)


def clue_words(say: Say, kind: Kind, clue: Clue, *, named: bool) -> str:
    """Return what a clue says, as part of a sentence."""
    parts = [_statement_words(say, kind, clue, one, named) for one in clue.said]
    return reduce(lambda one, other: say("{one}; {other}", one=one, other=other), parts)


def _statement_words(say: Say, kind: Kind, clue: Clue, statement: Said, named: bool) -> str:
    names = NAMES[len(kind.places)]
    if statement.about == "part" and len(kind.places) == 1:
        return _one_symbol(say, statement.value, number=kind.places == "#")
    if statement.about == "part":
        if named:
            return _number_compared(say, names[statement.places[0]], statement.value)
        return _part_compared(say, _part(say, kind.places, statement.places), statement.value)
    if statement.about in ("digits", "letters"):
        wrong = (
            sum(x.isalpha() == (statement.about == "letters") for x in clue.guess) - statement.right
        )
        counted = _counted(say, statement)
        other = _others(say, statement.about + statement.value, wrong)
        return say("{one}, {other}", one=counted, other=other) if statement.value else counted
    if statement.about == "between":
        one, other = sorted(statement.value)
        return say(
            "the letter of the code comes after {one} and before {other}", one=one, other=other
        )
    if statement.about == "odd":
        if not statement.right:
            return say("no odd number is right")
        return say("{right} {right:odd number is|odd numbers are} right", right=statement.right)
    if statement.about == "even":
        if not statement.right:
            return say("no even number is right")
        return say("{right} {right:even number is|even numbers are} right", right=statement.right)
    if statement.about == "rising":
        return " < ".join(names[place] for place in statement.places)
    values = {
        "names": say.list(names[place] for place in statement.places),
        "value": statement.value,
    }
    count = len(statement.places)
    return {
        "is_odd": say("{names} {count:is|are} odd", count=count, names=values["names"]),
        "is_even": say("{names} {count:is|are} even", count=count, names=values["names"]),
        "above": say("{names} is greater than {value}", **values),
        "below": say("{names} is less than {value}", **values),
        "equal": say("{names} is {value}", **values),
        "different": say("{names} are all different", names=values["names"]),
    }[statement.about]


def _one_symbol(say: Say, sign: str, *, number: bool) -> str:
    if number:
        return say("the secret is less") if sign == "<" else say("the secret is greater")
    return say("the secret comes earlier") if sign == "<" else say("the secret comes later")


def _number_compared(say: Say, name: str, sign: str) -> str:
    if sign == "=":
        return say("{name} is right", name=name)
    if sign == "<":
        return say("{name} is too large", name=name)
    return say("{name} is too small", name=name)


def _part_compared(say: Say, part: str, sign: str) -> str:
    if sign == "=":
        return say("{part} is right", part=part)
    if sign == "<":
        return say("{part} is too large", part=part)
    return say("{part} is too small", part=part)


def _part(say: Say, places: str, some: tuple[int, ...]) -> str:
    numbers = numbers_of(places)
    which = next(index for index, number in enumerate(numbers) if some[0] in number)
    whole = say("the second number") if which else say("the first number")
    if some == numbers[which]:
        return whole
    is_digit = places[some[0]] == "9"
    if len(numbers) == 1:
        return say("the digit") if is_digit else say("the letter")
    if is_digit:
        return say("the digit of {number}", number=whole)
    return say("the letter of {number}", number=whole)


def _counted(say: Say, statement: Said) -> str:
    right, placed = statement.right, statement.placed
    letters = statement.about == "letters"
    if not right:
        return say("no letter is right") if letters else say("no digit is right")
    noun = say("{right} {right:digit is|digits are} right", right=right)
    if letters:
        noun = say("{right} {right:letter is|letters are} right", right=right)
    if placed is None:
        return noun
    if placed == 0:
        return say("{noun}, but in the wrong place", noun=noun)
    if placed == right:
        return say("{noun} and in the right place", noun=noun)
    return say("{noun}, {placed} of them in the right place", noun=noun, placed=placed)


def _others(say: Say, what: str, wrong: int) -> str:
    return {
        "digits<": say("{wrong:the wrong one is|the wrong ones are} too large", wrong=wrong),
        "digits>": say("{wrong:the wrong one is|the wrong ones are} too small", wrong=wrong),
        "letters<": say("{wrong:the wrong one is|the wrong ones are} too late", wrong=wrong),
        "letters>": say("{wrong:the wrong one is|the wrong ones are} too early", wrong=wrong),
    }.get(what, "")

"""Cryptanalysis by writing down every code and crossing out those that a clue refutes."""

from __future__ import annotations

from functools import cache
from itertools import permutations, product
from string import ascii_letters, ascii_uppercase, digits
from typing import Any

DIGITS, LETTERS = frozenset(digits), frozenset(ascii_uppercase)
BOTH_CASES = "".join(sorted(ascii_letters, key=lambda letter: (letter.lower(), letter.islower())))


def work(instance: Any) -> tuple[list[Any], list[Any]]:
    left, process = every_code(instance.kind), []
    for clue in instance.clues:
        left = [code for code in left if all(_true(code, clue.guess, one) for one in clue.said)]
        columns = [sorted(set(column)) for column in zip(*left, strict=True)]
        known = [column[0] if len(column) == 1 else "*" for column in columns]
        if instance.family == "d":
            one = [code[0] for code in left]
            process.append(known if len(known) > 1 else one)
        elif len(known) == 1 or instance.kind.places == "9F":
            spelled = ["".join(code) for code in left]
            process.append(spelled if len(spelled) == 1 else [spelled[0], spelled[-1]])
        else:
            process.append("".join(known))
    return ([process[-1]] if isinstance(process[-1], str) else process[-1]), process


@cache
def every_code(kind: Any) -> list[tuple[str, ...]]:
    if kind.mixed:
        letters = kind.places.replace("9", "")
        pool = digits + ascii_uppercase[: ascii_uppercase.index(letters[0]) + 1 if letters else 0]
        return [
            code
            for code in permutations(pool, len(kind.places))
            if sum(map(str.isdigit, code)) == kind.places.count("9")
        ]
    columns = []
    for last in kind.places:
        if last == "#":
            columns.append([str(number) for number in range(kind.bounds[0], kind.bounds[1] + 1)])
        else:
            row = BOTH_CASES if last == "z" else digits if last == "9" else ascii_uppercase
            columns.append(list(row[: row.index(last) + 1]))
    codes = product(*columns)
    if kind.unrepeated:
        return [code for code in codes if len(set(digits) & set(code)) == kind.places.count("9")]
    return list(codes)


def _true(code: tuple[str, ...], guess: tuple[str, ...], said: Any) -> bool:
    about, value = said.about, said.value
    if about == "part":
        one, other = ([_order(row[place]) for place in said.places] for row in (code, guess))
        return {"<": one < other, "=": one == other, ">": one > other}[value]
    if about in ("digits", "letters"):
        return _counts(code, guess, said)
    if about in ("odd", "even"):
        pairs = [pair for pair in zip(code, guess, strict=True) if _is_odd(pair[1], about == "odd")]
        return [one == other for one, other in pairs].count(True) == said.right
    if about == "between":
        return all(min(value) < letter < max(value) for letter in code if letter.isalpha())
    numbers = [int(code[place]) for place in said.places]
    if about == "rising":
        truth = numbers == sorted(set(numbers))
    elif about == "different":
        truth = len(set(numbers)) == len(numbers)
    elif about in ("is_odd", "is_even"):
        truth = all(_is_odd(number, about == "is_odd") for number in numbers)
    else:
        bound = int(value)
        truth = {"above": numbers[0] > bound, "below": numbers[0] < bound}.get(
            about, numbers[0] == bound
        )
    return truth == bool(said.right)


def _counts(code: tuple[str, ...], guess: tuple[str, ...], said: Any) -> bool:
    own = LETTERS if said.about == "letters" else DIGITS
    guessed, inside = own.intersection(guess), own.intersection(code)
    if len(guessed & inside) != said.right:
        return False
    placed = [x for x, y in zip(code, guess, strict=True) if x == y and x in own]
    if said.placed is not None and len(placed) != said.placed:
        return False
    pairs = product(inside - guessed, guessed - inside)
    return not said.value or all((x > y) == (said.value == ">") for x, y in pairs)


def _is_odd(number: str | int, wanted: bool) -> bool:
    return (str(number)[-1] in "13579") == wanted


def _order(symbol: str) -> int:
    return int(symbol) if symbol.isdigit() else BOTH_CASES.index(symbol)

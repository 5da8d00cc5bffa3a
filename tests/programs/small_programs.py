"""A good program for each of ten puzzles, and a slip that makes it fail.

The slip is a small change of its text, as models and people make them.
"""

from __future__ import annotations

from typing import NamedTuple

from quandary.core.contract import Cause


class Small(NamedTuple):
    """A program for one puzzle."""

    level: str
    code: str
    right: str  # a piece of the code
    wrong: str  # what stands there instead after the slip
    cause: Cause  # by which it then loses
    words: str = ""  # of the record, in part
    always_solves: bool = False
    seconds: float = 60.0  # of processor time until the slip fails; good programs have the usual

    @property
    def faulty(self) -> str:
        assert self.code.count(self.right) == 1
        return self.code.replace(self.right, self.wrong)


SMALL = {
    # It forgets that a card can be played once.
    "card_nim": Small(
        "easy",
        """
class Player:
    def play(self, view):
        hand = view["hands"][view["seat"]]
        return min(card for card in hand if card <= view["stones"])
""",
        'view["hands"][view["seat"]]',
        "range(1, 99)",
        "illegal",
        "1",
    ),
    # It is all right until it holds a card without a picture.
    "beat_or_bomb_sto": Small(
        "normal",
        """
NAMES = {1: "A", 11: "J", 12: "Q", 13: "K"}

class Player:
    def play(self, view):
        card = max(view["hands"])
        return f"{NAMES.get(card, card)} {'compete' if card > 4 else 'give up'}"
""",
        "NAMES.get(card, card)",
        "NAMES[card]",
        "crash",
        "KeyError: ",
    ),
    # It looks at the same cell again and again if the first one does not match.
    "superply": Small(
        "easy",
        """
NUMBERS = {
    "sum": lambda row, column: row + column,
    "product": lambda row, column: row * column,
    "difference": lambda row, column: abs(row - column),
}
TESTS = {
    "less": lambda number, low: number < low,
    "greater": lambda number, low: number > low,
    "digit": lambda number, low: str(low) in str(number),
    "even": lambda number: number % 2 == 0,
    "odd": lambda number: number % 2 == 1,
    "between": lambda number, low, high: low <= number <= high,
}

class Player:
    def play(self, view):
        board, hint = view["board"], view["hint"]
        size, place = len(board), 0
        while True:
            row, column = divmod(place, size)
            number = NUMBERS[hint["reckoning"]](row + 1, column + 1)
            if board[row][column] == "." and TESTS[hint["test"]](number, *hint["limits"]):
                return f"{row + 1} {column + 1}"
            place += 1
""",
        "            place += 1\n",
        "",
        "timeout",
        "more than 0.2 s",
        seconds=0.2,
    ),
    # It does not see that a bag has become empty.
    "larger_target": Small(
        "easy",
        """
class Player:
    def play(self, view):
        return view["empty"].index(False)
""",
        'view["empty"].index(False)',
        "0",
        "illegal",
        "0",
    ),
    # It spends what the richer player has.
    "bid_that": Small(
        "easy",
        """
class Player:
    def play(self, view):
        return view["funds"][view["seat"]]
""",
        'view["funds"][view["seat"]]',
        'max(view["funds"])',
        "illegal",
    ),
    # It asks for a part of a ruby.
    "ruby_risks": Small(
        "easy",
        """
class Player:
    def play(self, view):
        left = view["boxes"] - len(view["log"])
        return view["rubies"] // (view["boxes"] + 1) if left else 0
""",
        "//",
        "/",
        "unreadable",
    ),
    # It keeps all boards instead of going on with one.
    "sudoku": Small(
        "easy",
        """
from itertools import product

def fits(cells, place, digit):
    row, column = divmod(place, 4)
    return not any(
        cells[other] == digit
        for other in range(16)
        if other // 4 == row or other % 4 == column
        or (other // 8, other % 4 // 2) == (row // 2, column // 2)
    )

def solutions(cells):
    if "." not in cells:
        yield cells
        return
    place = cells.index(".")
    for digit in "1234":
        if fits(cells, place, digit):
            yield from solutions(cells[:place] + digit + cells[place + 1 :])

class Player:
    def play(self, view):
        cells = view["cells"]
        solved = next(solutions(cells))
        place = cells.index(".")
        return f"{place // 4} {place % 4} {solved[place]}"
""",
        "next(solutions(cells))",
        'next(board for board in list(product("1234", repeat=16)) if board)',
        "memory",
        always_solves=True,
    ),
    # It draws the map once for each of its tiles, and once more for each pair of them.
    "islands": Small(
        "easy",
        """
class Player:
    def play(self, view):
        size, land = view["size"], view["smallest"]
        tiles = "#" * land + "." * (size * size - land)
        rows = [tiles[start : start + size] for start in range(0, size * size, size)]
        return "\\n".join(rows)
""",
        "join(rows)",
        "join(rows * size**6)",
        "flood",
        "a reply of more than 1,048,576 bytes",
        always_solves=True,
    ),
    # It forgets to return what it has found.
    "anagram_scribble": Small(
        "easy",
        """
WORDS = "amour kempt bred dove ovine dinghy verb herd cube hairs peeve kerb vexed ride".split()

class Player:
    def play(self, view):
        tiles, length = set(view["tiles"]), view["length"]
        return next(word for word in WORDS if len(word) == length and tiles >= set(word))
""",
        "return next(",
        "next(",
        "unreadable",
        "no move: None",
        always_solves=True,
    ),
    # It leaves out brackets that Python wants.
    "game_of_24": Small(
        "easy",
        """
import re
from fractions import Fraction
from itertools import permutations

def ways(one, other):
    yield one + other, "+"
    yield one - other, "-"
    yield one * other, "*"
    if other:
        yield one / other, "/"

def plan(numbers):
    if len(numbers) == 1:
        return [] if numbers[0] == 24 else None
    for one, other, *rest in permutations(numbers):
        for value, sign in ways(one, other):
            later = plan([value, *rest])
            if later is not None:
                return [f"{shown(one)} {sign} {shown(other)}", *later]
    return None

def shown(value):
    return str(value) if value.denominator == 1 and value >= 0 else f"({value})"

def value_of(expression):
    return eval(re.sub(r"\\d+", r"Fraction(\\g<0>)", expression))

class Player:
    def play(self, view):
        numbers = sorted((value_of(each) for each in view["expressions"]), key=abs)
        return plan(numbers)[0]
""",
        '(value_of(each) for each in view["expressions"])',
        'value_of(each) for each in view["expressions"]',
        "syntax",
        "Generator expression must be parenthesized",
        always_solves=True,
    ),
}

"""Can the numbers still make the target?"""

from __future__ import annotations

import ast
from fractions import Fraction
from functools import cache
from itertools import permutations
from typing import Any


def is_solvable(position: Any) -> bool:
    values = [_value(ast.parse(text, mode="eval").body) for text in position.expressions]
    return _makes(tuple(sorted(values)), Fraction(position.target))


def _value(tree: ast.expr) -> Fraction:
    match tree:
        case ast.Constant(value=int(number)):
            return Fraction(number)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand)
        case ast.BinOp(left=left, op=sign, right=right):
            one, two = _value(left), _value(right)
            match sign:
                case ast.Add():
                    return one + two
                case ast.Sub():
                    return one - two
                case ast.Mult():
                    return one * two
                case ast.Div():
                    return one / two
    raise ValueError(f"no expression: {ast.dump(tree)}")


@cache
def _makes(values: tuple[Fraction, ...], target: Fraction) -> bool:
    """By trying every step."""
    if len(values) == 1:
        return values[0] == target
    for one, two in permutations(range(len(values)), 2):
        a, b = values[one], values[two]
        left = [value for place, value in enumerate(values) if place not in (one, two)]
        made = {a + b, a - b, a * b} | ({a / b} if b else set())
        if any(_makes(tuple(sorted([*left, value])), target) for value in made):
            return True
    return False

"""Reads the published prompts of combinatorial calculation (组合计算)."""

from __future__ import annotations

import re

from quandary.papers.logicgame.prompts import NotRead, found, not_understood, task_of
from quandary.papers.logicgame.wordings import reads
from quandary.puzzles.questions.planning.combinatorial_calculation import CombinatorialCalculation

TARGET = r"(?:the final result should be|resulting in|最终凑出) ?(\d+)(?=[.。])"
GIVEN = r"^(?:Input: |输入：)(\d+(?:, \d+)*)$"
BOUNDS = (
    r"Given (?P<en>\w+) integers between (?P<low>\d+) and (?P<high>\d+),|"
    r"给定(?P<zh>\w)个(?P<least>\d+)~(?P<most>\d+)之间的整数，"
)
SIGNS = {  # the operators that are named, and whether × is among them
    r"\(addition, subtraction, multiplication, division, and parentheses\)": "+-*/",
    r"\(\+- ?\*/and \(\)\)|（＋－\* /和（）运算）": "+-*/",
    r"\(\+- × ÷ and \(\) operations\)|（＋－×÷和（）运算）": "+-*/",
    r"\(\+- ÷ and \(\), without multiplication\)|（＋－÷和（）运算，不使用乘法运算）": "+-/",
}
DIVISION = r"and division \(÷\) must be used|并且除法（÷）必须使用"
COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "两": 2, "三": 3, "四": 4, "五": 5}


@reads(TARGET, GIVEN)
def read(prompt: str, level: int) -> CombinatorialCalculation:
    task = task_of(prompt)
    numbers = tuple(map(int, _one(f"(?m){GIVEN}", task).split(",")))
    target = int(_one(TARGET, task))
    bounds = [group for group in found(BOUNDS, task).groups() if group]
    if COUNTS.get(bounds[0]) != len(numbers):
        raise NotRead(f"it announces {bounds[0]} numbers and gives {len(numbers)}")
    if not all(int(bounds[1]) <= number <= int(bounds[2]) for number in numbers):
        raise NotRead(f"not all numbers are from {bounds[1]} to {bounds[2]}")
    allowed = [signs for pattern, signs in SIGNS.items() if re.search(pattern, task)]
    if len(allowed) != 1:
        raise not_understood(task.strip().splitlines()[0])
    forbidden = "".join(sign for sign in "+-*/" if sign not in allowed[0])
    required = "/" if re.search(DIVISION, task) else ""
    family = "b" if forbidden or required else "a"
    made = CombinatorialCalculation(family, level, numbers, target, forbidden, required)
    if not made.right_answers():
        raise NotRead("no expression reaches the target")
    return made


def _one(pattern: str, task: str) -> str:
    text: str = next(filter(None, found(pattern, task).groups()))
    return text

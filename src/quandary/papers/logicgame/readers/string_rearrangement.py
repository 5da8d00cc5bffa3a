"""Reads the published prompts of string rearrangement."""

from __future__ import annotations

import re

from quandary.papers.logicgame.prompts import NotRead, check_known, found, not_understood, task_of
from quandary.papers.logicgame.wordings import reads
from quandary.puzzles.questions.execution.string_rearrangement import StringRearrangement
from quandary.puzzles.questions.execution.string_rearrangement.solver import FORMATS, format_of

TASK = (
    r"(?:Define|Definition of) (?:the )?(?P<en>reverse|integration) operation: Given a "
    r"(?:certain )?number,? [^\n]*(?:new number|new one)\.|"
    r"定义(?P<zh>反转|整合)操作: 给定一个数，[^\n]*得到一个新数。"
)
FAMILIES = {"reverse": "a", "反转": "a", "integration": "b", "整合": "b"}
NUMBER = r"-?\d+(?:\.\d+)?(?:[-+]\d+(?:\.\d+)?i|/\d+|%)?"
NUMBERS = (
    rf"(?:The (?:current|given) numbers? (?:is|are) |现有数)"
    rf"(?P<numbers>{NUMBER}(?:(?:, and | and |, |，){NUMBER})*)"
    r"(?:\. What (?:is|are|will) the (?:respective |consolidated |reversed )*numbers?"
    r"(?: be)?(?: after (?:it is reversed|they are reversed|integration|integrating))?"
    r"(?: respectively)?\?|，?请问(?:反转|整合)后的数字(?:分别)?是多少\?)"
)
PERCENTAGE = (
    r"The numerator of a percentage must be an integer, and only the numeric part of the "
    r"percentage is changed\.|The percentage only changes the numerical part, and its numerator "
    r"must be an integer\.|百分数的分子一定是整数，百分数只改变数字部分。"
)
SIGN = r"并将虚部前的符号改变\(由\+变成-，由-变成\+\)，不改变符号\"i\"。"
# Family -> what the rules say, in the order of their numbers.
RULES = {
    "a": {
        "integer": r"An integer reversal is to swap all its digits\.|整数反转是将所有数位对调。",
        "decimal": (
            r"A [dD]ecimal reversal is to reverse digits of its integer part first, then reverse "
            r"digits of its decimal parts without swapping its integer part with the decimal "
            r"part\.|"
            r"小数反转是把整数部分的数反转，再将小数部分的数反转，不交换整数部分与小数部分。"
        ),
        "fraction": (
            r"A fraction reversal is to reverse digits of its denominator and numerator "
            r"respectively without swapping the numerator and the denominator\.|"
            r"分数反转是把分母的数反转，再把分子的数反转，不交换分子与分母。"
        ),
        "percentage": PERCENTAGE,
        "complex": (
            r"For a complex number, reverse digits of the real part and the imaginary part "
            r"respctively according to above rules, and change the symbol of the inmaginary part "
            r"\(from \+ to -, or from - to \+\) without changing the 'i' symbol\.|"
            rf"复数将实部和虚部的数字分别按照上述规则进行翻转，{SIGN}"
        ),
    },
    "b": {
        "integer": (
            r"Integer integration is the (?:addition of the numbers on all integer digits|"
            r"process of adding up the digits of all integers)\.|"
            r"整数整合是将所有整数数位上的(?:数相加得到的一个数|数字相加)。"
        ),
        "decimal": (
            r"Decimal integration is the process of (?:adding the integer parts of a number and "
            r"then adding the decimal parts of the number|integrating the integer part of a "
            r"number, followed by the decimal part, without swapping the integer and decimal "
            r"parts)\.|"
            r"小数整合是把整数部分的数(?:相加，再将小数部分的数相加|整合，再将小数部分的数整合，"
            r"不交换整数部分与小数部分)。"
        ),
        "fraction": (
            r"Fraction integration is the process of (?:adding the denominators and then adding "
            r"the numerator numbers|integrating the denominator numbers and then the numerator "
            r"numbers without swapping the numerator and denominator)\.|"
            r"分数整合是把分母的数(?:相加，再把分子的数相加|整合，再把分子的数整合，"
            r"不交换分子与分母)。"
        ),
        "percentage": PERCENTAGE,
        "complex": (
            r"Complex numbers integrate the numbers of the real and imaginary parts according to "
            r"the above rules, and change the sign before the imaginary part \(from\+to -, "
            r"from - to\+\), without changing the sign \"i\"\.|"
            rf"复数将实部和虚部的数字分别按照上述规则进行整合，{SIGN}"
        ),
    },
}


@reads(NUMBERS)
def read(prompt: str, level: int) -> StringRearrangement:
    task = task_of(prompt)
    given = found(NUMBERS, task)
    if task[: given.start()].strip() == "":
        raise NotRead("its rules are missing")
    named = found(TASK, task)
    family = FAMILIES[named["en"] or named["zh"]]
    lines = [line.strip() for line in task[named.end() : given.start()].splitlines()]
    rules = list(filter(None, lines))
    for number, line in enumerate(rules, start=1):
        words = list(RULES[family].values())[number - 1 : number]
        if not words or not re.fullmatch(rf"{number}\. (?:{words[0]})", line):
            raise not_understood(line)
    check_known(task[: named.start()] + task[given.end() :], ())
    numbers = tuple(re.findall(NUMBER, given["numbers"]))
    if set(map(format_of, numbers)) != set(FORMATS[: len(rules)]):
        raise NotRead(f"it has {len(rules)} rules, not those of its numbers")
    return StringRearrangement(family, level, len(rules), numbers)

"""Reads the published prompts of string splitting."""

from __future__ import annotations

import re

from quandary.papers.logicgame.prompts import NotRead, check_known, found, task_of
from quandary.papers.logicgame.wordings import reads
from quandary.puzzles.questions.execution.string_splitting import StringSplitting
from quandary.puzzles.questions.execution.string_splitting.solver import Cut, Side

TASK = (
    r"Divide the string gradually from right to left according to the following rules\.|"
    r"Split the string step by step according to the following rules?, following a left-to-right "
    r"direction\.|According to the following rules, split the string step by step, following "
    r"(?:a (?:left-to-right|right-to-left) direction|the direction from right to left)\.|"
    r"根据以下规则逐步分割字符串，分割过程遵循从(?:右向左|左向右)的方向。"
)
NOTHING_ELSE = (
    r"Except for given rules, strings should not be randomly divided into different groups for any "
    r"other reason\.|Do not (?:cut|split) the string for any reason other than the given rules?\.|"
    r"Apart from the given rules, do not (?:arbitrarily )?split the string (?:into different "
    r"groups )?for any other reason\.|"
    r"除了给定规则外，不能因为其他原因随意切割字符串(?:成不同小组|成不同的组)?。"
)
STRING = r"(?:Provide (?:the )?string: |给出字符串：)(?P<string>[A-Z\d]+)\b\.?"
# The rules that name no letters.
KNOWN = {
    r"If a (?:number|digit) is adjacent to a letter (?:to the left|on its left side), "
    r"(?:cut it in front of the number|split before the digit)\.|"
    r"如果一个数字左侧与字母相邻，则在数字前面进行切割。": Cut("before", "digit", "letter"),
    r"If a digit is adjacent to letters on both its left and right sides, cut it in front of the "
    r"number\.|如果一个数字左侧和右侧都与字母相邻，则在数字前面进行切割。": Cut(
        "before", "digit", "letter", "letter"
    ),
    r"If a letter is adjacent to a digit on its left side, split before the letter\.|"
    r"如果一个字母左侧与数字相邻，则在字母前面进行切割。": Cut("before", "letter", "digit"),
    r"If the digit 1 is adjacent to another digit on its right side, split after the digit 1\.|"
    r"如果数字1右侧与数字相邻，则在该数字1后面进行切割。": Cut("after", "1", right="digit"),
    r"If a letter is adjacent to the letter B on both its left and right sides, split the string "
    r"before that letter\.|如果一个字母左侧和右侧都与字母B相邻，则在该字母前面进行切割。": Cut(
        "before", "letter", "B", "B"
    ),
}
BESIDE = (
    r"Split (?P<side>before|after) the (?:letter|string) (?P<what>[A-Z]+)\.|"
    r"在(?:字母|字符串)(?P<zh_what>[A-Z]+)(?P<zh_side>[前后])面进行切割。"
)
SIDES: dict[str, Side] = {"before": "before", "after": "after", "前": "before", "后": "after"}
NUMBER = r"(?:(?P<number>\d)\. )?"  # one prompt has no number for its only rule


@reads(BESIDE, STRING)
def read(prompt: str, level: int) -> StringSplitting:
    task = task_of(prompt)
    rule = f"{NUMBER}(?P<rule>{'|'.join([*KNOWN, BESIDE])})"
    check_known(task, (TASK, NOTHING_ELSE, rule, STRING))
    matches = list(re.finditer(rule, task))
    numbers = [int(match["number"] or 1) for match in matches]
    if not matches or numbers != list(range(1, len(matches) + 1)):
        raise NotRead(f"its rules have the numbers {numbers}")
    cuts = tuple(_cut(match["rule"]) for match in matches)
    string = found(STRING, task)["string"]
    has_digits = any(one.isdigit() for one in string)
    return StringSplitting("a" if has_digits else "b", level, cuts, string)


def _cut(rule: str) -> Cut:
    if beside := re.fullmatch(BESIDE, rule):
        side = SIDES[beside["side"] or beside["zh_side"]]
        return Cut(side, beside["what"] or beside["zh_what"])
    return next(cut for words, cut in KNOWN.items() if re.fullmatch(words, rule))

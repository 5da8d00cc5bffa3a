"""Reads the published prompts of string insertion.

They do not say whether a letter is inserted at every place of a pattern or at the first one, so a
prompt is read only if there is never more than one.  All numbered instructions count: some prompts
announce four and give five.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from quandary.papers.logicgame.prompts import NotRead, check_known, found, task_of
from quandary.papers.logicgame.wordings import reads
from quandary.puzzles.questions.execution.string_insertion import StringInsertion
from quandary.puzzles.questions.execution.string_insertion.solver import Insertion, Side, inserted

RULE = (
    r"(?P<number>\d)\. (?:If (?:there is a|the string contains the) substring (?P<en>[A-E]+)"
    r"(?: in the string)?, insert the character (?P<new>[A-E]) (?P<where>before|after) "
    r"(?:the|this|that) substring\.|"
    r"若字符串中有子字符串(?P<zh>[A-E]+)，则在该子字符串(?P<side>[前后])面插入字符(?P<letter>[A-E]))"
)
SIDES: dict[str, Side] = {"before": "before", "after": "after", "前": "before", "后": "after"}
STRING = (
    r"(?:Question: Given the string (?P<en>[A-E]+), (?:what will the string be after one operation "
    r"T\?|the string after one operation T is\?)|"
    r"问题: 给定字符串(?P<zh>[A-E]+)，进行一次操作T后字符串为\?)"
)
TASK = (
    r"Given a string (?:consisting|composed) of A(?:, [B-D])*, and [C-E], define (?:the T operation"
    r"|operation T) (?:as executing|to execute) the following (?:instruction|\w+ instructions in "
    r"order):|给定一个由A(?:，[B-E])+构成的字符串，定义操作T为(?:按顺序)?执行下面(?:.个)?指令:"
)


@reads(RULE, STRING)
def read(prompt: str, level: int) -> StringInsertion:
    task = task_of(prompt)
    check_known(task, (TASK, RULE, STRING))
    asked = found(STRING, task)
    rules = list(re.finditer(RULE, task))
    numbers = [int(rule["number"]) for rule in rules]
    if not rules or numbers != list(range(1, len(rules) + 1)):
        raise NotRead(f"its instructions have the numbers {numbers}")
    instructions = tuple(
        Insertion(
            rule["en"] or rule["zh"],
            rule["new"] or rule["letter"],
            SIDES[rule["where"] or rule["side"]],
        )
        for rule in rules
    )
    string = asked["en"] or asked["zh"]
    _check_places(string, instructions)
    is_a = all(len(rule.pattern) == 3 and rule.side == "after" for rule in instructions)
    return StringInsertion("a" if is_a else "b", level, instructions, string)


def _check_places(string: str, instructions: Sequence[Insertion]) -> None:
    for rule in instructions:
        places = len(re.findall(f"(?={rule.pattern})", string))
        if places > 1:
            raise NotRead(f"it does not say at which of {places} places of {rule.pattern}")
        string = inserted(rule, string) or string

"""Reads the published prompts of character search.

The English text calls a move towards z "backward" and one towards a "forward", as its own example
and the Chinese text (向后, 向前) show.
"""

from __future__ import annotations

import re

from quandary.papers.logicgame.prompts import found, not_understood, task_of
from quandary.papers.logicgame.wordings import reads
from quandary.puzzles.questions.execution.character_search import WAYS, CharacterSearch

EACH_ON = r"moving each letter of the given string backward by (\w+) bits|每个字母向后移动(\d+)位"
EACH_BACK = (
    r"shifting each letter of the original string (\w+) positions forward|每个字母向前移动(\d+)位"
)
IN_TURN = (
    r"odd positions in the original string (\w+) positions forward and the letters at even "
    r"positions \1 positions backward\. The positions in the string start from 1|"
    r"奇数位字母向前移动(\d+)位，偶数位字母向后移动\2位形成的，字符串位数由1开始"
)
FAMILIES = {EACH_ON: "a", EACH_BACK: "b", IN_TURN: "c"}
NUMBERS = {"three": 3}
CIRCLE = r"z is before a\b|letter before 'a' is 'z'|z的下一个字母是a|a的上一位字母是z"
WORD = r"(?:encrypted string(?: is known as| is)? |加密后的字符串为)([a-z]+)(?:\.|, please|，请你)"


@reads(WORD)
def read(prompt: str, level: int) -> CharacterSearch:
    question = task_of(prompt)
    found(CIRCLE, question)
    tasks = [
        (family, next(filter(None, match.groups())))
        for pattern, family in FAMILIES.items()
        if (match := re.search(pattern, question))
    ]
    if len(tasks) != 1:
        raise not_understood(question.splitlines()[0])
    ((family, word),) = tasks
    distance = NUMBERS.get(word) or int(word)
    shifts = tuple(way * distance for way in WAYS[family])
    return CharacterSearch(family, level, found(WORD, question)[1], shifts)

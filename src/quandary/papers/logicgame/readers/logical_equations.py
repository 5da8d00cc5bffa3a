"""Reads the published prompts of logical equations (逻辑等式).

"Each representing one of the numbers" is read such that every number belongs to one letter;
otherwise letters that no relation names could not be found.
"""

from __future__ import annotations

import re

from quandary.papers.logicgame.prompts import NotRead, found, not_understood, task_of
from quandary.papers.logicgame.wordings import reads
from quandary.puzzles.questions.planning.logical_equations import LogicalEquations
from quandary.puzzles.questions.planning.logical_equations.solver.relations import Relation, Side
from quandary.puzzles.questions.planning.logical_equations.words import LETTERS

LETTER_LIST = r"(?:There are \w+ letters,?|有) ?(A(?:,? (?:and )?[B-G]\b|,[B-G])+)"
NUMBER_LIST = (
    r"(?:one of the numbers|a number from|分别代表数字) ?"
    r"(\d+(?:(?:,? and | or |, |，)\d+)+|\d+ to \d+)(?=\. |, respectively\. |中的一个)"
)
RELATION = r"^\d\. ([^\n]+)$|\[\d\]  ([^.\n]+)\."
TERM = re.compile(r"([-+]?)(\d*)([A-G]*)")
SIGNS = {"=": "=", "≠": "≠", "不等于": "≠", ">": ">", "＞": ">"}
STATEMENTS = {
    r"([A-G]) ?(?:is not the largest|不是最大的)": "not_largest",
    r"([A-G]) is a factor of ([A-G])|([A-G])是([A-G])的因数": "divides",
}


@reads(NUMBER_LIST, RELATION)
def read(prompt: str, level: int) -> LogicalEquations:
    task = task_of(prompt)
    letters = re.findall("[A-G]", found(LETTER_LIST, task)[1])
    numbers = _numbers(found(NUMBER_LIST, task)[1])
    if letters != list(LETTERS[: len(numbers)]):
        raise NotRead(f"it has {len(letters)} letters and {len(numbers)} numbers")
    relations = [_relation(one[1] or one[2]) for one in re.finditer(f"(?m){RELATION}", task)]
    if not relations:
        raise NotRead("its relations are not numbered one by one")
    if any(letter >= len(letters) for one in relations for letter in one.letters):
        raise NotRead("a relation names a letter that is not listed")
    family = "a" if len(set(numbers)) == len(numbers) else "b"
    made = LogicalEquations(family, level, numbers, tuple(relations))
    if made.solutions() != 1:
        raise NotRead(f"{made.solutions()} solutions fit")
    return made


def _numbers(text: str) -> tuple[int, ...]:
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    return tuple(range(numbers[0], numbers[1] + 1) if " to " in text else sorted(numbers))


def _relation(text: str) -> Relation:
    for pattern, kind in STATEMENTS.items():
        if match := re.fullmatch(pattern, text):
            named = [LETTERS.index(letter) for letter in match.groups() if letter]
            return Relation(kind, *(((1, (letter,)),) for letter in named))
    parts = re.fullmatch(rf"([^=]+?) ?({'|'.join(SIGNS)}) ?([^=]+)", text)
    if parts is None:
        raise not_understood(text)
    return Relation(SIGNS[parts[2]], _side(parts[1]), _side(parts[3]))


def _side(text: str) -> Side:
    side, place, packed = list[tuple[int, tuple[int, ...]]](), 0, text.replace(" ", "")
    while place < len(packed):
        match = TERM.match(packed, place)
        if match is None or not (match[2] or match[3]) or (side and not match[1]):
            raise not_understood(text)
        letters = tuple(LETTERS.index(letter) for letter in match[3])
        side.append((int(match[1] + (match[2] or "1")), letters))
        place = match.end()
    return tuple(side)

"""Reads the published prompts of path movement."""

from __future__ import annotations

import re

from quandary.papers.logicgame.prompts import (
    LETTER_ROW,
    NotRead,
    check_known,
    found,
    letter_rows,
    task_of,
)
from quandary.papers.logicgame.wordings import reads
from quandary.puzzles.questions.execution.path_movement import (
    COMMANDS,
    EMPTY,
    PIECE,
    TRAP,
    PathMovement,
)

PIECE_IS = r"B is the current position\.|B为当前所处位置"
MEANING = (
    r"(?:The [\"'])?([ijkl])(?:[\"'] (?:command|instruction) (?:represents|means) "
    r"(?:moving|to move) |指令代表向)(up|down|left|right|[上下左右])(?:\.|移动)"
)
WAYS = {"上": "up", "下": "down", "左": "left", "右": "right"}
EDGE = (
    r'If "B" moves outside the matrix boundary, it will (?:re)?appear from the opposite boundary\.?'
    r'|如果"B"移动到矩阵边界外，它将从相反边界出现'
)
TRAP_IS = (
    r'If a command causes "B" to move to "X," "B" will stay on "X," and subsequent commands will '
    r'not move it\.|如果指令导致"B"移动到"X"，"B"将停留在"X"，后续指令不移动。'
)
ASKED = (
    r"(?:(?:If the given|Given the) (?:command|instruction)(?: is)? \"?|现在给出指令为)"
    r"([ijkl]+),\"? "
    r"(?:then the position of B after moving will be"
    r"|what will be (?:the position of B|B's position) after (?:each|the) move"
    r"|则(?:每步)?移动后B所处位置为)\?"
)


@reads(LETTER_ROW, ASKED)
def read(prompt: str, level: int) -> PathMovement:
    grid, text = letter_rows(task_of(prompt))
    check_known(text, (PIECE_IS, MEANING, EDGE, TRAP_IS, ASKED))
    letters = "".join(map("".join, grid))
    has_trap = re.search(TRAP_IS, text) is not None
    if letters.count(PIECE) != 1 or letters.count(TRAP) != has_trap:
        raise NotRead(f"its grid has {letters.count(PIECE)} B and {letters.count(TRAP)} X")
    if odd := set(letters) - {EMPTY, PIECE, TRAP}:
        raise NotRead(f"not a letter of the rules: {min(odd)}")
    found(EDGE, text)
    ways = {letter: WAYS.get(way, way) for letter, way in re.findall(MEANING, text)}
    family = next((name for name, known in COMMANDS.items() if known == ways), None)
    if family is None:
        raise NotRead(f"no family has these commands: {ways}")
    return PathMovement(family, level, grid, found(ASKED, text)[1])

"""Reads the published prompts of lights out.

The last one of the lamps with colours announces four buttons, and describes and presses three.
"""

from __future__ import annotations

import re
from string import ascii_uppercase

from quandary.papers.logicgame.prompts import NotRead, check_known, found, not_understood, task_of
from quandary.papers.logicgame.wordings import reads
from quandary.puzzles.questions._shared.boards import is_on
from quandary.puzzles.questions.execution.lights_out import STATES, LightsOut

FAMILIES = {
    r"There is an n\*n grid .*A lit light is represented by 1, and an unlit light is represented "
    r"by 0\..*|有一个n\*n的网络，.*亮着灯用1表示，不亮的用0表示着。.*": "a",
    r"There is an n\*n grid .*red represented by 1, green represented by 2, and blue represented "
    r"by 3\. .*in the order of red, green, blue, and then back to red.*|"
    r"有一个n\*n的网络，.*红色用1表示，绿色用2表示，蓝色用3表示。灯的颜色按红绿蓝红的顺序循环。"
    r".*": "b",
}
SIZE = (
    r"Given n=(\d) and the number of buttons=\d, ?[Tt]he initial network is:?|已知n=(\d)，按钮数=\d"
)
ROW = r"(?m)^[0-3]+$"
LAMP = r"\[\"(\d)\", ?\"(\d)\"\]"
LAMPS = r"\[\"\d\", ?\"\d\"\]"
BUTTON = (
    r"(?:Button |按钮)([A-Z]) ?(?:controls the lights at|can control the lights at|能控制的灯为) ?"
    rf"({LAMPS}(?:(?:,| and) ?{LAMPS})*)"
)
ROUND = (
    r"(?m)(?:Round (\d)|(First|Second|Third) round|第([一二三])轮)[:：] ?"
    r"(?:Buttons? |按钮)([A-Z](?:[,、] ?(?:Button |按钮)?[A-Z])*)$"
)
NUMBERS = {"First": "1", "Second": "2", "Third": "3", "一": "1", "二": "2", "三": "3"}
OTHERS = (
    r"1\. Each button will only change the color of a light at a specific position once\.",
    r"2\. Different buttons can control the light at the same position\.",
    r"1\. 每个按钮只会使某个位置的灯变化一次。|2\. 不同的按钮可以控制同一个位置的灯。",
    r"\((?:coordinates are [^()]*(?:row a,? (?:and )?column b|from left to right))\)\.?",
    r"\(坐标以[^()]*\)",
    r"初始网络为|请根据按钮控制的灯写出每轮操作后的结果。",
    r"Please (?:write|provide)(?: out)? the results? after each round of operations? based on",
    r"the lights controlled by the buttons?\.",
)


@reads(SIZE, ROW, BUTTON, ROUND)
def read(prompt: str, level: int) -> LightsOut:
    task = task_of(prompt)
    families = [name for known, name in FAMILIES.items() if re.search(known, task)]
    if len(families) != 1:
        raise not_understood(task.splitlines()[0])
    check_known(task, (*FAMILIES, SIZE, ROW, BUTTON, ROUND, *OTHERS))
    grid = tuple(tuple(map(int, row)) for row in re.findall(ROW, task))
    size = int(next(filter(None, found(SIZE, task).groups())))
    if {len(grid), *map(len, grid)} != {size}:
        raise NotRead(f"its rows have {', '.join(str(len(row)) for row in grid)} cells, not {size}")
    if odd := {state for row in grid for state in row} - set(STATES[families[0]]):
        raise NotRead(f"no lamp is {min(odd)}")
    made = LightsOut(families[0], level, grid, _buttons(task), _rounds(task))
    _check(made)
    return made


def _buttons(task: str) -> tuple[tuple[tuple[int, int], ...], ...]:
    buttons = re.findall(BUTTON, task)
    if "".join(name for name, _ in buttons) != ascii_uppercase[: len(buttons)]:
        raise NotRead(f"its buttons are {', '.join(name for name, _ in buttons)}")
    return tuple(
        tuple(sorted((int(row) - 1, int(column) - 1) for row, column in re.findall(LAMP, lamps)))
        for _, lamps in buttons
    )


def _rounds(task: str) -> tuple[str, ...]:
    rounds = [list(filter(None, one)) for one in re.findall(ROUND, task)]
    numbers = [NUMBERS.get(number, number) for number, _ in rounds]
    if not numbers or numbers != [str(number + 1) for number in range(len(rounds))]:
        raise NotRead(f"its rounds are {', '.join(numbers) or 'missing'}")
    return tuple("".join(re.findall(r"[A-Z](?![a-z])", names)) for _, names in rounds)


def _check(made: LightsOut) -> None:
    """Lamps stand on the grid, once each, and every button that is pressed is described."""
    for lamps in made.buttons:
        if len(set(lamps)) < len(lamps) or not all(is_on(made.grid, lamp) for lamp in lamps):
            raise NotRead(f"a button controls {lamps}, from 0")
    if unknown := set("".join(made.rounds)) - set(ascii_uppercase[: len(made.buttons)]):
        raise NotRead(f"button {min(unknown)} is not described")

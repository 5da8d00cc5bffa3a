"""What readers of published prompts share: parts of a prompt, refusing, grids, places."""

from __future__ import annotations

import re
from collections.abc import Iterable

HOW_TO_ANSWER = re.compile(r"\n\s*\n(?=(?:Please g|G)enerate a |请生成一个遵循)")
LETTER_ROW = re.compile(r"^[ \t]*([A-Z](?:[ \t]+[A-Z])+)[ \t]*(?:$|, (?=then))", re.M)
GRID_ROW = re.compile(r"\s*-?\d+(?:\s*[,，]\s*-?\d+)+\s*")
GRID_ROWS = re.compile(GRID_ROW.pattern.replace(r"\s", r"[^\S\n]").join("^$"), re.M)
COMMA = "[,，]"
GIVENS_ROW = rf"^[ \t]*(?:[1-9a-g_]?[ \t]*{COMMA}[ \t]*)+[1-9a-g_]?[ \t]*$"
PLACE = re.compile(r"[(（]\s*(\d+)\s*[,，]\s*(\d+)\s*[)）]")


class NotRead(ValueError):
    """Why a prompt has no question of ours: a defect, or a line that is not understood."""


def not_understood(line: str) -> NotRead:
    return NotRead(f"not understood: {line.strip()!r}")


def found(pattern: str, prompt: str) -> re.Match[str]:
    """Return the only place where a pattern fits, or NotRead."""
    matches = list(re.finditer(pattern, prompt, re.I))
    if len(matches) != 1:
        raise NotRead(f"{len(matches)} places fit {pattern!r}")
    return matches[0]


def parts(prompt: str) -> tuple[str, str]:
    """Return the rules and the instance, and how to answer."""
    task, *how = HOW_TO_ANSWER.split(prompt)
    if len(how) != 1:
        raise NotRead(f"{len(how)} places say how to answer")
    return task, how[0]


def task_of(prompt: str) -> str:
    """Return the rules and the instance, without how to answer."""
    return parts(prompt)[0]


def number_rows(prompt: str) -> tuple[tuple[int, ...], ...]:
    """Return the rows of a grid of numbers, separated by commas; NotRead unless it is a
    rectangle.
    """
    lines = [line for line in prompt.splitlines() if GRID_ROW.fullmatch(line)]
    rows = tuple(tuple(int(cell) for cell in re.split("[,，]", line)) for line in lines)
    if not rows or len({len(row) for row in rows}) != 1:
        raise NotRead(f"its rows have {', '.join(str(len(row)) for row in rows) or 'no'} cells")
    return rows


def letter_rows(task: str) -> tuple[tuple[tuple[str, ...], ...], str]:
    """Return the rows of a grid of letters, separated by blanks, and the other text around it."""
    rows = tuple(tuple(row[1].split()) for row in LETTER_ROW.finditer(task))
    if len({len(row) for row in rows}) > 1:
        raise NotRead(f"its rows have {', '.join(str(len(row)) for row in rows)} letters")
    return rows, LETTER_ROW.sub("", task)


def givens_grid(task: str) -> str:
    """Return the cells of a square grid, row by row; "." for an empty one, which is nothing
    or _.
    """
    rows = [re.split(COMMA, row) for row in re.findall(GIVENS_ROW, task, re.M)]
    if not rows or {len(row) for row in rows} != {len(rows)}:
        lengths = ", ".join(str(len(row)) for row in rows) or "no"
        raise NotRead(f"it has {len(rows)} rows, of {lengths} cells")
    return "".join(cell.strip().replace("_", "") or "." for row in rows for cell in row)


def check_known(text: str, known: Iterable[str]) -> None:
    """NotRead, with the first line of a text of which some is not one of the known phrases."""
    for pattern in known:
        text = re.sub(pattern, "", text)
    for line in filter(str.strip, text.splitlines()):
        raise not_understood(line)

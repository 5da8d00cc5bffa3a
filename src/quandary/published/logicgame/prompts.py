"""What readers of published prompts share: refusing, grids, places."""

from __future__ import annotations

import re

GRID_ROW = re.compile(r"\s*-?\d+(?:\s*[,，]\s*-?\d+)+\s*")
PLACE = re.compile(r"[(（]\s*(\d+)\s*[,，]\s*(\d+)\s*[)）]")


class NotRead(ValueError):
    """Why a prompt has no question of ours: a defect, or a line that is not understood."""


def not_understood(line: str) -> NotRead:
    return NotRead(f"not understood: {line.strip()!r}")


def found(pattern: str, prompt: str) -> re.Match[str]:
    """The only place where a pattern fits, or NotRead."""
    matches = list(re.finditer(pattern, prompt, re.I))
    if len(matches) != 1:
        raise NotRead(f"{len(matches)} places fit {pattern!r}")
    return matches[0]


def parts(prompt: str) -> tuple[str, str]:
    """The rules with their question, and how an answer is asked for."""
    question, *asked = re.split(r"\n\n(?=(?:Please )?generate|请生成)", prompt, flags=re.I)
    if len(asked) != 1:
        raise NotRead("it does not ask for a JSON object once")
    return question, asked[0]


def number_rows(prompt: str) -> tuple[tuple[int, ...], ...]:
    """The rows of a grid of numbers, separated by commas; NotRead unless it is a rectangle."""
    lines = [line for line in prompt.splitlines() if GRID_ROW.fullmatch(line)]
    rows = tuple(tuple(int(cell) for cell in re.split("[,，]", line)) for line in lines)
    if not rows or len({len(row) for row in rows}) != 1:
        raise NotRead(f"its rows have {', '.join(str(len(row)) for row in rows) or 'no'} cells")
    return rows

"""Reads the published prompts of statistical counting."""

from __future__ import annotations

import re

from quandary.papers.logicgame.prompts import NotRead, found, not_understood, parts
from quandary.papers.logicgame.wordings import reads
from quandary.puzzles.questions.execution.statistical_counting import STARTS, StatisticalCounting

START = (
    r"(?:total score is initially|initial(?: total)? score is|starting with a(?: total)? score of|"
    r"总分初始为) ?(\d+)"
)
STRING = r"(?:of the string |请问字符串)([A-Z]+)(?:\?|总分为)"
RULE = re.compile(r"(?=\bIf\b|若)")
RUN = (
    r"series of ([A-Z]) \(two or more\)|two or more consecutive ([A-Z])'s|"
    r"segment \(two or more\) of consecutive ([A-Z])'s|"
    r"segment of consecutive ([A-Z])'s \(two or more\)|一段\(两个及以上\)连续的([A-Z])"
)
PATTERN = r"\"([A-Z]{2,})\" appears|若出现([A-Z]{2,})"
CHANGES = {
    r"add(?:ed by)? (\d+)|increases by (\d+)|加(\d+)": 1,
    r"subtract (\d+)|decreases by (\d+)|减(\d+)": -1,
}
BACK, FRONT = "from back to front|从后向前", "from front to back|从前向后"
COUNTED = (
    r"(?:occurrences of|appearances of consecutive) ([^.]*?)(?: accordingly)?\.|"
    r"代表连续的([A-Z，]+)出现"
)


@reads(STRING, RUN, PATTERN, *CHANGES)
def read(prompt: str, level: int) -> StatisticalCounting:
    question, asked = parts(prompt)
    points = tuple(map(_rule, RULE.split(question)[1:]))
    scored = [what for what, _ in points]
    is_pattern = any(len(what) > 1 for what in scored)
    found(BACK if is_pattern else FRONT, question)
    if "'process'" in asked:
        counted = re.findall("[A-Z]", _only(COUNTED, asked))
        if counted != scored:
            raise NotRead(
                f"its process counts {', '.join(counted)}; its rules are about {', '.join(scored)}"
            )
    start = int(found(START, question)[1])
    families = ["b"] if is_pattern else [key for key, first in STARTS.items() if first == start]
    if not families:
        raise NotRead(f"its score starts at {start}")
    return StatisticalCounting(families[0], level, found(STRING, question)[1], start, points)


def _rule(text: str) -> tuple[str, int]:
    """Return what is counted, and its points."""
    changes = [sign for change, sign in CHANGES.items() if re.search(change, text)]
    if len(changes) != 1 or not re.search(f"{RUN}|{PATTERN}", text):
        raise not_understood(text.splitlines()[0])
    return _only(f"{RUN}|{PATTERN}", text), changes[0] * int(_only("|".join(CHANGES), text))


def _only(pattern: str, text: str) -> str:
    """Return the group that fits, at the only place where the pattern does."""
    return str(next(filter(None, found(pattern, text).groups())))

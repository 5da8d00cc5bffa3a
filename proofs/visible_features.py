"""What can be counted in a state check without knowing its puzzle: the columns of blind rules.

Each part of a question (the puzzle at the start, the position, the tried child) has a length,
characters that can be counted, and numbers that can be read one by one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from quandary.statistics.estimates import Floats
from quandary.tasks.blind_rules import Visible, visible
from quandary.tasks.state_check import StateCheck

NUMBER = re.compile(r"[0-9]+")
ABSENT = -1  # a number that is not printed, or a depth that is not known


def visible_features(questions: Sequence[StateCheck]) -> dict[str, Floats]:
    """Every column that differs between questions, by its name."""
    seen = zip(*map(visible, questions), strict=True)
    columns = {
        name: _column(ABSENT if value is None else value for value in values)
        for name, values in zip(Visible._fields, seen, strict=True)
    }
    for part, texts in _parts(questions).items():
        columns |= {f"{part}: {name}": column for name, column in _counted(texts)}
    return {name: column for name, column in columns.items() if np.ptp(column)}


def _parts(questions: Sequence[StateCheck]) -> Mapping[str, list[str]]:
    tried = [question.tried for question in questions]
    return {
        "start": [question.start.text(0) for question in questions],
        "position": [question.position.shown_state("en") for question in questions],
        "tried": [position.shown_state("en") if position else "" for position in tried],
    }


def _counted(texts: Sequence[str]) -> Iterator[tuple[str, Floats]]:
    yield "length", _column(map(len, texts))
    for character in sorted(set("".join(texts))):
        yield f"count of {character!r}", _column(text.count(character) for text in texts)
    printed = [list(map(int, NUMBER.findall(text))) for text in texts]
    for place in range(max(map(len, printed))):
        values = (numbers[place] if place < len(numbers) else ABSENT for numbers in printed)
        yield f"number {place + 1}", _column(values)


def distinct_numbers(questions: Sequence[StateCheck]) -> dict[str, Floats]:
    """How many different numbers each part has, where that differs between questions."""
    columns = {
        f"{part}: distinct numbers": _column(len(set(NUMBER.findall(text))) for text in texts)
        for part, texts in _parts(questions).items()
    }
    return {name: column for name, column in columns.items() if np.ptp(column)}


def _column(values: Iterable[float]) -> Floats:
    return np.fromiter(values, float)

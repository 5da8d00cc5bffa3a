"""Published replies read again: what their pipeline extracted, or better, and every difference has
a name.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from quandary.core.contract import Question
from quandary.models.provider import Generation
from quandary.players.reading.reply import Reading, read
from quandary.published.textgames.archive import files
from quandary.published.textgames.problems import LEVELS, load
from quandary.published.textgames.prompts import READERS

UNEXPLAINED = "unexplained"
# cause -> replies; of these, right by our reading alone; right by the published extraction alone
DIFFERENCES = {
    "several answers or reasoning, and none committed": (3981, 0, 0),
    "a fence was left in the text around it": (3133, 311, 0),
    "bullets, numbers or bold were left": (2140, 16, 0),
    "blanks around lines": (760, 0, 0),
    "an announcement was left": (475, 41, 0),
    "sentences around it were left": (474, 10, 0),
    "the first of several fences was taken": (161, 3, 0),
    "the sentence that names it was left": (90, 13, 0),
    "the stop of a sentence was left": (40, 1, 0),
    "the strokes of a table were left": (27, 0, 0),
    # an empty password breaks no rule of some published problems
    "silence was taken for an answer": (36, 0, 36),
    "a refusal was taken for an answer": (2, 0, 0),
}
FENCED = re.compile(r"```[a-z]*\n(.*?)\s*```", re.S)
NUMBERED = re.compile(r"^\s*(?:\d+[.)]|[-*])\s+", re.M)
NAMED = re.compile(  # what comes before an answer within a line
    r"\b(?:answer|solution|guess|word|password|string|substring|text|operation|move)"
    r"(?: (?:is|would be|could be|will be|should be))?:?\W*$",
    re.I,
)


class Given(NamedTuple):
    """A published reply, and what was made of it."""

    question: Question
    said: str
    extracted: str
    reading: Reading

    @property
    def same(self) -> bool:
        """Whether the extraction is ours but for blanks around lines."""
        return self.reading.status == "answered" and _rows(self.extracted) == _rows(
            self.reading.answer
        )

    @property
    def was_right(self) -> bool:
        return self.question.check(self.extracted).score >= 1.0

    @property
    def is_right(self) -> bool:
        return (
            self.reading.status == "answered"
            and self.question.check(self.reading.answer).score >= 1.0
        )


def _rows(text: str) -> list[str]:
    return [row.strip() for row in text.strip().split("\n")]


def _replies(folder: Path) -> Iterator[Given]:
    questions = {problem.name: problem.question for problem in load(folder)}
    for _, text in files(folder, "results", ".jsonl"):
        for line in text.splitlines():
            row = json.loads(line)
            title, _, level = row["game"].rpartition("_")
            question = questions[f"textgames {READERS[title][0]}/{LEVELS[level]} {row['session']}"]
            said = row["response_raw"]
            yield Given(
                question, said, row["response"], read(Generation(said), question.form).lenient
            )


def cause(given: Given) -> str:
    """Why the answer is not what was extracted, judged by the reply and not by how it was read."""
    if not given.said.strip():
        return "silence was taken for an answer"
    if given.reading.status == "refused":
        return "a refusal was taken for an answer"
    if given.reading.status == "answered":
        return _cause_of_answer(given)
    rows, stretches = _rows(given.said), re.split(r"\n\s*\n", given.said.strip())
    several = len(rows if given.question.form == "line" else stretches) > 1
    if several or rows[0].endswith(":") or len(rows[0].split()) > 15:
        return "several answers or reasoning, and none committed"
    return UNEXPLAINED


def _cause_of_answer(given: Given) -> str:
    answer, fences = (
        _rows(given.reading.answer),
        [_rows(fenced) for fenced in FENCED.findall(given.said)],
    )
    if fences and answer == fences[-1]:
        return (
            "the first of several fences was taken"
            if len(fences) > 1
            else "a fence was left in the text around it"
        )
    if "\n".join(answer) + "." == given.extracted.strip():
        return "the stop of a sentence was left"
    bare = _rows(NUMBERED.sub("", given.said.replace("**", "")))
    if answer == [row for row in bare if row]:
        return "bullets, numbers or bold were left"
    if "|" in given.said and set(answer) <= {
        " ".join(row.replace("|", " ").split()) for row in _rows(given.said)
    }:
        return "the strokes of a table were left"
    for rows in (bare, _rows(given.said)):
        places = [at for at in range(len(rows)) if rows[at : at + len(answer)] == answer]
        if places:
            before = [row for row in rows[: places[-1]] if row]
            return (
                "an announcement was left"
                if before and before[-1].endswith(":")
                else "sentences around it were left"
            )
    for line in given.said.split("\n"):
        lead, found, _ = line.rpartition(given.reading.answer)
        if found and NAMED.search(lead):
            return "the sentence that names it was left"
    return UNEXPLAINED


def test_what_was_extracted_or_better(data: Path) -> None:
    """No difference is unexplained, and none but silence makes an answer wrong that was right by
    our own rules.
    """
    counts, better, worse, replies = Counter[str](), Counter[str](), Counter[str](), 0
    for given in _replies(data / "textgames"):
        replies += 1
        if given.reading == Reading("answered", given.extracted):
            continue
        why = "blanks around lines" if given.same else cause(given)
        assert why != UNEXPLAINED, (given.said, given.reading)
        was, now = given.was_right, given.is_right
        counts[why] += 1
        better[why] += now and not was
        worse[why] += was and not now

    assert 128_467 == replies
    assert DIFFERENCES == {why: (counts[why], better[why], worse[why]) for why in counts}

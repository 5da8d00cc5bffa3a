"""Published replies read again: TextGames, where every difference to the published extraction has a
name, and a collection of replies of many models with what each commits to.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

import quandary.players.reading
from quandary.core.contract import Form, Question
from quandary.matches.player import Reading
from quandary.models.provider import Generation
from quandary.papers.textgames.archive import files
from quandary.papers.textgames.problems import LEVELS, load
from quandary.papers.textgames.prompts import READERS
from quandary.players.reading.reply import read

UNEXPLAINED = "unexplained"
# cause -> replies; of these, right by our reading alone; right by the published extraction alone
DIFFERENCES = {
    "blanks around lines": (6672, 0, 0),
    "several answers or reasoning, and none committed": (4205, 0, 0),
    "a fence was left in the text around it": (3138, 311, 0),
    "bullets, numbers or bold were left": (2140, 16, 0),
    "an announcement was left": (490, 42, 0),
    "sentences around it were left": (410, 4, 0),
    "the first of several fences was taken": (161, 3, 0),
    "the sentence that names it was left": (89, 13, 0),
    "the stop of a sentence was left": (44, 1, 0),
    "the token that ends a turn was left": (1, 0, 0),
    # an empty password breaks no rule of some published problems
    "silence was taken for an answer": (36, 0, 36),
    "a refusal was taken for an answer": (2, 0, 0),
}
FENCED = re.compile(r"```[a-z]*\n(.*?)\s*```", re.S)
NUMBERED = re.compile(r"^\s*(?:\d+[.)]|[-*])\s+", re.M)
NAMED = re.compile(  # what comes before an answer within a line
    r"\b(?:answer|guess|word|password|string|text|characters|attempt|try)"
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


def _published(folder: Path) -> Iterator[tuple[Question, str, str]]:
    """The question, the raw reply and what was extracted from it, of every published reply."""
    questions = {problem.name: problem.question for problem in load(folder)}
    for _, text in files(folder, "results", ".jsonl"):
        for line in text.splitlines():
            row = json.loads(line)
            title, _, level = row["game"].rpartition("_")
            name = f"textgames {READERS[title][0]}/{LEVELS[level]} {row['session']}"
            yield questions[name], row["response_raw"], row["response"]


def _lenient(said: str, form: Form) -> Reading:
    return read(Generation(said), form).lenient


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
    reasons = any(len(re.findall(r"[A-Za-z]{2,}", row)) > 2 for row in rows) and len(rows) > 1
    if several or reasons or rows[0].endswith(":") or len(rows[0].split()) > 15:
        return "several answers or reasoning, and none committed"
    return UNEXPLAINED


def _cause_of_answer(given: Given) -> str:
    answer = _rows(given.reading.answer)
    fences = [[row for row in _rows(fenced) if row] for fenced in FENCED.findall(given.said)]
    if fences and answer == fences[-1]:
        return (
            "the first of several fences was taken"
            if len(fences) > 1
            else "a fence was left in the text around it"
        )
    if "\n".join(answer) + "." == given.extracted.strip():
        return "the stop of a sentence was left"
    if given.reading.answer + "</s>" == given.said.strip():
        return "the token that ends a turn was left"
    bare = _rows(NUMBERED.sub("", given.said.replace("**", "")))
    if answer == [row for row in bare if row]:
        return "bullets, numbers or bold were left"
    without_stops = [row.removesuffix(".") for row in _rows(given.said)]
    for rows in (bare, _rows(given.said), without_stops):
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


@pytest.mark.heavy
def test_what_was_extracted_or_better(data: Path) -> None:
    """No difference is unexplained, and none but silence makes an answer wrong that was right by
    our own rules.
    """
    counts, better, worse, replies = Counter[str](), Counter[str](), Counter[str](), 0
    for question, said, extracted in _published(data / "textgames"):
        replies += 1
        given = Given(question, said, extracted, _lenient(said, question.form))
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


@pytest.mark.heavy
def test_right_answers_among_distinct_replies(data: Path) -> None:
    """At least 10,430 of 116,411 distinct replies are right by our reading and our rules."""
    published = _published(data / "textgames")
    distinct = {(id(question), said): question for question, said, _ in published}
    answers = (
        (question, _lenient(said, question.form)) for (_, said), question in distinct.items()
    )

    assert 116_411 == len(distinct)
    assert 10_430 <= sum(
        reading.status == "answered" and question.check(reading.answer).score >= 1.0
        for question, reading in answers
    )


def _collection(data: Path) -> tuple[ModuleType, list[dict[str, Any]]]:
    """The measure that comes with the collected replies of many models, and the replies."""
    folder = data / "replies"
    if not folder.is_dir():
        pytest.skip(
            "the collected replies are not here; set QUANDARY_DATA to their folder's parent"
        )
    spec = spec_from_file_location("compare", folder / "compare.py")
    assert spec and spec.loader
    measure = module_from_spec(spec)
    spec.loader.exec_module(measure)
    with gzip.open(folder / "replies.jsonl.gz", "rt", encoding="utf-8") as lines:
        return measure, [json.loads(line) for line in lines]


def test_committed_answers_of_many_models(data: Path) -> None:
    """At least 3,250 of 3,276 committed answers are read, with at most 8 false extractions."""
    measure, items = _collection(data)
    outcomes = Counter[str]()
    for item in items:
        if item["committed"] is not None and "continuation" not in item["style"]:
            reading = _lenient(item["reply"], item["form"])
            answer = reading.answer if reading.status == "answered" else None
            outcomes[measure.outcome(item, answer)] += 1

    assert 3_276 == sum(outcomes[kind] for kind in ("hit", "near", "wrong", "missed"))
    assert outcomes["hit"] >= 3_250
    assert outcomes["false"] + outcomes["wrong"] <= 8


def test_witnesses_are_in_the_collection(data: Path) -> None:
    """The replies that the reader's rules and the cases name exist."""
    _, items = _collection(data)
    folders = [Path(path) for path in quandary.players.reading.__path__]
    folders.append(Path(__file__).parent / "reading")
    texts = [file.read_text("utf-8") for folder in folders for file in folder.glob("*.[pj]*")]
    named = {name for text in texts for name in re.findall(r"\b[0-9a-f]{12}\b", text)}

    assert named
    assert named <= {item["id"] for item in items}

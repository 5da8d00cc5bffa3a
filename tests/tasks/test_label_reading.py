"""Labels in sentences: every frame of `label_sentences.*.toml` is tried with both labels.

A frame is read twice: as the answer alone, and as the whole reply of a model.
"""

from __future__ import annotations

import gzip
import json
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from quandary.catalogue import drawing
from quandary.core.contract import Question
from quandary.models.provider import Generation
from quandary.players.reading.reply import read
from quandary.tasks.label_reading import read_label

FOLDER = Path(__file__).parent
LANGUAGES = ("en", "zh")
LABELS = (True, False)  # solvable, unsolvable
WORDS = {
    "en": {True: ("solvable", "a solvable"), False: ("unsolvable", "an unsolvable")},
    "zh": {True: ("可解", "有解"), False: ("不可解", "无解")},
}
# Of collected replies of many models, what those that use the words say; None if neither.
REAL = {
    "4fbef82b8ebb": None, "576983e26364": None, "e22145fae804": None, "d0f7a92f48a9": False,
    "bff56eb0da95": False, "411fbb0299b2": False, "2055203f0c77": True, "a5874f01c62e": None,
    "639599e855bf": False, "03537a7de3d3": True,
}  # fmt: skip


@cache
def _question() -> Question:
    question = drawing.instance("check:sudoku/easy,label=solvable#1")
    assert isinstance(question, Question)
    return question


def _as_answer(text: str) -> bool | None:
    return {"": True, "wrong_label": False, "unknown_label": None}[_question().check(text).kind]


def _as_reply(text: str, finish: Any = "stop") -> bool | None:
    reading = read(Generation(text, finish=finish), "line").lenient
    return _as_answer(reading.answer) if reading.status == "answered" else None


@cache
def _frames(language: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"label_sentences.{language}.toml").read_text("utf-8"))


def _sentences(language: str, kind: str, label: bool) -> Iterator[str]:
    (word, second), (other, second_other) = (WORDS[language][one] for one in (label, not label))
    names = {"@Label": word.capitalize(), "@LABEL": word.upper(), "@label": word, "@other": other}
    seconds = {"@a_label": second, "@has_other": second_other, "@has": second}
    for frame in [*_frames(language)[kind], *_frames(language)["held_out"][kind]]:
        for name, text in (seconds | names).items():
            frame = frame.replace(name, text)
        assert "@" not in frame
        yield frame


def test_there_are_enough_sentences() -> None:
    for language in LANGUAGES:
        sentences = {
            (kind, label): set(_sentences(language, kind, label))
            for kind in ("says", "denies", "open")
            for label in LABELS
        }

        for label in LABELS:
            assert len(sentences["says", label]) >= 200
            assert len(sentences["denies", label]) >= 100
        held_out = _frames(language)["held_out"]["says"]
        assert 3 * len(held_out) >= len(sentences["says", True])


@pytest.mark.parametrize("reading", [_as_answer, _as_reply])
@pytest.mark.parametrize("language", LANGUAGES)
def test_both_labels_are_read_alike(language: str, reading: Any) -> None:
    """At least 90 in 100 sentences, of either label as many to two in 100; none as its opposite."""
    shares = []
    for label in LABELS:
        readings = [reading(text) for text in _sentences(language, "says", label)]
        assert (not label) not in readings
        shares.append(readings.count(label) / len(readings))
    print(language, reading.__name__, "solvable {:.3f}, unsolvable {:.3f}".format(*shares))

    assert abs(shares[0] - shares[1]) <= 0.02
    assert min(shares) >= 0.90


@pytest.mark.parametrize("reading", [_as_answer, _as_reply])
@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_denied_label_is_read_as_that_label(language: str, label: bool, reading: Any) -> None:
    wrong = [text for text in _sentences(language, "denies", label) if reading(text) is label]

    assert [] == wrong


@pytest.mark.parametrize("reading", [_as_answer, _as_reply])
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_says_neither_is_unread(language: str, reading: Any) -> None:
    for label in LABELS:
        read_ones = [
            text for text in _sentences(language, "open", label) if reading(text) is not None
        ]
        assert [] == read_ones


@pytest.mark.parametrize(
    ("denied", "label"),
    [
        ("The position is not solvable.", False),
        ("Therefore, the position is not solvable, as row 1 is full.", False),
        ("当前局面并不可解。", False),
        ("It is not unsolvable.", None),
        ("它不是不可解的。", None),
        ("它不是可解的。", None),
    ],
)
def test_plain_denials(denied: str, label: bool | None) -> None:
    """ "Not solvable" is another word for "unsolvable"; nothing else that is denied is a label."""
    assert label is _as_answer(denied)


def test_an_announced_answer_that_is_taken_back_is_unread() -> None:
    """As an answer; of a reply, the announced label is the answer, and the rest is not read."""
    for label in LABELS:
        (english, _), (chinese, _) = (WORDS[language][label] for language in LANGUAGES)
        assert _as_answer(f"The answer is {english}. I was wrong.") is None
        assert _as_answer(f"答案是{chinese}。我错了。") is None
        assert _as_answer(f"答案是{chinese}。不，正相反。") is None


@pytest.mark.parametrize(
    ("frame", "language"),
    [
        ("The position is @. Row 3 can still be filled, there is no contradiction.", "en"),
        ("So it is @, because row 2 fails.", "en"),
        ("So it is @ because that is wrong.", "en"),
        ("The position is @, since the opposite does not hold.", "en"),
        ("The position is @. Row 2 is wrong.", "en"),
        ("The position is @. The opposite corner is free, the other way is blocked.", "en"),
        ("It seems @, since 5 fits.", "en"),
        ("The position is @, but row 3 took me a while.", "en"),
        ("The position is @. I found no mistake.", "en"),
        ("On the contrary, it is @.", "en"),
        ("@，因为第 2 行不对。", "zh"),
        ("该局面@，由于这是错的。", "zh"),
        ("该局面@。第 2 行错了。", "zh"),
        ("该局面@，另一个数字不对。", "zh"),
        ("看起来@，因为每行都有数字。", "zh"),
        ("该局面@，不然第 2 行会有两个 4。", "zh"),
        ("该局面@。我没有看错。", "zh"),
        ("恰恰相反，该局面@。", "zh"),
    ],
)
def test_reasons_and_words_about_the_puzzle_take_no_label_back(frame: str, language: str) -> None:
    for label in LABELS:
        assert label is _as_answer(frame.replace("@", WORDS[language][label][0]))


def test_replies_of_a_small_model() -> None:
    """Replies of SmolLM2-135M to `check:` tasks, all that use these words, and what they say last.

    At least 13 of the 17 that say one are read if all of the reply is the answer.  As replies none
    is, because they are cut off or do not mark an answer.
    """
    lines = (FOLDER / "label_replies.jsonl").read_text("utf-8").splitlines()
    labels = {"solvable": True, "unsolvable": False, None: None}
    said = [(case, labels[case["says"]]) for case in map(json.loads, lines)]
    readings = [_as_answer(case["reply"]) for case, _ in said]

    for (case, label), reading in zip(said, readings, strict=True):
        assert reading in (None, label), case
        assert _as_reply(case["reply"], case["finish"]) is None, case
    assert 17 == sum(label is not None for _, label in said)
    assert 13 <= sum(reading is not None for reading in readings)


def test_collected_replies_are_never_read_as_the_opposite(data: Path) -> None:
    file = data / "replies" / "replies.jsonl.gz"
    if not file.is_file():
        pytest.skip(
            "the collected replies are not here; set QUANDARY_DATA to their folder's parent"
        )
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        replies = {item["id"]: item["reply"] for item in map(json.loads, lines)}
    readings = {name: _as_reply(replies[name]) for name in REAL}

    assert all(reading in (None, REAL[name]) for name, reading in readings.items())
    assert readings["d0f7a92f48a9"] is False


def test_marks_of_published_questions_are_left_out() -> None:
    """Both labels alike, whichever mark stands before them."""
    for before in ("(A) ", "(B) ", "A) ", "B) ", "A: ", "B: ", "Option B: ", "The answer is (B) "):
        assert read_label(f"{before}solvable") is True, before
        assert read_label(f"{before}unsolvable") is False, before
    for alone in ("(A)", "(B)", "(B) or rather (A)", "solvable, not (B)"):
        assert read_label(alone) is None, alone

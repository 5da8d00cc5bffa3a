"""Answers out of replies: the cases of the data files, properties, and texts made to hurt.

Every line of `reading/*.jsonl` is a case: `strict` and `lenient` are the answers that the two
readings find, null where they find none; `status` is the status of a reply without an answer;
`source` names the published reply, the puzzle or the form of a prompt that the case comes from.
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
import tracemalloc
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import product
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, get_args

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import regex_steps
from counted_work import calls
from quandary.catalogue import drawing
from quandary.catalogue.drawing import named
from quandary.core import json_replies
from quandary.core.contract import Form, Game, Language
from quandary.core.errors import Ambiguous
from quandary.matches.player import Reading, Readings
from quandary.models.provider import Finish, Generation
from quandary.players.prompts.messages import how_to_answer
from quandary.players.prompts.settings import Prompting, PromptSettings
from quandary.players.prompts.wording import WORDING
from quandary.players.reading import marks, reply, sentences, shapes, thinking, unmarked
from quandary.players.reading.reply import read
from quandary.players.reading.shapes import fences, undressed
from quandary.players.reading.thinking import separate
from quandary.players.reading.version import READER
from regex_steps import written_down

READ = Path(__file__).parent / "reading" / "read_by.txt"  # the reader, and what it reads
FILES = sorted((Path(__file__).parent / "reading").glob("*.jsonl"))
CASES: list[dict[str, Any]] = [
    json.loads(line) for file in FILES for line in file.read_text("utf-8").splitlines()
]
GRID = "#.#\n.#.\n##."
OBJECT = '{"answer": [1, "}"]}'
FORMS: tuple[Form, ...] = get_args(Form)
FINISHES: tuple[Finish, ...] = get_args(Finish)


def _read(text: str, form: Form = "line", finish: Finish = "stop", thinking: str = "") -> Readings:
    return read(Generation(text, thinking, finish), form)


def _expected(case: dict[str, Any]) -> tuple[Reading, Reading]:
    """The strict and the lenient reading of a case."""
    if case["lenient"] is None:
        none = Reading(case["status"])
        return none, none
    no_strict = Reading("truncated" if case.get("finish") == "length" else "unreadable")
    strict = no_strict if case["strict"] is None else Reading("answered", case["strict"])
    return strict, Reading("answered", case["lenient"])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case: dict[str, Any]) -> None:
    """Both readings, and the thinking where the case has some."""
    generation = Generation(case["text"], finish=case.get("finish", "stop"))
    thinking, _, _ = separate(generation)

    assert _expected(case) == read(generation, case["form"])[:2], case["why"]
    assert case.get("thinking", thinking) == thinking


def test_cases_are_complete() -> None:
    """Every case has its fields and a name of its own, and no text occurs twice."""
    fields = {"id", "form", "text", "strict", "lenient", "why", "source"}
    texts = [(case["form"], case["text"], case.get("finish")) for case in CASES]

    assert all(fields <= set(case) and case["why"] and case["source"] for case in CASES)
    assert len(CASES) == len({case["id"] for case in CASES}) == len(set(texts))


def test_another_reading_is_another_version_of_the_reader(request: pytest.FixtureRequest) -> None:
    """Records name the version by which they were read.  `pytest --update` writes what is read, but
    not if the same version read a case in another way.
    """
    now = {}
    for case in CASES:
        generation = Generation(case["text"], finish=case.get("finish", "stop"))
        found = repr(tuple(map(tuple, read(generation, case["form"])[:2])))
        now[case["id"]] = sha256(found.encode("utf-8", "replace")).hexdigest()[:12]
    version, *lines = READ.read_text("utf-8").splitlines()
    known = dict(line.rsplit(" ", 1) for line in lines)
    changed = [case for case in now if known.get(case, now[case]) != now[case]]
    if request.config.getoption("--update") and (not changed or version != f"reader {READER}"):
        written = [f"reader {READER}", *(f"{case} {found}" for case, found in now.items())]
        READ.write_text("".join(f"{line}\n" for line in written), "utf-8")
        version, known, changed = f"reader {READER}", now, []

    assert not changed, "raise READER in players/reading/version.py, then use pytest --update"
    assert (version, known) == (f"reader {READER}", now), "use pytest --update"


@pytest.mark.parametrize("language", WORDING)
@pytest.mark.parametrize("thoughts", ["none", "steps"])
@pytest.mark.parametrize("form", ["line", "block", "json"])  # a json_fence is what papers ask for
def test_what_prompts_ask_for_is_strict(
    form: Form, thoughts: Prompting, language: Language
) -> None:
    """The form shown in the prompt, filled in as it stands there, is read strictly."""
    told = how_to_answer(form, PromptSettings(prompting=thoughts, language=language))
    shown = told[told.index("\n```") :]
    answer = {"line": "5", "block": GRID, "json": OBJECT}[form]

    assert 4 == len(shown.split("\n"))
    reply = "Well." + shown.replace(shown.split("\n")[2], answer)
    assert Reading("answered", answer) == _read(reply, form).strict == _read(reply, form).lenient


@pytest.mark.parametrize(
    "reply",
    [
        "Answer: 0 1 2\n1 2 3", "0 1 2\n1 2 3", "0 1 2\n\n1 2 3",
        "Both.\n```\n0 1 2\n1 2 3\n```",
    ],
)  # fmt: skip
def test_two_moves_on_two_lines_are_ambiguous(reply: str) -> None:
    """The first of them is not played silently."""
    game = drawing.instance(named("sudokill/easy#1"))
    assert isinstance(game, Game)
    reading = _read(reply).lenient

    with pytest.raises(Ambiguous):
        game.read(max(game.options()), reading.answer)


@pytest.mark.parametrize(
    ("spec", "reply", "move"),
    [
        ("expanding_nim/easy#1", "Answer: 3\nreset", "3 reset"),
        ("sudokill/easy#1", "Answer: <0 1 2>", "0 1 2"),
        ("sudokill/easy#1", "Answer: Row: 0, Column: 1, Value: 2", "0 1 2"),
        ("sudokill/easy#1", "Answer:\nRow: 0\nColumn: 1\nValue: 2", "0 1 2"),
        ("card_nim/easy#1", "Answer: 5.", "5"),
        ("card_nim/easy#1", "3\n3", "3"),
        ("sudokill/easy#1", "My move: 0 1 2\nSo I play 0 1 2.", "0 1 2"),
        ("sudokill/easy#1", "I considered 0 0 1. Answer: 0 1 2", "0 1 2"),
        ("sudokill/easy#1", "Answer: 0 0 1? No.\n```\n0 1 2\n```", "0 1 2"),
        ("expanding_nim/easy#1", "I reset.\n```\n3\nreset\n```", "3 reset"),
        ("sudokill/easy#1", '{"answer": [0, 1, 2]}', "0 1 2"),
        ("sudokill/easy#1", "所以答案是第0行第1列填2。", "0 1 2"),
        ("game_of_24/easy#1", "答案：４ ＋ ９。", "9 + 4"),
    ],
)
def test_moves_reach_the_game(spec: str, reply: str, move: str) -> None:
    """What the reader passes on is what the game understands."""
    game = drawing.instance(named(spec))
    assert isinstance(game, Game)

    assert move == game.read(max(game.options()), _read(reply).lenient.answer)


def test_a_number_before_a_stop_is_not_lost() -> None:
    """The game sees both numbers of `1. 5` and does not play the first."""
    game = drawing.instance(named("card_nim/easy#1"))
    assert isinstance(game, Game)

    with pytest.raises(Ambiguous):
        game.read(max(game.options()), _read("Answer: 1. 5").lenient.answer)


def test_thinking_the_prompt_has_opened() -> None:
    """The text begins inside it."""
    two, cut = Reading("answered", "2"), Reading("truncated")
    closed, open_ = Generation("Answer: 1.</think>\n```\n2\n```"), Generation("Answer: 1")

    assert Readings(two, two, READER) == read(closed, "line", opened=True)
    assert Readings(cut, cut, READER) == read(open_, "line", opened=True)
    assert "Answer: 1." == separate(closed, opened=True)[0]
    assert "Answer: 1" == separate(open_, opened=True)[0]


def test_thinking_the_server_keeps_apart() -> None:
    """Then the text is what was said, and tags in it are only words."""
    two = Reading("answered", "2")

    assert Readings(two, two, READER) == _read("```\n2\n```", thinking="hm")
    assert ("hm", "2", False) == separate(Generation("2", "hm"))
    assert Reading("answered", "<think>") == _read("<think>", thinking="hm").lenient
    assert Reading("empty") == _read("", thinking="hm").lenient
    assert Reading("truncated") == _read("", finish="length", thinking="hm").lenient


@pytest.mark.parametrize("form", FORMS)
def test_a_server_can_refuse(form: Form) -> None:
    """Whatever was said before."""
    refused = Reading("refused")

    assert (refused, refused) == _read(f"Answer: {OBJECT}", form, "refused")[:2]


def test_a_refusal_may_be_followed_by_an_answer() -> None:
    """Then it is one."""
    text = f"I'm sorry, I can't help with that.\nAnswer:\n```\n{OBJECT}\n```"

    assert {"answered"} == {_read(text, form).lenient.status for form in FORMS}


SIGNS = st.characters(exclude_characters="\n\r", exclude_categories=["Zs", "Cc", "Zl", "Zp", "Cs"])
DRESSES = [case for case in CASES if case["strict"] is None and "finish" not in case]
WORD_DRESSES = [case["text"] for case in DRESSES if case["lenient"] == "banana"]
GRID_DRESSES = [
    case["text"] for case in DRESSES if case["lenient"] == GRID and GRID in case["text"]
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9), st.lists, max_leaves=4
)


def _encloses(text: str) -> bool:
    """Whether a text holds a mark of its own: a box, a tag, a token, brackets, or a fence."""
    return any(sign in text for sign in ("\\boxed{", "<", "[[", "```", "assistantfinal"))


@given(st.text(), st.text(SIGNS, min_size=1))
def test_strict_takes_any_line_of_the_fence_at_the_end(before: str, line: str) -> None:
    """Whatever the line is, and whatever was said before on other lines."""
    assume(not _encloses(before) and not _encloses(line))

    assert Reading("answered", line) == _read(f"Well.\n{before!a}\n```\n{line}\n```").strict


@given(
    st.text(),
    st.sampled_from(["Answer: 5", "the answer: 5", "\\boxed{5}", "<answer>5</answer>", "答案：5"]),
    st.from_regex(r"[a-z]{2,9}", fullmatch=True),
)
def test_the_fence_at_the_end_counts(before: str, mark: str, line: str) -> None:
    """Whatever mark stands in the reasoning before it."""
    assume(not _encloses(before))
    reply = f"{before!a}\n{mark}\nNo, not that.\n```\n{line}\n```"

    assert Reading("answered", line) == _read(reply).lenient == _read(reply).strict


@given(
    st.from_regex(r"[a-z]{2,9}[a-z0-9!?@#%&^+=()<>\[\]-]{0,9}", fullmatch=True),
    st.sampled_from(WORD_DRESSES),
)
def test_any_line_comes_out_of_any_dress(line: str, dress: str) -> None:
    """As it went in."""
    assume(not line.startswith("answer"))

    assert Reading("answered", line) == _read(dress.replace("banana", line)).lenient


@given(
    st.lists(st.from_regex(r"[.#o]{5}", fullmatch=True), min_size=2, max_size=9),
    st.sampled_from(GRID_DRESSES),
)
def test_any_map_comes_out_of_any_dress(rows: list[str], dress: str) -> None:
    """No row of it is ever touched."""
    grid = "\n".join(rows)

    assert Reading("answered", grid) == _read(dress.replace(GRID, grid), "block").lenient


@given(st.text(), st.sampled_from(["**", "`", '"']))
def test_undressing_takes_what_stands_around_and_nothing_else(line: str, mark: str) -> None:
    """What is left is part of the line, and a pair around it comes off again."""
    bare = undressed(line)
    assume(bare and undressed(bare) == bare and not set(mark) & set(bare) and "\\" not in line)

    assert bare in line
    assert bare == undressed(f" {mark}{bare}{mark}. ")


@given(st.dictionaries(st.text(max_size=9), JSON, max_size=3), st.booleans(), st.text(max_size=20))
def test_any_object_comes_back_word_for_word(
    thing: dict[str, object], plain: bool, before: str
) -> None:
    """Braces, quotes and escapes in its strings included."""
    text = json.dumps(thing, ensure_ascii=plain)
    assume(not _encloses(text) and "{" not in before)

    assert json.loads(text) == json.loads(
        _read(f"{before!a}\nAnswer: {text}", "json").lenient.answer
    )
    assert json.loads(text) == json.loads(_read(f"There:\n{text}\n", "json").lenient.answer)


@given(st.text(), st.sampled_from(FORMS), st.sampled_from(FINISHES), st.booleans(), st.text())
def test_any_text_is_read(
    text: str, form: Form, finish: Finish, opened: bool, thinking: str
) -> None:
    """Every reading is sound."""
    _assert_sound(read(Generation(text, thinking, finish), form, opened=opened))


def _assert_sound(readings: Readings) -> None:
    """An answer if and only if it is answered, and strict is never richer than lenient."""
    statuses = {"answered", "unreadable", "malformed", "refused", "truncated", "empty"}
    for reading in readings[:2]:
        assert reading.status in statuses
        assert (reading.status == "answered") == bool(reading.answer.strip())
    assert "answered" == readings.lenient.status or readings.strict == readings.lenient


SEEDS = [case["text"] for case in CASES]
NOISE = [
    "<think>", "</think>", "```", "~~~", "**", "`", "\\boxed{", "}", "{", '"', "\n", "\n\n", "Answer:", "答案：", "<answer>",
    "</answer>", "$", "\x00", "\ud800", "\u202e", "\ufeff", "\r\n", "\u2028", "é", "🧩", " ", "\\", "<|channel|>final<|message|>",
    "1. ", "- ", ":", "\r", "\x85", "<|im_end|>", " <think>", "[[", "]]", "wrong ", "I can't ", "the answer is ",
]  # fmt: skip


def _mutated(rng: Random) -> str:
    text = rng.choice(SEEDS)
    for _ in range(rng.randint(1, 4)):
        at, to = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        match rng.randrange(6):
            case 0:
                text = text[:at] + text[to:]
            case 1:
                text = text[:to] + text[at:]
            case 2:
                text = text[:at] + rng.choice(NOISE) * rng.choice([1, 1, 1, 2, 9]) + text[at:]
            case 3:
                text = text[at:] + rng.choice(SEEDS)
            case 4:
                lines = text.split("\n")
                rng.shuffle(lines)
                text = "\n".join(lines)
            case _:
                text = text[:at] + "".join(rng.sample(text[at:to], to - at)) + text[to:]
    return text


@pytest.mark.parametrize("count", [20_000, pytest.param(300_000, marks=pytest.mark.heavy)])
def test_mutated_replies(count: int) -> None:
    """Cut, doubled, shuffled, joined and with odd signs put in: always read, and soundly."""
    rng = Random(count)
    for _ in range(count):
        choice = Generation(_mutated(rng), rng.choice(["", "", "hm"]), rng.choice(FINISHES))
        _assert_sound(read(choice, rng.choice(FORMS), opened=rng.random() < 0.1))


HOSTILE = [
    "{", "}", "{}", '{"a":', '{"a":[', '{"a": "', '{ "', '{"a": 1} ', '"\\"', '"{', "\\u12", "\\f", "`", "```\n", "~~~a\n",
    "```a``b\n", "```\na\n```\n", "```\n1\n", "[\n```", "<think>", "<think></think>", "</think>\n", "<think>\n", "</think> \t x", "*", "**a** ", "**a**\n", "is **",
    "\\boxed{", "\\boxed{1} ", "\\text{", "\\", "\\\\ & ", "$", "'\"", "Answer:", "Answer:\n", "**Answer: ", "answer:\n\n",
    "### Answer\n", "so the my final ", "the answer is ", "the answer is 1 ", "so the final answer is 1. ", "the a a a word ",
    "答案是", "\n", " ", "   \n", "a \t", "a\n\n", "a\n \n", "this is a sentence.\n\n", "Word word word word.\n", "<answer>",
    "<answer></answer>", "</answer>", "answer>", "#", "_", "-", "- a\n", "- ab\n", "1. a\n", "a.", "Note: a\n", "explanation:\n",
    "sorry, ", "I can't ", "no a solution ", "<|channel|>final<|message|>", "<|channel|>analysis<|message|>", "\x00", "\ud800",
    "9", "********************\n", "</s>", "<|im_end|>", " <think>x", "a <think> tag ", "I play ", "I play 1. ", "\r", "\u2028",
    "list:", "list:\n", "list: \n\n", "text: ", "text text ", "| 1 ", "|\n", "[1,\n", "[", "[[a", "[[a]]", "[[a]] ", "(",
    '{"answer": 1} ', '{"answer": ', '"answer"', "1 2 2\n", "1\n\n", "a. Answer: ", "。答案：", "答案是1。", "a. ", "1_",
    "单词是", "单词：", "如下：\n", "说明：\n", "“", "「a」", "一、a\n", "（1）a\n", "①a\n", "第一行：a\n", "填1。\n", "这是一句话。\n", "抱歉，",
    "答案是不", "不是答案是", "顺序为", "最终答案是：", "故选", "故选 C。", "the answer is not ", "the answer is ... ", "final answer: ",
    "[[1]]\n", "[[1];", "[[a]],", "form of [[a]] ", "### Question:\n", "the sum is 12. ", "the sum of 1 and 2 is 3\n", "**a** is ", "For example:\n",
    "let us ", "I am sorry ", "sorry, but ", "pour A->B\n", "作为模型", "｛“", '{"答案"：', "牌：7\n", "|-|\n", "ab（溪", "ab。", "更正：答案：", "结论：", "答：", "最终", "一",
]  # fmt: skip


PATTERNS = (marks, reply, sentences, shapes, thinking, unmarked, json_replies, textwrap)


def _hostile(size: int) -> Iterator[str]:
    for piece in HOSTILE:
        for before in ("", "Answer: "):
            yield before + (piece * (size // len(piece) + 1))[:size]


def _steps(text: str, form: Form) -> float:
    """Of all regular expressions."""
    fences.cache_clear()
    with written_down(*PATTERNS) as uses:
        read(Generation(text), form)
    return sum(use.steps() for use in uses)


def _calls(text: str, form: Form) -> float:
    fences.cache_clear()
    return calls(read, Generation(text), form)


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ('```json\n{"answer": ["1"]}\n```\nLet me also', '{"answer": ["1"]}'),
        ('```\n{"answer": ["1"]}\n```\nLet me', '{"answer": ["1"]}'),
        ('{"answer": ["1"]}', '{"answer": ["1"]}'),
        ('So {"answer": ["1"]} and then', ""),
        ('```\n{"answer": ["1"]}\n```\nOr rather\n```\n{"ans', ""),
    ],
)
def test_an_object_in_a_closed_fence_counts_before_a_cut(said: str, answer: str) -> None:
    """Elsewhere it may be a first thought, and so it is where another one was begun."""
    assert answer == read(Generation(said, finish="length"), "json").lenient.answer


@pytest.mark.heavy
@pytest.mark.parametrize("work", [_steps, _calls])
@pytest.mark.parametrize("form", FORMS)
def test_work_is_linear(
    work: Callable[[str, Form], float], form: Form, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four times the text takes about four times the work; if it were quadratic, sixteen times.

    Steps of long texts are estimated, and a little work says little, so that there is a grain.
    """
    grain, size = 20_000, 5_000
    monkeypatch.setattr(json_replies, "MOST_BROKEN", 100)  # these texts are too short for the usual
    for short, long in zip(_hostile(size), _hostile(4 * size), strict=True):
        assert work(long, form) <= 8 * max(grain, work(short, form)), long[:40]


MOST_STEPS = 200  # of regular expressions for each character


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("marker", ["答案是", "the answer is ", "故选", "。", "[[1]]\n", "答案："])
def test_a_repeated_marker_takes_few_steps(marker: str, form: Form) -> None:
    """A search that goes on from each of them to a far end is linear, but takes seconds."""
    text = "Answer: " + marker * 600

    assert _steps(text, form) <= MOST_STEPS * len(text)


@pytest.mark.heavy
@pytest.mark.parametrize("form", FORMS)
def test_a_character_takes_few_steps(form: Form, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is repeated."""
    monkeypatch.setattr(json_replies, "MOST_BROKEN", 100)
    for text in _hostile(4_000):
        assert _steps(text, form) <= MOST_STEPS * len(text), text[:40]


def test_every_pattern_of_the_reader_is_counted() -> None:
    """None is used but through those that write it down."""
    callers = set[str]()

    def look(frame: FrameType, event: str, called: object) -> None:
        if event == "c_call" and isinstance(getattr(called, "__self__", None), re.Pattern):
            callers.add(frame.f_code.co_filename)

    with written_down(*PATTERNS) as uses:
        sys.setprofile(look)
        try:
            for text in _hostile(60):
                for form in FORMS:
                    read(Generation(text), form)
        finally:
            sys.setprofile(None)

    assert len({use.real for use in uses}) > 30
    assert {regex_steps.__file__} == {name for name in callers if "json" not in name}


@pytest.mark.heavy
def test_memory_is_linear() -> None:
    """At most 200 bytes for a character of the text, whatever it is."""
    size = 3_000
    for text, form in product(_hostile(size), FORMS):
        tracemalloc.start()
        read(Generation(text), form)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()

        assert peak < 200 * size, (text[:40], form)

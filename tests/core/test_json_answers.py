"""Judging answers with a process: what is found in a reply, and what each part is worth."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from counted_work import calls
from hanging import hangs
from quandary.core.json_answers import (
    agreement,
    asked,
    canonical,
    is_alike,
    judge_json,
    written,
)

ANSWER, PROCESS = ["cd"], ["ab", "cd"]
HOME = (
    Path(os.environ.get("QUANDARY_DATA") or Path(__file__).parents[3] / "shared" / "data")
    / "logicgame"
    / "dev"
)


def parts(said: str, answer: object = ANSWER, process: object = PROCESS) -> dict[str, float]:
    return dict(judge_json(said, answer, process).parts)


def kind(said: str, answer: object = ANSWER, process: object = PROCESS) -> str:
    return judge_json(said, answer, process).kind


@pytest.mark.parametrize("note", ["two\nlines", "a\ttab", "\\(x \\le 3\\)"])
def test_notes_as_models_write_them_do_no_harm(note: str):
    """Raw line breaks and LaTeX in other strings leave a right answer right."""
    said = f'{{"note": "{note}", "answer": ["cd"], "process": ["ab", "cd"]}}'

    assert judge_json(said, ANSWER, PROCESS).score == 1.0


def test_both_right_is_the_only_full_score():
    """The score is 1.0 when answer and process are exactly right, and then every part is."""
    verdict = judge_json(written(ANSWER, PROCESS), ANSWER, PROCESS)

    assert (verdict.score, verdict.kind, verdict.feedback) == (1.0, "", "")
    assert {value for _, value in verdict.parts} == {1.0}


@pytest.mark.parametrize(
    ("given", "share"),
    [
        (["ab", "cd"], 1.0),
        (["ab", "ce"], 8 / 11),  # ["ab","c is shared, of ["ab","cd"]
        (["ab"], 5 / 11),  # ["ab" is shared
        (["ab", "cd", "ef"], 10 / 16),  # ["ab","cd" is shared, of ["ab","cd","ef"]
        (
            ["xb", "cd"],
            2 / 11,
        ),  # [" is shared: what comes after the first difference does not count
        ([], 1 / 11),
        ({}, 0.0),
        ("ab", 0.0),
        (None, 0.0),
    ],
)
def test_process_counts_characters_from_the_left(given: object, share: float):
    """The process is worth the share of the longer text that agrees from the left."""
    assert agreement(canonical(given), canonical(PROCESS)) == pytest.approx(share)
    assert parts(json.dumps({"answer": ANSWER, "process": given}, indent=3))[
        "process"
    ] == pytest.approx(share)


def test_only_a_full_process_counts_for_both():
    """A right answer with a process that is nearly right is worth the answer alone."""
    verdict = judge_json('{"answer": ["cd"], "process": ["ab", "ce"]}', ANSWER, PROCESS)

    assert (verdict.score, verdict.kind) == (0.0, "wrong_process")
    assert (dict(verdict.parts)["answer"], dict(verdict.parts)["answer_and_process"]) == (1.0, 0.0)
    assert "entry 2" in verdict.feedback


@pytest.mark.parametrize(
    ("process", "entry"),
    [(["ab"], 2), (["ab", "cd", "ef"], 3), (["x"], 1), ("ab", 1), ([["ab"], "cd"], 1)],
)
def test_feedback_names_the_first_wrong_entry(process: object, entry: int):
    """The verdict has the first entry that differs, is missing or is superfluous; its feedback
    names it.
    """
    verdict = judge_json(json.dumps({"answer": ANSWER, "process": process}), ANSWER, PROCESS, "zh")

    assert f"第 {entry} 项" in verdict.feedback
    assert verdict.first_wrong_step == entry


@pytest.mark.parametrize(
    ("said", "step"),
    [
        (written(ANSWER, PROCESS), None),
        (written(["x"], PROCESS), None),
        (written(ANSWER), 1),
        (written(["x"]), 1),
        ("no JSON", None),
        ('{"answer": ', None),
    ],
)
def test_only_a_process_that_is_judged_has_a_wrong_step(said: str, step: int | None):
    """One that is missing is wrong from its first entry on."""
    assert judge_json(said, ANSWER, PROCESS).first_wrong_step == step
    assert judge_json(said, ANSWER).first_wrong_step is None


def test_other_answers_are_tested_only_if_they_have_the_shape_of_ours():
    """Strings in lists as deep as those of ours; numbers are strings by then."""
    seen = list[object]()

    def accepts(answer: object) -> bool:
        seen.append(answer)
        return answer == [["b"], ["1"]]

    given: list[object] = [[["b"], [1]], [], [[]], None, 7, "b", ["b"], {}, [None], [["b"], {}]]
    scores = [
        judge_json(json.dumps({"answer": one}), [["a"]], accepts=accepts).score for one in given
    ]

    assert seen == [[["b"], ["1"]], [], [[]]]
    assert scores[1:] == [0.0] * (len(given) - 1)


def test_a_process_can_be_right_without_the_answer():
    """A wrong answer does not touch the process's own worth."""
    said = '{"process": ["ab", "cd"], "answer": ["ab"]}'

    assert kind(said) == "wrong_answer"
    assert tuple(parts(said)[name] for name in ("answer", "process", "answer_and_process")) == (
        0.0,
        1.0,
        0.0,
    )


def test_without_a_process_the_answer_decides():
    """Where no process is asked for, its part is the answer's, and a given one is ignored."""
    assert set(parts('{"answer": ["cd"], "process": "nonsense"}', process=None).values()) == {1.0}
    assert set(parts('{"answer": ["ab"]}', process=None).values()) == {0.0}
    assert kind('{"answer": ["ab"]}', process=None) == "wrong_answer"


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("", "no_json"),
        ("The answer is cd.", "no_json"),
        ("``` ```", "no_json"),
        ('["cd"]', "no_json"),
        ("{", "malformed_json"),
        ('{"answer": ["cd"], "process": ["ab"', "malformed_json"),
        ('{"answer": ["cd"],}', "malformed_json"),
        ("{'answer': ['cd']}", "malformed_json"),
        ('{"answer": ["c\td"]}', "missing_process"),
        ('{"answer": ["c\nd"], "process": ["ab", "cd"]}', "wrong_answer"),
        ('{"answer": ["\\(cd\\)"], "process": ["ab", "cd"]}', "wrong_answer"),
        ('{"answer": NaN, "process": []}', "malformed_json"),
        ('{"answer": -Infinity, "process": []}', "malformed_json"),
        ('{"answer": ["cd"], "process": ["ab", "cd"], "answer": ["ab"]}', "malformed_json"),
        ('{"answer": ' + "1" * 5_000 + "}", "malformed_json"),
        ('```json\n["cd"]\n```', "missing_answer"),
        ("{}", "missing_answer"),
        ('{"Answer": ["cd"], "process": ["ab", "cd"]}', "missing_answer"),
        ('{"answer": ["cd"]}', "missing_process"),
        ('{"answer": ["ab"]}', "missing_process"),
        ('{"answer": ["ab"], "process": ["ab", "cd"]}', "wrong_answer"),
        ('{"answer": "cd", "process": ["ab", "cd"]}', "wrong_answer"),
        ('{"answer": ["ab"], "process": []}', "wrong_answer"),
        ('{"answer": ["cd"], "process": ["cd"]}', "wrong_process"),
        ('{"answer": 1e999, "process": "\\ud800"}', "wrong_answer"),
    ],
)
def test_kinds_of_fault(said: str, expected: str):
    """Every fault has its kind and a sentence, in both languages, and no score."""
    verdicts = [judge_json(said, ANSWER, PROCESS, language) for language in ("en", "zh")]

    assert [verdict.kind for verdict in verdicts] == [expected] * 2
    assert all(verdict.feedback and verdict.score == 0.0 for verdict in verdicts)
    assert verdicts[0].feedback != verdicts[1].feedback


@pytest.mark.parametrize("said", ["no JSON at all", '{"answer": ["cd"], "process": ["ab", "cd"]'])
def test_a_form_error_leaves_nothing(said: str):
    """Where no JSON is found or it does not parse, every part is there and is zero."""
    assert set(parts(said).values()) == {0.0} and len(parts(said)) == 5


def test_a_missing_part_leaves_the_other():
    """Each part is judged on its own where the other is missing."""
    assert (parts('{"answer": ["cd"]}')["answer"], parts('{"answer": ["cd"]}')["process"]) == (
        1.0,
        0.0,
    )
    assert (
        parts('{"process": ["ab", "cd"]}')["answer"],
        parts('{"process": ["ab", "cd"]}')["process"],
    ) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("given", "strict", "lenient"),
    [
        ('["1", "20"]', 1.0, 1.0),
        ("[1, 20]", 0.0, 1.0),
        ('[1.0, " 20 "]', 0.0, 1.0),
        ("[true, 20]", 0.0, 0.0),
        ('["01", "20"]', 0.0, 0.0),
        ('["20", "1"]', 0.0, 0.0),
        ('[["1", "20"]]', 0.0, 0.0),
    ],
)
def test_lenient_parts_forgive_numbers_and_blanks(given: str, strict: float, lenient: float):
    """A number for a string and outer blanks are wrong, but the lenient parts forgive them."""
    found = parts(f'{{"answer": {given}, "process": {given}}}', ["1", "20"], ["1", "20"])

    assert (found["answer"], found["answer_and_process"]) == (strict, strict)
    assert (found["lenient_answer"], found["lenient_answer_and_process"]) == (lenient, lenient)


def test_numbers_are_not_truth_values():
    """Where numbers are asked for, true is not 1 and 1.0 is not written as 1."""
    assert parts('{"answer": [1]}', [1], None)["answer"] == 1.0
    assert parts('{"answer": [true]}', [1], None)["answer"] == 0.0
    assert parts('{"answer": [1.0]}', [1], None)["answer"] == 0.0
    assert parts('{"answer": [true]}', [1], None)["lenient_answer"] == 0.0


LONG = 3_000_000


@pytest.mark.parametrize(
    "said",
    [
        "{" * LONG,
        "[" * LONG,
        '{"answer":' * (LONG // 10),
        '{"answer": ' + "[" * LONG,
        '{"answer": ' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"answer": ' + "[" * 300 + "]" * 300 + ', "process": []}',
        '{"answer": "' + "x" * LONG + '"}',
        "`" * LONG,
        "```json" * (LONG // 7),
        "```json {" * (LONG // 9),
        "\x00\ufeff" * (LONG // 2),
        '{"answer": ["cd"], "process": [' + '"",' * 300_000 + '""]}',
    ],
    ids=lambda said: f"{said[:12]}…{len(said)}",
)
def test_monsters_are_refused_after_little_work(said: str):
    """Three million characters or endless lists are judged like any wrong answer."""
    verdicts = []
    assert not hangs(lambda: verdicts.append(judge_json(said, ANSWER, PROCESS)))
    [verdict] = verdicts

    assert verdict.score == 0.0 and verdict.kind in ("no_json", "malformed_json", "wrong_process")
    assert calls(judge_json, said, ANSWER, PROCESS) <= 1_000 + len(said) // 5


def test_asked_names_the_keys_that_are_wanted():
    """The words on how to answer show the example, and name a process only where there is one."""
    for language in ("en", "zh"):
        with_process, alone = asked(language, "{EX}", "AN", "PR"), asked(language, "{EX}", "AN")

        assert all(word in with_process for word in ('"answer"', '"process"', "{EX}", "AN", "PR"))
        assert all(word in alone for word in ('"answer"', "{EX}", "AN")) and "process" not in alone


@pytest.mark.parametrize("language", ["en", "zh"])
def test_published_references_are_accepted_as_answers(language: str):
    """Each published reference, written as a reply, is right against itself and no other."""
    file = HOME / f"{language}_dev_10.jsonl"
    if not file.exists():
        pytest.skip(
            f"LogicGame's published data is not at {HOME}; set QUANDARY_DATA to the folder with it"
        )
    references = [
        json.loads(line)["reference"] for line in file.read_text(encoding="utf-8").splitlines()
    ]

    assert len(references) == 10
    for reference in references:
        reply = f"So the result is\n```json\n{json.dumps(reference, indent=4)}\n```"
        assert judge_json(reply, reference["answer"], reference.get("process")).score == 1.0
        others = [other for other in references if other != reference]
        assert {
            judge_json(reply, other["answer"], other.get("process")).score for other in others
        } == {0.0}


@pytest.mark.parametrize(
    ("given", "expected", "is_so"),
    [
        (["a", "b"], ["a", "b"], True),
        (["a", 1], ["a", "1"], True),
        ([" a", ["b", 2.0]], ["a", ["b", "2"]], True),
        (["a", True], ["a", 1], False),  # which are equal in Python
        ([[True]], [["1"]], False),
        (["a"], ["a", "b"], False),
    ],
)
def test_what_is_alike(given: object, expected: object, is_so: bool) -> None:
    assert is_so == is_alike(given, expected)

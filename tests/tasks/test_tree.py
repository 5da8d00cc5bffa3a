"""The questions that search trees raise."""

from __future__ import annotations

import pytest

from quandary import prompt
from quandary.catalogue import drawing
from quandary.core.contract import Question


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("unsolvable", ""),
        ("Unsolvable.", ""),
        ("The position is unsolvable.", ""),
        ("It cannot be solved, so it is unsolvable", ""),
        ("Not solvable.", ""),
        ("It is not solvable.", ""),
        ("The position is not solvable.", ""),
        ("The current position is not solvable!", ""),
        ("It is not solvable, or is it solvable?", "unknown_label"),
        ("It is not not solvable.", "unknown_label"),
        ("solvable", "wrong_label"),
        ("not only solvable", "unknown_label"),
        ("not unsolvable", "unknown_label"),
        ("It isn’t solvable.", "unknown_label"),
        ("It can’t be completed, so it is unsolvable.", ""),
        ("It doesn't seem solvable.", "unknown_label"),
        ("non-solvable", "unknown_label"),
        ("un-solvable", "unknown_label"),
        ("It was solvable before, now it is a dead end.", "unknown_label"),
        ("This is a dead end: unsolvable", ""),
        ("solvable is wrong", "unknown_label"),
        ("solvable or unsolvable", "unknown_label"),
        ("unsolvable 7", "unknown_label"),
        ("<unsolvable>", ""),
        ("<not solvable>", ""),
        ("solvable（不可解）", "unknown_label"),
        ("不可解", ""),
        ("<不可解>", ""),
        ("“不可解”", ""),
        ("「不可解」", ""),
        ("【不可解】", ""),
        ("该局面不可解", ""),
        ("当前局面不可解。", ""),
        ("不可解的", ""),
        ("不可解（理由见上）", ""),
        ("无法走到获胜，所以不可解", ""),
        ("此局面无解。", ""),
        ("**可解**", "wrong_label"),
        ("是可解的", "wrong_label"),
        ("不是不可解", "unknown_label"),
        ("并非可解", "unknown_label"),
        ("不一定可解", "unknown_label"),
        ("可解是错误的", "unknown_label"),
        ("以为可解，其实是死局", "unknown_label"),
        ("已成死局，不可解", ""),
        ("可解 或 不可解", "unknown_label"),
        ("不可解 7", "unknown_label"),
        ("", "unknown_label"),
    ],
)
def test_a_label_may_stand_among_words(words: str, kind: str) -> None:
    """The only one that is said counts, unless something is denied."""
    question = next(
        question
        for question in (drawing.instance(f"check:game_of_24/easy#{seed}") for seed in range(1, 20))
        if isinstance(question, Question) and question.solution() == "unsolvable"
    )

    assert kind == question.check(words).kind


@pytest.mark.parametrize(
    "name",
    [
        "game_of_24",
        "graph_coloring",
        "logic_grid",
        "sudoku",
        "takuzu",
        "tidy_tower",
    ],
)
def test_a_worked_example_answers_with_the_word_that_is_asked_for(name: str) -> None:
    """In Chinese too, where the logged answer stays the same for all languages."""
    [_, asked, example, _] = prompt(f"check:{name}/easy#1", shots=1, language="zh")

    assert "只回答一个词：“可解”或“不可解”。" in asked["content"]
    assert example["content"].splitlines()[-2] in ("可解", "不可解")
    assert "solvable" not in example["content"]


@pytest.mark.parametrize("answer", ["solvable", "unsolvable"])
def test_a_translated_answer_is_judged_alike(answer: str) -> None:
    """What is shown in a language is read as the answer it stands for."""
    question = drawing.instance("check:tidy_tower/easy#1")
    assert isinstance(question, Question)
    translated = question.translated(answer, "zh")

    assert question.check(translated) == question.check(answer)
    assert not translated.isascii()


def test_towers_in_state_tasks_are_written_without_words() -> None:
    """So they are the same in every language; the rules explain them in each."""
    for task in ("check", "next"):
        question = drawing.instance(f"{task}:tidy_tower/easy#1")
        assert "turns left" not in question.text(0, "zh")
        assert "从下到上的正面颜色，后面是剩余步数" in question.rules("zh")
        assert "front colours from bottom to top" in question.rules("en")

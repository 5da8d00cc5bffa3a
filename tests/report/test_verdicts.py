"""The report and `replay` say whether an answer is right, why it is not, and what is."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from quandary.arena.store import read
from quandary.catalogue import drawing
from quandary.cli.main import main
from quandary.core.contract import Game
from quandary.matches.match import Match
from quandary.matches.player import Reply
from quandary.matches.record import Record
from quandary.matches.verdicts import checked, in_words, right_answer
from quandary.report.viewer.transcripts import transcript
from quandary.results.run_context import RunContext
from quandary.tasks.question_game import asked_question

# A question with a process, one with words, one of a tree, one whose answers differ in value.
QUESTIONS = (
    "path_movement/1#3",
    "anagram_scribble/easy#1",
    "check:sudoku/easy#2",
    "optimal_touring/normal#1",
)


def answered(spec: str, *answers: str) -> Record:
    """A match of one player that gives these answers."""
    match = Match(drawing.game(spec, tries=len(answers)), spec)
    for answer in answers:
        match.receive(0, Reply(answer))
    return match.record(["openai/any"], 0)


def solution_of(start: Game) -> str:
    asked = asked_question(start)
    assert asked is not None
    return asked.question.seen_by(0).solution()


def wrong_answer(start: Game) -> str:
    """An answer in the right form that scores nothing, without asking the code under test."""
    asked, rng = asked_question(start), Random(1)
    assert asked is not None
    for _ in range(500):
        guess = asked.question.seen_by(0).sample(rng)
        if asked.question.check(guess).score == 0.0:
            return guess
    raise AssertionError("no wrong answer found")


def turns_of(record: Record, language: str = "en") -> tuple[dict[str, Any], list[dict[str, Any]]]:
    data = transcript(record, {}, {}, [language])
    return data, [reply for step in data["steps"] for reply in step.get("replies", ())]


@pytest.mark.parametrize("spec", QUESTIONS[:3])
def test_wrong_answers_are_called_wrong(spec: str) -> None:
    start = drawing.game(spec)
    data, turns = turns_of(answered(spec, wrong_answer(start)))

    assert "wrong" == turns[0]["checked"]["judgement"]
    assert turns[0]["checked"]["sentence"]
    assert solution_of(start) == data["solution"]


@pytest.mark.parametrize("spec", QUESTIONS)
def test_right_answers_are_called_right(spec: str) -> None:
    record = answered(spec, solution_of(drawing.game(spec)))
    _, turns = turns_of(record)
    assert record.scores is not None

    expected = "right" if record.scores[0] == 1.0 else "valued"
    assert expected == turns[0]["checked"]["judgement"]
    assert record.scores[0] == turns[0]["checked"]["score"]


def test_a_right_answer_with_a_wrong_process_is_told_apart() -> None:
    spec = "path_movement/1#3"
    right = json.loads(solution_of(drawing.game(spec)))
    given = json.dumps({**right, "process": right["process"][:-1]})
    _, [turn] = turns_of(answered(spec, given))
    _, [other] = turns_of(answered(spec, wrong_answer(drawing.game(spec))))

    assert ("wrong", "answer") == (turn["checked"]["judgement"], turn["checked"]["right_part"])
    assert "" == other["checked"]["right_part"]


def test_a_sentence_that_is_none_of_the_possible_answers_is_told_so() -> None:
    spec = "check:sudoku/easy#2"
    _, [vague] = turns_of(answered(spec, "There are several ways to go on from here."))
    _, [wrong] = turns_of(answered(spec, wrong_answer(drawing.game(spec))))

    assert "wrong" == vague["checked"]["judgement"] == wrong["checked"]["judgement"]
    assert not vague["checked"]["is_possible"] and wrong["checked"]["is_possible"]
    verdict = checked(drawing.game(spec), "Who knows?", "en")
    assert verdict and "not one of the possible answers" in in_words(verdict, "en")


def test_every_try_has_its_verdict() -> None:
    spec = "text_sudoku/easy#1"
    start = drawing.game(spec)
    _, turns = turns_of(answered(spec, wrong_answer(start), solution_of(start)))

    assert ["wrong", "right"] == [turn["checked"]["judgement"] for turn in turns]


def test_a_match_is_told_in_its_language() -> None:
    """Positions, moves and the checker's sentence; the model's name or the suite sets it."""
    spec = "path_movement/1#3"
    start = drawing.game(spec)
    data, turns = turns_of(answered(spec, wrong_answer(start)), "zh")

    assert start.seen_by(0).text(0, "zh") == data["frames"][data["steps"][0]["frames"][0]]["text"]
    asked = asked_question(start)
    assert asked is not None
    assert (
        asked.question.check(wrong_answer(start), "zh").feedback == turns[0]["checked"]["sentence"]
    )


def test_the_language_of_each_seat() -> None:
    context = RunContext({"language": "en"}, languages={"board/only#2": "zh"})

    assert ["en", "en"] == context.languages_of("board/only#1", ["house", "random"])
    assert ["zh", "zh"] == context.languages_of("board/only#2", ["house", "random"])
    asked = ["house", "openai/any,language=zh"]
    assert ["zh", "zh"] == context.languages_of("board/only#1", asked)
    both = ["openai/any", "openai/any,language=zh"]
    assert ["en", "zh"] == context.languages_of("board/only#1", both)


def test_a_game_asks_nothing() -> None:
    start = drawing.game("card_nim/easy#1")

    assert checked(start, "1", "en") is None and right_answer(start, "en") == ""


def test_replay_says_right_or_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "records.jsonl"
    for player in ("oracle", "random"):
        assert 0 == main(
            ["match", "path_movement/1#3", "--players", player, "--quiet", "--out", str(path)]
        )
    scores = [record.scores for record in read(path)]
    assert scores == [(1.0,), (0.0,)]
    capsys.readouterr()
    assert 0 == main(["replay", str(path), "--transcript"])
    output = capsys.readouterr().out
    assert "verdict: right" in output and "verdict: wrong: " in output
    assert 0 == main(["replay", str(path), "--transcript", "--json"])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert ["right", "wrong"] == [one["words"][0]["checked"]["judgement"] for one in lines]

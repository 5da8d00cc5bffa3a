"""Inspect AI reads what we export, and finds our scores."""

from __future__ import annotations

from pathlib import Path

import pytest

from quandary.arena.store import records
from quandary.cli.main import main
from quandary.core.contract import CHANCE
from quandary.matches.record import LoggedReply
from quandary.tasks.question_game import asked_question
from run_folders import call, on_board, run_folder

pytestmark = pytest.mark.heavy
pytest.importorskip("inspect_ai", reason="needs Inspect AI: pip install 'quandary[inspect]'")

MODEL = "openai/any"


def test_inspect_reads_the_logs(tmp_path: Path) -> None:
    """One log per player; one sample per seat and match, with our scores, errors, messages and
    tokens.
    """
    from inspect_ai.log import list_eval_logs, read_eval_log

    replies = [LoggedReply(0, "I say.\nAnswer: 1", "answered", "1", 0.5, 7)]
    records = [
        on_board(1, (MODEL, "house"), (1.0, 0.0), replies),
        on_board(1, ("house", MODEL), (0.5, 0.5)),
        on_board(1, (MODEL, "house"), (0.0, 1.0), replies, repeat=1),
        on_board(2, (MODEL, "house"), None),
    ]
    message = {"message": "m1", "role": "user", "parts": [{"text": "What <b>now</b>?"}]}
    sent, got = call(f"board/only#1 {MODEL} house 0", "1", read=9, written=7, cached=4)
    again = call(f"board/only#1 {MODEL} house 1", "1", read=9, written=7, cached=4)
    journal = [message, {**sent, "messages": ["m1"]}, got, {**again[0], "messages": []}, again[1]]
    folder = run_folder(tmp_path / "run", records, journal)
    out = tmp_path / "logs"

    assert main(["export", str(folder), "--to", "inspect", "--out", str(out)]) == 0
    logs = {log.eval.model: log for log in map(read_eval_log, list_eval_logs(str(out)))}
    assert set(logs) == {MODEL, "house"}
    log = logs[MODEL]
    samples = {(sample.id, sample.epoch): sample for sample in log.samples}
    assert {
        ("board/only#1 seat 0 against house", 1): 1.0,
        ("board/only#1 seat 1 against house", 1): 0.5,
        ("board/only#1 seat 0 against house", 2): 0.0,
        ("board/only#2 seat 0 against house", 1): None,
    } == {
        key: sample.scores["score"].value if sample.scores else None
        for key, sample in samples.items()
    }
    assert log.status == "success" and log.eval.task == "by_hand"
    # One start: in the first playing 1 and 0.5, in the second 0.
    assert log.results.scores[0].metrics["mean"].value == 0.375
    assert samples["board/only#2 seat 0 against house", 1].error.message == (
        "ended by infrastructure"
    )
    first = samples["board/only#1 seat 0 against house", 1]
    assert ["What <b>now</b>?", "Answer: 1"] == [each.text for each in first.messages]
    assert first.model_usage[MODEL].input_tokens == 5  # of 9, because 4 were cached
    total = log.stats.model_usage[MODEL]
    assert (10, 8, 14, 32) == (
        total.input_tokens,
        total.input_tokens_cache_read,
        total.output_tokens,
        total.total_tokens,
    )
    assert logs["house"].stats.model_usage == {}
    assert "Board: ........." in first.input and first.output.completion == replies[0].words


def test_samples_say_what_is_right_and_why(tmp_path: Path) -> None:
    """The target is a right answer, the explanation the checker's, the moves are events."""
    from inspect_ai.log import list_eval_logs, read_eval_log

    folder, out = tmp_path / "run", tmp_path / "logs"
    chosen = ["--puzzle", "path_movement", "--puzzle", "superply", "--seeds", "1-2"]
    players = ["--player", "oracle", "--player", "random"]
    assert main(["run", *chosen, *players, "--out", str(folder)]) == 0
    assert main(["export", str(folder), "--to", "inspect", "--out", str(out)]) == 0
    played = {(one.name, one.players): one for one in records(folder)}
    wrong = 0
    for path in list_eval_logs(str(out)):
        log = read_eval_log(path, resolve_attachments=True)  # Inspect keeps long texts apart
        for sample in log.samples:
            spec, seat = sample.metadata["spec"], sample.metadata["seat"]
            names = (log.eval.model, sample.metadata["opponents"])
            record = played[spec, names[:: -1 if seat else 1] if names[1] else names[:1]]
            *moves, score = sample.events
            assert list(record.log) == [
                (event.data.get("seat", CHANCE), event.data["move"]) for event in moves
            ]
            assert score.score == sample.scores["score"]
            asked = asked_question(record.start)
            if asked is None:
                continue
            assert asked.question.check(sample.target).score == 1.0
            verdict = asked.question.check(record.log[-1][1])
            explanation = sample.scores["score"].explanation
            assert ("right" if verdict.score == 1.0 else verdict.feedback) in explanation
            wrong += verdict.score < 1.0
    assert wrong

"""Moments worth seeing: what they say is so, and they are of many puzzles and kinds."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from quandary.tasks.question_game import asked_question

pytest.importorskip("aiohttp", reason="needs aiohttp: pip install 'quandary[report,models]'")
pytest.importorskip("scipy", reason="needs scipy: pip install 'quandary[report,models]'")
pytest.importorskip("pyarrow", reason="needs pyarrow: pip install 'quandary[report,models]'")

from quandary.arena.store import records
from quandary.matches.record import Record, replay
from quandary.matches.regret import judged
from quandary.report.viewer import chosen, moments
from quandary.report.viewer.moments import Moment, Moments
from quandary.report.viewer.transcripts import transcript
from quandary.results.table import seats
from scripted_models import small_scripted_run
from seat_tables import duel, seat_row, seat_table


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_scripted_run(tmp_path_factory.mktemp("scripted"), "random")


@pytest.fixture(scope="module")
def found(run: Path) -> Moments:
    return moments.moments(seats(run, columns=chosen.COLUMNS), {"run": run})


@pytest.fixture(scope="module")
def played(run: Path) -> dict[int, Record]:
    return dict(enumerate(records(run), start=1))


def _of(found: Moments, kind: str) -> list[Moment]:
    return [one for one in found.chosen if one.kind.key == kind]


def test_they_are_of_many_kinds_and_few_of_each(found: Moments, played: dict[int, Record]) -> None:
    kinds, puzzles = (
        Counter(one.kind.key for one in found.chosen),
        Counter(one.puzzle for one in found.chosen),
    )
    assert len(kinds) >= 5 and max(kinds.values()) <= 2 and max(puzzles.values()) <= 2
    assert len({one.match for one in found.chosen}) == len(found.chosen)
    for one in found.chosen:
        assert one.player in played[one.match].players and "/" in one.player
        assert one.spec == played[one.match].name and f"`{one.player}`" in one.sentence


def test_a_blunder_gave_away_what_is_said(found: Moments, played: dict[int, Record]) -> None:
    blunders = _of(found, "blunder")
    assert blunders and 0 < found.judged <= found.moves
    for one in blunders:
        record = played[one.match]
        seat = record.players.index(one.player)
        number = re.search(
            r"as its move (\d+): .* worth ([\d.]+) before it, and ([\d.]+)", one.sentence
        )
        assert number
        turns = [
            (position, move)
            for position, (who, move) in zip(replay(record), record.log, strict=False)
            if who == seat
        ]
        position, move = turns[int(number[1]) - 1]
        judgement = judged(position, seat, move)
        assert judgement is not None and f"`{move}`" in one.sentence
        assert (
            f"{judgement.worth:.2f}" == number[2]
            and f"{judgement.worth - judgement.regret:.2f}" == number[3]
        )
        assert judgement.regret >= 0.5


def test_another_player_solved_what_one_failed(found: Moments, played: dict[int, Record]) -> None:
    pairs = _of(found, "other")
    assert pairs
    for one in pairs:
        assert one.other is not None
        failed, solved = played[one.match], played[one.other]
        assert failed.name == solved.name and failed.scores == (0.0,) and solved.scores == (1.0,)
        assert f"`{solved.players[0]}`" in one.sentence


def test_replies_went_wrong_as_is_said(found: Moments, played: dict[int, Record]) -> None:
    for kind in ("refused", "truncated", "lenient"):
        for one in _of(found, kind):
            record = played[one.match]
            own = [reply for reply in record.said if record.players[reply.seat] == one.player]
            if kind == "lenient":
                assert any(reply.readings and reply.readings.only_lenient for reply in own)
            else:
                assert kind in {reply.status for reply in own}


def test_the_link_opens_at_the_step_that_the_sentence_is_about(
    found: Moments, played: dict[int, Record]
) -> None:
    """Where the winner of a lost game moves from the lost position, and was seen to."""
    wins = _of(found, "comeback")
    assert wins
    for one in wins:
        record = played[one.match]
        assert record.players[one.seat] == one.player and record.scores
        assert record.scores[one.seat] == max(record.scores)
        number = re.search(r"was lost at its move (\d+)\.", one.sentence)
        assert number
        turns = [at for at, (seat, _) in enumerate(record.log) if seat == one.seat]
        ply = turns[int(number[1]) - 1]
        assert one.position == replay(record)[ply]
        judgement = judged(one.position, one.seat, record.log[ply][1])
        assert judgement is not None and judgement.worth <= 0.005
        [moved] = transcript(record, {}, {}, ["en", "en"])["steps"][one.step - 1]["moves"]
        assert moved["seat"] == one.seat


def test_processes_are_compared(found: Moments, played: dict[int, Record]) -> None:
    compared = [*_of(found, "process"), *_of(found, "lucky")]
    assert compared
    for one in compared:
        record = played[one.match]
        question = asked_question(record.start)
        assert question is not None
        verdict = question.question.check(record.said[-1].move)
        assert f"entry {verdict.first_wrong_step}" in one.sentence
        assert dict(verdict.parts)["answer"] == float(one.kind.key == "lucky")


def _candidates(kind: str, rows: list[dict[str, Any]]) -> list[Any]:
    table = seat_table(rows)
    if kind == "other":
        return list(moments._others(table, moments._means(table)))
    return list({"process": moments._process, "lucky": moments._lucky}[kind](table))


def test_the_longest_right_process_comes_first() -> None:
    """Not one that is right for a few entries only, or for less than half of its length."""
    steps = [(4, 0.6), (None, None), (8, 0.7), (1, 0.1), (6, 0.7), (3, 1.0), (9, 0.4)]
    rows = [
        seat_row(
            at, "m", 0.0, match=at, answer_right=False, process_share=0.5, first_wrong_step=step,
            first_wrong_share=share,
        )
        for at, (step, share) in enumerate(steps)
    ]  # fmt: skip
    assert [each.facts["step"] for each in _candidates("process", rows)] == [8, 6]


def test_a_right_answer_with_the_least_of_its_process_comes_first() -> None:
    shares = [0.9, 1.0, 0.1, None]
    rows = [
        seat_row(at, "m", 0.0, match=at, answer_right=share is not None, process_share=share)
        for at, share in enumerate(shares)
    ]
    assert [each.row["match"] for each in _candidates("lucky", rows)] == [2, 0]


def test_it_says_most_if_the_better_player_failed() -> None:
    """Instances on which all agree, and two-player games, are no such moments."""
    scores = {"good": [1.0, 1.0, 1.0, 0.0, 1.0], "bad": [1.0, 0.0, 0.0, 1.0, 1.0]}
    rows = [
        seat_row(at, player, score, match=10 * at + number)
        for number, (player, own) in enumerate(scores.items())
        for at, score in enumerate(own)
    ]
    rows += duel(9, "good", "bad", 1.0, match=99)
    first, *others = _candidates("other", rows)
    assert (first.row["player"], first.row["match"], first.facts["other"]) == ("good", 30, 31)
    assert {each.row["match"] for each in others} == {11, 21}

"""The columns of worked answers, from records alone: whatever a reply is, it has its place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from quandary.catalogue import drawing
from quandary.core.contract import Question
from quandary.matches.match import Match
from quandary.matches.player import Forfeit, Reply
from quandary.matches.record import Record
from quandary.models.provider import Finish, Generation
from quandary.players.reading.reply import read
from quandary.results.rows import SeatRow
from run_folders import rows_of, run_folder
from worked_replies import HUGE, IF, JS, REPLIES, SCORED

NAMES = ["slide_2048/2,family=a#1", "slide_2048/2,family=d#1", "reversi/2#1", "minesweeper/2#1"]


def _question(name: str) -> Question:
    asked = drawing.instance(name)
    assert isinstance(asked, Question)
    return asked


def _record(name: str, *replies: Reply, tries: int = 1, **settings: Any) -> Record:
    match = Match(drawing.game(name, tries=tries), name, **{"attempts": 1, **settings})
    for reply in replies:
        match.receive(0, reply)
    return match.record(["x"] * match.start.seats)


def _rows(folder: Path, *records: Record) -> list[SeatRow]:
    return rows_of(run_folder(folder, records))[0]


def _read(text: str, finish: Finish = "stop", strict: bool = False) -> Reply:
    """A reply as a model's is read."""
    readings = read(Generation(text, finish=finish), "json")
    found = readings.strict if strict else readings.lenient
    return Reply(found.answer, text, found.status)


@pytest.mark.parametrize(("name", "replies"), [(NAMES[0], REPLIES | HUGE), (NAMES[2], REPLIES)])
def test_every_reply_is_an_error_of_form_or_of_json_or_is_scored(
    tmp_path: Path, name: str, replies: dict[str, tuple[str, str, Finish]]
) -> None:
    """Never an exception, and never two of these; both errors are wrong in every part."""
    records = [_record(name, _read(text, finish)) for text, _, finish in replies.values()]
    rows = dict(zip(replies, _rows(tmp_path, *records), strict=True))
    found = {key: row.error if row.error in (IF, JS) else SCORED for key, row in rows.items()}

    assert found == {key: kind for key, (_, kind, _) in replies.items()}
    for row in rows.values():
        assert row.score == 0.0 and row.answer_right is False and row.lenient_right is False
        assert row.error and row.process_share is not None
        if row.error in (IF, JS):
            assert (row.process_share, row.first_wrong_step) == (0.0, None)
            assert row.first_wrong_share is None


def test_texts_that_no_reading_has_seen_are_judged_too(tmp_path: Path) -> None:
    """As strategies and people give them: the whole text is the answer."""
    texts = [text for text, _, _ in REPLIES.values()]
    for row in _rows(tmp_path, *(_record(NAMES[0], Reply(text)) for text in texts)):
        assert row.error and row.score == 0.0 and row.answer_right is False


@pytest.mark.parametrize("name", NAMES)
def test_the_first_wrong_step_of_a_process(tmp_path: Path, name: str) -> None:
    """Counted from 1: what differs, is missing or is too much; none where nothing is wrong."""
    right = json.loads(_question(name).solution())
    process = right["process"]
    steps = len(process)
    assert steps >= 2
    changed = [[*process[:at], "?", *process[at + 1 :]] for at in range(steps)]
    given = [process, *changed, [], process[:-1], [*process, process[-1]], "?", {}]
    texts = [json.dumps(right | {"process": each}) for each in given]
    rows = _rows(tmp_path, *(_record(name, Reply(each)) for each in texts))

    expected = [None, *range(1, steps + 1), 1, steps, steps + 1, 1, 1]
    assert expected == [row.first_wrong_step for row in rows]
    shares = [step and min(step / steps, 1.0) for step in expected]
    assert shares == [row.first_wrong_share for row in rows]
    assert {True} == {row.answer_right for row in rows}
    assert [1.0] + [0.0] * (len(given) - 1) == [row.score for row in rows]
    assert ["", *["wrong_process"] * (len(given) - 1)] == [row.error for row in rows]
    # What agrees grows with the place of the first difference.
    shares = [row.process_share or 0.0 for row in rows]
    assert shares[0] == 1.0 and shares[1 : steps + 1] == sorted(shares[1 : steps + 1])


def test_a_wrong_answer_with_a_right_process(tmp_path: Path) -> None:
    """Has no wrong step; one without a process is wrong from the first."""
    right = json.loads(_question(NAMES[0]).solution())
    answers = [right | {"answer": ["?"]}, {"answer": right["answer"]}]
    one, other = _rows(
        tmp_path, *(_record(NAMES[0], Reply(json.dumps(each))) for each in answers)
    )  # fmt: skip

    assert (one.error, one.answer_right, one.process_share) == ("wrong_answer", False, 1.0)
    assert one.first_wrong_step is None and one.first_wrong_share is None
    assert (other.error, other.answer_right, other.process_share) == ("missing_process", True, 0.0)
    assert other.first_wrong_step == 1
    assert other.first_wrong_share == 1 / len(right["process"])


def test_where_no_process_is_asked_the_answer_counts_for_it(tmp_path: Path) -> None:
    name = "slide_2048/0,family=d#1"
    right = _question(name).solution()
    rows = _rows(
        tmp_path, *(_record(name, Reply(each)) for each in (right, '{"answer": [["2"]]}'))
    )  # fmt: skip

    assert "process" not in right
    assert [(1.0, None), (0.0, None)] == [(row.process_share, row.first_wrong_step) for row in rows]


def test_numbers_without_quotes_are_right_for_the_lenient_parts_alone(tmp_path: Path) -> None:
    right = json.loads(_question(NAMES[0]).solution())
    bare = {key: [int(one) for one in value] for key, value in right.items()}
    [row] = _rows(tmp_path, _record(NAMES[0], Reply(json.dumps(bare))))

    assert (row.score, row.answer_right) == (0.0, False)
    assert (row.lenient_answer_right, row.lenient_right) == (True, True)


def test_a_whole_object_that_a_reading_refuses_is_an_error_of_form(tmp_path: Path) -> None:
    """Where the strict reading is played, and where a text without a fence was cut off."""
    right = _question(NAMES[0]).solution()
    strict = _read(f"It is {right}", strict=True)
    cut = _read(f"{right}\nBut perhaps another", "length")
    fenced = _read(f"```json\n{right}\n```\nBut perhaps another", "length")
    rows = _rows(tmp_path, *(_record(NAMES[0], reply) for reply in (strict, cut, fenced)))

    assert [IF, IF, ""] == [row.error for row in rows]


def test_matches_that_end_otherwise(tmp_path: Path) -> None:
    """Whoever fails has given no JSON, whatever the words of the failure; what the infrastructure
    cut off has no result.
    """
    faults = [
        Forfeit("timeout", '{"answer": ['),
        Forfeit("resigned"),
        KeyError('{"answer": ['),
        Forfeit("infrastructure", "the server answered 500"),
    ]
    records = []
    for fault in faults:
        match = Match(drawing.game(NAMES[0]), NAMES[0])
        match.fail(0, fault)
        records.append(match.record(["x"]))
    rows = _rows(tmp_path, *records)

    assert [IF, IF, IF, None] == [row.error for row in rows]
    assert [0.0, 0.0, 0.0, None] == [row.process_share for row in rows]
    assert {"execution"} == {row.domain for row in rows}


def test_of_several_replies_the_last_one_counts(tmp_path: Path) -> None:
    """After unreadable ones, after wrong answers, and where unreadable ones use up a try."""
    right = Reply(_question(NAMES[0]).solution())
    silent, broken = _read("Hm."), _read('{"answer": [')
    wrong = Reply('{"answer": ["?"], "process": []}')
    rows = _rows(
        tmp_path,
        _record(NAMES[0], silent, right, attempts=2),
        _record(NAMES[0], silent, broken, attempts=2),
        _record(NAMES[0], wrong, right, tries=2),
        _record(NAMES[0], wrong, silent, tries=2),
        _record(NAMES[0], broken, wrong, tries=2, count_unreadable=True),
        _record(NAMES[0], wrong, broken, tries=2, count_unreadable=True),
    )

    assert ["", JS, "", IF, "wrong_answer", JS] == [row.error for row in rows]
    assert [1.0, 0.0, 1.0, 0.0, 0.0, 0.0] == [row.score for row in rows]


def test_where_a_puzzle_stands_is_its_domain(tmp_path: Path) -> None:
    """Other questions, and games, have none of these columns."""
    names = [*NAMES, "string_search/easy#1", "card_nim/easy#1", "check:sudoku/easy#1"]
    rows = _rows(tmp_path, *map(_record, names))

    assert ["execution"] * 3 + ["planning"] == [row.domain for row in rows[:4]]
    for row in rows[4:]:
        assert {None} == {row.domain, row.answer_right, row.process_share, row.lenient_right}
        assert {None} == {row.lenient_answer_right, row.first_wrong_step}

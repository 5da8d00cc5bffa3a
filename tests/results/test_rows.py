"""Every column of both tables, on records that are made by hand or played move by move."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from quandary.catalogue import drawing, registry
from quandary.catalogue.spec import Spec
from quandary.catalogue.splits import canonical_hash
from quandary.core.errors import UserError
from quandary.core.mixins.families import family_of
from quandary.matches.match import Match
from quandary.matches.player import Forfeit, Reply
from quandary.matches.record import Record
from quandary.results.rows import SeatRow
from run_folders import SUITE, Board, answer, on_board, rows_of, run_folder

MODEL = "openai/any,shots=1,history=no,list_moves=yes"


def _seat_rows(folder: Path, *records: Record, **manifest: Any) -> list[SeatRow]:
    return rows_of(run_folder(folder, records, **manifest))[0]


def _played(name: str, player: str, *replies: Reply, tries: int = 1) -> Record:
    """A match of one seat in which these are the replies."""
    match = Match(drawing.game(name, tries=tries), name)
    for reply in replies:
        match.receive(0, reply)
    return match.record([player])


def test_what_a_match_is(tmp_path: Path) -> None:
    """The instance, the run, the players and their settings."""
    record = on_board(7, ("house", MODEL), (0.0, 1.0), repeat=2, version=2)
    house, model = _seat_rows(tmp_path, record)

    assert ("here", 1, "by_hand", "board/only#7") == (
        (model.run, model.match, model.suite, model.spec)
    )
    assert ("", "board", "only", "test", 7, "") == (
        (model.task, model.puzzle, model.level, model.split, model.seed, model.family)
    )
    assert (2, "en", 1, 2, 2) == (
        (model.version, model.language, model.seat, model.seats, model.repeat)
    )
    assert (MODEL, "openai/any", "house") == (model.player, model.model, model.opponents)
    assert ("text", 1, False, True, "steps", "lenient", "instruction") == (
        *(model.modality, model.shots, model.history, model.list_moves, model.prompting),
        *(model.parsing, model.setting),
    )
    assert (None, None, None, None, None, None, None) == (
        *(house.model, house.modality, house.shots, house.history, house.list_moves),
        *(house.prompting, house.parsing),
    )
    assert house.opponents == MODEL
    assert {house.instance, model.instance} == {f"{canonical_hash(Board()):016x}"}


def test_names_of_instances_are_taken_apart(tmp_path: Path) -> None:
    """Task, changes, split and family have columns of their own."""
    names = ["whole:tidy_tower/easy,height=5@train#3", "bracket_game/easy#1"]
    records = [Match(drawing.game(name), name).record(["x"]) for name in names]
    whole, bracket = _seat_rows(tmp_path, *records)

    assert ("whole", "tidy_tower", "easy,height=5", "train", 3) == (
        (whole.task, whole.puzzle, whole.level, whole.split, whole.seed)
    )
    assert whole.opponents == "" and whole.win is None and whole.seats == 1
    plain = drawing.game("tidy_tower/easy,height=5@train#3")
    assert whole.instance == f"{canonical_hash(plain):016x}"  # asked in another way, but the same
    assert (None, None, None) == (
        bracket.score,
        bracket.legal,
        bracket.illegal_loss,
    )  # it is unfinished


def test_arguments_of_a_task_make_no_level(tmp_path: Path) -> None:
    """They choose among the questions of a level; changes of the level itself make another one."""
    names = [
        "check:sudoku/easy#1",
        "check:sudoku/easy,depth=1..9,label=unsolvable#1",
        "next:sudoku/easy,label=solvable,shown=none#1",
        "check:sudoku/easy,blanks=9..10,label=solvable#1",
    ]
    records = [Match(drawing.game(name), name).record(["x"]) for name in names]
    rows = _seat_rows(tmp_path, *records, specs=names)

    assert ["easy", "easy", "easy", "easy,blanks=9..10"] == [row.level for row in rows]
    assert [row.level for row in rows] == [
        drawing.puzzle_and_level(Spec.parse(name))[1] for name in names
    ]
    assert [row.spec for row in rows] == names


def test_short_lists_and_families(tmp_path: Path) -> None:
    """A level that has few starts says how many; an instance says its family."""
    names = ("expanding_nim/easy#1", "reversi/3#1")
    games = [drawing.game(name) for name in names]
    records = [
        Match(game, name).record(["x"] * game.seats)
        for game, name in zip(games, names, strict=True)
    ]
    nim, _, reversi = _seat_rows(tmp_path, *records)

    assert nim.listed_starts == registry.load("expanding_nim").distinct_instances["easy"].instances
    assert (nim.family, reversi.family) == ("", family_of(games[1])) and reversi.family


def test_equal_starts_have_equal_ids(tmp_path: Path) -> None:
    """Renamed and turned instances are the same one; others are not."""
    names = ("sudoku/easy#1", "sudoku/easy#2")
    first, second = (drawing.game(name) for name in names)
    turned = Record(
        "sudoku/easy#3", ("x",), first.equivalent(Random(1)), (), (), None, None, "unfinished"
    )
    records = [
        Match(game, name).record(["x"]) for game, name in zip((first, second), names, strict=True)
    ]
    one, two, three = _seat_rows(tmp_path, *records, turned)

    assert one.instance == three.instance != two.instance


@pytest.mark.parametrize(
    ("scores", "wins"), [((1.0, 0.0), [1.0, 0.0]), ((0.5, 0.5), [0.5, 0.5]), ((0.2, 0.6), [0, 1])]
)
def test_wins_and_ties(tmp_path: Path, scores: tuple[float, float], wins: list[float]) -> None:
    """A higher score wins, an equal one is a tie."""
    rows = _seat_rows(tmp_path, on_board(scores=scores))

    assert wins == [row.win for row in rows]
    assert list(scores) == [row.score for row in rows] == [row.strict_score for row in rows]
    assert [(True, False, False)] * 2 == [
        (row.legal, row.illegal_loss, row.lost_by_failure) for row in rows
    ]


def test_first_illegal_moves(tmp_path: Path) -> None:
    """An illegal move where there are legal ones is the fault of its seat alone."""
    replies = (answer(0, "1"), answer(1, "9", status="illegal"))
    record = on_board(said=replies, cause="illegal", offender=1)
    winner, loser = _seat_rows(tmp_path, record)

    assert (False, False, 0) == (winner.illegal_loss, winner.lost_by_failure, winner.illegal)
    assert (True, True, 1, False) == (
        loser.illegal_loss,
        loser.lost_by_failure,
        loser.illegal,
        loser.legal,
    )


def test_a_record_that_does_not_replay_is_refused(tmp_path: Path) -> None:
    """What the rows would say of its illegal move cannot be known."""
    forged = on_board(
        said=(answer(0, "1"), answer(1, "2", status="illegal")), cause="illegal", offender=1
    )

    with pytest.raises(UserError, match="does not replay"):
        _seat_rows(tmp_path, forged)


def test_other_failures(tmp_path: Path) -> None:
    """A timeout is no unreadable reply; a seat that failed is at fault, even beside another."""
    late = on_board(
        said=(answer(0, "", "late", "timeout"),), scores=(0.0, 1.0), cause="timeout", offender=0
    )
    both = on_board(
        2,
        said=(answer(0, "", "?", "unreadable"), answer(1, "", "?", "empty")),
        scores=(0.0, 0.0),
        cause="unreadable",
    )
    rows = _seat_rows(tmp_path, late, both)

    assert [True, False, True, True] == [row.lost_by_failure for row in rows]
    assert [0, 0, 1, 1] == [row.unreadable for row in rows]
    assert [1, 0, 1, 1] == [row.turns for row in rows] == [row.replies for row in rows]
    assert not any(row.legal or row.illegal_loss for row in rows)


def test_no_result_is_not_zero(tmp_path: Path) -> None:
    """A match that the infrastructure cut off has no score, and is nobody's fault."""
    cut = on_board(scores=None, said=(answer(0, "", "no server", "infrastructure"),))
    row, _ = _seat_rows(tmp_path, cut)

    assert (None, None, None, None, None) == (
        (row.score, row.win, row.legal, row.illegal_loss, row.strict_score)
    )
    assert (False, 0, "infrastructure") == (row.lost_by_failure, row.unreadable, row.cause)


def test_a_match_that_was_played_again_counts_once(tmp_path: Path) -> None:
    """Only the last record of a match counts, with its number in the file."""
    cut = on_board(scores=None)
    rows = _seat_rows(
        tmp_path,
        cut,
        cut,
        on_board(2, scores=None),
        on_board(),
        on_board(players=("two", "one"), scores=None),
    )

    assert [(3, None), (3, None), (4, 1.0), (4, 0.0), (5, None), (5, None)] == [
        (row.match, row.score) for row in rows
    ]


def test_unreadable_replies_are_attempts_of_one_turn(tmp_path: Path) -> None:
    """The turn goes on until a move is read."""
    given = [
        answer(0, "1"),
        answer(1, "", "hm", "unreadable"),
        answer(1, "", "", "empty"),
        answer(1, "2", "Answer: 2"),
        answer(0, "3"),
        answer(1, "4", "Answer: 4"),
    ]
    seats, replies = rows_of(run_folder(tmp_path, [on_board(players=("one", MODEL), said=given)]))

    assert [(0, 1, 1), (0, 2, 1), (1, 1, 1), (1, 1, 2), (1, 1, 3), (1, 2, 1)] == [
        (reply.seat, reply.turn, reply.attempt) for reply in replies
    ]
    assert [None] * 6 == [reply.try_ for reply in replies]
    assert [(2, 2, 0, 0.5), (2, 4, 2, 1.0)] == [
        (row.turns, row.replies, row.unreadable, row.seconds) for row in seats
    ]
    assert (None, 28) == (seats[0].tokens_written, seats[1].tokens_written)
    assert ["1", "3", "", "", "2", "4"] == [reply.move for reply in replies]


ANAGRAM = "anagram_scribble/easy#1"


def test_tries_and_where_a_question_was_solved(tmp_path: Path) -> None:
    """Every answer is a try; an answer that is given again is a repeated action."""
    right = drawing.game(ANAGRAM).question.solution()  # type: ignore[attr-defined]
    solved = _played(ANAGRAM, "x", Reply("wrong"), Reply("wrong"), Reply(right), tries=4)
    failed = _played("islands/easy#1", "y", Reply("wrong"), Reply("worse"), tries=2)
    seats, replies = rows_of(run_folder(tmp_path, [solved, failed]))

    assert [(4, 3, 1.0), (2, None, 0.0)] == [
        (row.tries, row.solved_on_turn, row.score) for row in seats
    ]
    assert [1 / 3, 0.0] == [row.repeated_actions for row in seats]
    assert [(1, 1), (2, 2), (3, 3), (1, 1), (2, 2)] == [
        (reply.turn, reply.try_) for reply in replies
    ]
    assert ["goal", "limit"] == [row.cause for row in seats]


def test_repeated_actions_of_games(tmp_path: Path) -> None:
    """A move that the same seat made before."""
    start = drawing.game("tidy_tower/easy#1")
    move = next(iter(start.options()[0] or ()))
    match = Match(start, "tidy_tower/easy#1")
    for _ in range(3):
        match.receive(0, Reply(move))
    match.fail(0, Forfeit("resigned"))
    (row,) = _seat_rows(tmp_path, match.record(["x"]))

    assert row.turns == 4 and row.repeated_actions == 2 / 4
    assert ("resigned", True, False) == (row.cause, row.lost_by_failure, row.legal)


def test_strict_scores(tmp_path: Path) -> None:
    """Zero where a reply was played that is not in the requested form."""
    strict, loose = answer(0, "1", "```\n1\n```"), answer(0, "1", "The answer is **1**.")
    seated = ("openai/any", "two"), ("openai/any", "two"), ("openai/any,parsing=strict", "two")
    replies = (strict,), (loose,), (loose,)
    records = [
        on_board(seed, players, said=rows)
        for seed, (players, rows) in enumerate(zip(seated, replies, strict=True), start=1)
    ]
    seats, rows = rows_of(run_folder(tmp_path, records))

    assert [1.0, 0.0, 1.0] == [row.strict_score for row in seats if row.seat == 0]
    assert [1.0, 1.0, 1.0] == [row.score for row in seats if row.seat == 0]
    assert [("answered", "answered"), *[("unreadable", "answered")] * 2] == [
        (reply.strict, reply.lenient) for reply in rows
    ]


def test_values_and_references(tmp_path: Path) -> None:
    """Raw values, beside the best possible one and whether that is only a bound."""
    name = "optimal_touring/easy#1"
    start = drawing.game(name)
    match = Match(start, name)
    match.receive(0, Reply(start.question.solution()))  # type: ignore[attr-defined]
    row, board_row, _ = _seat_rows(tmp_path, match.record(["x"]), on_board())

    assert row.value is not None and row.value <= (row.reference or 0)
    assert row.reference == start.reference()
    assert row.reference_is_bound == start.reference_is_bound()
    assert row.lower_is_better == (start.better == "low")
    assert (None, None, None, None) == (
        (
            board_row.value,
            board_row.reference,
            board_row.reference_is_bound,
            board_row.lower_is_better,
        )
    )


def test_equal_moves_have_equal_digests(tmp_path: Path) -> None:
    """Exact repeats are found by their moves."""
    one, other = (answer(0, "1"),), (answer(0, "2"),)
    rows = _seat_rows(tmp_path, on_board(said=one), on_board(2, said=one), on_board(3, said=other))

    assert rows[0].moves == rows[1].moves == rows[2].moves != rows[4].moves


def test_what_is_shown(tmp_path: Path) -> None:
    """By the player's name, else by the suite, else by the list of pictures."""
    names = ("openai/a", "openai/b,modality=both")
    rows = _seat_rows(
        tmp_path / "a", on_board(1, names), on_board(2, names), pictures=["board/only#2"]
    )
    all_pictures = _seat_rows(
        tmp_path / "b", on_board(1, names), suite=SUITE | {"modality": "image"}
    )

    assert ["text", "both", "image", "both"] == [row.modality for row in rows]
    assert ["image", "both"] == [row.modality for row in all_pictures]

"""Matches move by move: what belongs to a step, and what is marked in its picture."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from quandary.catalogue import drawing
from quandary.core.boards import board, captions, stack
from quandary.core.contract import CHANCE
from quandary.core.scene import Box, Disc, Label, Scene
from quandary.matches.drivers import play_now
from quandary.matches.match import Match
from quandary.matches.player import Player, Reply, Scripted
from quandary.matches.record import Record, replay
from quandary.players.strategy import random_move
from quandary.report.viewer.frames import Frames, parts, words
from quandary.report.viewer.transcripts import step_of, steps, transcript

RANDOM = Scripted("random", random_move)
SPECS = (
    "card_nim/easy#1", "sudokill/easy#1", "superply/easy#1", "beat_or_bomb_sto/easy#1",
    "bid_that/easy#1", "tidy_tower/easy#1", "exclusivity_probes/easy#1", "reversi/1#1",
)  # fmt: skip


def played(spec: str, player: Player = RANDOM) -> Record:
    start = drawing.game(spec)
    return play_now(start, [player] * start.seats, spec)


def data_of(record: Record) -> dict[str, Any]:
    return transcript(record, {}, {}, ["en"] * len(record.players))


@pytest.mark.parametrize("spec", SPECS)
def test_steps_follow_the_log(spec: str) -> None:
    """Every reply and move is in one step, in order; the last step has none."""
    record = played(spec)
    data = data_of(record)
    *shown, end = data["steps"]

    replies = [
        (reply["seat"], reply.get("move", "")) for step in shown for reply in step["replies"]
    ]
    assert replies == [(logged.seat, logged.move) for logged in record.said]
    moves = [(move["seat"], move["move"]) for step in shown for move in step.get("moves", ())]
    assert moves == [entry for entry in record.log if entry[0] != CHANCE]
    drawn = [move for step in data["steps"] for move in step.get("chance", ())]
    assert len(drawn) == sum(seat == CHANCE for seat, _ in record.log)
    assert end["ply"] == len(record.log) and not {"replies", "moves"} & end.keys()


@pytest.mark.parametrize("spec", SPECS)
def test_every_seat_sees_every_step(spec: str) -> None:
    """The position before the moves of the step, as the seat may see it."""
    record = played(spec)
    data, positions = data_of(record), replay(record)
    for step in data["steps"]:
        for seat, number in enumerate(step["frames"]):
            seen = positions[step["ply"]].seen_by(seat)
            assert data["frames"][number]["text"] == seen.text(seat)


def test_moves_made_at_the_same_time_are_one_step() -> None:
    record = played("beat_or_bomb_sto/easy#1")
    *rounds, _ = data_of(record)["steps"]

    assert all([0, 1] == [move["seat"] for move in step["moves"]] for step in rounds)
    assert len(rounds) * 2 == len(record.log)


def test_a_player_that_is_asked_again_stays_in_its_step() -> None:
    match = Match(drawing.game("card_nim/easy#1"), "card_nim/easy#1")
    match.receive(0, Reply("no move at all"))
    match.receive(0, Reply("still none"))
    match.receive(0, Reply(random_move(match.turns[0], Random(1))))
    match.receive(1, Reply("none either"))
    record = match.record(["a", "b"])

    assert [[0, 1, 2], [3]] == steps(record, replay(record))
    first, second, _ = data_of(record)["steps"]
    assert ["unreadable", "unreadable", "answered"] == [one["status"] for one in first["replies"]]
    assert "moves" not in second


def test_every_try_is_a_step() -> None:
    spec = "text_sudoku/easy#1"
    match = Match(drawing.game(spec, tries=3), spec)
    for answer in ("[]", "[[]]", "nothing"):
        match.receive(0, Reply(answer))
    record = match.record(["a"])

    assert [[0], [1], [2]] == steps(record, replay(record))


@pytest.mark.parametrize("spec", SPECS)
def test_turns_are_found_again(spec: str) -> None:
    """A link to a turn leads to the step that holds its move."""
    record = played(spec)
    shown = data_of(record)["steps"]
    for seat in range(record.start.seats):
        own = [move for who, move in record.log if who == seat]
        for turn, move in enumerate(own, start=1):
            step = shown[step_of(record, seat, turn) - 1]
            assert move in [one["move"] for one in step["moves"] if one["seat"] == seat]
        assert step_of(record, seat) == step_of(record, seat, len(own))


@pytest.mark.parametrize("spec", ["card_nim/easy#1", "superply/easy#1", "sudokill/easy#1"])
def test_marks_are_the_shapes_that_a_click_would_choose(spec: str) -> None:
    """Where a click fills in the whole move, one shape is marked, and it stands for that move."""
    record = played(spec)
    data = data_of(record)
    for step in data["steps"][:-1]:
        [move] = step["moves"]
        marks = step["marks"][move["seat"]]
        clicks = [data["pieces"][number] for number in marks]
        assert clicks
        for piece in clicks:
            fields = piece[{"rect": 6, "circle": 5}[piece[0]] :]
            assert set(fields[1::2]) <= set(move["move"].split())
        others = set(data["frames"][step["frames"][move["seat"]]]["pieces"]) - set(marks)
        for number in others:
            piece = data["pieces"][number]
            fields = piece[{"rect": 6, "circle": 5}.get(piece[0], 99) :]
            assert not fields or list(fields[1::2]) != move["move"].split()


@pytest.mark.parametrize("spec", ["superply/easy#1", "sudokill/easy#1"])
def test_a_move_on_a_shared_board_is_marked_for_both_seats(spec: str) -> None:
    data = data_of(played(spec))
    both = 0
    for step in data["steps"][:-1]:
        [move] = step["moves"]
        own, other = step["marks"][move["seat"]], step["marks"][1 - move["seat"]]
        places = [[data["pieces"][number][:5] for number in marks] for marks in (own, other)]
        assert not other or places[0] == places[1]
        both += bool(other)
    assert both >= 0.8 * (len(data["steps"]) - 1)


def test_a_card_of_the_own_hand_is_not_marked_for_the_move_of_the_other() -> None:
    """Both hands hold the same cards, so that the pictures of the two seats are equal."""
    data = data_of(played("card_nim/easy#1"))
    for step in data["steps"][:-1]:
        [move] = step["moves"]
        assert step["marks"][1 - move["seat"]] == []


def test_words_around_a_board_are_not_broken_where_the_picture_is_narrow() -> None:
    text = "Words that are much wider than the board of three cells below them"
    scene = stack(captions(text, "short", width=3), board(["abc"]))
    frames = Frames(["en"])

    assert [(text, "ink"), ("short", "ink")] == words(parts(scene)[0])
    assert len(parts(scene)[0]) > 4 and frames.plain() == {"pieces": [], "frames": []}


def test_captions_side_by_side_stay_above_their_boards() -> None:
    left, right = (Label(x, 0.2, words, caption=words) for x, words in ((0, "one"), (5, "two")))
    title = Label(0, -0.8, "both", caption="both")
    scene = Scene(6, 2, (title, left, right, Box(0, 1), Box(5, 1)))
    above, board, below = parts(scene)

    assert [("both", "ink")] == words(above) and not words(below)
    assert left in board and right in board


def test_words_above_and_below_a_board_leave_its_picture() -> None:
    above, inside = Label(0, 0.2, "above", caption="above"), Label(0, 1.5, "inside", caption="")
    below, plain = Label(0, 3.5, "below", caption="below"), Label(0, 4.5, "no caption")
    board = (Box(0, 1), Disc(0.5, 2.5))
    scene = Scene(5, 5, (above, *board, inside, below))

    assert ([above], [*board, inside], [below]) == parts(scene)
    assert ([above], [*board, inside, below, plain], []) == parts(
        Scene(5, 5, (above, *board, inside, below, plain))
    )
    assert ((above,), (), ()) == parts(Scene(5, 5, (above,)))


def test_pictures_of_a_match_share_their_pieces() -> None:
    """Two positions that differ by a move differ in a few pieces."""
    record = played("superply/hard#1")
    data = data_of(record)
    pictures = [frame["pieces"] for frame in data["frames"]]

    assert len(data["pieces"]) < sum(map(len, pictures)) / 5
    assert len({str(piece) for piece in data["pieces"]}) == len(data["pieces"])


def test_a_position_without_a_picture_is_its_text() -> None:
    frames, start = Frames(["en"]), drawing.game("cryptanalysis/1#1")
    number = frames.number(0, start, 0)

    if start.seen_by(0).scene(0) is None:
        assert {"text": start.seen_by(0).text(0)} == frames.frames[number]
    else:
        assert "pieces" in frames.frames[number]

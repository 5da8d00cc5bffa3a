"""Tokens and costs of replies, from the journal of a run."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from quandary.arena.run import run
from quandary.arena.suite import read as read_suite
from quandary.matches.record import LoggedReply
from quandary.models.pool import ClientPool
from quandary.models.prices import Price, Prices
from quandary.players.registry import PlayerRegistry
from quandary.results.calls import run_prices
from run_folders import answer, call, on_board, rows_of, run_folder

PRICES = Prices(date(2026, 1, 1), {"openai/any": Price(1.0, 10.0, 0.5)})
NAME = "board/only#1 openai/any two 0"


def test_tokens_and_costs_come_from_the_journal(tmp_path: Path) -> None:
    """Of each reply, and summed over the seat; unknown is not zero."""
    given = [answer(0, "1", "Answer: 1"), answer(1, "2"), answer(0, "3", "Answer: 3")]
    records = [on_board(seed, ("openai/any", "two"), said=given) for seed in (1, 2)]
    journal = [
        *call(NAME, "1", read=100, written=7, cached=20),
        *call(NAME.replace("#1", "#2"), "1", read=100, written=7, cached=None),
        *call(NAME, "2", text="Answer: 3", finish="length", read=200, written=7, cached=0),
        *call(NAME.replace("#1", "#2"), "2", read=None, written=None),
    ]
    folder = run_folder(tmp_path, records, journal)
    run_prices(folder, PRICES)
    seats, replies = rows_of(folder)
    known, _, unknown, _ = seats
    first, second = [reply for reply in replies if reply.match == 1 and reply.seat == 0]

    assert (100, 20, 7, "stop") == (
        (first.tokens_read, first.tokens_cached, first.tokens_written, first.finish)
    )
    assert first.cost == pytest.approx((80 * 1.0 + 20 * 0.5 + 7 * 10.0) / 1e6)
    assert (second.finish, second.strict) == ("length", "truncated")
    assert (300, 20, 14) == (known.tokens_read, known.tokens_cached, known.tokens_written)
    assert known.cost == pytest.approx((80 + 10 + 70 + 200 + 70) / 1e6)
    assert (None, None, None, None) == (
        (unknown.tokens_read, unknown.tokens_cached, unknown.tokens_written, unknown.cost)
    )


def test_all_calls_of_a_tree_of_thoughts_count(tmp_path: Path) -> None:
    """Proposals and votes belong to one reply, which has no finish of its own."""
    reply = LoggedReply(0, "Answer: 1", "answered", "1", 0.5, 30)
    journal = [
        *call(NAME, "1.proposal0.0", read=100, written=20, cached=0),
        *call(NAME, "1.vote0.0", read=150, written=10, cached=0),
    ]
    folder = run_folder(tmp_path, [on_board(1, ("openai/any", "two"), said=[reply])], journal)
    _, (row,) = rows_of(folder)

    assert (250, 30, None) == (row.tokens_read, row.tokens_written, row.finish)


def test_calls_of_a_match_that_is_played_again_are_found_again(tmp_path: Path) -> None:
    """The first of its calls was answered before it was cut off, and is in the journal once."""
    first, cut = answer(0, "1", "Answer: 1"), answer(0, "", "no server", "infrastructure")
    players = ("openai/any", "two")
    records = [
        on_board(1, players, None, said=[first, answer(1, "2"), cut]),
        on_board(1, players, said=[first, answer(1, "2"), answer(0, "3", "Answer: 3")]),
    ]
    journal = [
        *call(NAME, "1", read=100, written=7, cached=0),
        *call(NAME, "2", read=200, written=7, cached=0),
    ]
    row, _ = rows_of(run_folder(tmp_path, records, journal))[0]

    assert (2, 300, 14) == (row.match, row.tokens_read, row.tokens_written)


def test_the_tokens_of_a_run_are_those_of_its_calls(tmp_path: Path) -> None:
    """The rows of a real run add up to the totals of its journal, and none is left over."""
    pytest.importorskip("aiohttp", reason="needs aiohttp: pip install 'quandary[models]'")
    from server_thread import served, some_move

    suite = read_suite(
        "nim", 'repeats = 2\n[[puzzles]]\npuzzle = "card_nim"\nlevels = ["easy"]\nseeds = "1-4"'
    )
    with served(speak=some_move) as server:
        players = PlayerRegistry(clients=ClientPool(base_url=server.address))
        tally = run(suite, ["openai/any,list_moves=yes", "random"], tmp_path, players).tallies[
            "openai/any"
        ]
    seats, replies = rows_of(tmp_path)
    models = [row for row in seats if row.model]

    assert tally.got == sum(row.replies for row in models) > 16
    assert (tally.read, tally.written) == (
        sum(row.tokens_read or 0 for row in models),
        sum(row.tokens_written or 0 for row in models),
    )
    assert {"stop"} == {reply.finish for reply in replies if reply.player != "random"}
    assert {None} == {reply.tokens_read for reply in replies if reply.player == "random"}

"""How the replies of models were read, the calls for them, and what was lost by cut-off replies."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="tables need pyarrow: pip install 'quandary[report]'")

import pyarrow as pa

from paper_rows import alone, table_of
from quandary.arena.tally import Tally, summed
from quandary.models.provider import Usage
from quandary.players.prompts.settings import PromptSettings
from quandary.results.columns import REPLIES, schema
from quandary.scoring import reply_tables

MODEL, STRICT = "openai/x", "openai/x,parsing=strict"
READ = ("answered", "answered")


def _reply(match: int, status: str, read: tuple[str, str] = READ, **fields: Any) -> dict[str, Any]:
    usual = {"run": "run", "seat": 0, "player": MODEL, "strict": read[0], "lenient": read[1]}
    return usual | {"match": match, "status": status} | fields


def _replies(*rows: dict[str, Any]) -> pa.Table:
    fields = pa.schema([schema(REPLIES).field(name) for name in reply_tables.COLUMNS])
    return pa.Table.from_pylist(list(rows), schema=fields)


def test_every_reply_of_a_model_is_counted_by_its_status() -> None:
    """Strategies say nothing; a turn without a reply is none; a strict player is not played by the
    lenient reading.
    """
    loose = ("unreadable", "answered")
    table = _replies(
        _reply(1, "unreadable", ("unreadable", "unreadable")),
        _reply(1, "answered", loose),
        _reply(2, "truncated", ("truncated", "truncated")),
        _reply(2, "infrastructure", strict=None, lenient=None),
        _reply(3, "unreadable", loose, player=STRICT),
        _reply(3, "answered", player="random", strict=None, lenient=None),
    )
    found = reply_tables.readings_by_run(table, {"run": PromptSettings()})
    shown = reply_tables.replies_table(reply_tables.summed(found.values()))

    assert shown.head == (
        *("player", "replies", "answered", "unreadable", "truncated", "no reply"),
        "read only leniently",
    )
    assert shown.rows == ((MODEL, 3, 1, 1, 1, 1, 1), (STRICT, 1, 0, 1, 0, 0, 1))


def test_calls_add_up_to_replies_and_failures_over_several_runs() -> None:
    one, other = Tally(sent=3, failed=1), Tally(sent=1)
    one.count(Usage(10, 2))
    one.count(Usage(30, 4, cached=8))
    other.count(Usage(20, 1))
    [read] = reply_tables.readings_by_run(
        _replies(_reply(1, "answered"), _reply(1, "answered")), {"run": PromptSettings()}
    ).values()

    table = reply_tables.calls_table(summed([{MODEL: one}, {MODEL: other}]), [read])
    [row] = (dict(zip(table.head, row, strict=True)) for row in table.rows)
    assert row == {
        **{"model": MODEL, "calls": 4, "failed": 1, "lost": 0, "replies": 3, "in matches": 2},
        **{"tokens read": 60, "of them cached": 8, "tokens written": 7},
        "replies without a count": 0,
    }


def test_only_losses_whose_last_reply_was_cut_off_are_losses_by_it() -> None:
    """Not those that went on after it, nor those that ended otherwise."""
    lost = {"cause": "unreadable", "lost_by_failure": True, "run": "run", "score": 0.0}
    seats = table_of(
        alone(MODEL, 1, **lost), alone(MODEL, 2, **lost), alone(MODEL, 3, run="run"),
        alone("openai/y", 4, **lost),
    )  # fmt: skip
    table = _replies(
        _reply(1, "unreadable"), _reply(1, "truncated"),
        _reply(2, "truncated"), _reply(2, "unreadable"),
        _reply(3, "truncated"),
        _reply(4, "truncated", player="openai/y"),
    )  # fmt: skip

    assert reply_tables.lost_by_truncation(seats, table) == {MODEL: 1, "openai/y": 1}
    assert reply_tables.lost_by_truncation(seats, table.slice(0, 0)) == {}

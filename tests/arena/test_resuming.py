"""Runs that go on: at another address, from damaged files, and without their records."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

pytest.importorskip(
    "aiohttp", reason="models behind HTTP servers need aiohttp: pip install 'quandary[models]'"
)

from fault_server import FaultServer
from quandary.arena.journal import JOURNAL, lines
from quandary.arena.merge import merge
from quandary.arena.run import RunResult, run
from quandary.arena.store import MANIFEST, RECORDS
from quandary.arena.suite import read as read_suite
from quandary.cli.main import main
from quandary.core.errors import UserError
from quandary.matches.record import Record
from quandary.models.budget import Budget
from quandary.models.client import RetryPolicy
from quandary.models.pool import ClientPool
from quandary.players.registry import PlayerRegistry
from quandary.scoring.reread import reread
from server_thread import served, some_move

PLAYERS = ["openai/any,list_moves=yes", "random"]
SUITE = read_suite(
    "resumed",
    """
[[puzzles]]
puzzle = "card_nim"
levels = ["easy"]
seeds = "1-4"
[[puzzles]]
puzzle = "sudoku"
levels = ["easy"]
seeds = "1-4"
""",
)


def _play(
    server: FaultServer, folder: Path, messages: list[str] | None = None, **settings: object
) -> RunResult:
    clients = ClientPool(
        base_url=server.address,
        timeout=60.0,
        retry=RetryPolicy(30, 0.002, 0.05),
        notify=(messages if messages is not None else []).append,
        **settings,  # type: ignore[arg-type]
    )
    return run(SUITE, PLAYERS, folder, PlayerRegistry(clients=clients))


def _calls(server: FaultServer) -> int:
    return sum(server.calls.values())


def _timeless(records: Sequence[Record]) -> list[Record]:
    """Records without how long replies took: a call that is made again takes another time."""
    return [
        replace(record, said=tuple(reply._replace(seconds=0.0) for reply in record.said))
        for record in records
    ]


def test_a_run_goes_on_at_another_address(tmp_path: Path) -> None:
    """Nothing is asked for twice, the manifest lists both addresses, and the user is told."""
    messages = list[str]()
    with served(speak=some_move) as one, served(speak=some_move) as other:
        whole = _play(other, tmp_path / "whole")
        needed = _calls(other)
        stopped = _play(one, tmp_path / "parts", budget=Budget(tokens=3_000))
        moved = _play(other, tmp_path / "parts", messages)
        _play(one, tmp_path / "parts", messages)
        made = _calls(one), _calls(other) - needed
    listed = json.loads((tmp_path / "parts" / MANIFEST).read_text())["servers"]

    assert "is used up" in stopped.stopped
    assert needed == sum(made) and min(made) > 0
    assert _timeless(whole.records) == _timeless(moved.records)
    assert {"openai": [one.address, other.address]} == listed
    assert [f"the run goes on at {other.address}; before, it was at {one.address}."] == messages


def test_records_come_back_from_the_journal(tmp_path: Path) -> None:
    """Deleted or cut off anywhere, byte for byte the same ones, without a single call."""
    with served(speak=some_move) as server:
        whole = _play(server, tmp_path)
        records, path, made = list(whole.records), tmp_path / RECORDS, _calls(server)
        text = path.read_bytes()
        for left in (None, len(text) // 3, len(text) - 20):
            path.unlink()
            if left is not None:
                path.write_bytes(text[:left])
            again = _play(server, tmp_path)

            assert made == _calls(server)
            assert (records, whole.tallies) == (list(again.records), again.tallies)
            assert sorted(text.splitlines()) == sorted(path.read_bytes().splitlines())


def test_a_damaged_record_is_set_aside(tmp_path: Path) -> None:
    """One sentence says so, the line is kept, and its match comes back from the journal."""
    messages = list[str]()
    with served(speak=some_move) as server:
        whole = _play(server, tmp_path)
        records, path, made = list(whole.records), tmp_path / RECORDS, _calls(server)
        written = path.read_bytes().splitlines(keepends=True)
        damaged = [written[1][:40] + b"\n", b"\x00\xff" + written[4]]
        path.write_bytes(
            b"".join([written[0], damaged[0], *written[2:4], damaged[1], *written[5:]])
        )
        again = _play(server, tmp_path, messages)
        _play(server, tmp_path, messages)

    assert [f"2 damaged lines of {path} moved to records.damaged.jsonl."] == messages
    assert b"".join(damaged) == (tmp_path / "records.damaged.jsonl").read_bytes()
    assert (records, made) == (list(again.records), _calls(server))
    assert sorted(written) == sorted(path.read_bytes().splitlines(keepends=True))


def test_foreign_lines_of_a_journal_are_set_aside(tmp_path: Path) -> None:
    """Reading the run again names each; going on with the run moves them aside, with one
    sentence.
    """
    foreign = [
        b'{"got":"x","model":"m"}', b'{"got":"x","model":"m","usage":5}', b'{"sent":5}', b"5",
        b'{"failed":"x"}', b"null", b"[]", b'{"sent":"x","model":"m"}',
        b"{torn", b"\0\0{}", b"\xff",
    ]  # fmt: skip
    messages = list[str]()
    with served(speak=some_move) as server:
        whole = _play(server, tmp_path)
        path, made = tmp_path / JOURNAL, _calls(server)
        text = path.read_bytes()
        middle = text.index(b"\n", len(text) // 2) + 1
        number = text.count(b"\n", 0, middle) + 1
        for line in foreign:
            path.write_bytes(text[:middle] + line + b"\n" + text[middle:])
            with pytest.raises(UserError, match=f"line {number} of .* is damaged; repeat the"):
                list(reread(tmp_path, read_again=True))
        path.write_bytes(text[:middle] + b"\n".join(foreign) + b"\n" + text[middle:])
        again = _play(server, tmp_path, messages)

    assert [f"{len(foreign)} damaged lines of {path} moved to journal.damaged.jsonl."] == messages
    assert b"\n".join(foreign) + b"\n" == (tmp_path / "journal.damaged.jsonl").read_bytes()
    assert (made, text) == (_calls(server), path.read_bytes())
    assert list(whole.records) == list(again.records)
    assert not [match for match in reread(tmp_path, read_again=True) if match.changed]


def test_a_match_whose_reply_was_damaged_is_not_judged_differently(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its reply is missing, and that is what is said; what was read then is in the record."""
    with served(speak=some_move) as server:
        whole = _play(server, tmp_path)
        path = tmp_path / JOURNAL
        before, got, after = path.read_bytes().partition(b'{"got"')
        path.write_bytes(before + b"{torn" + got + after)
        _play(server, tmp_path)
    again = list(reread(tmp_path, read_again=True))

    assert [True] == [match.now is None for match in again if match.lacks_reply]
    assert not [match for match in again if match.changed]
    assert 0 == main(["regrade", str(tmp_path), "--read-again"])
    output = capsys.readouterr().out
    assert output.startswith("No score has changed.\n")
    assert f"{len(whole.records) - 1} matches read again from the journal; 0 judged diff" in output
    assert "1 match not judged, because the journal lacks replies" in output
    assert 0 == main(["regrade", str(tmp_path), "--read-again", "--json"])
    assert 1 == capsys.readouterr().out.count('"reply_missing": true')
    assert 0 == main(["regrade", str(tmp_path)])
    assert f"{len(whole.records)} matches judged again; 0 judged diff" in capsys.readouterr().out


@pytest.mark.parametrize("seed", range(2))
def test_only_replies_that_were_lost_are_asked_for_again(tmp_path: Path, seed: int) -> None:
    """Whichever lines of a journal are damaged, the records come back from the others."""
    draw = Random(seed)
    with served(speak=some_move) as server:
        records = list(_play(server, tmp_path).records)
        path, made = tmp_path / JOURNAL, _calls(server)
        written = path.read_bytes().splitlines(keepends=True)
        damaged = draw.sample(range(len(written)), len(written) // 5)
        lost = sum(b'{"got"' in written[index] for index in damaged)
        for index in damaged:
            written[index] = written[index][: draw.randrange(1, len(written[index]) - 1)] + b"\n"
        path.write_bytes(b"".join(written))
        (tmp_path / RECORDS).unlink()
        again = _play(server, tmp_path)
        tally = again.tallies["openai/any"]

    assert 0 < lost == _calls(server) - made
    assert _timeless(records) == _timeless(again.records)
    messages = {line["message"] for _, line in lines(path) if "message" in line}
    named = {m for _, line in lines(path) if "sent" in line for m in line["messages"]}
    assert named <= messages  # what was lost of the prompts is written again
    assert (tally.got, tally.failed) == (made, 0)
    assert 0 <= tally.lost <= lost


def test_merged_runs_keep_their_replies(tmp_path: Path) -> None:
    """The merged run asks for nothing that either has, and its replies are read as they were."""
    half = replace(SUITE, entries=SUITE.entries[::2])
    with served(speak=some_move) as server:
        clients = ClientPool(base_url=server.address)
        run(half, PLAYERS, tmp_path / "half", PlayerRegistry(clients=clients))
        whole = _play(server, tmp_path / "whole")
        merged = merge([tmp_path / "half", tmp_path / "whole"], tmp_path / "merged")
        made = _calls(server)
        again = _play(server, tmp_path / "merged")

        assert made == _calls(server) == again.tallies["openai/any"].got
    assert (len(whole.records), 8, 0) == merged
    assert _timeless(whole.records) == _timeless(again.records)
    again_read = reread(tmp_path / "merged", read_again=True)
    assert not [match for match in again_read if match.changed]


def test_a_file_that_is_no_journal_is_left_alone(tmp_path: Path) -> None:
    """Somebody's own file of the same name is not taken for a damaged journal."""
    (tmp_path / JOURNAL).write_text('{"dear": "diary"}\n')
    with (
        served(speak=some_move) as server,
        pytest.raises(UserError, match="not the journal of a run; choose another --out"),
    ):
        _play(server, tmp_path)

    assert '{"dear": "diary"}\n' == (tmp_path / JOURNAL).read_text()

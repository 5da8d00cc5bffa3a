"""Runs in which language models play: journaled, resumed, and judged anew, against a real server on loopback."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("aiohttp", reason="models behind HTTP servers need aiohttp: pip install 'quandary[models]'")

from aiohttp import web

from fault_server import FAULTS, FaultServer
from quandary.arena.journal import JOURNAL, lines
from quandary.arena.run import Played, run
from quandary.arena.store import RECORDS
from quandary.arena.suite import Suite
from quandary.arena.suite import read as read_suite
from quandary.core.record import Record, replay
from quandary.players.crew import Crew
from quandary.players.models.budget import Budget
from quandary.players.models.calls import Patience
from quandary.scoring.readings import readings
from quandary.scoring.reread import reread
from server_thread import served, some_move

MODEL = "openai/any,legal=yes"
QUICK = Patience(tries=30, first=0.002, longest=0.05)
TEXT = """
repeats = 2
[[puzzles]]
puzzle = "card_nim"
levels = ["easy"]
seeds = "1-4"
[[puzzles]]
puzzle = "beat_or_bomb_sto"
levels = ["easy"]
seeds = "1-4"
[[puzzles]]
puzzle = "sudoku"
levels = ["easy"]
seeds = "1-4"
"""
SUITE = read_suite("models", TEXT)


def _crew(server: FaultServer, **settings: object) -> Crew:
    return Crew(address=server.address, timeout=5.0, patience=QUICK, **settings)  # type: ignore[arg-type]


def _play(server: FaultServer, folder: Path, suite: Suite = SUITE, **settings: object) -> Played:
    return run(suite, [MODEL, "random"], folder, _crew(server, **settings))


def _timeless(records: list[Record]) -> list[Record]:
    """Records without what no two runs share: how long things took."""
    return [_without_seconds(record) for record in records]


def _without_seconds(record: Record) -> Record:
    return replace(record, said=tuple(said._replace(seconds=0.0) for said in record.said))


def test_every_call_is_written_down_with_its_messages(tmp_path: Path) -> None:
    """The journal holds what the server saw, call by call, and as many replies."""
    with served(speak=some_move) as server:
        played = _play(server, tmp_path)
    journal = [line for _, line in lines(tmp_path / JOURNAL)]
    messages = {line["message"]: line for line in journal if "message" in line}
    sent = [line for line in journal if "sent" in line]
    written = sorted(
        json.dumps([{"role": messages[m]["role"], "content": messages[m]["parts"][0]["text"]} for m in line["messages"]])
        for line in sent
    )
    seen = sorted(json.dumps(json.loads(server.bodies[d])["messages"]) for d, n in server.calls.items() for _ in range(n))

    assert seen == written
    assert len(sent) == len({line["sent"] for line in sent}) == sum("got" in line for line in journal)
    assert played.tallies["openai/any"].sent == sum(server.calls.values())
    assert all(replay(record) for record in played.records)


def test_faults_of_the_world_change_no_result(tmp_path: Path) -> None:
    """A run through a server that fails in every way ends in the same records, and no reply that came is asked for again."""
    shares = dict.fromkeys([fault for fault in FAULTS if fault not in ("endless", "slow")], 0.04)
    with served(speak=some_move) as server:
        calm = _play(server, tmp_path / "calm")
    with served(shares, speak=some_move, wait="0.01") as server:
        stormy = _play(server, tmp_path / "stormy")
        assert server.needless == 0
    tally = stormy.tallies["openai/any"]

    assert _timeless(calm.records) == _timeless(stormy.records)
    assert (calm.tallies["openai/any"].sent, 0) == (tally.got, tally.lost)
    assert set(shares) == set(server.faults)
    assert tally.failed == sum(server.faults.values())


def test_what_never_answers_is_infrastructure(tmp_path: Path) -> None:
    """Nobody loses by it: the match has no scores, and is played again by the same command."""
    with served({"broken": 1.0}, speak=some_move) as server:
        failing = run(SUITE, [MODEL], tmp_path, Crew(address=server.address, patience=Patience(2, 0.001, 0.001)))
        assert {("infrastructure", None, None)} == {(r.cause, r.offender, r.scores) for r in failing.records}
        server.shares = {}
        mended = run(SUITE, [MODEL], tmp_path, _crew(server))

    assert "infrastructure" not in {record.cause for record in mended.records}
    assert all(record.scores is not None for record in mended.records)


def test_a_run_stops_at_its_budget_and_goes_on(tmp_path: Path) -> None:
    """A cap of tokens stops it cleanly; continued, it comes to what it would have come to, and no call is paid twice."""
    with served(speak=some_move) as server:
        whole = _play(server, tmp_path / "whole")
        paid = whole.tallies["openai/any"]
        cap = (paid.read + paid.written) // 2
        first = _play(server, tmp_path / "parts", budget=Budget(tokens=cap))
        spent = first.tallies["openai/any"]
        third = _play(server, tmp_path / "parts", budget=Budget(tokens=cap))
        second = _play(server, tmp_path / "parts")

    assert "tokens is used up" in first.stopped
    assert third.tallies["openai/any"].sent == spent.sent  # what was spent before counts
    assert len(first.records) < first.matches
    assert cap // 2 < spent.read + spent.written <= 1.05 * cap  # prompts grow as matches go on, so the last calls may cost more
    assert (0, paid.sent) == (spent.lost, second.tallies["openai/any"].sent)
    assert _timeless(whole.records) == _timeless(second.records)


def test_a_wrong_key_stops_the_run_with_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would spoil every match, so none is lost by it; and the key is nowhere to be found."""

    async def denied(server: FaultServer, request: web.Request, body: bytes) -> web.StreamResponse:
        return web.json_response({"error": {"message": f"wrong key {request.headers['Authorization']}"}}, status=401)

    monkeypatch.setitem(FAULTS, "denied", denied)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    with served({"denied": 1.0}, speak=some_move) as server:
        stopped = _play(server, tmp_path)
    everything = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())

    assert "OPENAI_API_KEY" in stopped.stopped
    assert not [record for record in stopped.records if MODEL in record.players]
    assert b"very-secret" not in everything


def test_a_journal_that_a_crash_tore_is_mended(tmp_path: Path) -> None:
    """Whatever was cut off its end, the run comes to the same, and the calls whose replies were whole are not sent again."""
    with served(speak=some_move) as server:
        whole = _play(server, tmp_path / "whole")
        text = (tmp_path / "whole" / JOURNAL).read_bytes()
        for cut in (1, len(text) // 3, len(text) - 5):
            folder = tmp_path / str(cut)
            folder.mkdir()
            for path in (tmp_path / "whole").iterdir():
                (folder / path.name).write_bytes(path.read_bytes() if path.name != JOURNAL else text[:cut])
            (folder / RECORDS).write_bytes(b"")
            got = text[:cut].count(b'{"got":') - (not text[:cut].endswith(b"\n") and b'{"got":' in text[:cut].rpartition(b"\n")[2])
            before = sum(server.calls.values())
            again = _play(server, folder)

            assert _timeless(whole.records) == _timeless(again.records)
            assert whole.tallies["openai/any"].got - got == sum(server.calls.values()) - before


def test_repeats_are_calls_of_their_own(tmp_path: Path) -> None:
    """The same question put again is asked again, not answered from the journal."""
    with served(speak=some_move) as server:
        played = _play(server, tmp_path)
    places = {(line["match"], line["seat"], line["step"]) for _, line in lines(tmp_path / JOURNAL) if "sent" in line}

    assert {0, 1} == {record.repeat for record in played.records}
    assert len(places) == sum(server.calls.values())


def test_reading_a_run_again_changes_nothing(tmp_path: Path) -> None:
    """With the same reader and rules every match comes to what it came to, without a call."""
    with served(speak=some_move) as server:
        played = _play(server, tmp_path)
        before = sum(server.calls.values())
        again = list(reread(tmp_path))
        assert before == sum(server.calls.values())

    assert len(played.records) == len(again)
    assert not [match for match in again if match.flipped]


def test_a_changed_reader_flips_verdicts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the reader finds no answer any more the model would have been asked again, and nobody knows what it would have said."""
    from quandary.players.models import model
    from quandary.players.models.reading.reply import Reading, Readings

    with served(speak=some_move) as server:
        _play(server, tmp_path)
    blind = Readings(Reading("unreadable"), Reading("unreadable"))
    monkeypatch.setattr(model, "read", lambda choice, form: blind)

    assert all(match.now is None for match in reread(tmp_path) if match.was.said[0].seat in _models(match.was))


def _models(record: Record) -> list[int]:
    return [seat for seat, player in enumerate(record.players) if player == MODEL]


def test_the_gap_between_readings_is_reported(tmp_path: Path) -> None:
    """Answers that do not stand as asked are counted, and matches that lean on them score nothing in the strict column."""

    def loosely(body: dict[str, object]) -> str:
        return some_move(body).replace("Answer: ", "**Final answer:** ")

    with served(speak=loosely) as server:
        played = _play(server, tmp_path)
    [found] = readings(played.records)

    assert found.lenient_only == found.replies > 0
    assert 0.0 == sum(found.strict_scores) < sum(found.scores)


def test_two_thousand_matches_at_once_wait_together(tmp_path: Path) -> None:
    """Every match is under way before the first reply comes."""
    many = read_suite("many", '[[puzzles]]\npuzzle = "islands"\nlevels = ["easy"]\nseeds = "1-300"\n')
    with served(speak=some_move, latency=0.2) as server:
        played = run(many, ["openai/any"], tmp_path, _crew(server, connections=300), at_once=300)

    assert 300 == len(played.records)
    assert {"limit"} == {record.cause for record in played.records}

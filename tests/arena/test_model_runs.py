"""Runs in which language models play: journaled, resumed, and judged anew, against a real server on
loopback.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import BinaryIO

import pytest

pytest.importorskip(
    "aiohttp", reason="models behind HTTP servers need aiohttp: pip install 'quandary[models]'"
)

from aiohttp import web

from fault_server import FAULTS, FaultServer
from quandary.arena import journal
from quandary.arena.journal import JOURNAL, lines
from quandary.arena.jsonl import append
from quandary.arena.run import RunResult, run
from quandary.arena.store import RECORDS
from quandary.arena.suite import Suite
from quandary.arena.suite import read as read_suite
from quandary.catalogue import drawing
from quandary.core.errors import UserError
from quandary.matches.player import Reading
from quandary.matches.player import Readings as BothReadings
from quandary.matches.record import Record, replay
from quandary.models.budget import Budget
from quandary.models.client import RetryPolicy
from quandary.models.pool import ClientPool
from quandary.players.registry import PlayerRegistry
from quandary.report.results import readings_sentence
from quandary.results.level_scores import PlayerScores
from quandary.results.match_facts import facts_of
from quandary.scoring.readings import Readings, readings
from quandary.scoring.reread import reread
from server_thread import served, some_move

MODEL = "openai/any,list_moves=yes"
QUICK = RetryPolicy(tries=30, first_pause=0.002, longest_pause=0.05)
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


def _players(server: FaultServer, **settings: object) -> PlayerRegistry:
    return PlayerRegistry(
        clients=ClientPool(base_url=server.address, timeout=60.0, retry=QUICK, **settings)
    )  # type: ignore[arg-type]


def _play(server: FaultServer, folder: Path, suite: Suite = SUITE, **settings: object) -> RunResult:
    return run(suite, [MODEL, "random"], folder, _players(server, **settings))


def _timeless(records: list[Record]) -> list[Record]:
    """Records without what no two runs share: how long things took."""
    return [_without_seconds(record) for record in records]


def _without_seconds(record: Record) -> Record:
    return replace(record, said=tuple(reply._replace(seconds=0.0) for reply in record.said))


def test_every_call_is_written_down_with_its_messages(tmp_path: Path) -> None:
    """The journal holds what the server saw, call by call, and as many replies."""
    with served(speak=some_move) as server:
        played = _play(server, tmp_path)
    written_down = [line for _, line in lines(tmp_path / JOURNAL)]
    messages = {line["message"]: line for line in written_down if "message" in line}
    sent = [line for line in written_down if "sent" in line]
    written = sorted(
        json.dumps(
            [
                {"role": messages[m]["role"], "content": messages[m]["parts"][0]["text"]}
                for m in line["messages"]
            ]
        )
        for line in sent
    )
    seen = sorted(
        json.dumps(json.loads(server.bodies[d])["messages"])
        for d, n in server.calls.items()
        for _ in range(n)
    )

    assert seen == written
    assert (
        len(sent)
        == len({line["sent"] for line in sent})
        == sum("got" in line for line in written_down)
    )
    assert played.tallies["openai/any"].sent == sum(server.calls.values())
    assert all(replay(record) for record in played.records)


def test_faults_of_the_world_change_no_result(tmp_path: Path) -> None:
    """A run through a server that fails in every way ends in the same records, and no reply that
    came is asked for again.
    """
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


@pytest.mark.heavy
def test_two_thousand_calls_amid_every_fault(tmp_path: Path) -> None:
    """Each is answered or named infrastructure, none is judged otherwise than in calm, none whose
    reply came is made again.
    """
    many = read_suite(
        "many", '[[puzzles]]\npuzzle = "string_search"\nlevels = ["easy"]\nseeds = "1-2000"\n'
    )
    with served(speak=_some_window) as server:
        calm = run(many, ["openai/any"], tmp_path / "calm", _players(server, connections=100))
    shares = dict.fromkeys(FAULTS, 0.03)
    with served(shares, speak=_some_window, wait="0.01", slow=3.0) as server:
        players = PlayerRegistry(
            clients=ClientPool(base_url=server.address, timeout=1.0, retry=QUICK)
        )
        stormy = run(many, ["openai/any"], tmp_path / "stormy", players)
    tally = stormy.tallies["openai/any"]
    too_late = tally.failed - sum(server.faults.values())  # replies, on a busy machine

    assert server.needless <= too_late
    assert 2_000 == len(calm.records) == len(stormy.records)
    assert set(FAULTS) == set(server.faults)
    for quiet, loud in zip(calm.records, stormy.records, strict=True):
        assert loud.cause == "infrastructure" or (quiet.scores, quiet.cause) == (
            loud.scores,
            loud.cause,
        )
    assert sum(record.cause != "infrastructure" for record in stormy.records) == tally.got
    assert (0, sum(server.calls.values())) == (tally.lost, tally.sent)


def _some_window(body: dict[str, object]) -> str:
    """A piece of what was asked, now and then a right one."""
    text = str(body)
    return f"Answer: {text[len(text) // 2 :][:4]}"


def test_what_never_answers_is_infrastructure(tmp_path: Path) -> None:
    """Nobody loses by it: the match has no scores, and is played again by the same command.  That
    calls fail is told once, not for every call.
    """
    messages = list[str]()
    with served({"broken": 1.0}, speak=some_move) as server:
        failing = run(
            SUITE,
            [MODEL],
            tmp_path,
            PlayerRegistry(
                clients=ClientPool(
                    base_url=server.address,
                    retry=RetryPolicy(5, 0.001, 0.001),
                    notify=messages.append,
                )
            ),
        )
        assert 1 == len([note for note in messages if "fail" in note]) == len(messages)
        assert {("infrastructure", None, None)} == {
            (r.cause, r.offender, r.scores) for r in failing.records
        }
        server.shares = {}
        mended = run(SUITE, [MODEL], tmp_path, _players(server))

    assert "infrastructure" not in {record.cause for record in mended.records}
    assert all(record.scores is not None for record in mended.records)


def test_a_run_stops_at_its_budget_and_goes_on(tmp_path: Path) -> None:
    """A cap of tokens stops it cleanly; continued, it comes to what it would have come to, and no
    call is paid twice.
    """
    with served(speak=some_move) as server:
        whole = _play(server, tmp_path / "whole")
        paid = whole.tallies["openai/any"]
        cap = (paid.read + paid.written) // 2
        first = _play(server, tmp_path / "parts", budget=Budget(tokens=cap))
        spent = first.tallies["openai/any"]
        third = _play(server, tmp_path / "parts", budget=Budget(tokens=cap))
        second = _play(server, tmp_path / "parts")

    assert "tokens is used up" in first.stopped
    # what was spent before counts
    assert third.tallies["openai/any"].read + third.tallies["openai/any"].written <= 1.05 * cap
    assert len(first.records) < first.matches
    # prompts grow as matches go on, so the last calls may cost more
    assert cap // 2 < spent.read + spent.written <= 1.05 * cap
    assert (0, paid.sent) == (spent.lost, second.tallies["openai/any"].sent)
    assert _timeless(whole.records) == _timeless(second.records)


def test_a_wrong_key_stops_the_run_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would spoil every match, so none is lost by it; and the key is nowhere to be found."""

    async def denied(server: FaultServer, request: web.Request, body: bytes) -> web.StreamResponse:
        return web.json_response(
            {"error": {"message": f"wrong key {request.headers['Authorization']}"}}, status=401
        )

    monkeypatch.setitem(FAULTS, "denied", denied)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    with served({"denied": 1.0}, speak=some_move) as server:
        stopped = _play(server, tmp_path)
    everything = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())

    assert "OPENAI_API_KEY" in stopped.stopped
    assert not [record for record in stopped.records if MODEL in record.players]
    assert b"very-secret" not in everything


def test_faults_of_this_side_are_not_the_models(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk stops the run with a sentence; nothing is scored, and with room again the run
    comes to what it should.
    """
    written = 0

    def full(file: BinaryIO, text: bytes) -> None:
        nonlocal written
        written += 1
        if written > 100:
            raise OSError(28, "No space left on device")
        append(file, text)

    with served(speak=some_move) as server:
        whole = _play(server, tmp_path / "whole")
        monkeypatch.setattr(journal, "append", full)
        stopped = _play(server, tmp_path / "full")
        monkeypatch.setattr(journal, "append", append)
        mended = _play(server, tmp_path / "full")

    assert "No space left" in stopped.stopped
    assert "crash" not in {record.cause for record in stopped.records}
    assert _timeless(whole.records) == _timeless(mended.records)


@pytest.mark.parametrize("where", ["text", "thinking"])
def test_a_key_that_is_echoed_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """Not even where the server repeats it in a reply."""

    async def echo(self: FaultServer, request: web.Request, body: bytes) -> web.StreamResponse:
        reply = f"You sent {request.headers['Authorization']}.\nAnswer: 1"
        message = {
            "role": "assistant",
            "content": reply if where == "text" else "Answer: 1",
            "reasoning_content": reply,
        }
        return web.json_response(
            {"choices": [{"message": message, "finish_reason": "stop"}], "usage": {}}
        )

    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    monkeypatch.setattr(FaultServer, "answer", echo)
    with served(speak=some_move) as server:
        _play(server, tmp_path)
    everything = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())

    assert b"You sent Bearer ***" in everything
    assert b"very-secret" not in everything


def test_the_first_calls_do_not_overshoot_a_budget(tmp_path: Path) -> None:
    """Until it is known what a call costs they are made one by one."""
    alike = read_suite(
        "alike", '[[puzzles]]\npuzzle = "islands"\nlevels = ["easy"]\nseeds = "1-50"\n'
    )
    with served(speak=some_move, latency=0.02) as server:
        played = _play(server, tmp_path, alike, budget=Budget(tokens=1_200))
    tally = played.tallies["openai/any"]

    assert "is used up" in played.stopped
    assert 0 < tally.read + tally.written <= 1_200


@pytest.mark.parametrize("first", [1, 2])
def test_absurd_numbers_of_tokens_do_not_spoil_a_budget(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: int
) -> None:
    """A reply whose tokens cannot be what the server says is counted as the largest so far, the
    very first reply as the next one; the run goes on, also in the next command.
    """
    absurd = iter([10**18, -5, "12", None, 1e300, True] * 20)
    completion = FaultServer.completion

    def lie(self: FaultServer, body: bytes) -> bytes:
        plain = json.loads(completion(self, body))
        if sum(self.calls.values()) % 3 == first:
            plain["usage"] = dict.fromkeys(plain["usage"], next(absurd))
        return json.dumps(plain).encode()

    suite = read_suite(
        "few", '[[puzzles]]\npuzzle = "islands"\nlevels = ["easy"]\nseeds = "1-40"\n'
    )

    def play(cap: int) -> tuple[RunResult, float]:
        budget = Budget(tokens=cap)
        players = _players(server, budget=budget, connections=1)
        return run(suite, ["openai/any"], tmp_path, players), budget.spent_tokens

    with served(speak=some_move) as server:
        monkeypatch.setattr(FaultServer, "completion", lie)
        stopped, spent = play(5_000)
        second, total = play(100_000)
    tally = second.tallies["openai/any"]

    assert "5,000 tokens is used up" in stopped.stopped
    assert (4_000 < spent <= 5_000, second.stopped) == (True, "")
    assert (40, 0) == (len(second.records), second.tallies["openai/any"].failed)
    assert tally.got // 4 < tally.uncounted < tally.got // 2
    assert tally.read + tally.written < total < 2 * (tally.read + tally.written)


def test_a_cap_that_cannot_be_kept_stops_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that counts no tokens is found out after three calls."""

    def silent(self: FaultServer, body: bytes) -> bytes:
        return json.dumps({"choices": [{"message": {"content": "Answer: 1"}}]}).encode()

    monkeypatch.setattr(FaultServer, "completion", silent)
    with served() as server:
        stopped = _play(server, tmp_path, budget=Budget(tokens=5_000))

    assert "does not report how many tokens it used, so --tokens cannot be kept" in stopped.stopped
    assert stopped.stopped.endswith("leave it out, or limit the run with --minutes")
    assert 3 == stopped.tallies["openai/any"].sent


def test_counts_that_are_whole_floats_keep_a_cap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some servers write 12.0."""

    def floats(self: FaultServer, body: bytes) -> bytes:
        usage = {"prompt_tokens": 12.0, "completion_tokens": 3.0, "total_tokens": 15.0}
        choices = [{"message": {"content": "Answer: 1"}}]
        return json.dumps({"choices": choices, "usage": usage}).encode()

    monkeypatch.setattr(FaultServer, "completion", floats)
    with served() as server:
        played = _play(server, tmp_path, budget=Budget(tokens=100_000))

    assert "" == played.stopped
    assert 0 == played.tallies["openai/any"].uncounted


REFUSALS = {
    "busy": (429, {"message": "slow down"}),
    "too long": (400, {"message": "This model's maximum context length is 8192 tokens"}),
    "filtered": (400, {"message": "flagged", "code": "content_filter"}),
    "odd": (400, {"message": "no"}),
}


@pytest.mark.parametrize("refusal", REFUSALS)
def test_a_run_with_a_cap_survives_that_its_first_calls_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refusal: str
) -> None:
    """Nobody waits for ever to learn what a call costs, and a refused one costs nothing."""
    status, error = REFUSALS[refusal]
    answer, left = FaultServer.answer, 2  # one more of the odd ones would end the run

    async def refuse(server: FaultServer, request: web.Request, body: bytes) -> web.StreamResponse:
        nonlocal left
        left -= 1
        if left < 0:
            return await answer(server, request, body)
        return web.json_response({"error": error}, status=status)

    monkeypatch.setattr(FaultServer, "answer", refuse)
    suite = read_suite(
        "few", '[[puzzles]]\npuzzle = "islands"\nlevels = ["easy"]\nseeds = "1-30"\n'
    )
    with served(speak=some_move) as server:
        played = run(
            suite, ["openai/any"], tmp_path, _players(server, budget=Budget(tokens=1_000_000))
        )

    assert "" == played.stopped
    assert 30 == len(played.records)
    assert played.tallies["openai/any"].uncounted == 0


def test_one_address_is_for_one_provider(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No provider's key goes to another one's server."""
    monkeypatch.setenv("GROQ_API_KEY", "gsk-secret")
    with served(speak=some_move) as server, pytest.raises(UserError, match="are for one provider"):
        run(SUITE, ["openai/any", "groq/any"], tmp_path, _players(server))

    assert not server.calls


def test_time_is_kept_while_a_server_wants_to_be_left_alone(tmp_path: Path) -> None:
    """A cap of minutes ends waiting and pauses too."""
    with served({"busy": 1.0}, speak=some_move, wait="600") as server:
        begun = monotonic()
        played = _play(server, tmp_path, budget=Budget(minutes=0.01))

    assert "minutes is over" in played.stopped
    assert monotonic() - begun < 60


def test_models_of_one_provider_share_its_connections(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So many calls at once to all of them together."""
    most = under_way = 0

    async def count(self: FaultServer, request: web.Request, body: bytes) -> web.StreamResponse:
        nonlocal most, under_way
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0.01)
        under_way -= 1
        return web.Response(body=self.completion(body), content_type="application/json")

    monkeypatch.setattr(FaultServer, "answer", count)
    with served(speak=some_move) as server:
        run(
            SUITE,
            ["openai/one,list_moves=yes", "openai/other,list_moves=yes"],
            tmp_path,
            _players(server, connections=3),
        )

    assert 3 == most


def test_a_journal_that_a_crash_tore_is_mended(tmp_path: Path) -> None:
    """Whatever was cut off its end, the run comes to the same, and the calls whose replies were
    whole are not sent again.
    """
    with served(speak=some_move) as server:
        whole = _play(server, tmp_path / "whole")
        text = (tmp_path / "whole" / JOURNAL).read_bytes()
        for cut in (1, len(text) // 3, len(text) - 5):
            folder = tmp_path / str(cut)
            folder.mkdir()
            for path in (tmp_path / "whole").iterdir():
                (folder / path.name).write_bytes(
                    path.read_bytes() if path.name != JOURNAL else text[:cut]
                )
            (folder / RECORDS).write_bytes(b"")
            got = text[:cut].count(b'{"got":') - (
                not text[:cut].endswith(b"\n") and b'{"got":' in text[:cut].rpartition(b"\n")[2]
            )
            before = sum(server.calls.values())
            again = _play(server, folder)

            assert _timeless(whole.records) == _timeless(again.records)
            assert whole.tallies["openai/any"].got - got == sum(server.calls.values()) - before


def test_repeats_are_calls_of_their_own(tmp_path: Path) -> None:
    """The same question put again is asked again, not answered from the journal."""
    with served(speak=some_move) as server:
        played = _play(server, tmp_path)
    places = {
        (line["match"], line["seat"], line["step"])
        for _, line in lines(tmp_path / JOURNAL)
        if "sent" in line
    }

    assert {0, 1} == {record.repeat for record in played.records}
    assert len(places) == sum(server.calls.values())


@pytest.mark.parametrize("read_again", [False, True])
def test_reading_a_run_again_changes_nothing(tmp_path: Path, read_again: bool) -> None:
    """With the same reader and rules every match comes to what it came to, without a call."""
    with served(speak=some_move) as server:
        played = _play(server, tmp_path)
        before = sum(server.calls.values())
        again = list(reread(tmp_path, read_again=read_again))
        assert before == sum(server.calls.values())

    assert len(played.records) == len(again)
    assert not [match for match in again if match.changed]


def test_reading_again_what_was_never_readable_changes_nothing(tmp_path: Path) -> None:
    """Where moves are made at once, the one of the seat that did not fail was never played, but it
    was said.
    """
    with served(speak=lambda body: "Hm, hm.\nOr so.") as server:
        _play(server, tmp_path)

    for read_again in (False, True):
        assert not [match for match in reread(tmp_path, read_again=read_again) if match.changed]


def test_a_match_that_does_not_replay_is_not_judged_anew(tmp_path: Path) -> None:
    """What the other seat would do now is not known, and nobody wins by that."""
    with served(speak=some_move) as server:
        _play(server, tmp_path)
    first, *others = (tmp_path / RECORDS).read_text().splitlines()
    torn = json.loads(first)
    torn["log"] = torn["log"][1:]
    (tmp_path / RECORDS).write_text("\n".join([json.dumps(torn), *others]) + "\n")
    again = list(reread(tmp_path))

    assert [again[0]] == [match for match in again if match.changed]
    assert again[0].now is None


def test_a_changed_reader_changes_verdicts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the reader finds no answer any more the model would have been asked again, and nobody
    knows what it would have said.
    """
    from quandary.players import asking

    with served(speak=some_move) as server:
        _play(server, tmp_path)
    blind = BothReadings(Reading("unreadable"), Reading("unreadable"), 2)
    monkeypatch.setattr(asking, "read", lambda choice, form: blind)

    assert all(
        match.now is None
        for match in reread(tmp_path, read_again=True)
        if match.was.said[0].seat in _models(match.was)
    )
    assert not [match for match in reread(tmp_path) if match.changed]  # as they were read then


def _models(record: Record) -> list[int]:
    return [seat for seat, player in enumerate(record.players) if player == MODEL]


def test_the_gap_between_readings_is_reported(tmp_path: Path) -> None:
    """Answers that do not stand as asked are counted, and matches that lean on them score nothing
    in the strict column.
    """

    def loosely(body: dict[str, object]) -> str:
        return some_move(body) + "\nThat is my move."

    with served(speak=loosely) as server:
        played = _play(server, tmp_path)
    [found] = readings(played.records, SUITE.prompt_settings)

    assert found.lenient_only == found.replies > 0
    assert found.score is not None and 0.0 == found.strict_score < found.score


def test_the_gap_is_reported_where_only_the_strict_reading_is_played(tmp_path: Path) -> None:
    """What could have been read is counted, and said not to have been taken."""
    with served(speak=lambda body: some_move(body) + "\nThat is my move.") as server:
        played = run(SUITE, [f"{MODEL},parsing=strict", "random"], tmp_path, _players(server))
    [found] = readings(played.records, SUITE.prompt_settings)

    assert found.lenient_only == found.statuses["unreadable"] == found.replies > 0
    why = "answers were not taken, because they are not in the form that was asked for"
    assert why in readings_sentence(found)


def _scores(*scores: float) -> PlayerScores:
    """The scores of a player, each on a start of its own."""
    found, names = PlayerScores(), [f"card_nim/easy#{seed}" for seed in range(1, len(scores) + 1)]
    records = [
        Record(name, ("m",), drawing.game(name), (), (), (score,), None, "goal")
        for name, score in zip(names, scores, strict=True)
    ]
    for match, score in zip(facts_of(records), scores, strict=True):
        found.add(match, score)
    return found


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (
            Readings("m", no_reply=2),
            "m: 0 replies, 2 turns without a reply.",
        ),
        (
            Readings("m", Counter(answered=1), by_trees=True),
            "m: 1 reply of a tree of thoughts (answered 1).",
        ),
        (
            Readings(
                "m",
                Counter(answered=3),
                lenient_only=1,
                scores=_scores(1.0, 1.0),
                strict_scores=_scores(0.0, 1.0),
            ),
            (
                "m: 3 replies (answered 3); 1 answer was read though it is not in the form "
                "that was asked for."
                " Score 1.000; 0.500 if matches with those count 0."
            ),
        ),
    ],
)
def test_the_sentence_about_readings_fits_its_numbers(found: Readings, sentence: str) -> None:
    """Turns without a reply are not cut off replies, and what there is none of is not told."""
    assert sentence == readings_sentence(found)


@pytest.mark.heavy
def test_more_than_a_thousand_connections_are_used_if_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No smaller limit lies below --connections."""
    resource = pytest.importorskip("resource")
    if resource.getrlimit(resource.RLIMIT_NOFILE)[0] < 3_000:
        pytest.skip("both ends of 1,200 connections need 2,400 open files")
    in_flight = answer_after(monkeypatch, 1_200)
    many = read_suite(
        "many", '[[puzzles]]\npuzzle = "islands"\nlevels = ["easy"]\nseeds = "1-1200"\n'
    )
    with served(speak=some_move) as server:
        players = PlayerRegistry(
            clients=ClientPool(base_url=server.address, timeout=120.0, connections=1_200)
        )
        run(many, ["openai/any"], tmp_path, players, at_once=1_200)

    assert 1_200 == max(in_flight)


def test_matches_wait_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every match has made its call before the first reply comes: calls that are not rejected
    at once are being answered, so the others follow them.
    """
    monkeypatch.setattr("quandary.models.rejections.PATIENCE", 0.05)
    in_flight = answer_after(monkeypatch, 300)
    many = read_suite(
        "many", '[[puzzles]]\npuzzle = "islands"\nlevels = ["easy"]\nseeds = "1-300"\n'
    )
    with served(speak=some_move) as server:
        played = run(many, ["openai/any"], tmp_path, _players(server, connections=300), at_once=300)

    assert 300 == max(in_flight) == len(played.records)
    assert {"limit"} == {record.cause for record in played.records}


def answer_after(monkeypatch: pytest.MonkeyPatch, calls: int) -> list[int]:
    """Let the server answer once so many calls wait together; lists the calls in flight."""
    in_flight = [0]
    waiting = 0

    async def answer(self: FaultServer, request: web.Request, body: bytes) -> web.StreamResponse:
        nonlocal waiting
        waiting += 1
        in_flight.append(waiting)
        while max(in_flight) < calls:
            await asyncio.sleep(0.01)
        waiting -= 1
        return web.Response(body=self.completion(body), content_type="application/json")

    monkeypatch.setattr(FaultServer, "answer", answer)
    return in_flight

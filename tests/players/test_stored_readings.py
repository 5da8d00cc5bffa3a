"""A reply is read once, when it is played; everything later shows what its record says."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from quandary.api.session import Session
from quandary.arena.earlier_readings import all_with_readings
from quandary.arena.exchanges import exchanges
from quandary.arena.job import match_name
from quandary.arena.journal import JOURNAL
from quandary.arena.run import RunResult, run
from quandary.arena.store import RECORDS
from quandary.arena.store import records as stored_records
from quandary.arena.suite import read as read_suite
from quandary.catalogue import drawing
from quandary.cli.main import main
from quandary.core.question import form_of
from quandary.matches.codec import record_from_json, record_json, saved_from_json, saved_json
from quandary.matches.match import Match
from quandary.matches.player import Forfeit, Reading, Readings, Reply
from quandary.matches.record import LoggedReply, Record, replay
from quandary.models.pool import ClientPool
from quandary.models.provider import Completion, Generation, Request
from quandary.players import asking
from quandary.players.model_names import is_model
from quandary.players.prompts.settings import PromptSettings
from quandary.players.reading import stored
from quandary.players.reading.reply import read
from quandary.players.reading.version import READER
from quandary.players.registry import PlayerRegistry
from quandary.scoring.readings import readings
from quandary.scoring.reread import reread
from run_folders import rows_of

SUITE = read_suite("nim", '[[puzzles]]\npuzzle = "card_nim"\nlevels = ["easy"]\nseeds = "7"\n')
MODEL, STRICT, TREE = "test/any", "test/any,parsing=strict", "test/any,prompting=tree,temperature=1"
CUT_OFF = Generation("I play a card.\nAnswer: 5", finish="length")
CUT_OFF_LATER = Generation("Answer: 1\nBecause it is the", finish="length")
PLAIN = Generation("```\n1\n```")
REPLIES = (
    Generation("I do not know."),
    CUT_OFF,
    Generation("```\n90 or 1\n```"),
    Generation("No.", finish="refused"),
    CUT_OFF_LATER,
    Generation("<think>Two.</think>Answer: 2"),
    Generation("<think>\nAnswer: 5"),
    Generation("<think>Answer: 5", thinking="Four or five?"),
    Generation("", thinking="Hm.", finish="length"),
    Generation("Answer: 3", thinking="Three."),
    PLAIN,
)
Speak = Callable[[Request], Generation]


class Speaker:
    """A provider whose replies are made by a function; it counts its calls."""

    def __init__(self, speak: Speak) -> None:
        self.speak, self.calls = speak, 0

    async def ask(self, request: Request) -> Completion:
        self.calls += 1
        return Completion((self.speak(request),) * request.n)

    async def close(self) -> None: ...


def in_turn(*given: Generation) -> Speak:
    """These replies, by how many the conversation has so far, and from then on the last."""

    def speak(request: Request) -> Generation:
        said = sum(message.role == "assistant" for message in request.messages)
        return given[min(said, len(given) - 1)]

    return speak


def play(
    folder: Path, speak: Speak, player: str = MODEL, attempts: int = 20
) -> tuple[RunResult, int]:
    """A run of a model against random moves, from both seats, and the number of its calls."""
    provider = Speaker(speak)
    clients = ClientPool(open_provider=lambda *names: provider)
    registry = PlayerRegistry(SUITE.prompt_settings, attempts=attempts, clients=clients)
    played = run(replace(SUITE, attempts=attempts), [player, "random"], folder, registry)
    return played, provider.calls


def as_earlier(folder: Path) -> None:
    """Take the readings out of the records of a run: earlier versions wrote none."""
    path = folder / RECORDS
    plain = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    for record in plain:
        record["said"] = [said[:6] for said in record["said"]]
    path.write_text("".join(json.dumps(record) + "\n" for record in plain), "utf-8")


def model_replies(record: Record) -> list[LoggedReply]:
    return [said for said in record.said if is_model(record.players[said.seat])]


def told(capsys: pytest.CaptureFixture[str], *command: str) -> list[dict[str, Any]]:
    """The lines of JSON that a command prints."""
    capsys.readouterr()
    assert main([*command, "--json"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("earlier", [False, True])
@pytest.mark.parametrize("journal", [True, False])
def test_a_reply_that_was_cut_off_is_truncated_everywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], earlier: bool, journal: bool
) -> None:
    """In play, in tables and in transcripts; also in records of earlier versions, and where the
    journal is gone.
    """
    played, _ = play(tmp_path, in_turn(CUT_OFF, PLAIN))
    first = [model_replies(record)[0] for record in played.records]
    if earlier:
        as_earlier(tmp_path)
    if not journal:
        (tmp_path / JOURNAL).unlink()
    assert [(said.status, said.move) for said in first] == [("truncated", "")] * 2

    rows = [row for row in rows_of(tmp_path)[1] if row.player == MODEL and row.status != "answered"]
    assert [(row.status, row.strict, row.lenient) for row in rows if row.turn == 1] == (
        [("truncated", "truncated", "truncated")] * 2
    )
    for match in told(capsys, "replay", str(tmp_path), "--transcript"):
        reply = next(each for each in match["words"] if each["player"] == MODEL)
        assert (reply["status"], reply["answer"]) == ("truncated", "")
        assert "cut off" in reply["why"]
    assert main(["replay", str(tmp_path), "--transcript"]) == 0
    assert capsys.readouterr().out.count("  was not read (truncated)\n") == 2


def test_a_tree_of_thoughts_that_was_cut_off_is_truncated(tmp_path: Path) -> None:
    """Its record has the last reply of the first proposal, and the tokens of all calls."""
    played, calls = play(tmp_path, in_turn(CUT_OFF), TREE, attempts=2)
    for record in played.records:
        [said] = model_replies(record)
        cut = Reading("truncated")
        assert (record.cause, said.status) == ("unreadable", "truncated")
        assert (said.words, said.readings) == (CUT_OFF.text, Readings(cut, cut, READER))
        assert replay(record)
    rows = [row for row in rows_of(tmp_path)[1] if row.player == TREE]
    assert [(row.strict, row.lenient) for row in rows] == [("truncated", "truncated")] * 2
    assert not [match for match in reread(tmp_path) if match.changed]
    assert calls == 2 * (1 + 5)  # one for the first replies of five proposals, then each again


@pytest.mark.parametrize("player", [MODEL, STRICT])
def test_stored_readings_are_what_the_reader_says(tmp_path: Path, player: str) -> None:
    """Of the reply as it was generated: how it ended, and with thinking that was kept apart."""
    played, _ = play(tmp_path, in_turn(*REPLIES), player)
    names = {match_name(each.name, each.players, each.repeat) for each in played.records}
    calls, seen = exchanges(tmp_path / JOURNAL, names), set[tuple[str, str]]()
    for record in played.records:
        name = match_name(record.name, record.players, record.repeat)
        own = calls[name, record.players.index(player)]
        for said, call in zip(model_replies(record), own, strict=True):
            [generation] = call.generations
            assert (said.words, said.readings) == (
                generation.text,
                read(generation, form_of(record.start)),
            )
            assert said.readings is not None and said.readings.reader == READER
            strict, lenient, _ = said.readings
            counting = strict if player == STRICT else lenient
            if counting.status != "answered":
                assert (said.status, said.move) == (counting.status, "")
            seen.add((strict.status, lenient.status))
    assert seen >= {
        ("answered", "answered"),
        ("truncated", "answered"),
        ("truncated", "truncated"),
        ("refused", "refused"),
    }


@pytest.mark.parametrize(
    ("player", "replies"),
    [(MODEL, REPLIES), (STRICT, REPLIES), (TREE, (CUT_OFF, CUT_OFF_LATER))],
)
def test_missing_readings_are_filled_in_from_the_journal(
    tmp_path: Path, player: str, replies: tuple[Generation, ...]
) -> None:
    """With the finish reason and the thinking of the journal they are those of the play, in
    records, tables and counts.
    """
    play(tmp_path, in_turn(*replies), player)
    records, rows = list(stored_records(tmp_path)), rows_of(tmp_path)
    [counts] = readings(records, PromptSettings())
    as_earlier(tmp_path)
    earlier = stored_records(tmp_path)

    assert all(said.readings is None for record in earlier for said in record.said)
    filled = list(all_with_readings(earlier, tmp_path / JOURNAL))
    assert filled == records
    assert rows_of(tmp_path) == rows
    assert readings(filled, PromptSettings()) == [counts]
    assert any(row.finish != "stop" and row.strict == "truncated" for row in rows[1])


@pytest.mark.parametrize("player", [MODEL, STRICT, TREE])
def test_an_earlier_run_goes_on_without_a_call(tmp_path: Path, player: str) -> None:
    """Its records stay as they are; deleted ones come back from the journal, with readings."""
    speak = in_turn(*REPLIES) if player != TREE else in_turn(CUT_OFF_LATER)
    records = list(play(tmp_path, speak, player)[0].records)
    as_earlier(tmp_path)
    written = (tmp_path / RECORDS).read_bytes()

    assert play(tmp_path, speak, player)[1] == 0
    assert (tmp_path / RECORDS).read_bytes() == written
    (tmp_path / RECORDS).unlink()
    again, calls = play(tmp_path, speak, player)
    assert (calls, list(again.records)) == (0, records)


@pytest.mark.parametrize("player", [MODEL, STRICT, TREE])
def test_replies_are_judged_again_as_they_were_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, player: str
) -> None:
    """Nothing is read a second time, and every match comes out as it is."""
    speak = in_turn(*REPLIES) if player != TREE else in_turn(CUT_OFF_LATER)
    play(tmp_path, speak, player)

    def reads_again(*given: object) -> None:
        raise AssertionError("the reader was called")

    monkeypatch.setattr(asking, "read", reads_again)
    monkeypatch.setattr(stored, "read", reads_again)
    again = list(reread(tmp_path))

    assert len(again) == 2
    assert [match.now for match in again] == [match.was for match in again]


def test_reading_again_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What another version of the reader read counts until it is read again."""
    play(tmp_path, in_turn(CUT_OFF, PLAIN))
    path, command = tmp_path / RECORDS, ("regrade", str(tmp_path))
    later = path.read_text("utf-8").replace(f"],{READER}]", f"],{READER - 1}]")
    path.write_text(later, "utf-8")
    replies = sum(len(model_replies(record_from_json(line))) for line in later.splitlines())

    line = {"reader": READER - 1, "replies": replies, "read_again": False}
    assert told(capsys, *command)[-1] == line
    assert main([*command]) == 0
    out = capsys.readouterr().out
    assert "2 matches judged again; 0 judged differently." in out
    assert f"{replies} replies, read with reader version {READER - 1}; --read-again" in out
    assert told(capsys, *command, "--read-again")[-1] == {
        "reader": READER,
        "replies": replies,
        "read_again": True,
    }
    assert main([*command, "--read-again"]) == 0
    assert "2 matches read again from the journal; 0 judged diff" in capsys.readouterr().out

    (tmp_path / JOURNAL).unlink()
    assert main([*command, "--read-again"]) == 2
    missing = f"quandary: {tmp_path / JOURNAL}, from which replies are read again, is missing; "
    assert missing in capsys.readouterr().err


def test_reading_again_needs_replies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where there are none, the sentence says why."""
    run = tmp_path / "run"
    chosen = ["--puzzle", "card_nim", "--level", "easy", "--seeds", "1", "--player", "random"]
    assert main(["run", *chosen, "--out", str(run)]) == 0
    for folder, options, sentence in (
        (run, [], f"no language model played in {run}, so there are no replies to read again"),
        (run, ["--grading", "published"], "--read-again is for --grading strict"),
        (tmp_path, [], f"{tmp_path} is not the folder of a run"),
    ):
        capsys.readouterr()
        assert main(["regrade", str(folder), "--read-again", *options]) == 2
        assert f"quandary: {sentence}; " in capsys.readouterr().err


def test_only_replies_in_which_an_answer_is_looked_for_have_readings(tmp_path: Path) -> None:
    """Other replies are written as they always were; both are read back, and replay."""
    played, _ = play(tmp_path, in_turn(*REPLIES))
    for record in played.records:
        plain = json.loads(record_json(record))
        for said, written in zip(record.said, plain["said"], strict=True):
            by_model = is_model(record.players[said.seat])
            assert (said.readings is not None, len(written)) == (by_model, 7 if by_model else 6)
        assert record_from_json(record_json(record)) == record
        assert replay(record)


def test_a_learner_has_readings_too() -> None:
    """They are kept when its session is pickled or its match is saved."""
    session = Session("card_nim/easy#7", opponents="random")
    session.reply("Hm.")
    session.reply("Answer: 1")
    expected = [read(Generation(text), "line") for text in ("Hm.", "Answer: 1")]
    again = pickle.loads(pickle.dumps(session))

    for record in (session.record(), again.record()):
        assert [said.readings for said in record.said if said.seat == 0] == expected


def test_readings_are_part_of_a_saved_match() -> None:
    """Of replies and of failures; a match saved by an earlier version has none."""
    match = Match(drawing.game("card_nim/easy#7"), "card_nim/easy#7")
    match.receive(0, Reply("1", "Answer: 1", readings=read(Generation("Answer: 1"), "line")))
    match.receive(1, Reply("1"))
    match.fail(0, Forfeit("unreadable", "5", readings=read(CUT_OFF, "line")))
    written = saved_json(match.saved())
    again = Match.resumed(saved_from_json(written))
    earlier = json.loads(written)
    earlier["received"] = [[seat, reply[:5], cause] for seat, reply, cause in earlier["received"]]
    without = Match.resumed(saved_from_json(json.dumps(earlier)))

    assert again.said == match.said
    assert [len(reply) for _, reply, _ in json.loads(written)["received"]] == [6, 5, 6]
    assert [said.status for said in match.said] == ["answered", "answered", "truncated"]
    assert [said._replace(readings=None) for said in match.said[:2]] == without.said[:2]
    assert without.said[2].status == "unreadable"


@pytest.mark.parametrize(
    "wrong",
    [
        "answered",
        ("answered", "answered", 1),
        Readings(Reading("answered", "1"), Reading("answered", "1"), "1"),  # type: ignore[arg-type]
        Readings(Reading("right"), Reading("answered", "1"), 1),  # type: ignore[arg-type]
        Readings(Reading("answered", 1), Reading("answered", "1"), 1),  # type: ignore[arg-type]
        Readings("answered", "answered", 1),  # type: ignore[arg-type]
    ],
)
def test_other_readings_are_refused(wrong: Any) -> None:
    """Nothing is written then; of a player that gives up, it is a crash."""
    match = Match(drawing.game("card_nim/easy#7"), "card_nim/easy#7")
    with pytest.raises(TypeError, match="reading"):
        match.receive(0, Reply("1", readings=wrong))
    assert match.said == []
    match.fail(0, Forfeit("unreadable", "5", readings=wrong))
    assert match.ending is not None and match.ending.cause == "crash"

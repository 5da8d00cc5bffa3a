"""Models write programs, which then play each other and the house."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from quandary.arena import fresh_matches
from quandary.arena.drawn_programs import FILE
from quandary.arena.engines import in_loop
from quandary.arena.equal_programs import EqualPrograms
from quandary.arena.job import Job, play_job
from quandary.arena.run import RunResult, run
from quandary.arena.suite import read as read_suite
from quandary.core.errors import UserError
from quandary.matches.record import Record
from quandary.models.pool import ClientPool
from quandary.models.provider import Completion, Generation, Request, Usage
from quandary.players.registry import PlayerRegistry

SUITE = """
[[puzzles]]
puzzle = "card_nim"
levels = ["easy"]
seeds = "1-2"

[[puzzles]]
puzzle = "ruby_risks"
levels = ["easy"]
seeds = "1-2"
"""
DRAWN_RULES = """
[[puzzles]]
puzzle = "string_insertion"
levels = ["0"]
seeds = "1"
"""
CODE = {
    "card_nim": """
class Player:
    def play(self, view):
        return {of}(card for card in view["hands"][view["seat"]] if card <= view["stones"])
""",
    "ruby_risks": "class Player:\n    def play(self, view):\n        return {of}(1, 2)\n",
}


class Writer:
    """A model that writes programs; its first reply to each prompt has none."""

    def __init__(self, of: str) -> None:
        self.of, self.asked = of, Counter[str]()

    async def ask(self, request: Request) -> Completion:
        [message] = request.messages
        [prompt] = message.parts
        puzzle = next(name for name in CODE if name in str(prompt))
        self.asked[puzzle] += 1
        text = json.dumps({"reasoning": "", "code": CODE[puzzle].format(of=self.of)})
        said = "Let me think." if self.asked[puzzle] == 1 else text
        return Completion((Generation(said),), Usage(10, 5))

    async def close(self) -> None: ...


def _run(folder: Path, writers: dict[str, Writer], samples: int = 2) -> RunResult:
    clients = ClientPool(open_provider=lambda provider, model: writers[model])
    return run(
        read_suite("written", SUITE).only(setting="code"),
        [f"scripted/{name}" for name in writers],
        folder,
        PlayerRegistry(clients=clients),
        samples=samples,
    )


def test_each_sample_plays_every_program_of_others_and_the_house(tmp_path: Path) -> None:
    writers = {"high": Writer("max"), "low": Writer("min")}
    played = _run(tmp_path, writers)
    pairs = Counter(record.players for record in played.records if len(record.players) == 2)
    own = [f"program/scripted/{name}_{number}.py" for name in writers for number in (1, 2)]
    apart = {(a, b) for a in own for b in own if a.split("_")[0] != b.split("_")[0]}
    with_house = {pair for player in own for pair in ((player, "house"), ("house", player))}

    assert apart | with_house == set(pairs)
    assert {2} == set(pairs.values())
    alone = Counter(record.players for record in played.records if len(record.players) == 1)
    assert {*own, "house"} == {player for (player,) in alone}
    assert {"goal", "no_move", "limit"} >= {record.cause for record in played.records}


def test_a_reply_without_a_program_is_asked_for_again(tmp_path: Path) -> None:
    writers = {"high": Writer("max")}
    _run(tmp_path, writers)
    stored = [json.loads(line) for line in (tmp_path / FILE).read_text().splitlines()]

    assert {"card_nim": 3, "ruby_risks": 3} == writers["high"].asked
    assert [3, 3] == [
        sum(each["replies"] for each in stored if each["puzzle"] == name) for name in CODE
    ]
    assert {"scripted/high"} == {each["author"] for each in stored}
    assert 4 == len(stored)


def test_the_run_goes_on_without_a_call(tmp_path: Path) -> None:
    _run(tmp_path, {"high": Writer("max"), "low": Writer("min")})
    before = (tmp_path / "records.jsonl").read_text()
    (tmp_path / "records.jsonl").write_text("".join(before.splitlines(keepends=True)[:5]))
    writers = {"high": Writer("max"), "low": Writer("min")}
    _run(tmp_path, writers)

    assert sorted(before.splitlines()) == sorted(
        (tmp_path / "records.jsonl").read_text().splitlines()
    )
    assert not any(writer.asked for writer in writers.values())


def test_a_sample_that_never_has_a_program_loses(tmp_path: Path) -> None:
    class Refusing(Writer):
        async def ask(self, request: Request) -> Completion:
            self.asked["all"] += 1
            return Completion((Generation("I cannot do that."),), Usage(10, 5))

    writers = {"high": Writer("max"), "silent": Refusing("min")}
    played = _run(tmp_path, writers, samples=1)
    lost = [record for record in played.records if "program/scripted/silent_1.py" in record.players]

    assert {"unreadable"} == {record.cause for record in lost}
    assert 2 * 5 == writers["silent"].asked["all"]


@pytest.mark.parametrize(
    ("setting", "player", "why"),
    [
        ("", "scripted/x", "it needs --setting code"),
        ("code", "oracle", "draws programs of models, and 'oracle' is not one"),
        ("code", "program/x.py", "is not one; write PROVIDER/NAME"),
    ],
)
def test_what_cannot_be_drawn(tmp_path: Path, setting: str, player: str, why: str) -> None:
    suite = read_suite("written", SUITE).only(setting=setting)
    with pytest.raises(UserError, match=why):
        run(suite, [player], tmp_path / "out", PlayerRegistry(), samples=1)
    assert not (tmp_path / "out").exists()


def test_puzzles_that_draw_their_rules_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "unused")
    suite = read_suite("drawn", DRAWN_RULES).only(setting="code")
    with pytest.raises(UserError, match="the rules of string_insertion are drawn"):
        run(suite, ["openai/x"], tmp_path / "out", PlayerRegistry(), samples=1)


def test_puzzles_that_draw_their_rules_are_played_without_programs(tmp_path: Path) -> None:
    played = run(read_suite("drawn", DRAWN_RULES), ["oracle"], tmp_path / "out", PlayerRegistry())
    assert {1.0} == {score for record in played.records for score in record.scores}


def test_equal_programs_play_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And each of them has the records that it would have if all played."""
    monkeypatch.setattr(fresh_matches, "ONE_IN", 10**30)  # none is played again to compare
    played = Counter[str]()
    for how in ("once", "each"):

        async def counted(job: Job, known: PlayerRegistry, how: str = how) -> Record:
            played[how] += 1
            return await play_job(job, known)

        monkeypatch.setattr(in_loop, "play_job", counted)
        run_result = _run(tmp_path / how, {"high": Writer("max"), "low": Writer("min")})
        assert len(run_result.records) == run_result.matches
        monkeypatch.setattr(EqualPrograms, "_all", lambda self, job: [[at] for at in job.players])

    # 2 starts of card_nim, 6 or 16 seatings; 2 of ruby_risks, 3 or 5 players.
    assert {"once": 2 * 6 + 2 * 3, "each": 2 * 16 + 2 * 5} == played
    once, each = ((tmp_path / how / "records.jsonl").read_text() for how in ("once", "each"))
    assert sorted(once.splitlines()) == sorted(each.splitlines())

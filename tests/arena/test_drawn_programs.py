"""Models write programs, which then play each other and the house."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from quandary.arena.drawn_programs import FILE
from quandary.arena.engines import in_loop
from quandary.arena.engines.processes import Processes
from quandary.arena.equal_programs import EqualPrograms
from quandary.arena.fresh_matches import FreshMatches
from quandary.arena.job import Job, play_job
from quandary.arena.merge import merge
from quandary.arena.run import RunResult, run
from quandary.arena.suite import read as read_suite
from quandary.arena.trial_matches import TrialMatches
from quandary.catalogue import drawing
from quandary.catalogue.splits import canonical_hash
from quandary.core.errors import UserError
from quandary.matches.record import Record
from quandary.models.pool import ClientPool
from quandary.models.provider import Completion, Generation, Request, Usage
from quandary.players.registry import PlayerRegistry
from quandary.programs.prompt import FAILURES

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
        reply = "Let me think." if self.asked[puzzle] == 1 else text
        return Completion((Generation(reply),), Usage(10, 5))

    async def close(self) -> None: ...


def _run(
    folder: Path, writers: Mapping[str, Writer], samples: int = 2, **options: Any
) -> RunResult:
    clients = ClientPool(open_provider=lambda provider, model: writers[model])
    return run(
        read_suite("written", SUITE).only(setting="code"),
        [f"scripted/{name}" for name in writers],
        folder,
        PlayerRegistry(clients=clients),
        samples=samples,
        **options,
    )


def _stored(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / FILE).read_text().splitlines()]


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
    stored = _stored(tmp_path)

    assert {"card_nim": 3, "ruby_risks": 3} == writers["high"].asked
    assert [3, 3] == [
        sum(each["replies"] for each in stored if each["puzzle"] == name) for name in CODE
    ]
    assert {"scripted/high"} == {each["author"] for each in stored}
    assert 4 == len(stored)


def test_half_a_program_is_asked_for_again(tmp_path: Path) -> None:
    """A reply that ended at its limit of tokens; a whole one may leave its fence open."""

    class Cut(Writer):
        async def ask(self, request: Request) -> Completion:
            puzzle = next(name for name in CODE if name in str(request.messages[0].parts[0]))
            self.asked[puzzle] += 1
            text = f"```python\n{CODE[puzzle].format(of=self.of)}"
            whole, half = Generation(text), Generation(text[:-9], finish="length")
            return Completion((half if self.asked[puzzle] == 1 else whole,), Usage(10, 5))

    writers = {"high": Cut("max")}
    _run(tmp_path, writers, samples=1)

    assert {"card_nim": 2, "ruby_risks": 2} == writers["high"].asked
    kept = {each["puzzle"]: each["code"] for each in _stored(tmp_path)}
    assert {puzzle: code.format(of="max") for puzzle, code in CODE.items()} == kept


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


@pytest.mark.parametrize(("other", "of_nim", "of_rubies"), [("min", 6, 3), ("max", 3, 2)])
def test_equal_programs_play_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, other: str, of_nim: int, of_rubies: int
) -> None:
    """Also those of two models; and each has the records that it would have if all played."""
    monkeypatch.setattr(FreshMatches, "play", lambda *_: "")  # none is played again to compare
    played = Counter[str]()
    for how in ("once", "each"):

        async def counted(job: Job, known: PlayerRegistry, how: str = how) -> Record:
            played[how] += 1
            return await play_job(job, known)

        monkeypatch.setattr(in_loop, "play_job", counted)
        run_result = _run(tmp_path / how, {"high": Writer("max"), "other": Writer(other)})
        assert len(run_result.records) == run_result.matches
        monkeypatch.setattr(EqualPrograms, "_all", lambda self, job: [[at] for at in job.players])

    # 2 starts of card_nim, so many or 16 seatings; 2 of ruby_risks, so many or 5 players.
    assert {"once": 2 * of_nim + 2 * of_rubies, "each": 2 * 16 + 2 * 5} == played
    once, each = ((tmp_path / how / "records.jsonl").read_text() for how in ("once", "each"))
    assert sorted(once.splitlines()) == sorted(each.splitlines())


def test_workers_store_no_match_of_equal_programs_twice(tmp_path: Path) -> None:
    """They are given many matches at a time, before the records of equal programs are there; and
    a run that ends between such records goes on with the others.
    """
    writers = {"high": Writer("max"), "other": Writer("max")}
    engine = Processes(2)
    played = _run(tmp_path, writers, samples=3, engine=engine)
    path = tmp_path / "records.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    assert played.matches == len({*lines}) == len(lines)
    for kept in (1, 9, len(lines) // 2):
        path.write_text("".join(lines[:kept]))
        _run(tmp_path, writers, samples=3, engine=engine)
        assert sorted(lines) == sorted(path.read_text().splitlines(keepends=True))


BROKEN = {  # programs by how they fail
    "syntax": "class Player:\n    def play(self, view)\n        return 1\n",
    "crash": "import numpy\n\nclass Player:\n    def play(self, view):\n        return 1\n",
    "unreadable": "class Player:\n    def play(self, view):\n        return [1]\n",
    "illegal": "class Player:\n    def play(self, view):\n        return -7\n",
    "timeout": "class Player:\n    def play(self, view):\n        while True: pass\n",
}


class Repairing(Writer):
    """A model whose first program of card_nim is broken; it keeps what it was sent."""

    def __init__(self, cause: str, broken: int = 1) -> None:
        super().__init__("max")
        self.cause, self.broken, self.sent = cause, broken, list[Request]()

    async def ask(self, request: Request) -> Completion:
        self.sent.append(request)
        of_nim = "card_nim" in str(request.messages[0].parts[0])
        self.asked["card_nim" if of_nim else "ruby_risks"] += 1
        code = CODE["card_nim" if of_nim else "ruby_risks"].format(of=self.of)
        if of_nim and self.asked["card_nim"] <= self.broken:
            code = BROKEN[self.cause]
        text = json.dumps({"reasoning": "", "code": code})
        return Completion((Generation(text),), Usage(10, 5))


CLOCKED = f"clock = 1\n{SUITE}"


@pytest.mark.parametrize("cause", BROKEN)
def test_a_model_is_told_of_an_error_and_replies_again(
    tmp_path: Path, cause: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{__name__}.SUITE", CLOCKED)
    model = Repairing(cause)
    played = _run(tmp_path, {"m": model}, samples=1, repairs=2)
    nim, ruby = sorted(_stored(tmp_path), key=lambda each: str(each["puzzle"]))

    assert (1, 2, 10, 20) == (nim["repairs"], nim["replies"], nim["tokens"], nim["read"])
    assert (0, 1) == (ruby["repairs"], ruby["replies"])
    [repair] = [request for request in model.sent if len(request.messages) > 1]
    assert ["user", "assistant", "user"] == [message.role for message in repair.messages]
    [words] = repair.messages[2].parts
    assert "lost a trial match (level easy, seat 0)" in str(words)
    assert FAILURES[cause] in str(words)
    assert cause not in {record.cause for record in played.records}


def test_no_model_is_told_of_errors_unless_the_run_says_so(tmp_path: Path) -> None:
    model = Repairing("crash")
    played = _run(tmp_path, {"m": model}, samples=1)
    assert {"card_nim": 1, "ruby_risks": 1} == model.asked
    assert "crash" in {record.cause for record in played.records}


def test_a_program_is_repaired_only_so_often(tmp_path: Path) -> None:
    model = Repairing("illegal", broken=9)
    _run(tmp_path, {"m": model}, samples=1, repairs=3)
    assert 1 + 3 == model.asked["card_nim"]
    assert [3] == [each["repairs"] for each in _stored(tmp_path) if each["puzzle"] == "card_nim"]


def test_repairs_are_found_in_the_journal(tmp_path: Path) -> None:
    """Also without the file of programs, which is written when all are drawn."""
    _run(tmp_path, {"m": Repairing("crash")}, samples=1, repairs=2)
    before = (tmp_path / FILE).read_text()
    for name in (FILE, "records.jsonl"):
        (tmp_path / name).unlink()
    model = Repairing("crash")
    _run(tmp_path, {"m": model}, samples=1, repairs=2)
    assert not model.sent
    assert before == (tmp_path / FILE).read_text()


def test_trial_matches_are_on_instances_that_the_suite_does_not_have(tmp_path: Path) -> None:
    registry = PlayerRegistry()
    for suite in (read_suite("two", SUITE), read_suite("train", TRAINING)):
        trials = TrialMatches(suite, registry)
        for puzzle in CODE:
            own = {
                canonical_hash(drawing.instance(spec))
                for spec in suite.specs
                if spec.name == puzzle
            }
            found = trials.instances(puzzle)
            assert ["easy"] == [spec.level for spec in found]
            assert own.isdisjoint(canonical_hash(drawing.instance(spec)) for spec in found)


TRAINING = SUITE.replace('seeds = "1-2"', 'seeds = "1-3"\nsplit = "train"')


def test_other_repairs_are_another_run(tmp_path: Path) -> None:
    _run(tmp_path, {"m": Repairing("crash")}, samples=1, repairs=2)
    with pytest.raises(UserError, match="they differ in repairs"):
        _run(tmp_path, {"m": Repairing("crash")}, samples=1)


def test_samples_of_which_only_some_pairs_play_cannot_be_added(tmp_path: Path) -> None:
    """Which pairs play follows from all of them; models can be added."""
    writers = {"high": Writer("max"), "low": Writer("min")}
    played = _run(tmp_path, writers, programs_per_pair=1)
    pairs = {frozenset(record.players) for record in played.records if len(record.players) == 2}
    assert 1 == sum("house" not in pair for pair in pairs)
    assert 4 == sum("house" in pair for pair in pairs)
    with pytest.raises(UserError, match=r"the programs of scripted/high \(only some pairs"):
        _run(tmp_path, writers, samples=3, programs_per_pair=1)
    _run(tmp_path, {**writers, "third": Writer("min")}, programs_per_pair=1)


def test_a_changed_program_is_refused(tmp_path: Path) -> None:
    _run(tmp_path, {"m": Writer("max")}, samples=1)
    path = tmp_path / FILE
    path.write_text(path.read_text().replace("return max(1, 2)", "return min(1, 2)"))
    with pytest.raises(UserError, match=r"m_1\.py for ruby_risks .* has been changed"):
        _run(tmp_path, {"m": Writer("max")}, samples=1)


def test_merged_runs_keep_their_programs(tmp_path: Path) -> None:
    for name, of in (("high", "max"), ("low", "min")):
        _run(tmp_path / name, {name: Writer(of)}, samples=1)
    merge([tmp_path / "high", tmp_path / "low"], tmp_path / "both")
    assert {"scripted/high", "scripted/low"} == {
        each["author"] for each in _stored(tmp_path / "both")
    }


def test_runs_with_other_programs_of_one_name_are_not_merged(tmp_path: Path) -> None:
    for name, of in (("one", "max"), ("other", "min")):
        _run(tmp_path / name, {"m": Writer(of)}, samples=1)
    with pytest.raises(UserError, match=r"m_1\.py is another program in each"):
        merge([tmp_path / "one", tmp_path / "other"], tmp_path / "both")
    assert not (tmp_path / "both").exists()


def test_tasks_are_not_asked_for(tmp_path: Path) -> None:
    suite = read_suite("tasks", SUITE.replace('"ruby_risks"', '"sudoku"\ntask = "check"'))
    with pytest.raises(UserError, match="not for check:sudoku; leave it out"):
        run(
            suite.only(setting="code"),
            ["scripted/x"],
            tmp_path / "out",
            PlayerRegistry(),
            samples=1,
        )


def test_what_programs_cannot_be_drawn_for_is_still_played(tmp_path: Path) -> None:
    """Puzzles that draw their rules, and tasks, by players that are no programs."""
    text = DRAWN_RULES + '\n[[puzzles]]\npuzzle = "sudoku"\ntask = "check"\nlevels = ["easy"]\n'
    played = run(read_suite("drawn", text).only(), ["oracle"], tmp_path, PlayerRegistry())
    assert 6 == played.matches == len(played.records)

"""Runs of published prompts: sent as they are, read as they ask, and scored only with a key."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import finereason_files
from logicgame_files import KEY, items, write_files
from quandary.arena.run import RunResult, run
from quandary.arena.store import RECORDS, read
from quandary.cli.main import main
from quandary.core.wrapper import innermost
from quandary.matches.record import Record, replay
from quandary.models.pool import ClientPool
from quandary.models.provider import Completion, Decoding, Generation, Request
from quandary.papers.finereason.imported import bring as bring_finereason
from quandary.papers.logicgame.imported import bring
from quandary.papers.problem_suite import Wording, problem_suite
from quandary.players.registry import PlayerRegistry
from quandary.results.level_scores import level_means
from quandary.results.table import seats
from quandary.scoring.readings import readings
from quandary.scoring.reread import reread

MODEL = "test/any"
FENCED = f"It goes right.\n```json\n{json.dumps(KEY)}\n```\nThat is {{'all': 1}}."


class Speaker:
    """A provider whose replies are made by a function of the request."""

    def __init__(self, speak: Callable[[Request], Generation]) -> None:
        self.speak, self.requests = speak, list[Request]()

    async def ask(self, request: Request) -> Completion:
        self.requests.append(request)
        return Completion((self.speak(request),))

    async def close(self) -> None: ...

    @property
    def prompts(self) -> dict[str, list[str]]:
        """The messages of each request, by its last one."""
        told = [
            ["\n".join(map(str, message.parts)) for message in request.messages]
            for request in self.requests
        ]
        return {messages[-1]: messages for messages in told}


@pytest.fixture
def imported(tmp_path: Path) -> Path:
    folder = tmp_path / "import"
    bring(write_files(tmp_path / "source"), folder)
    return folder


def play(
    imported: Path, out: Path, provider: Speaker, wording: Wording, player: str = MODEL
) -> RunResult:
    suite = problem_suite(imported, wording=wording)
    decoding = Decoding(**dict(suite.decoding))  # type: ignore[arg-type]
    clients = ClientPool(open_provider=lambda *names: provider)
    players = PlayerRegistry(suite.prompt_settings, decoding, suite.attempts, clients)
    return run(suite, [player], out, players)


def command(imported: Path, out: Path, *more: str, player: str = "random") -> int:
    return main(["run", "--problems", str(imported), "--player", player, "--out", str(out), *more])


def by_name(out: Path) -> dict[str, Record]:
    return {record.name: record for record in read(out / RECORDS)}


def test_exactly_the_published_prompt_is_sent(imported: Path, tmp_path: Path) -> None:
    """One message, no system message; a fence that names JSON is what was asked for."""
    provider = Speaker(lambda request: Generation(FENCED))
    played = play(imported, tmp_path / "run", provider, "published")
    published = [item["contexts"][0] for language in ("en", "zh") for item in items(language)]

    assert provider.prompts == {prompt: [prompt] for prompt in published}
    assert {request.decoding.max_tokens for request in provider.requests} == {2048}
    records = by_name(tmp_path / "run")
    assert records["logicgame slide_2048/0 logic_string0801_9"].scores == (1.0,)
    assert records["logicgame slide_2048/0 logic_string0625_9"].scores == (1.0,)
    assert records["logicgame slide_2048/0 logic_string0625_11"].scores == (0.0,)
    [found] = readings(played.records, problem_suite(imported).prompt_settings)
    assert found.statuses == {"answered": 6} and found.lenient_only == 0


def test_a_problem_without_a_key_is_asked_and_never_scored(
    imported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It has no row in any table, and is not played again."""
    out = tmp_path / "run"
    assert command(imported, out, "--wording", "published") == 0
    first, told = (out / RECORDS).read_bytes(), capsys.readouterr()
    assert "6 matches in" in told.out and "3 of them without a key" in told.out
    assert "again" not in told.err and "PARTIAL" not in told.out
    assert command(imported, out, "--wording", "published") == 0
    assert (out / RECORDS).read_bytes() == first

    unscored = [record for record in by_name(out).values() if record.scores is None]
    assert len(unscored) == 3 == sum(" unscored/" in record.name for record in unscored)
    for record in by_name(out).values():
        assert replay(record)
    assert {row.puzzle for row in level_means(by_name(out).values())} == {"slide_2048"}
    assert seats(out, columns=["puzzle"])["puzzle"].unique().to_pylist() == ["slide_2048"]
    assert main(["replay", str(out)]) == 0
    assert main(["results", str(out), "--by", "level"]) == 0
    assert "unscored" not in capsys.readouterr().out.replace("unscored/", "")
    assert main(["regrade", str(out)]) == 0
    assert main(["regrade", str(out), "--grading", "published"]) == 2
    assert "published no grader" in capsys.readouterr().err


@pytest.mark.parametrize("reply", ["", "I see no way.", "```json\n{", "{}", "```json\n[1]\n```"])
def test_any_reply_without_a_key_has_no_score(imported: Path, tmp_path: Path, reply: str) -> None:
    play(imported, tmp_path / "run", Speaker(lambda request: Generation(reply)), "published")
    records = by_name(tmp_path / "run").values()

    assert all(replay(record) for record in records)
    assert [record.scores for record in records if " unscored/" in record.name] == [None] * 3
    assert [record.scores for record in records if " slide_2048/" in record.name] == [(0.0,)] * 3


def test_our_wording_asks_in_the_language_of_the_line(imported: Path, tmp_path: Path) -> None:
    """Only what has a key; the tables have the language of each match."""
    provider, out = Speaker(lambda request: Generation(json.dumps(KEY))), tmp_path / "run"
    play(imported, out, provider, "ours")
    records = by_name(out)

    assert sorted(record.scores or () for record in records.values()) == [(0.0,), (1.0,), (1.0,)]
    for prompt in provider.prompts.values():
        assert ("规则" in prompt[-1]) == ("你的任务是解谜题" in prompt[0])
    assert sum("规则" in prompt for prompt in provider.prompts) == 2
    rows = seats(out, columns=["spec", "language"]).to_pylist()
    told = {row["spec"].split()[-1]: row["language"] for row in rows}
    assert told == {
        "logic_string0801_9": "en",
        "logic_string0625_9": "zh",
        "logic_string0625_11": "zh",
    }


def test_published_and_our_wording_are_the_same_instance(imported: Path, tmp_path: Path) -> None:
    """But two runs: they are not mixed."""
    ours, published = tmp_path / "ours", tmp_path / "published"
    assert command(imported, ours, player="oracle") == 0
    assert command(imported, published, "--wording", "published", player="oracle") == 0
    assert command(imported, ours, "--wording", "published", player="oracle") == 2

    scored = {name: record for name, record in by_name(published).items() if record.scores}
    assert scored.keys() == by_name(ours).keys()
    for name, record in by_name(ours).items():
        assert innermost(record.start) == innermost(scored[name].start)
        assert record.scores == scored[name].scores == (1.0,)


def test_replies_can_be_read_again(imported: Path, tmp_path: Path) -> None:
    """From the journal, in both wordings."""
    for wording in ("ours", "published"):
        out = tmp_path / wording
        play(imported, out, Speaker(lambda request: Generation(FENCED)), wording)  # type: ignore[arg-type]
        for again in reread(out, read_again=True):
            assert again.now is not None and again.now.scores == again.was.scores


@pytest.mark.parametrize("setting", ["shots=1", "prompting=none", "system=Hello", "list_moves=yes"])
def test_settings_that_change_a_published_prompt_are_refused(
    imported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], setting: str
) -> None:
    out, more = tmp_path / "run", ("--wording", "published")

    assert command(imported, out, *more, player=f"vllm/any,{setting}") == 2
    assert "published prompts are sent as they are" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--wording", "theirs"), "invalid choice: 'theirs'"),
        (("--problem", "logic_string0801_11"), "these problems have no key; ask them with"),
        (("--problem", "logic_string0801_12"), "unknown problem 'logic_string0801_12'"),
    ],
)
def test_wrong_choices_are_refused(
    imported: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    more: tuple[str, ...],
    said: str,
) -> None:
    assert command(imported, tmp_path / "run", *more) == 2
    told = capsys.readouterr().err
    assert said in told and told.count("\n") == 1
    assert not (tmp_path / "run").exists()


def test_only_imports_with_prompts_have_a_published_wording(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other, out = tmp_path / "other", tmp_path / "run"
    bring_finereason(finereason_files.write_files(tmp_path / "states"), other)

    assert command(other, out, "--wording", "published") == 2
    assert "has no published prompts" in capsys.readouterr().err
    assert main(["run", "--wording", "ours", "--player", "random", "--out", str(out)]) == 2
    assert "--wording is for --problems" in capsys.readouterr().err
    assert not out.exists()


def test_a_line_without_a_question_needs_its_prompt(
    imported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = imported / "problems.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    del lines[1]["why"]
    path.write_text("\n".join(map(json.dumps, lines)))

    assert command(imported, tmp_path / "run", "--wording", "published") == 2
    assert f"line 2 of {path}: a problem without a question needs" in capsys.readouterr().err


def test_a_problem_that_lost_its_prompt_is_refused(
    imported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It would be asked with our words."""
    path = imported / "problems.jsonl"
    first, *others = path.read_text("utf-8").splitlines()
    line = {key: value for key, value in json.loads(first).items() if key != "prompt"}
    path.write_text("\n".join([json.dumps(line), *others]), "utf-8")
    run = ["run", "--problems", str(imported), "--player", "oracle", "--out", str(tmp_path / "run")]

    assert main([*run, "--wording", "published"]) == 2
    assert f"{line['session']} has no published prompt; use --wording" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()
    assert main(run) == 0

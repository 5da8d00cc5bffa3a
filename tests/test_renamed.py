"""Names of earlier versions: typed ones warn, stored ones are read without a word."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

import quandary as q
from quandary.arena.job import match_name
from quandary.arena.journal import JOURNAL
from quandary.arena.store import MANIFEST, RECORDS, manifest_of, records
from quandary.arena.suite import read as read_suite
from quandary.cli.main import main
from quandary.matches.codec import saved_from_json, saved_json
from quandary.matches.match import Match
from quandary.matches.record import Record
from quandary.models.provider import Decoding
from quandary.players.model_names import parse
from quandary.players.prompts.settings import PromptSettings
from quandary.renamed import (
    PLAYER_SETTINGS,
    RenamedWarning,
    player_in_journals,
    player_now,
    typed_player,
)

STORED = Path(__file__).parent / "earlier_versions" / "9c3a5f1b_models"
EARLIER = "openai/x,shots=1,legal=yes,thoughts=none,shown=text,programs=no,reading=strict"
NOW = "openai/x,shots=1,list_moves=yes,prompting=none,modality=text,allow_code=no,parsing=strict"


def test_all_settings_of_a_player_are_named_anew() -> None:
    assert player_now(EARLIER) == NOW
    assert player_in_journals(NOW) == EARLIER
    for name in ("random", "oracle@20", "human/legal", "openai/x", "openai/legal=yes"):
        assert name == player_now(name) == player_in_journals(name)


def test_both_names_mean_the_same() -> None:
    parsed = [parse(name, PromptSettings(), Decoding()) for name in (EARLIER, NOW)]
    assert parsed[0] == parsed[1]
    assert parsed[0].prompt_settings == PromptSettings(
        shots=1, list_moves=True, prompting="none", allow_code=False, parsing="strict"
    )


def test_typed_names_warn() -> None:
    with pytest.warns(RenamedWarning) as warned:
        assert NOW == typed_player(EARLIER)
    assert [str(one.message) for one in warned] == [
        f"the setting {old}= is called {PLAYER_SETTINGS[old]}= now; the earlier name works in this "
        f"version only."
        for old in ("legal", "thoughts", "shown", "programs", "reading")
    ]


def test_suites_with_earlier_names_are_read() -> None:
    entry = '[[puzzles]]\npuzzle = "sudoku"\nlevels = ["easy"]\nseeds = "1"\n'
    with pytest.warns(RenamedWarning, match="of the suite mine is called"):
        earlier = read_suite("mine", f'thoughts = "none"\n{entry}shown = ["image"]\n')
    assert earlier == read_suite("mine", f'prompting = "none"\n{entry}modalities = ["image"]\n')


def test_journals_keep_the_names_by_which_replies_are_found() -> None:
    """Digests and seeds of calls follow from them."""
    assert "card_nim/easy#1 openai/x,thoughts=none house 0" == match_name(
        "card_nim/easy#1", ["openai/x,prompting=none", "house"], 0
    )


def _as_of_an_earlier_version(run: Path) -> None:
    """Name players and settings in a run as earlier versions did."""
    manifest = json.loads((run / MANIFEST).read_text())
    suite = manifest["suite"]
    suite |= {"thoughts": suite.pop("prompting"), "shown": suite.pop("modality")}
    manifest["players"] = list(map(player_in_journals, manifest["players"]))
    (run / MANIFEST).write_text(json.dumps(manifest))
    lines = [json.loads(line) for line in (run / RECORDS).read_text().splitlines()]
    for line in lines:
        line["players"] = list(map(player_in_journals, line["players"]))
    (run / RECORDS).write_text("".join(f"{json.dumps(line)}\n" for line in lines))


def test_a_run_of_an_earlier_version_goes_on_from_its_journal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Half of its matches are left to play, and all of their replies are there."""
    pytest.importorskip("aiohttp", reason="needs aiohttp: pip install 'quandary[models]'")
    from server_thread import served, some_move

    run, players = tmp_path / "run", ["openai/x,legal=yes,thoughts=none,seed=7", "openai/x,shots=1"]
    chosen = ["--puzzle", "card_nim", "--level", "easy", "--seeds", "1-2"]
    asked = [word for player in players for word in ("--player", player)]
    with served(speak=some_move) as server:
        command = ["run", *chosen, *asked, "--out", str(run), "--base-url", server.address]
        assert 0 == main(command)
        assert "quandary: the setting legal= is called list_moves= now" in capsys.readouterr().err
        calls = server.calls.total()
        before = list(records(run))
        _as_of_an_earlier_version(run)
        lines = (run / RECORDS).read_text().splitlines(keepends=True)
        (run / RECORDS).write_text("".join(lines[: len(lines) // 2]))

        assert 0 == main(command)

        assert calls == server.calls.total() > 0
    known = manifest_of(run)
    assert known and known["players"] == [player_now(name) for name in players]
    assert _by_match(records(run)) == _by_match(before)


def _by_match(stored: Iterable[Record]) -> dict[tuple[str, tuple[str, ...]], Record]:
    """Records without the time of replies; they are stored in the order in which matches ended."""
    found = list(stored)
    by_match = {(record.name, record.players): _without_time(record) for record in found}
    assert len(by_match) == len(found)
    return by_match


def _without_time(record: Record) -> Record:
    replies = tuple(reply._replace(seconds=0.0) for reply in record.said)
    return replace(record, said=replies)


def test_a_stored_run_of_an_earlier_version_is_reported_and_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing in it is left to play, so nobody is called, under either name."""
    pytest.importorskip("pyarrow", reason="tables need pyarrow: pip install 'quandary[report]'")
    run = Path(shutil.copytree(STORED, tmp_path / "run"))
    suite = str(shutil.copy(STORED.parent / "models.toml", tmp_path / "suite.toml"))
    players = ["openai/x,legal=yes,thoughts=steps,seed=7", "openai/x,shots=1,reading=strict"]
    now = list(map(player_now, players))
    before = (run / JOURNAL).read_bytes()

    assert set(now) == {name for record in q.load(run) for name in record.players}
    for named in (players, now):
        asked = [word for player in named for word in ("--player", player)]
        nowhere = ["--base-url", "http://127.0.0.1:9/v1"]
        assert 0 == main(["run", "--suite", suite, *asked, "--out", str(run), *nowhere])
    assert before == (run / JOURNAL).read_bytes()
    capsys.readouterr()
    assert 0 == main(["results", str(run), "--json"])
    board = json.loads(capsys.readouterr().out.splitlines()[0])
    assert set(now) == {row["player"] for row in board["rows"]}
    assert 0 == main(["report", str(run), "--out", str(tmp_path / "report")])
    assert 0 == main(["compare", str(run), str(run), "--player-a", now[0], "--player-b", now[1]])
    assert 0 == main(["replay", str(run), "--transcript"])


def test_python_takes_earlier_names_with_a_warning() -> None:
    answer = "```\nx\n```"
    with pytest.warns(RenamedWarning, match=r"reading of grade\(\) is called parsing now"):
        earlier = q.grade("islands/easy#1", answer, reading="strict")  # type: ignore[call-arg]
    assert earlier == q.grade("islands/easy#1", answer, parsing="strict")
    with pytest.warns(RenamedWarning, match=r"legal of Session\(\) is called list_moves now"):
        session = q.Session("sudoku/easy#1", legal=True)  # type: ignore[call-arg]
    assert session.messages() == q.Session("sudoku/easy#1", list_moves=True).messages()
    sentence = "the setting legal= is called list_moves= now"
    with pytest.warns(RenamedWarning, match=sentence), pytest.raises(q.UserError):
        q.match("sudoku/easy#1", "nobody/x,legal=yes")


def test_earlier_public_names_are_found_with_a_warning() -> None:
    with pytest.warns(RenamedWarning, match="quandary.Unfaithful is called ReplayMismatch now"):
        assert q.Unfaithful is q.ReplayMismatch  # type: ignore[attr-defined]


def test_matches_that_an_earlier_version_saved_go_on() -> None:
    saved = Match(q.make("card_nim/easy#7"), "card_nim/easy#7").saved()
    plain = json.loads(saved_json(saved))
    plain["heard"] = plain.pop("received")
    assert saved == saved_from_json(json.dumps(plain))

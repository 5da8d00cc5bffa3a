"""Models that are asked in several languages on the same instances, by a server on loopback."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip(
    "aiohttp", reason="models behind HTTP servers need aiohttp: pip install 'quandary[models]'"
)
pytest.importorskip("pyarrow", reason="tables need pyarrow: pip install 'quandary[report]'")

from quandary.arena.manifest import as_known
from quandary.arena.pictures import drawn_in_english
from quandary.arena.run import validate
from quandary.arena.suite import load as load_suite
from quandary.arena.suite import read as read_suite
from quandary.catalogue import registry
from quandary.cli.main import main
from quandary.cli.run_command import note_english_pictures
from quandary.core.errors import UserError
from quandary.models.pool import ClientPool
from quandary.players.model_names import in_languages
from quandary.players.prompts.settings import PromptSettings
from quandary.players.registry import PlayerRegistry
from quandary.report.formats import shown, text
from quandary.report.scores import columns, scores_of
from quandary.results.table import seats
from quandary.scoring import factors
from quandary.scoring.level_groups import fixed_rng
from server_thread import served
from small_games import Nim, Rolls

SUITE = """
[[puzzles]]
puzzle = "minesweeper"
levels = ["2"]
seeds = "1-6"
[[puzzles]]
puzzle = "card_nim"
levels = ["easy"]
seeds = "1-3"
"""


def one_card(body: Mapping[str, Any]) -> str:
    """Plays the card 1 in English, and says nothing in Chinese."""
    asked = str(body["messages"][0]["content"])
    return "我不知道。" if "石子" in asked else "Easy.\n```\n1\n```"


BOTH = ["--language", "en", "--language", "zh"]


def run_with_server(*arguments: str) -> list[str]:
    """Play with the model openai/any; returns what the server was sent."""
    with served(speak=one_card) as server:
        address = ["--base-url", server.address]
        assert main(["run", "--player", "openai/any", *arguments, *address]) == 0
        return [str(json.loads(body)["messages"]) for body in server.bodies.values()]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A run in both languages, and what the server was sent."""
    folder = tmp_path_factory.mktemp("languages")
    (folder / "both.toml").write_text(SUITE)
    suite, out = str(folder / "both.toml"), str(folder / "run")
    return folder / "run", run_with_server("--suite", suite, *BOTH, "--out", out)


def test_both_languages_are_asked(played: tuple[Path, list[str]]) -> None:
    first = {text for text in played[1] if "石子" in text or "Stones" in text}

    assert any("石子" in text for text in first) and any("Stones" in text for text in first)


def test_rows_tell_the_language_of_their_player(played: tuple[Path, list[str]]) -> None:
    rows = seats(played[0]).to_pylist()
    models = [row for row in rows if row["model"]]

    assert {(row["player"], row["language"]) for row in models} == {
        ("openai/any,language=en", "en"),
        ("openai/any,language=zh", "zh"),
    }


def test_the_same_instances_are_compared(played: tuple[Path, list[str]]) -> None:
    whole, by_suite, by_puzzle = factors.factors(
        seats(played[0]).select(factors.COLUMNS), fixed_rng()
    )
    rows = [dict(zip(by_puzzle.head, row, strict=True)) for row in by_puzzle.rows]

    assert {(row["factor"], row["from"], row["to"], row["player"]) for row in rows} == {
        ("language", "en", "zh", "openai/any")
    }
    assert {row["puzzle"]: row["starts"] for row in rows} == {"card_nim": 3, "minesweeper": 6}
    assert len(whole.rows) == len(by_suite.rows) == 1


def test_run_and_results_end_with_the_tables_of_the_report(
    played: tuple[Path, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the one by suite, because there is one suite."""
    report = scores_of(seats(played[0], columns=columns()), [played[0]]).factors
    again = ["run", "--suite", str(played[0].parent / "both.toml"), "--player", "openai/any"]
    again += ["--base-url", "http://127.0.0.1:9/v1"]  # nothing is left to ask
    ends, outputs = [], list[str]()
    for command in (["results", str(played[0])], [*again, *BOTH, "--out", str(played[0])]):
        assert main([*command, "--json"]) == 0
        lines = list(map(json.loads, capsys.readouterr().out.splitlines()))
        ends.append([line for line in lines if "factors" in line.get("key", "")])
        assert main(command) == 0
        outputs.append(capsys.readouterr().out)

    assert text(report[2]) in outputs[0]
    difference, p = shown(report[0].rows[0][6]), shown(report[0].rows[0][7])
    last = outputs[1].replace("\n  ", " ")
    assert f"openai/any, Chinese minus English: {difference}, p {p}, n = " in last
    assert [table.key for table in report] == ["factors", "factors_by_suite", "factors_by_puzzle"]
    assert ends[0] == ends[1] == [report[0].plain(), report[2].plain()]


def test_puzzles_about_words_alone_compare_no_languages(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "run")
    run_with_server("--puzzle", "anagram_scribble", "--seeds", "1", *BOTH, "--out", out)
    ends = [capsys.readouterr().out]
    assert main(["results", out]) == 0
    ends.append(capsys.readouterr().out)

    sentence = (
        "Languages are not compared, because only the rules of anagram_scribble are translated."
    )
    assert all(f"\n{sentence}\n" in end for end in ends)


def test_puzzles_about_words_are_named_where_others_are_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """So the difference is not that of the scores."""
    both = ["--puzzle", "card_nim", "--puzzle", "anagram_scribble", "--seeds", "1-2", *BOTH]
    run_with_server(*both, "--out", str(tmp_path / "run"))
    ended = " ".join(capsys.readouterr().out.split())

    assert "openai/any, Chinese minus English: " in ended
    assert (
        "pairs of matches that differ in the language alone, without anagram_scribble, of which "
        "only the rules are translated"
    ) in ended


def test_one_language_is_not_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_with_server("--puzzle", "card_nim", "--seeds", "1", "--out", str(tmp_path / "run"))

    assert "anguages" not in capsys.readouterr().out


def test_a_run_in_one_language_goes_on_in_both(tmp_path: Path) -> None:
    """The model that named no language is the English one: it is not asked again."""
    asked = ["--puzzle", "card_nim", "--level", "easy", "--seeds", "1-3"]
    asked += ["--out", str(tmp_path / "run")]
    first = run_with_server(*asked)
    second = run_with_server(*asked, *BOTH)
    assert run_with_server(*asked, *BOTH) == []  # nothing is left to ask
    rows = seats(tmp_path / "run").to_pylist()

    assert all("Stones" in text for text in first) and all("石子" in text for text in second)
    assert {(row["player"], row["language"]) for row in rows if row["model"]} == {
        ("openai/any", "en"),
        ("openai/any,language=zh", "zh"),
    }
    assert {row["opponents"] for row in rows if row["model"]} == {"house"}
    whole, *_ = factors.factors(seats(tmp_path / "run").select(factors.COLUMNS), fixed_rng())
    assert [row[:5] for row in whole.rows] == [("language", "en", "zh", "openai/any", 6)]


def test_names_in_a_run_are_kept() -> None:
    """Also if it has the same model under two of them."""
    usual, both = PromptSettings(language="zh"), ["openai/x", "openai/x,language=zh", "random"]

    assert as_known(["openai/x,language=zh", "house"], {}, usual) == [
        "openai/x,language=zh",
        "house",
    ]
    assert as_known(both, {"players": both}, usual) == both
    assert as_known(both[:1], {"players": both[1:]}, usual) == both[1:2]
    assert as_known(["openai/x,language=en"], {"players": both}, usual) == ["openai/x,language=en"]
    assert as_known(["openai/x,shots=1"], {"players": both}, usual) == ["openai/x,shots=1"]


def test_a_language_is_that_of_a_player_once() -> None:
    players = ["oracle", "openai/x,shots=1"]

    assert in_languages(players, []) == players
    assert in_languages(players, ["en", "zh"]) == [
        "oracle", "openai/x,shots=1,language=en", "openai/x,shots=1,language=zh",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--player", "oracle", "--language", "zh"], "no --player is a model"),
        (["--player", "openai/x,language=en", "--language", "zh"], "sets its language itself"),
        (
            ["--player", "openai/x,language=de"],
            "unknown language 'de' of openai/x; choose en or zh.",
        ),
        (["--player", "openai/x,language=ZH"], "did you mean 'zh'?"),
    ],
)
def test_what_cannot_be_asked_gets_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    code = main(["run", "--puzzle", "card_nim", *arguments, "--out", str(tmp_path / "run")])

    assert (code, sentence in capsys.readouterr().err) == (2, True)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("player", ["openai/x", "openai/x,language=zh"])
def test_puzzles_without_the_language_are_all_named(player: str) -> None:
    """Whether the suite or a player asks for it; two puzzles from outside speak English alone."""
    puzzles = [f'[[puzzles]]\npuzzle = "{name}"\nseeds = "1"\n' for name in ("nim", "rolls")]
    language = "en" if "zh" in player else "zh"
    players = PlayerRegistry(clients=ClientPool(base_url="http://127.0.0.1:9/v1"))
    with registry.registered(Nim), registry.registered(Rolls):
        suite = read_suite("four", f'language = "{language}"\n{SUITE}{"".join(puzzles)}')
        with pytest.raises(
            UserError, match=r"^nim, rolls are not translated to 'zh'; leave them or"
        ):
            validate(suite, [player, "random"], players)


@pytest.mark.parametrize("has_font", [True, False])
def test_english_words_in_pictures_are_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], has_font: bool
) -> None:
    monkeypatch.setattr("quandary.render.png.has_letters", lambda language: has_font)
    suite = read_suite("both", SUITE)
    note_english_pictures(suite, ["openai/x,language=zh", "openai/x,language=en,modality=image"])
    in_pictures = replace(suite, modality="image")
    note_english_pictures(in_pictures, ["openai/x,language=zh,modality=text", "openai/x"])
    assert capsys.readouterr().err == ""
    note_english_pictures(suite, ["oracle", "openai/x,language=zh,modality=image"])

    assert ("quandary[chinese]" in capsys.readouterr().err) == (not has_font)


@pytest.mark.parametrize("name", ["openai/x", "openai/x,modality=image"])
def test_english_pictures_are_not_compared_with_each_other(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    name: str,
) -> None:
    """Whether a puzzle of the suite or a player says that pictures are shown."""
    pictures = "" if "image" in name else 'modalities = ["image"]'
    (tmp_path / "both.toml").write_text(f"{SUITE}{pictures}\n")
    suite, players = load_suite(str(tmp_path / "both.toml")), in_languages([name], ["en", "zh"])
    monkeypatch.setattr("quandary.render.png.has_letters", lambda language: True)
    assert drawn_in_english(suite, players) == []

    monkeypatch.setattr("quandary.render.png.has_letters", lambda language: language != "zh")
    assert drawn_in_english(suite, players[1:]) == ["zh"]
    asked = ["run", "--suite", str(tmp_path / "both.toml"), "--player", name, *BOTH]
    code = main([*asked, "--base-url", "http://127.0.0.1:9/v1", "--out", str(tmp_path / "run")])
    output = capsys.readouterr().err

    assert (code, output.count("\n"), (tmp_path / "run").exists()) == (2, 1, False)
    assert (
        "pictures cannot be compared between languages" in output and "quandary[chinese]" in output
    )

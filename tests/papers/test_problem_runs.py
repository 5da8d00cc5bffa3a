"""Runs of the problems of imports: named, chosen, replayed, continued and graded as published."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from finereason_files import write_files
from quandary.arena.store import RECORDS, read
from quandary.catalogue import drawing, registry
from quandary.catalogue.spec import Spec
from quandary.cli.main import main
from quandary.core import codec
from quandary.core.contract import Question
from quandary.matches.origin import check_origin
from quandary.matches.record import replay
from quandary.papers.finereason.imported import bring
from quandary.papers.imports import PROBLEMS, Problem, manifest_for, write_problems
from quandary.puzzles.questions.words.anagram_scribble import AnagramScribble
from quandary.tasks.published_wording import Unscored
from quandary.tasks.question_game import asked_question


@pytest.fixture
def imported(tmp_path: Path) -> Path:
    folder = tmp_path / "import"
    bring(write_files(tmp_path / "source"), folder)
    return folder


def play(imported: Path, out: Path, *more: str, player: str = "oracle") -> int:
    return main(["run", "--problems", str(imported), "--player", player, "--out", str(out), *more])


def names(out: Path) -> list[str]:
    return [record.name for record in read(out / RECORDS)]


def test_records_name_the_problem_and_replay(imported: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert play(imported, out) == 0
    records = list(read(out / RECORDS))

    assert len(records) == 12
    assert "finereason sudoku/published check-0" == records[0].name
    for record in records:
        assert record.scores == (1.0,), record.name
        assert replay(record)
        check_origin(record)
    assert main(["replay", str(out)]) == 0


def test_the_same_command_continues(imported: Path, tmp_path: Path) -> None:
    """A finished run plays nothing; more problems and players are added."""
    out = tmp_path / "run"
    assert play(imported, out, "--puzzle", "sudoku", "--puzzle", "logic_grid") == 0
    first = (out / RECORDS).read_bytes()
    assert play(imported, out, "--puzzle", "sudoku", "--puzzle", "logic_grid") == 0
    assert (out / RECORDS).read_bytes() == first
    lines = first.splitlines(keepends=True)
    (out / RECORDS).write_bytes(b"".join(lines[:-1]) + lines[-1][:40])  # as a crash leaves it
    assert play(imported, out) == 0

    assert len(names(out)) == 12 == len(set(names(out)))


def test_sessions_choose(imported: Path, tmp_path: Path) -> None:
    one, more = tmp_path / "one", tmp_path / "more"
    assert play(imported, one, "--problem", "next-0", "--puzzle", "game_of_24") == 0
    assert play(imported, more, "--problem", "check-*", "--problem", "whole-0") == 0

    assert ["finereason game_of_24/published next-0"] == names(one)
    assert {"check-0", "whole-0"} == {name.split()[-1] for name in names(more)}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--problem", "chek-0"), "unknown problem 'chek-0'; did you mean 'check-0'?"),
        (("--puzzle", "sudoko"), "unknown puzzle 'sudoko'; did you mean 'sudoku'?"),
        (("--suite", "core"), "--suite is not for --problems"),
        (("--player", "nobody"), "unknown player 'nobody'"),
    ],
)
def test_wrong_choices_are_refused(
    imported: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    more: tuple[str, ...],
    said: str,
) -> None:
    out = tmp_path / "run"

    assert play(imported, out, *more) == 2
    assert said in capsys.readouterr().err
    assert not out.exists()


def test_a_folder_without_problems(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert play(tmp_path, tmp_path / "run") == 2
    assert "is not an import" in capsys.readouterr().err
    assert main(["run", "--problem", "x", "--player", "random", "--out", str(tmp_path / "a")]) == 2
    assert "chooses among --problems" in capsys.readouterr().err


def test_a_damaged_problem_is_named(
    imported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = imported / "problems.jsonl"
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:3], lines[3][:50], *lines[4:]]))

    assert play(imported, tmp_path / "run") == 2
    assert f"line 4 of {path} is not a line of an import" in capsys.readouterr().err


FORGED = {
    "mahjong": "the question is not one of mahjong",
    "3": "the question is not one of level 3",
    "sideways": "the question cannot be worked out",
    "fr": "unknown language 'fr' of slide_2048; choose en or zh",
}
KEYS = {"mahjong": "game", "3": "level", "fr": "language"}


@pytest.mark.parametrize("change", FORGED)
def test_a_question_that_was_changed_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: str
) -> None:
    """Another game, another level, a move that the puzzle does not know, and a language."""
    question = drawing.instance("slide_2048/1,family=a#1")
    assert isinstance(question, Question)
    problem = Problem("logicgame", "slide_2048", "1", "one", question, "en", "Slide.")
    write_problems(_folder(tmp_path / "import", problem), [problem])
    path = tmp_path / "import" / PROBLEMS
    line = json.loads(path.read_text())
    if change == "sideways":
        line["question"]["moves"] = change
    else:
        line[KEYS[change]] = change
    path.write_text(json.dumps(line))

    assert play(tmp_path / "import", tmp_path / "run") == 2
    assert f"line 1 of {path}: {FORGED[change]}" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_a_prompt_in_an_unknown_language_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where it has no key."""
    problem = Problem("logicgame", "sudoku", "1", "one", Unscored("?", "fr", "?"), "fr", "?")
    write_problems(_folder(tmp_path / "import", problem), [problem])

    assert play(tmp_path / "import", tmp_path / "run", "--wording", "published") == 2
    assert "unknown language 'fr'; choose en or zh" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_a_problem_that_is_there_twice_is_refused(
    imported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = imported / PROBLEMS
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines, lines[2]]))

    assert play(imported, tmp_path / "run") == 2
    told = f"line {len(lines) + 1} of {path} is the problem finereason "
    assert told in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def _folder(folder: Path, problem: Problem) -> Path:
    folder.mkdir()
    (folder / "manifest.json").write_text(json.dumps(manifest_for(problem.paper, [problem])))
    return folder


def test_an_import_without_its_keys_is_not_played(
    imported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (imported / "keys.jsonl").unlink()

    assert play(imported, tmp_path / "run") == 2
    said = capsys.readouterr()
    assert f"{imported} has no keys.jsonl" in said.err and said.err.count("\n") == 1
    assert said.out == "" and not (tmp_path / "run").exists()


def test_problems_of_another_import_are_another_run(
    imported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They may have the same names."""
    out, path = tmp_path / "run", imported / "problems.jsonl"
    assert play(imported, out, "--problem", "check-0") == 0
    path.write_text(path.read_text().replace('"target": 24', '"target": 25'))

    assert play(imported, out, "--problem", "check-0") == 2
    assert "they differ in imported" in capsys.readouterr().err


def test_results_and_gradings(
    imported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run has what the published graders need, even if the import is gone."""
    out = tmp_path / "run"
    assert play(imported, out, player="random") == 0
    for path in imported.iterdir():
        path.unlink()
    capsys.readouterr()

    assert main(["results", str(out), "--by", "level"]) == 0
    assert "check:sudoku" in capsys.readouterr().out
    assert main(["regrade", str(out)]) == 0
    assert "12 answers, strict grading" in capsys.readouterr().out
    assert main(["regrade", str(out), "--grading", "published", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert not [one for one in lines if one.get("cause") == "unexplained"]


@pytest.mark.parametrize("grading", ["strict", "published"])
def test_an_import_without_replies_is_not_regraded(
    imported: Path, capsys: pytest.CaptureFixture[str], grading: str
) -> None:
    assert main(["regrade", str(imported), "--grading", grading]) == 2
    said = capsys.readouterr().err
    assert f"{imported} is an import without replies; play its problems first" in said


def test_textgames_problems_are_played_as_its_suite_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three tries; and graded by its published lists."""
    folder, out = tmp_path / "import", tmp_path / "run"
    asked = AnagramScribble(4, "noex", True)
    problem = Problem("textgames", "anagram_scribble", "easy", "session_0007", asked)
    (folder / "words").mkdir(parents=True)
    (folder / "words" / "word_list.txt").write_text("oxen\n")
    table = "country\tcapital city\tcontinent\nYemen\tSana'a\tAsia\n"
    (folder / "words" / "country_capital_city.tsv").write_text(table)
    (folder / "manifest.json").write_text(json.dumps(manifest_for("textgames", [problem])))
    write_problems(folder, [problem])

    assert play(folder, out, player="random") == 0
    [record] = read(out / RECORDS)
    assert record.name == "textgames anagram_scribble/easy session_0007"
    assert asked_question(record.start).tries == 3  # type: ignore[union-attr]
    assert main(["regrade", str(out), "--grading", "published"]) == 0
    assert "published grading" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("finereason sudoku/published check-12", ("check:sudoku/published", 12)),
        ("finereason sudoku/published whole-3", ("whole:sudoku/published", 3)),
        ("textgames islands/easy session_0040", ("islands/easy@published", 40)),
        ("textgames islands/easy last", ("islands/easy@published", 0)),
    ],
)
def test_names_of_problems_are_specs(name: str, expected: Any) -> None:
    """Tables group them by puzzle and level; they are apart from instances of our own levels."""
    spec = Spec.parse(name)

    assert (spec.place, spec.seed) == expected
    assert str(spec) == name
    assert Spec.parse(str(spec)) == spec


def test_a_problem_is_not_generated(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "finereason sudoku/published check-0"]) == 2
    assert "play it with quandary run --problems" in capsys.readouterr().err


def test_questions_are_stored_whole(imported: Path) -> None:
    """With their labels, which no view has."""
    line = json.loads((imported / "problems.jsonl").read_text().splitlines()[0])
    question = line["question"]

    assert question["answer"] is True
    assert "answer" not in codec.view(_question(question), 0)


def _question(plain: Any) -> Any:

    return codec.unpack(plain, registry.load)

"""Puzzles from folders and from installed distributions."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from importlib import import_module
from importlib.resources import files
from pathlib import Path

import pytest

from quandary import kit
from quandary.algorithms import exact
from quandary.api.listing import list_puzzles
from quandary.catalogue import drawing, external, registry
from quandary.cli.main import main
from quandary.conformance import check
from quandary.core.codec import pack, unpack, view
from quandary.core.errors import UserError
from quandary.core.source import source_of
from quandary.core.worked import Worked
from quandary.results import parquet
from quandary.tasks.question_game import QuestionGame

SOURCES = str(Path(__file__).parents[2] / "src")
TEMPLATES = files("quandary.cli").joinpath("templates")


def source(name: str, kind: str = "duel") -> str:
    """A sound puzzle of that name."""
    template = TEMPLATES.joinpath(f"{kind}.py.txt").read_text("utf-8")
    class_name = "".join(word.capitalize() for word in name.split("_"))
    return template.format(title=name, class_name=class_name)


@pytest.fixture(autouse=True)
def nothing_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("QUANDARY_CACHE", str(tmp_path / "caches"))
    monkeypatch.setenv(external.VARIABLE, "")
    modules = set(sys.modules)
    yield
    for module in set(sys.modules) - modules:
        if module.startswith(("stone_games", f"{external.PACKAGE}.folder_")):
            del sys.modules[module]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one sound puzzle, which is known."""
    path = tmp_path / "mine"
    path.mkdir()
    (path / "pebbles.py").write_text(source("pebbles"))
    monkeypatch.setenv(external.VARIABLE, str(path))
    return path


def install(where: Path, distribution: str, entries: dict[str, str], **modules: str) -> None:
    """Lay out what an installed distribution with a package of these modules leaves."""
    package = distribution.replace("-", "_")
    metadata = where / f"{package}-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\n")
    lines = [f"{name} = {value}\n" for name, value in entries.items()]
    (metadata / "entry_points.txt").write_text("[quandary.puzzles]\n" + "".join(lines))
    (where / package).mkdir()
    (where / package / "__init__.py").write_text("")
    for name, text in modules.items():
        (where / package / f"{name}.py").write_text(text)


def quandary(*arguments: str | Path, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    environment = {key: value for key, value in os.environ.items() if key != external.VARIABLE}
    environment["PYTHONPATH"] = os.pathsep.join([SOURCES, *([str(path)] if path else [])])
    return subprocess.run(
        [sys.executable, "-m", "quandary", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )


def listed(*arguments: str | Path, path: Path | None = None) -> dict[str, dict[str, object]]:
    """The puzzles from outside and all errors that `list --json` prints."""
    done = quandary(*arguments, "list", "--json", path=path)
    assert (0, "") == (done.returncode, done.stderr)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    with external.ignored():
        known = registry.names()
    assert known == [row["name"] for row in rows if "error" not in row][: len(known)]
    return {row["name"]: row for row in rows if row["name"] not in known or "error" in row}


def test_a_puzzle_of_a_folder_is_one_of_all(folder: Path) -> None:
    """It is found by its name, makes instances and keeps every promise."""
    puzzle = registry.load("pebbles")

    assert "pebbles" in registry.names()
    assert ("outside", puzzle.__module__) == (
        registry.group("pebbles"),
        registry.modules()["pebbles"],
    )
    assert drawing.instance("pebbles/easy#1") == drawing.instance("pebbles/easy#1")
    assert check(puzzle) == []
    with external.ignored():
        assert "pebbles" not in registry.names()


def test_translations_stand_beside_it(folder: Path) -> None:
    """As in the package."""
    (folder / "sums.py").write_text(source("sums", "question"))
    phrase = "Add up the numbers. Write their sum as one whole number, for example: 1234"
    (folder / "sums.zh.toml").write_text(f'[[phrase]]\nen = "{phrase}"\nzh = "求和"\n', "utf-8")
    question = drawing.instance("sums/easy#1")

    assert (("en", "zh"), "求和") == (question.languages, question.rules("zh"))


def test_two_folders_may_share_file_names_of_helpers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each puzzle gets the helper of its own folder."""
    for number, name in enumerate(("first_game", "second_game"), start=1):
        path = tmp_path / name
        path.mkdir()
        (path / "_shared.py").write_text(f"NUMBER = {number}\n")
        text = source(name).replace("MOST = 3", "from ._shared import NUMBER\n\nMOST = NUMBER")
        (path / f"{name}.py").write_text(text)
    paths = [str(tmp_path / name) for name in ("first_game", "second_game")]
    monkeypatch.setenv(external.VARIABLE, os.pathsep.join(paths))

    games = [drawing.game(f"{name}/easy#1") for name in ("first_game", "second_game")]
    assert [["1"], ["1", "2"]] == [game.options()[0] for game in games]


def test_a_distribution_names_its_puzzles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No option is needed, and its name is the group."""
    entries = {"pebbles": "stone_games.pebbles:Pebbles"}
    install(tmp_path, "stone-games", entries, pebbles=source("pebbles"))
    assert "pebbles" not in registry.names()
    monkeypatch.syspath_prepend(tmp_path)
    start = drawing.instance("pebbles/easy#1")

    assert "stone-games" == registry.group("pebbles")
    digits = sha256((tmp_path / "stone_games" / "pebbles.py").read_bytes()).hexdigest()[:16]
    assert {"distribution": "stone-games", "hash": digits} == pack(start)["from"]


def test_positions_say_where_their_puzzle_comes_from(folder: Path) -> None:
    """In records, also within an attempt, but not in what players see."""
    (folder / "sums.py").write_text(source("sums", "question"))
    attempt = drawing.game("sums/easy#1", tries=2)
    digits = sha256((folder / "sums.py").read_bytes()).hexdigest()[:16]

    assert isinstance(attempt, QuestionGame)
    packed = json.loads(json.dumps(pack(attempt)))
    assert {"folder": "mine", "hash": digits} == packed["question"]["from"]
    assert attempt == unpack(packed, registry.load)
    assert "from" not in json.dumps(view(attempt, 0))
    assert "from" not in pack(drawing.instance("card_nim/easy#1"))


def test_a_missing_puzzle_is_named_with_its_source(folder: Path) -> None:
    """The sentence says how to get it."""
    packed = pack(drawing.instance("pebbles/easy#1"))
    with (
        external.ignored(),
        pytest.raises(UserError, match=r"'pebbles' is missing.*folder 'mine'.*--puzzles DIR"),
    ):
        unpack(packed, registry.load)
    packed["from"] = {"distribution": "stone-games", "hash": "0" * 16}
    with (
        external.ignored(),
        pytest.raises(UserError, match="distribution 'stone-games', so install"),
    ):
        unpack(packed, registry.load)


def test_results_of_a_missing_puzzle_say_how_to_get_it(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever command reads the run, and nothing is left of what it would have written."""
    runs = [str(tmp_path / name) for name in ("a", "b")]
    options = ["--puzzle", "pebbles", "--level", "easy", "--seeds", "1-2", "--player", "oracle"]
    for run in runs:
        assert 0 == main(["run", *options, "--out", run])
    out = str(tmp_path / "out")
    merge, export = ["merge", *runs, "--out", out], ["export", runs[0], "--to", "csv", "--out", out]
    commands = [merge, export]
    if parquet.is_available():
        assert 0 == main(["results", runs[0]])  # the tables of one run are there, not of the other
        commands += [["results", runs[0]], ["results", *runs, "--by", "level"]]
        commands += [["results", runs[1], "--ratings"]]
    for command in commands:
        capsys.readouterr()
        with external.ignored():
            assert 2 == main(command)
        output = capsys.readouterr().err
        assert "the puzzle 'pebbles' is missing" in output and "with --puzzles DIR" in output
        assert 1 == len(output.splitlines()) and not (tmp_path / "out").exists()


def test_a_puzzle_of_the_package_is_not_taken_for_another() -> None:
    """A record of somebody's own puzzle does not become one of ours by its name."""
    packed = pack(drawing.instance("card_nim/easy#1"))
    packed["from"] = {"folder": "mine", "hash": "0" * 16}

    with pytest.raises(UserError, match="loaded from the folder 'mine', and here card_nim is"):
        unpack(packed, registry.load)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("class Broken(", r"broken\.py in .* cannot be loaded \(SyntaxError"),
        ("import no_such_module_at_all", "ModuleNotFoundError: No module named 'no_such_module"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("x = 1", "has no class Broken"),
        ("class Broken: pass", "is not a puzzle"),
        ("Broken = 3", "is not a puzzle"),
        (
            "from quandary.core.contract import Question\nclass Broken(Question): pass",
            "does not define: check, new, rules, sample, solution, text",
        ),
        (
            "from quandary.core.contract import Question\nclass Broken(Question): small = {}",
            "Broken defines `small`, which is now called `distinct_instances`",
        ),
        (
            "from quandary.puzzles.duels.card_nim import CardNim as Broken",
            "its class stands for 'card_nim'",
        ),
        (
            source("broken").replace("    levels =", "    raise ValueError('no')\n    levels ="),
            "no",
        ),
    ],
)
def test_using_a_broken_file_gives_a_sentence(folder: Path, text: str, reason: str) -> None:
    """Whatever is wrong with it, and the others stay usable."""
    (folder / "broken.py").write_text(text)

    with pytest.raises(UserError, match=reason):
        registry.load("broken")
    assert registry.load("pebbles").levels
    assert source_of(registry.load("card_nim")) is None


def test_a_taken_name_is_refused(folder: Path, tmp_path: Path) -> None:
    """It is not guessed which of the two is meant."""
    (folder / "card_nim.py").write_text(source("card_nim"))
    (folder / "whole.py").write_text(source("whole"))
    (folder / "Odd-Name.py").write_text("")

    with pytest.raises(UserError, match=r"card_nim\.py in .*/mine has a name that is taken"):
        registry.load("card_nim")
    assert {"card_nim", "whole", "Odd-Name"} == registry.refused().keys()
    with external.ignored():
        assert source_of(registry.load("card_nim")) is None
    assert registry.load("pebbles").levels


def test_a_name_is_taken_by_another_from_outside(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither of them is used."""
    entries = {"pebbles": "stone_games.pebbles:Pebbles", "twigs": "stone_games.twigs:Twigs"}
    texts = {name: source(name) for name in entries}
    install(tmp_path / "site", "stone-games", entries, **texts)
    monkeypatch.syspath_prepend(tmp_path / "site")

    with pytest.raises(UserError, match=r"'pebbles' is taken twice, by pebbles\.py in .*stone-gam"):
        registry.load("pebbles")
    assert "stone-games" == registry.group("twigs")


def test_list_flags_what_is_broken_and_hides_nothing(folder: Path, tmp_path: Path) -> None:
    """On standard error, or as objects with a name and an error."""
    (folder / "broken.py").write_text("class Broken(")
    (folder / "raising.py").write_text(
        source("raising").replace("return cls(rng", "return cls(1 // 0, rng")
    )
    (folder / "card_nim.py").write_text(source("card_nim"))
    install(tmp_path / "site", "odd", {"lost": "no.such:Lost", "found": "odd.found:Found"})
    (tmp_path / "site" / "odd" / "found.py").write_text(source("found"))
    (tmp_path / "site" / "worse.dist-info").mkdir()
    (tmp_path / "site" / "worse.dist-info" / "entry_points.txt").write_text(
        "[quandary.puzzles]\nno equals sign\n"
    )
    rows = listed("--puzzles", folder, path=tmp_path / "site")

    assert ["found", "pebbles"] == sorted(name for name, row in rows.items() if "error" not in row)
    assert {"broken", "raising", "card_nim", "lost", "worse.dist-info"} == {
        name for name, row in rows.items() if row.keys() == {"name", "error"}
    }
    assert ("odd", "outside") == (rows["found"]["group"], rows["pebbles"]["group"])
    done = quandary("list", "--puzzles", folder)
    assert 0 == done.returncode
    assert ["broken", "card_nim", "raising"] == sorted(
        line.split()[1] for line in done.stderr.splitlines()
    )
    assert "\npebbles " in done.stdout and "\ncard_nim " in done.stdout


def test_list_notices_every_change(folder: Path, tmp_path: Path) -> None:
    """Although it keeps what it found: new, changed and removed files and distributions."""
    assert ["pebbles"] == list(listed("--puzzles", folder))
    (folder / "pebbles.py").write_text(source("pebbles").replace('"easy":', '"simple":'))
    assert ["simple", "normal"] == listed("--puzzles", folder)["pebbles"]["levels"]
    (folder / "twigs.py").write_text("x = 1")
    assert "error" in listed("--puzzles", folder)["twigs"]
    (folder / "twigs.py").write_text(source("twigs"))
    assert "outside" == listed("--puzzles", folder)["twigs"]["group"]
    (folder / "twigs.zh.toml").write_text("")
    assert ["en", "zh"] == listed("--puzzles", folder)["twigs"]["languages"]
    (folder / "twigs.py").unlink()
    assert ["pebbles"] == list(listed("--puzzles", folder))
    assert [] == list(listed())

    site = tmp_path / "site"
    install(site, "stone-games", {"shells": "stone_games.shells:Shells"}, shells=source("shells"))
    assert "stone-games" == listed(path=site)["shells"]["group"]
    (site / "stone_games" / "shells.py").write_text(source("shells") + "\nShells.version = 12\n")
    assert 12 == listed(path=site)["shells"]["version"]


def test_matches_and_runs_in_other_processes(folder: Path, tmp_path: Path) -> None:
    """Records are written and replay; without the folder it is said what is missing."""
    match, run = tmp_path / "match.jsonl", tmp_path / "run"
    match_command = ["match", "pebbles/easy#1", "--players", "random", "oracle", "--out", match]
    played = quandary("--puzzles", folder, *match_command)
    assert 0 == played.returncode, played.stderr
    (tmp_path / "suite.toml").write_text(
        '[[puzzles]]\npuzzle = "pebbles"\nlevels = ["easy"]\nseeds = "1-2"\n'
    )
    command = ("run", "--suite", tmp_path / "suite.toml", "--player", "oracle", "--out", run)
    for _ in range(2):  # the second one continues
        done = quandary(*command, "--puzzles", folder)
        assert 0 == done.returncode, done.stderr
    digits = sha256((folder / "pebbles.py").read_bytes()).hexdigest()[:16]
    assert {"pebbles": digits} == json.loads((run / "manifest.json").read_text())["hashes"]

    for records in (match, run):
        replayed = quandary("--puzzles", folder, "replay", records)
        assert (0, "") == (replayed.returncode, replayed.stderr)
        missing = quandary("replay", records)
        assert (2, 1) == (missing.returncode, len(missing.stderr.splitlines()))
        assert "'pebbles' is missing" in missing.stderr
        assert "the folder 'mine'" in missing.stderr and "--puzzles DIR" in missing.stderr

    (folder / "pebbles.py").write_text(source("pebbles") + "# changed\n")
    replayed = quandary("--puzzles", folder, "replay", run)
    assert (0, 1) == (replayed.returncode, len(replayed.stderr.splitlines()))
    assert "the file of pebbles has changed" in replayed.stderr and digits in replayed.stderr
    refused = quandary(*command, "--puzzles", folder)
    assert (2, True) == (refused.returncode, "differ in hashes" in refused.stderr)

    (folder / "pebbles.py").write_text(source("pebbles").replace("MOST = 3", "MOST = 1"))
    assert 1 == quandary("--puzzles", folder, "replay", match).returncode


def test_another_process_can_read_a_pickled_position(folder: Path) -> None:
    """The variable is all it needs."""
    start = drawing.instance("pebbles/easy#1")
    script = "import pickle, sys; print(pickle.load(sys.stdin.buffer))"
    done = subprocess.run(
        [sys.executable, "-c", script],
        input=pickle.dumps(start),
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONPATH": SOURCES},
    )

    assert f"{start}\n" == done.stdout.decode()


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["--puzzles", "no/such/folder", "list"], "no/such/folder is not a folder"),
        (["list", "--puzzles", "no/such/folder"], "no/such/folder is not a folder"),
        (["--puzzles", " ", "list"], "--puzzles must name a folder"),
        (["--puzzles"], "expected one argument"),
        (["--puzzles", f"a{os.pathsep}b", "list"], "cannot have"),
        (["--puzzle", "x", "list"], "unrecognized|required|arguments"),
        (["new", "hex"], "duels/hex, or choose a folder of your own with --at"),
        (["new", "duels/hex", "--at", "."], "no group; write hex"),
        (["new", "duels/hex", "--kind", "solo"], "--kind needs --at"),
        (["new", "card_nim", "--at", "."], "already"),
        (["new", "Hex", "--at", "."], "not a valid puzzle name"),
        (["new", "game", "--at", "."], "called Game"),
    ],
)
def test_wrong_use_gets_one_sentence(arguments: list[str], advice: str, tmp_path: Path) -> None:
    """And exit code 2."""
    done = quandary(*arguments)

    assert (2, "", 1) == (done.returncode, done.stdout, len(done.stderr.splitlines()))
    assert any(part in done.stderr for part in advice.split("|"))


@pytest.mark.parametrize(
    ("kind", "levels"), [("duel", 2), ("solo", 2), ("question", 2), ("worked", 4)]
)
def test_new_puzzles_keep_every_promise(kind: str, levels: int, tmp_path: Path) -> None:
    """In a folder that did not exist; a second one of that name is refused."""
    command = ("new", f"own_{kind}", "--at", tmp_path / "a" / "b", "--kind", kind)
    assert 0 == quandary(*command).returncode
    done = quandary("--puzzles", tmp_path / "a" / "b", "check", f"own_{kind}")
    assert (0, f"own_{kind}: all promises kept at {levels} levels (version 1)\n") == (
        done.returncode,
        done.stdout,
    )
    again = quandary(*command)
    assert (2, True) == (again.returncode, "File exists" in again.stderr)


def test_former_names_of_modules_work(folder: Path) -> None:
    """A puzzle that an earlier template wrote is loaded, with the hash that its runs know."""
    text = source("sums", "worked").replace("quandary.core.worked", "quandary.kit.worked")
    (folder / "sums.py").write_text(text)

    assert "quandary.kit.worked" in text
    assert issubclass(registry.load("sums"), Worked)
    assert all(import_module(f"quandary.kit.{name}") for name in kit.MOVED)
    assert import_module("quandary.kit.exact") is exact


def test_classes_defined_anywhere_can_be_checked() -> None:
    """Even without a file."""
    script = "\nfrom quandary.conformance import check\nprint(check(Pebbles))\n"
    done = subprocess.run(
        [sys.executable, "-"],
        input=source("pebbles") + script,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": SOURCES},
    )
    assert "[]\n" == done.stdout


def test_only_files_are_puzzles(folder: Path) -> None:
    """A folder called NAME.py is left out; a link to nothing is refused in plain words."""
    (folder / "dir.py").mkdir()
    (folder / "gone.py").symlink_to(folder / "nowhere.py")

    assert "pebbles" in registry.names() and "dir" not in registry.names()
    with pytest.raises(
        UserError, match=r"^gone\.py in [^ ]+ cannot be loaded, because it is not a"
    ):
        registry.load("gone")


@pytest.mark.parametrize(
    ("file", "content", "sentence"),
    [
        ("word_sum.zh.toml", "x = [", "word_sum.zh.toml: cannot be read"),
        ("word_sum.fr.toml", "", "word_sum.fr.toml: cannot translate to 'fr'; supported: zh"),
    ],
)
def test_a_broken_translation_is_one_sentence(
    file: str,
    content: str,
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Where the language is asked for, and in the list of puzzles."""
    monkeypatch.delenv(external.VARIABLE, raising=False)
    assert 0 == main(["new", "word_sum", "--at", str(tmp_path), "--kind", "duel"])
    (tmp_path / file).write_text(content)
    monkeypatch.setenv(external.VARIABLE, str(tmp_path))
    capsys.readouterr()

    assert 2 == main(["show", "word_sum/easy#1", "--language", file.split(".")[1]])
    assert capsys.readouterr().err.startswith(f"quandary: {sentence}")
    [row] = [row for row in list_puzzles() if row["name"] == "word_sum"]
    assert row["error"].startswith(sentence)

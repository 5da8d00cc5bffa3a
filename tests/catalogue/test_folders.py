"""Puzzles that are folders: found, loaded, translated, hashed and checked like files."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace

import pytest

from quandary.catalogue import discovery, drawing, external, registry
from quandary.cli.main import main
from quandary.conformance import check
from quandary.core.codec import pack
from quandary.core.errors import UserError

TEMPLATE = files("quandary.cli").joinpath("templates", "duel.py.txt").read_text("utf-8")
PEBBLES = TEMPLATE.format(title="pebbles", class_name="Pebbles")
USES_SOLVER = PEBBLES.replace("MOST = 3", "from .solver import MOST")
IMPURE = "import time\n\nMOST = 3\n\n\ndef wait():\n    return time.time()\n"


@pytest.fixture(autouse=True)
def nothing_left_behind(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    modules = set(sys.modules)
    yield
    for module in set(sys.modules) - modules:
        if module.startswith(f"{external.PACKAGE}.folder_"):
            del sys.modules[module]


@pytest.fixture
def puzzle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a sound puzzle in a folder of puzzles, which is known."""
    path = tmp_path / "mine" / "pebbles"
    path.mkdir(parents=True)
    (path / "__init__.py").write_text(USES_SOLVER)
    (path / "solver.py").write_text("MOST = 3\n")
    monkeypatch.setenv(external.VARIABLE, str(path.parent))
    return path


def sentences(name: str) -> str:
    return "\n".join(violation.sentence for violation in check(registry.load(name)))


def hash_of(name: str) -> str:
    return str(pack(drawing.instance(f"{name}/easy#1"))["from"]["hash"])


def test_a_folder_is_one_puzzle(puzzle: Path) -> None:
    """Its other modules are none, nor are folders without code or with an underscore."""
    for other in ("_shared", "notes", ".hidden"):
        (puzzle.parent / other).mkdir()
    (puzzle.parent / "_shared" / "__init__.py").write_text("")

    assert [("pebbles", True)] == discovery.puzzles_in(str(puzzle.parent))
    assert "pebbles" in registry.names() and "solver" not in registry.names()
    assert [] == check(registry.load("pebbles"))


def test_listing_imports_no_puzzle() -> None:
    """Names are read from files alone."""
    code = (
        "import sys; from quandary.catalogue import registry; registry.names(); "
        "print(sorted(name for name in sys.modules if name.startswith('quandary.puzzles')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "[]\n" == done.stdout


def test_the_hash_covers_all_files(puzzle: Path) -> None:
    """It is that of the only file where there is one."""
    whole = hash_of("pebbles")
    (puzzle / "solver.py").write_text("MOST = 2 + 1\n")
    registry._load.cache_clear()
    changed = hash_of("pebbles")
    (puzzle / "solver.py").unlink()
    (puzzle / "__init__.py").write_text(PEBBLES)
    registry._load.cache_clear()
    for module in [name for name in sys.modules if name.startswith(f"{external.PACKAGE}.folder_")]:
        del sys.modules[module]

    assert whole != changed
    assert sha256(PEBBLES.encode()).hexdigest()[:16] == hash_of("pebbles")


def test_hidden_files_do_not_count(puzzle: Path) -> None:
    """An editor leaves them."""
    whole = hash_of("pebbles")
    (puzzle / ".solver.py.swp").write_text("x")
    registry._load.cache_clear()

    assert whole == hash_of("pebbles")


def test_nothing_is_compiled_beside_it(puzzle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What runs is what was hashed, never older code."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    registry.load("pebbles")

    assert ["__init__.py", "solver.py"] == sorted(path.name for path in puzzle.iterdir())


def test_one_translation_serves_all_modules(puzzle: Path) -> None:
    """Phrases of every module are said by it, and checked."""
    (puzzle / "words.py").write_text('def title(say):\n    return say("Pebbles on a pile")\n')
    (puzzle / "pebbles.zh.toml").write_text(
        '[[phrase]]\nen = "Pebbles on a pile"\nzh = "一堆石子"\n', "utf-8"
    )
    position = drawing.instance("pebbles/easy#1")

    assert ("en", "zh") == position.languages
    assert "一堆石子" == position.say("zh")("Pebbles on a pile")
    assert "unused translation" not in sentences("pebbles")
    assert "no translation of" in sentences("pebbles")


@pytest.mark.parametrize(
    ("place", "advice"),
    [
        ("pebbles/__init__.zh.toml", "put its phrases into pebbles.zh.toml"),
        ("pebbles/words.zh.toml", "put its phrases into pebbles.zh.toml"),
        ("pebbles/inner/pebbles.zh.toml", "put its phrases into pebbles.zh.toml"),
        ("pebbles.zh.toml", "move it into the folder pebbles"),
        ("pebble.zh.toml", "there is no pebble.py beside it"),
    ],
)
def test_a_misplaced_translation_is_an_error(puzzle: Path, place: str, advice: str) -> None:
    """It would be passed over in silence."""
    file = puzzle.parent / place
    file.parent.mkdir(exist_ok=True)
    file.write_text('[[phrase]]\nen = "x y"\nzh = "一"\n', "utf-8")

    assert f"{file.name}: nothing reads it; {advice}" in sentences("pebbles")


def test_of_two_translations_the_one_in_the_folder_is_read(puzzle: Path) -> None:
    """The other one is an error, with the advice that loses nothing."""
    for folder in (puzzle, puzzle.parent):
        (folder / "pebbles.zh.toml").write_text('[[phrase]]\nen = "x y"\nzh = "一"\n', "utf-8")

    sentence = "pebbles.zh.toml: delete it; the one in the folder pebbles is read"
    assert sentence in sentences("pebbles")


def test_a_new_puzzle_does_not_hide_a_folder(
    puzzle: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of a file and a folder of one name neither could be used."""
    monkeypatch.delenv(external.VARIABLE)
    assert 2 == main(["new", "pebbles", "--at", str(puzzle.parent)])
    assert "pebbles already exists; choose another name." in capsys.readouterr().err
    assert not (puzzle.parent / "pebbles.py").exists()


def test_all_modules_must_be_pure(puzzle: Path) -> None:
    """A clock is no better in a solver."""
    (puzzle / "solver.py").write_text(IMPURE)
    text = USES_SOLVER.replace("import MOST", "import MOST, wait")
    (puzzle / "__init__.py").write_text(
        text.replace(
            "    def rules(", "    def late(self):\n        return wait()\n\n    def rules("
        )
    )

    assert "wait uses `time`" in sentences("pebbles")


def test_a_file_and_a_folder_of_one_name_are_refused(puzzle: Path) -> None:
    """Python would take the folder, whatever the author meant."""
    (puzzle.parent / "pebbles.py").write_text(PEBBLES)

    with pytest.raises(UserError, match=r"'pebbles' is taken twice, by pebbles\.py in .* by peb"):
        registry.load("pebbles")


def test_a_name_is_taken_once_in_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both places are named."""
    for folder in ("duels/pebbles", "solo"):
        (tmp_path / folder).mkdir(parents=True)
    for file in ("duels/__init__.py", "duels/pebbles/__init__.py", "solo/__init__.py"):
        (tmp_path / file).write_text("")
    (tmp_path / "solo" / "pebbles.py").write_text(PEBBLES)
    home = SimpleNamespace(submodule_search_locations=[str(tmp_path)])
    monkeypatch.setattr(discovery, "find_spec", lambda name: home)

    with pytest.raises(UserError, match=r"by duels/pebbles/ and solo/pebbles\.py; rename"):
        discovery.built_in.__wrapped__()


def test_every_group_is_a_folder_of_puzzles() -> None:
    """A name without a folder would be offered by `quandary new`."""
    home = Path(str(files("quandary.puzzles")))
    assert all((home / group / "__init__.py").is_file() for group in discovery.GROUPS)

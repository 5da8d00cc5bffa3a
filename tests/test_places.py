"""Where files lie: what serves one puzzle alone lies with that puzzle, and packages point down."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from quandary.catalogue import external, registry

SOURCES = Path(__file__).parents[1] / "src"
MOST = 5  # files in shared places that may serve one puzzle alone


@cache
def modules() -> dict[str, Path]:
    """Every module of the package and its file."""
    found = {}
    for file in SOURCES.rglob("*.py"):
        parts = file.relative_to(SOURCES).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


@cache
def imported(name: str) -> frozenset[str]:
    """The modules of the package that a module imports, in functions too."""
    return frozenset(_imported(name))


def _imported(name: str) -> Iterator[str]:
    file = modules()[name]
    package = name if file.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules())
        if isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, *([base] if base else [])])
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                yield from [inner] if inner in modules() else [base] if base in modules() else []


def is_shared(module: str) -> bool:
    return "._shared." in module or module.startswith("quandary.algorithms.")


def users(module: str) -> set[str]:
    """The puzzles, and the modules outside `puzzles`, that use a shared module."""
    importers: dict[str, set[str]] = {}
    for name in modules():
        for used in imported(name):
            importers.setdefault(used, set()).add(name)
    with external.ignored():
        homes = {home: name for name, home in registry.modules().items()}
    found, waiting, seen = set[str](), [module], {module}
    while waiting:
        for user in importers.get(waiting.pop(), set()) - seen:
            seen.add(user)
            if is_shared(user) or user.endswith("._shared"):
                waiting.append(user)
            else:
                places = [home for home in homes if f"{user}.".startswith(f"{home}.")]
                found.add(homes[places[0]] if places else user)
    return found


def test_few_shared_files_serve_one_puzzle() -> None:
    """What one puzzle needs lies in its folder, where everyone looks for it."""
    with external.ignored():
        names = set(registry.names())
    shared = [name for name in modules() if is_shared(name) and modules()[name].read_bytes()]
    alone = sorted(name for name in shared if len(users(name) & names) < 2)

    assert len(alone) <= MOST, alone


def test_the_page_of_packages_is_complete() -> None:
    """Somebody who looks for a place finds every package, and none that is gone."""
    page = SOURCES.parent / "design" / "where-things-are.md"
    rows = re.findall(r"^\| `(\w+)` \|", page.read_text("utf-8"), re.MULTILINE)
    packages = [file.parent.name for file in (SOURCES / "quandary").glob("*/__init__.py")]

    assert sorted(packages) == sorted(rows)


def test_names_say_one_thing() -> None:
    """Two modules of these names were taken for each other."""
    leaves = [name.rpartition(".")[2] for name in modules()]

    assert all(leaves.count(name) < 2 for name in ("intervals", "solve_rates", "instances"))


READER, THINKING = "quandary.players.reading.reply", "quandary.players.reading.thinking"
READ_REPLIES = {  # whoever reads a reply, and why
    "quandary.players.asking": "a model plays",
    "quandary.api.session": "a learner plays",
    "quandary.players.reading.stored": "records of earlier versions have no readings",
    "quandary.api.instances": "a reply is graded that is in no record",
    "quandary.cli.grade_command": "likewise",
}
SHOW_THINKING = {  # whoever takes thinking out of a text, in which no answer is looked for
    READER: "no answer is read from thinking",
    "quandary.players.prompts.conversation": "later prompts have no thinking",
    "quandary.report.conversations": "thinking has a place of its own",
    "quandary.results.worked_answers": "JSON in thinking is no JSON of the reply",
    "quandary.api.instances": "likewise",
}


@pytest.mark.parametrize(("module", "allowed"), [(READER, READ_REPLIES), (THINKING, SHOW_THINKING)])
def test_replies_are_read_when_they_are_played(module: str, allowed: dict[str, str]) -> None:
    """Everything else shows the readings that are in the records."""
    assert {name for name in modules() if module in imported(name)} == allowed.keys()


def test_second_workings_are_found_by_name() -> None:
    """A second solver or working is a module of the puzzle's name."""
    with external.ignored():
        names = set(registry.names())
    for folder in ("second_solvers", "second_workings"):
        home = Path(str(import_module(f"proofs.{folder}").__file__)).parent
        own = {file.stem for file in home.glob("*.py") if not file.stem.startswith("_")}
        assert own and own <= names


FAULTS = {
    "Packages import only downwards": ("src/quandary/core/luck.py", "quandary.catalogue.spec"),
    "Puzzles know only what they share": (
        "src/quandary/puzzles/duels/card_nim.py",
        "quandary.puzzles.duels.bid_that",
    ),
    "Categories of questions know only what they share": (
        "src/quandary/puzzles/questions/words/islands/solver.py",
        "quandary.puzzles.questions.words.text_sudoku",
    ),
    "What puzzles share knows no puzzle": (
        "src/quandary/puzzles/_shared/reading.py",
        "quandary.puzzles.solo.takuzu.solver",
    ),
    "Solvers and algorithms have no words and no pictures": (
        "src/quandary/puzzles/solo/logic_grid/solver/clues.py",
        "quandary.core.words",
    ),
    "Provider clients know no puzzle": (
        "src/quandary/models/calls.py",
        "quandary.catalogue.registry",
    ),
    "No import circles": ("src/quandary/statistics/estimates.py", "quandary.statistics.intervals"),
    "Second ways of solving know nothing of quandary": (
        "proofs/second_solvers/sudoku.py",
        "quandary.core.luck",
    ),
}


def test_every_import_rule_is_tried() -> None:
    settings = tomllib.loads((SOURCES.parent / "pyproject.toml").read_text("utf-8"))

    rules = {rule["name"] for rule in settings["tool"]["importlinter"]["contracts"]}
    assert rules == FAULTS.keys()


@pytest.mark.heavy
@pytest.mark.parametrize("contract", FAULTS)
def test_a_forbidden_import_is_found(contract: str, tmp_path: Path) -> None:
    """Each import rule fails when somebody breaks it, for that reason alone."""
    file, target = FAULTS[contract]
    shutil.copytree(SOURCES, tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(SOURCES.parent / "proofs", tmp_path / "proofs")
    shutil.copy(SOURCES.parent / "pyproject.toml", tmp_path)
    with (tmp_path / file).open("a") as source:
        source.write(f"\nimport {target} as planted  # noqa\n")
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=tmp_path,
        env={"PYTHONPATH": f"{tmp_path / 'src'}:{tmp_path}", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert 1 == done.returncode
    assert f"{contract} BROKEN" in done.stdout

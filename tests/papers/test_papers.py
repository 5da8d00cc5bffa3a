"""Papers as folders: what each has is found, and nothing is loaded before it is needed."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("pyarrow", reason="tables need pyarrow: pip install 'quandary[report]'")

import quandary.papers
from paper_rows import alone, asked, match, table_of
from quandary.arena import suite
from quandary.catalogue import drawing, papers, published_seeds
from quandary.core.errors import UserError
from quandary.papers.imports import command_of
from quandary.results.columns import SEATS, schema
from quandary.scoring import scores
from quandary.scoring.score_table import Ranged

SOURCES = Path(quandary.papers.__file__).parents[1]
CACHES = (papers.papers, published_seeds._modules, suite._files, scores._of_papers)
FOLDER = {
    "__init__.py": """
from quandary.catalogue.paper import Paper

PAPER = Paper(
    "zz_new",
    "A new paper",
    __name__,
    suites=("new_suite",),
    seeds=f"{__name__}.seeds",
    scores=(f"{__name__}.scores:tables",),
    advice={"islands": "islands are sung"},
)
""",
    "new_suite.toml": '[[puzzles]]\npuzzle = "card_nim"\nlevels = ["easy"]\nseeds = "1"\n',
    "seeds/__init__.py": "",
    "seeds/expanding_nim.py": """
from random import Random

from quandary.puzzles.duels.expanding_nim import ExpandingNim

SEEDS = {"easy": 2}


def instance(level, seed):
    return ExpandingNim.new(Random(seed), **ExpandingNim.levels[level])
""",
    "scores.py": """
from quandary.scoring.score import score
from quandary.scoring.score_table import score_table


@score("A new paper", columns=["player"], suites=["new_suite"])
def tables(seats):
    yield score_table("zz_new_counts", "Counts", "Rows.", ("rows",), [[seats.num_rows]])
    yield score_table("zz_new_nothing", "Nothing", "No rows.", ("rows",), [])
""",
}


@pytest.fixture
def new_paper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A further folder among those of the papers."""
    for name, text in FOLDER.items():
        path = tmp_path / "zz_new" / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text)
    monkeypatch.setattr(quandary.papers, "__path__", [*quandary.papers.__path__, str(tmp_path)])
    _forget()
    yield
    _forget()
    for name in [name for name in sys.modules if "zz_new" in name]:
        del sys.modules[name]


def _forget() -> None:
    for cached in CACHES:
        cached.cache_clear()


@pytest.mark.usefixtures("new_paper")
def test_a_further_paper_is_a_further_folder() -> None:
    """Its score gets the rows of its suites only, and tables without rows are left out."""
    seats = table_of(
        alone("a", suite="new_suite"), alone("b", suite="new_suite"), alone("c"), alone("house")
    )
    found = {scored.score.title: scored.tables for scored in scores.score_tables(seats)}

    assert [table.rows for table in found["A new paper"]] == [((2,),)]
    assert list(found) == ["PuzzlePlex (first paper)", "PuzzlePlex (second paper)", "A new paper"]
    assert "new_suite" in suite.names() and len(suite.load("new_suite").specs) == 1
    assert drawing.instance("expanding_nim/easy@published#2")
    with pytest.raises(UserError, match=r"expanding_nim.*; islands are sung"):
        drawing.instance("islands/easy@published#1")


def test_scores_are_those_of_the_suites_that_were_played() -> None:
    assert [score.title for score in scores.scores_of(["textgames", "quick"])] == [
        "FineReason",  # it scores questions of any suite
        "LogicGame",  # likewise
        "TextGames",
    ]
    assert "suite" in scores.columns()


def test_every_part_of_a_paper_is_there() -> None:
    """Suites can be loaded, and modules that are named can be imported."""
    found = papers.papers()

    assert [paper.name for paper in found] == ["finereason", "logicgame", "puzzleplex", "textgames"]
    for paper in found:
        assert all(suite.load(name).title for name in paper.suites)
        assert all(import_module(module) for module in (paper.seeds, paper.grading) if module)
        command = command_of(paper.name)
        assert (command is None) == (paper.imports is None)
        assert command is None or command.settings().attempts


def test_all_scores_of_papers_keep_the_contract() -> None:
    """Keys are unique and begin with the paper's name, every table has a formula, and scores ask
    for every column that they use; a run ends with tables that exist.
    """
    worked = {"puzzle": "reversi", "domain": "execution", "error": "", "answer_right": True}
    worked |= {"process_share": 1.0, "lenient_answer_right": True, "lenient_right": True}
    model = worked | {"answer_right": False, "process_share": 0.5, "first_wrong_share": 0.5}
    seats = table_of(
        *(match("a", "house", win, seed) for seed, win in enumerate((1.0, 0.0))),
        *(alone(name, seed) for name in ("a", "house") for seed in (1, 2)),
        *asked("a", [1, None]),
        alone("a", **worked),
        *(
            alone("openai/x", **model, language=language, shots=shots)
            for language in ("en", "zh")
            for shots in (0, 1)
        ),
    )
    ranges = list[Ranged]()
    places = [(paper, place) for paper in papers.papers() for place in paper.scores]
    for paper, place in places:
        module, name = place.split(":")
        score = getattr(import_module(module), name)
        tables = score(seats.select(score.columns))
        last = module.rpartition(".")[2]
        start = paper.name if last == "scores" else f"{paper.name}_{last}"
        keys = [table.key for table in tables]
        assert len(set(keys)) == len(keys) and all(key.startswith(start) for key in keys)
        assert all(table.formula.endswith(".") for table in tables)
        assert score.scored in schema(SEATS).names
        if score.summary and keys:  # one of PuzzlePlex's settings may not have been played
            assert not {*keys}.isdisjoint(score.summary)
        numbers = [cell for table in tables for row in table.rows for cell in row]
        ranges += [cell for cell in numbers if isinstance(cell, Ranged)]
    assert len(places) == 5 and len(ranges) > 20 and np.isfinite(ranges).all()


@pytest.mark.parametrize("package", ["arena", "catalogue", "report", "scoring", "tasks"])
def test_packages_below_name_no_paper(package: str) -> None:
    """Neither in names nor in texts of their code; what is explained may say where it is from."""
    known = re.compile("|".join(paper.name for paper in papers.papers()))
    for path in sorted((SOURCES / package).rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        holders = (ast.Module, ast.ClassDef, ast.FunctionDef)
        docs = {
            ast.get_docstring(node, clean=False)
            for node in ast.walk(tree)
            if isinstance(node, holders)
        }
        for node in ast.walk(tree):
            words = [
                getattr(node, field, None) for field in ("id", "name", "attr", "module", "value")
            ]
            said = [word for word in words if isinstance(word, str) and word not in docs]
            assert not any(map(known.search, said)), (path, said)


def _modules(code: str) -> set[str]:
    """The modules that are loaded after some code was run in a new process."""
    told = "; import sys; print(*sys.modules, file=sys.stderr)"
    environment = {"PYTHONPATH": str(SOURCES.parent), "PATH": ""}
    done = subprocess.run(
        [sys.executable, "-c", code + told],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    return set(done.stderr.split())


def test_papers_are_not_loaded_before_they_are_needed() -> None:
    loaded = _modules("import quandary")

    assert "quandary.papers" in loaded and "quandary.catalogue.papers" in loaded
    assert not [name for name in loaded if name.startswith("quandary.papers.")]
    assert not loaded & {"msgspec", "numpy", "dataclasses", "pkgutil", "quandary.scoring"}


@pytest.mark.parametrize("command", [["show", "card_nim/easy@published#3"], ["list", "--suites"]])
def test_reading_seeds_and_suites_imports_no_numpy(command: list[str]) -> None:
    loaded = _modules(f"from quandary.cli.main import main; main({command})")

    assert "quandary.papers.puzzleplex" in loaded or "list" in command
    assert not loaded & {"numpy", "pyarrow", "quandary.papers.puzzleplex.scores"}

"""What the documents show is run."""

from __future__ import annotations

import doctest
import json
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

import quandary as q
from quandary.catalogue import external, registry
from quandary.core.codec import view_json
from quandary.core.translations import phrases, placeholders
from shell_commands import with_commands

ROOT = Path(__file__).parent.parent
PLACES = ("duels", "solo", "questions/words")


def _blocks(document: str) -> list[str]:
    return re.findall(r"```sh\n(.*?)```", (ROOT / document).read_text("utf-8"), re.S)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A checkout of its own to write puzzles into."""
    for part in ("src", "tests", "docs", "benchmarks", "proofs", "tools"):
        shutil.copytree(
            ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info")
        )
    for part in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / part, tmp_path / part)
    return tmp_path


@pytest.mark.heavy
def test_puzzles_are_added_as_contributing_says(copy: Path) -> None:
    """Each command of the page works, for each kind of puzzle, and no list or page is missing a
    new one.  The commands of pytest, which collect all tests, are run once for all of them.
    """
    # Longer than all others, so that they do not exist.
    longest = max(registry.names(), key=len)
    names = {f"{longest}_{place.partition('/')[0]}": place for place in PLACES}
    commands, tests = list[str](), list[str]()
    for name, place in names.items():
        steps = _steps("stone_race").replace("duels/", f"{place}/").replace("stone_race", name)
        if place != "duels":
            steps = steps.replace("--players random oracle", "--players oracle")
        commands += [line for line in steps.splitlines() if not line.startswith("pytest")]
        tests = [line for line in steps.splitlines() if line.startswith("pytest")]
    tests = [line.replace(name, f"'{' or '.join(names)}'") for line in tests]
    tests.append(
        "pytest tests/test_golden.py tests/test_digests.py -k 'gone or separations or digests'"
    )
    output = _done("\n".join([*commands, *tests]), copy)

    digests = (copy / "tests" / "digests.txt").read_text("utf-8")
    for name in names:
        assert f"{name}: all promises kept at 2 levels" in output
        assert (copy / "docs" / "puzzles" / f"{name}.md").exists()
        assert (copy / "tests" / "golden" / f"{name}.txt").exists()
        assert 1 == len(re.findall(rf"^{name}/\w+#1 shown: ", digests, re.M))


@pytest.mark.heavy
def test_a_worked_question_is_added_as_contributing_says(copy: Path) -> None:
    """With the second working that the page shows."""
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    ((path, working),) = re.findall(r"^`(proofs/\S+)`:\n\n```python\n(.*?)```", page, re.S | re.M)
    (copy / path).write_text(working, "utf-8")
    steps = [block for block in _blocks("CONTRIBUTING.md") if "count_up" in block]
    output = _done("".join(steps), copy)

    assert "count_up: all promises kept at 4 levels" in output
    assert "Carry out these steps" in output
    assert (copy / "tests" / "golden" / "count_up.txt").exists()


def _steps(name: str) -> str:
    """The commands of the page that add the puzzle of this name."""
    (steps,) = [block for block in _blocks("CONTRIBUTING.md") if f"/{name}\n" in block]
    return steps


def _done(steps: str, copy: Path) -> str:
    """What the commands print; they must succeed."""
    done = subprocess.run(
        ["sh", "-e"],
        input=steps,
        cwd=copy,
        env=with_commands(copy, copy / "src"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.heavy
def test_a_translation_is_added_as_contributing_says(copy: Path) -> None:
    """A file as the page describes it makes the language known; until it is complete, the check
    lists what is missing.
    """
    home = copy / "src" / "quandary" / "puzzles" / "duels"
    environment = with_commands(copy, copy / "src")

    def run(command: str) -> tuple[int, str]:
        done = subprocess.run(
            command.split(), cwd=copy, env=environment, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout + done.stderr

    assert run("quandary new duels/stone_race")[0] == 0
    english = phrases((home / "stone_race.py").read_text("utf-8"))
    pairs = [
        f"[[phrase]]\nen = {json.dumps(one)}\nzh = {json.dumps(_chinese(one))}" for one in english
    ]
    (home / "stone_race.zh.toml").write_text("\n".join(pairs[1:]), "utf-8")
    code, output = run("quandary check stone_race")
    assert code == 1 and f"no translation of {english[0]!r}" in output

    (home / "stone_race.zh.toml").write_text("\n".join(pairs), "utf-8")
    code, output = run("quandary check stone_race")
    assert code == 0, output
    code, output = run("quandary show stone_race/easy#1 --language zh")
    assert code == 0 and "译文" in output


def _chinese(phrase: str) -> str:
    return "译文 " + " ".join(f"{{{name}}}" for name in sorted(placeholders(phrase)))


@pytest.mark.parametrize("document", ["README.md", "docs/api.md", "docs/records.md"])
def test_python_in_the_documents_runs(document: str) -> None:
    """Every example in Python gives exactly what the page shows."""
    text = (ROOT / document).read_text("utf-8")
    failed = tried = 0
    for block in re.findall(r"```python\n(>>>.*?\n)\n```", text, re.S):
        test = doctest.DocTestParser().get_doctest(block, {}, document, document, 0)
        result = doctest.DocTestRunner().run(test)
        failed, tried = failed + result.failed, tried + result.attempted

    assert tried > 3 and not failed


@pytest.mark.parametrize(
    "document",
    [
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "docs/api.md",
        "docs/comparing.md",
        "docs/contract.md",
        "docs/gallery.md",
        "docs/labelling.md",
        "docs/outside-puzzles.md",
        "docs/planning.md",
        "docs/records.md",
        "docs/scores.md",
        "docs/suites.md",
        "docs/which-suite.md",
    ],
)
def test_links_lead_somewhere(document: str) -> None:
    """Every file a document links to is there."""
    links = re.findall(r"\]\(([^)#]+?)\)", (ROOT / document).read_text("utf-8"))
    folder = (ROOT / document).parent

    assert [link for link in links if "://" not in link and not (folder / link).exists()] == []


def test_puzzles_from_outside_work_as_the_page_says(tmp_path: Path) -> None:
    """Its files and commands, far from any checkout."""
    page = (ROOT / "docs" / "outside-puzzles.md").read_text("utf-8")
    files = dict(re.findall(r"^`(my_puzzles/\S+)`:\n\n```\w+\n(.*?)```", page, re.S | re.M))
    names = ["high_card.py", "last_digit.py", "last_digit.zh.toml"]
    assert sorted(files) == [f"my_puzzles/{name}" for name in names]
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    done = subprocess.run(
        ["sh", "-e"],
        input="".join(_blocks("docs/outside-puzzles.md")),
        cwd=tmp_path,
        env=with_commands(tmp_path, ROOT / "src"),
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert "stone_race: all promises kept at 2 levels" in done.stdout
    assert "last_digit: all promises kept at 2 levels" in done.stdout
    assert "1 of 1 match replays" in done.stdout
    assert "这个幂的最后一位数字是什么" in done.stdout
    assert "high_card: all promises kept at 1 level" in done.stdout
    (shown,) = [line for line in done.stdout.splitlines() if line.startswith("{")]
    assert json.loads(shown)["view"]["cards"] == 8


def test_a_private_field_is_seen_as_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In Python with None for the others, and as one entry in JSON."""
    page = (ROOT / "docs" / "outside-puzzles.md").read_text("utf-8")
    (text,) = re.findall(r"^`my_puzzles/high_card.py`:\n\n```python\n(.*?)```", page, re.S | re.M)
    (tmp_path / "high_card.py").write_text(text, "utf-8")
    monkeypatch.setenv(external.VARIABLE, str(tmp_path))
    game: Any = q.make("high_card/only#1")

    assert "`cards` is `(1, 8)`" in page and game.cards == (1, 8)
    assert "`seen_by(1)`, has `(None, 8)`" in page and game.seen_by(1).cards == (None, 8)
    assert '`"cards": 8`' in page and '"cards":8' in view_json(game, 1)


def test_scores_of_users_work_as_the_page_says(tmp_path: Path) -> None:
    """Its module as an installed distribution with the entry point that the page names."""
    page = (ROOT / "docs" / "scores.md").read_text("utf-8")
    files = dict(re.findall(r"^`(\S+)`:\n\n```\w+\n(.*?)```", page, re.S | re.M))
    assert sorted(files) == ["my_scores/clean_play.py", "pyproject.toml"]
    project = tomllib.loads(files["pyproject.toml"])["project"]
    site = tmp_path / "site"
    metadata = site / "my_scores-1.0.dist-info"
    metadata.mkdir(parents=True)
    (site / "my_scores").mkdir()
    (site / "my_scores" / "clean_play.py").write_text(files["my_scores/clean_play.py"], "utf-8")
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\n")
    (group,) = project["entry-points"]
    lines = [f"{name} = {value}\n" for name, value in project["entry-points"][group].items()]
    (metadata / "entry_points.txt").write_text(f"[{group}]\n" + "".join(lines))
    environment = with_commands(tmp_path, ROOT / "src")
    environment["PYTHONPATH"] += os.pathsep + str(site)
    done = subprocess.run(
        ["sh", "-e"],
        input="".join(_blocks("docs/scores.md")),
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert "\nCLEAN PLAY\n" in f"\n{done.stdout}"
    assert re.search(r"^oracle +10 +1\.000?", done.stdout, re.M), done.stdout
    assert "made no illegal move" in (tmp_path / "reports/first/index.html").read_text("utf-8")
    assert (tmp_path / "reports/first/tables/score_clean_play.csv").exists()

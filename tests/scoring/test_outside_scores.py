"""Scores that installed distributions add."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="tables need pyarrow: pip install 'quandary[report]'")

from paper_rows import alone, table_of
from quandary.catalogue import external
from quandary.cli.main import main
from quandary.report.page.layout import NOTHING
from quandary.report.page.sections import score_sections
from quandary.report.scores import columns, scores_of
from quandary.results.table import seats
from quandary.scoring import outside_scores, scores

SOUND = '''
from quandary.scoring.score import score
from quandary.scoring.score_table import Ranged, score_table

print("loaded")


@score("Matches", columns=["player"])
def matches(seats):
    """Matches of a player."""
    print("called")
    players = seats["player"].to_pylist()
    return [{"player": name, "n": players.count(name)} for name in sorted(set(players))]


@score("Two tables", columns=["player", "suite"], suites=["mine"], summary=["one"])
def two(seats):
    yield score_table("one", "One", "Rows.", ("rows",), [[seats.num_rows]])
    yield score_table("ranged", "Ranged", "A range.", ("share",), [[Ranged(0.5, 0.25, 0.75)]])


@score("Nothing", columns=[])
def nothing(seats):
    return []
'''
BROKEN = '''
from quandary.scoring.score import score
from quandary.scoring.score_table import score_table


def plain(seats):
    return []


@score("Unknown column", columns=["elevation"])
def unknown(seats):
    return []


@score("It fails", columns=["player"])
def failing(seats):
    raise SystemExit("no more")


@score("Uneven", columns=["player"])
def uneven(seats):
    """Rows."""
    return [{"a": 1}, {"b": 2}]


@score("Unexplained", columns=["player"])
def unexplained(seats):
    return [{"a": 1}]


@score("Numbers", columns=["player"])
def numbers(seats):
    return [1, 2]


@score("Not a number", columns=["player"])
def not_a_number(seats):
    """A number."""
    return [{"a": float("nan")}]


@score("Tuples", columns=["player"])
def tuples(seats):
    """Three texts."""
    return [{"a": ("a", "b", "c")}]


@score(None, columns=["player"])
def untitled(seats):
    """A number."""
    return [{"a": 1}]


@score("Numbered", columns=["player"])
def numbered(seats):
    """A number."""
    return [{1: 1}]


@score("Elsewhere", columns=["player"])
def elsewhere(seats):
    return [score_table("../x", "Elsewhere", "A number.", ["a"], [[1]])]


@score("Doubled", columns=["player"])
def doubled(seats):
    return 2 * [score_table("same", "Doubled", "A number.", ["a"], [[1]])]
'''
TOLD = {
    "plain": "names broken_scores.all:plain, which is not a score; make it with @score.",
    "unknown": "asks for the column 'elevation', which results do not have.",
    "failing": "failed (SystemExit: no more).",
    "uneven": "failed (ValueError: its rows have different columns).",
    "unexplained": "failed (ValueError: it has no docstring, which says what",
    "numbers": "failed (TypeError: it gives something else than tables, or rows that are",
    "not_a_number": "has nan in a table; use texts, finite numbers, Ranged, or None",
    "tuples": "has ('a', 'b', 'c') in a table; use texts, finite numbers, Ranged, or None",
    "untitled": "has no title; give @score a text.",
    "numbered": "has the heading 1; use a text.",
    "elsewhere": "has a table with the key '../x'; give each table one of its own",
    "doubled": "has a table with the key 'same'; give each table one of its own",
    "missing": "cannot be loaded (ModuleNotFoundError: No module named 'broken_scores.none').",
}


def install(where: Path, distribution: str, entries: dict[str, str], **modules: str) -> None:
    """Lay out what an installed distribution with a package of these modules leaves."""
    package = distribution.replace("-", "_")
    metadata = where / f"{package}-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\n")
    lines = [f"{name} = {value}\n" for name, value in entries.items()]
    (metadata / "entry_points.txt").write_text("[quandary.scores]\n" + "".join(lines))
    (where / package).mkdir()
    for name, text in modules.items():
        (where / package / f"{name}.py").write_text(text)


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where distributions are installed."""
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    yield tmp_path / "site"
    for name in list(sys.modules):
        if name.startswith(("sound_scores", "broken_scores")):
            del sys.modules[name]


@pytest.fixture
def sound(place: Path) -> None:
    named = {"matches": "matches", "doubled": "two", "nothing": "nothing"}
    entries = {name: f"sound_scores.all:{function}" for name, function in named.items()}
    install(place, "sound-scores", entries, all=SOUND)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two matches of a game that no paper scores."""
    out = tmp_path_factory.mktemp("scores") / "run"
    command = ["run", "--puzzle", "expanding_nim", "--level", "easy", "--seeds", "1-2"]
    assert 0 == main([*command, "--player", "random", "--out", str(out)])
    return out


@pytest.mark.usefixtures("sound")
def test_scores_of_users_come_after_those_of_papers() -> None:
    """By the names of their entry points; their tables have keys that no other table has."""
    found = list(scores.score_tables(table_of(alone("a", suite="mine"), alone("b", suite="mine"))))
    keys = [table.key for scored in found for table in scored.tables]

    assert [score.title for score in scores.scores()][-3:] == ["Two tables", "Matches", "Nothing"]
    assert keys == ["score_doubled_one", "score_doubled_ranged", "score_matches"]
    assert found[-1].tables[0].rows == (("a", 1), ("b", 1))
    assert found[-1].tables[0].formula == "Matches of a player."
    assert scores.scores()[-3].summary == ("score_doubled_one",)
    assert {"Matches", "Nothing"} == {score.title for score in scores.scores_of(["quick"])[-2:]}


@pytest.mark.usefixtures("sound")
def test_finding_runs_no_code_and_can_be_left_out() -> None:
    entries = list(outside_scores.entries(sys.path, outside_scores.ENTRY_POINTS))

    assert [entry.name for entry in entries] == ["matches", "doubled", "nothing"]
    assert "sound_scores.all" not in sys.modules
    with external.ignored():
        assert "Matches" not in [score.title for score in scores.scores()]
    assert "Matches" in [score.title for score in scores.scores()]


@pytest.mark.usefixtures("sound")
def test_results_and_reports_show_them(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What they print themselves is not part of the output."""
    assert 0 == main(["results", str(run), "--papers"])
    output = capsys.readouterr()
    assert output.out.startswith("MATCHES\n") and "Matches of a player." in output.out
    assert "called" in output.err and "called" not in output.out
    assert 0 == main(["results", str(run), "--papers", "--json"])
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["key"] == "score_matches"

    found = scores_of(seats(run, columns=columns()), [run])
    assert [each.title for each in found.papers] == ["Matches"]
    assert "score_matches" in [table.key for table in found.all()]


def test_broken_ones_hide_no_other(
    place: Path, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each gets one sentence, at the terminal and in the report."""
    entries = {name: f"broken_scores.all:{name}" for name in TOLD if name != "missing"}
    entries |= {"missing": "broken_scores.none:missing", "sound": "broken_scores.sound:matches"}
    install(place, "broken-scores", entries, all=BROKEN, sound=SOUND)

    assert 0 == main(["results", str(run), "--papers"])
    output = capsys.readouterr()
    lines = [line for line in output.err.splitlines() if line.startswith("quandary: ")]
    assert output.out.startswith("MATCHES\n") and len(lines) == len(TOLD)
    for name, why in TOLD.items():
        begin = f"quandary: {name} of the distribution broken-scores {why}"
        assert any(line.startswith(begin) for line in lines), (name, lines)
    assert "Traceback" not in output.err

    found = scores_of(seats(run, columns=columns()), [run])
    (section,) = [each for each in score_sections(found, NOTHING, {}) if each.key == "papers"]
    assert "failed (SystemExit: no more)." in str(section.more)


def test_names_that_cannot_be_used(place: Path) -> None:
    """Those of papers, those that occur twice, and those that are none."""
    entry = "sound_scores.all:matches"
    names = dict.fromkeys(("puzzleplex", "mine", "Not a name"), entry)
    install(place, "sound-scores", names, all=SOUND)
    install(place, "sound-others", {"mine": entry})
    (place / "sound_torn-1.0.dist-info").mkdir()
    torn = place / "sound_torn-1.0.dist-info" / "entry_points.txt"
    torn.write_text("[quandary.scores]\nno equals sign\n")
    found = scores.refused()

    assert "quandary has a paper 'puzzleplex'" in found["puzzleplex"]
    assert "taken twice, by mine of the distribution sound-others and by mine" in found["mine"]
    assert "no valid name for a score" in found["Not a name"]
    assert "cannot be read" in found["sound_torn-1.0.dist-info"]
    assert all(score.title != "Matches" for score in scores.scores())

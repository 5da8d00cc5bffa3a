"""Plays the reference runs and writes `docs/reference-results.md`: what known players score.

    python -m tools.reference_results                    all runs that are not there yet
    python -m tools.reference_results quick textgames-small    these runs, if they are not there

Runs are kept in `runs/reference/`, where a command that was stopped goes on.  The results of a run
that is finished go to `tools/reference_results.json` at once; they are made again when its command
or the version of a puzzle has changed.  The page has all runs that are there, and names the others.
"""

from __future__ import annotations

import json
import platform
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple, TypeAlias

from quandary.arena import suite
from quandary.arena.seed_ranges import in_ranges
from quandary.catalogue import registry
from quandary.catalogue.papers import papers
from quandary.models.providers.weights import CATALOGUE
from quandary.report.formats import shown
from quandary.scoring.score_table import Ranged
from quandary.version import VERSION

ROOT = Path(__file__).parent.parent
RESULTS, PUBLISHED = Path(__file__).with_suffix(".json"), Path(__file__).with_name("published.toml")
PAGE, FOLDER = ROOT / "docs" / "reference-results.md", Path("runs/reference")
STRATEGIES = ("random", "house", "oracle")
MODEL = "local/smollm2,max_tokens=64"  # with the 2,048 of most suites it would take a day
LANGUAGES = {"logicgame-large": ("en", "zh")}  # in which models are asked, if not in one
# Suites of a few matches, in which models play whole suites of others.
WITHOUT_MODEL = ("quick", "logicgame")
COLUMNS = ("player", "score", "n")  # of leaderboards
# The table of each paper's scores that is shown, and the columns of it.
PAPERS = {
    "textgames_averages": ("player", "games", "level", "turn 1", "turn 2", "turn 3"),
    "finereason_accuracy": ("player", "puzzle", "check n", "check", "next n", "next"),
    "logicgame_domains": ("player", "language", "domain", "n", "A-Acc", "P-Acc", "AP-Acc"),
    "puzzleplex_first_against_house": ("player", "kind", "level", "n", "score"),
}

Table: TypeAlias = dict[str, Any]

HEAD = """# Reference results

<!-- Written by `make reference`. -->

What strategies score on every suite, and what a small language model scores on every small suite.
Run one of the commands in an empty folder: if your installation works as it should, `quandary run`
ends with the same scores.
Strategies have exactly these scores on every machine, whatever the engine.
The small model has them with the same version of llama.cpp on the same kind of processor;
elsewhere single replies may differ, so compare intervals.
It writes at most 64 tokens per reply, to save time, and most of its replies are cut off before
their answer is complete. Its scores check an installation; they do not say how good the model is.
`random` draws from all legal moves, `house` is the opponent of newcomers, and `oracle` is the
strongest player of each puzzle. In games for two each of them meets the house, and so does the
model.
Every interval is a 95 % interval; n counts matches with a result.
"""


class Reference(NamedTuple):
    """A run whose results are stated."""

    name: str
    suite: str
    options: tuple[str, ...]
    players: tuple[str, ...]

    @property
    def folder(self) -> Path:
        return FOLDER / self.name

    @property
    def arguments(self) -> list[str]:
        """Of `quandary run`."""
        players = [word for player in self.players for word in ("--player", player)]
        return ["--suite", self.suite, *self.options, *players, "--out", str(self.folder)]

    @property
    def command(self) -> str:
        return f"quandary run {shlex.join(self.arguments)}"


def references() -> list[Reference]:
    """All of them, by suite.  In games for two everybody meets the house, so that the scores of
    other players can be compared with these.
    """
    found = list[Reference]()
    for name in suite.names():
        small = ("--small",) if suite.load(name).small else ()
        house = ("--schedule", "house")
        if small:
            found.append(Reference(f"{name}-small", name, (*small, *house), STRATEGIES))
        found.append(Reference(name, name, house, STRATEGIES))
        if name not in WITHOUT_MODEL:
            languages = [word for each in LANGUAGES.get(name, ()) for word in ("--language", each)]
            options = (*small, *languages)
            found.append(Reference(f"{name}-model", name, options, (MODEL,)))
    return found


def made_with(reference: Reference) -> dict[str, Any]:
    """What decides the results: if it changes, they are made again."""
    puzzles = sorted({spec.name for spec in suite.load(reference.suite).specs})
    found: dict[str, Any] = {
        "command": reference.command,
        "puzzles": {name: registry.load(name).version for name in puzzles},
    }
    if MODEL in reference.players:
        name = MODEL.partition("/")[2].partition(",")[0]
        found |= {"weights": CATALOGUE[name].sha256, "llama.cpp": _installed("xllamacpp")}
    return found


def play(reference: Reference, folder: Path) -> dict[str, Any]:
    """Play a run in a folder, or what is left of it; its results.  CalledProcessError if it cannot
    be finished now.
    """
    begun = monotonic()
    _quandary(["run", *reference.arguments], folder)
    # Much of a run that was stopped, and went on now, was played before.
    seconds = round(max(monotonic() - begun, _seconds_of_calls(folder / reference.folder)))
    (board, *_), levels = (_tables(reference, folder, *more) for more in ((), ("--by", "level")))
    is_of_paper = any(reference.suite in paper.suites for paper in papers())
    scores = _tables(reference, folder, "--papers", "--no-judge") if is_of_paper else []
    return {
        **made_with(reference),
        "quandary": VERSION,
        "python": platform.python_version(),
        "seconds": seconds,
        "leaderboard": board["rows"],
        "levels": by_level(levels[0]["rows"]),
        "papers": {table["key"]: table["rows"] for table in scores if table["key"] in PAPERS},
    }


def _seconds_of_calls(run: Path) -> float:
    """Return how long a run has waited for its model, or 0 without a model."""
    journal = run / "journal.jsonl"
    if not journal.exists():
        return 0.0
    with journal.open("rb") as lines:
        return float(sum(json.loads(line).get("seconds") or 0 for line in lines))


def by_level(rows: Sequence[Table]) -> dict[str, dict[str, list[float]]]:
    """Of each level the mean score and the number of matches of each player."""
    found: dict[str, dict[str, list[float]]] = {}
    for row in rows:
        level = found.setdefault(f"{row['puzzle']}/{row['level']}", {})
        level[row["player"]] = [row["score"][0], row["n"]]
    return found


def _tables(reference: Reference, folder: Path, *options: str) -> list[Table]:
    output = _quandary(["results", str(reference.folder), *options, "--json"], folder, keep=True)
    return [json.loads(line) for line in output.splitlines()]


def _quandary(arguments: Sequence[str], folder: Path, *, keep: bool = False) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "quandary", *arguments],
        cwd=folder,
        check=True,
        text=True,
        stdout=subprocess.PIPE if keep else subprocess.DEVNULL,
    )
    return done.stdout or ""


def _installed(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def stored() -> dict[str, dict[str, Any]]:
    """The results that are there, by the names of their runs."""
    found: dict[str, dict[str, Any]] = json.loads(RESULTS.read_text("utf-8"))
    return found


def keep(results: Mapping[str, Mapping[str, Any]]) -> None:
    """Store all results, those of a run on a line."""
    lines = [f"{json.dumps(name)}: {json.dumps(results[name])}" for name in sorted(results)]
    RESULTS.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


def is_current(reference: Reference, results: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether the results of a run are there, and what decides them is as it was."""
    found = results.get(reference.name, {})
    # A machine without llama.cpp cannot tell whether its version has changed.
    wanted = {key: value for key, value in made_with(reference).items() if value}
    return all(found.get(key) == value for key, value in wanted.items())


def document(results: Mapping[str, Mapping[str, Any]]) -> str:
    """The page."""
    published = tomllib.loads(PUBLISHED.read_text("utf-8"))
    parts = [HEAD]
    for name in suite.names():
        parts.append(f"## {suite.load(name).title}\n")
        parts += [
            section(reference, results[reference.name])
            if reference.name in results
            else f"Not played yet: `{reference.command}`\n"
            for reference in references()
            if reference.suite == name
        ]
        parts += [_published(paper) for paper in published.get(name, [])]
    return "\n".join(parts)


def section(reference: Reference, found: Mapping[str, Any]) -> str:
    """One run: its command, what it was played with, its scores and those of its paper."""
    who = "The small model" if reference.players == (MODEL,) else "Strategies"
    part = "the small version" if "--small" in reference.options else "the whole suite"
    small = in_ranges(suite.load(reference.suite).small)
    seeds = small if "--small" in reference.options else "those of the suite"
    matches = sum(row["n"] for row in found["leaderboard"])
    made = f"quandary {found['quandary']}, Python {found['python']}"
    if found.get("weights"):
        made += f", llama.cpp by xllamacpp {found['llama.cpp']}, weights {found['weights'][:12]}"
    about = (
        f"Seeds: {seeds}. {matches:,} results of players. Played with {made}, in "
        f"{found['seconds']:,} s."
    )
    lines = [
        f"### {who}, {part}\n",
        f"```sh\n{found['command']}\n```\n",
        f"{about}\n",
        _markdown(found["leaderboard"], COLUMNS),
    ]
    if changed := changed_puzzles(reference, found):
        lines.append(f"Changed since: {', '.join(changed)}. `make reference` plays them again.\n")
    for key, columns in PAPERS.items():
        if rows := found["papers"].get(key):
            lines.append(_markdown(rows, columns))
    return "\n".join(lines)


def changed_puzzles(reference: Reference, found: Mapping[str, Any]) -> list[str]:
    """Those of which the results are of another version."""
    now = made_with(reference)["puzzles"]
    return [name for name, number in now.items() if found["puzzles"].get(name) != number]


def _published(paper: Mapping[str, Any]) -> str:
    """What a paper prints, and how far it can be compared."""
    lines = [f"### {paper['title']}\n", f"{paper['compared']}\n"]
    if rows := paper.get("rows"):
        named = [dict(zip(paper["columns"], row, strict=True)) for row in rows]
        lines.append(_markdown(named, paper["columns"]))
    return "\n".join(lines)


def _markdown(rows: Sequence[Table], columns: Sequence[str]) -> str:
    lines = [f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}"]
    lines += [f"| {' | '.join(_cell(row[name]) for name in columns)} |" for row in rows]
    return "\n".join(lines) + "\n"


def _cell(value: object) -> str:
    """A cell as tables of results show it; intervals are [value, low, high]."""
    return shown(Ranged(*value) if isinstance(value, list) else value)  # type: ignore[arg-type]


def chosen(names: Sequence[str]) -> Iterator[Reference]:
    known = {reference.name: reference for reference in references()}
    for name in names or known:
        if name not in known:
            sys.exit(f"there is no reference run {name!r}; there are {', '.join(known)}")
        yield known[name]


def main(names: Sequence[str]) -> int:
    for reference in chosen(names):
        if is_current(reference, stored()):
            continue
        print(reference.command, flush=True)
        try:
            found = play(reference, ROOT)
        except (subprocess.CalledProcessError, KeyboardInterrupt):
            print("stopped; the same command goes on where it was", file=sys.stderr)
            return 1
        keep(stored() | {reference.name: found})  # another process may have stored some
    results = stored()
    PAGE.write_text(document(results), "utf-8")
    print(PAGE)
    if left := [each.name for each in references() if not is_current(each, results)]:
        print(f"not played yet, or with other versions: {', '.join(left)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

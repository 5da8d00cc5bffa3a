"""Writes the report of some runs: a folder with a page, its tables, figures and transcripts."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from quandary.core.errors import UserError
from quandary.results.run_folders import run_names
from quandary.scoring.score_table import ScoreTable
from quandary.version import VERSION

from .formats import comma_separated, latex, markdown
from .page.layout import ASSETS, Section, page
from .page.match_section import match_section
from .page.provenance import provenance
from .page.sections import score_sections
from .scores import columns, scores_of
from .tables import counted
from .viewer import side_files
from .viewer.chosen import COLUMNS, MOST, chosen_lists, selected

if TYPE_CHECKING:
    import pyarrow as pa

PAGE, DATA = "index.html", "report.json"
NEEDED = "a report needs more packages: pip install 'quandary[report]'."
PACKAGES = ("numpy", "scipy", "pyarrow", "matplotlib")


class Written(NamedTuple):
    """What a report consists of."""

    page: Path
    matches: int
    tables: int
    figures: int
    transcripts: int


def write_report(
    folders: Sequence[Path], out: Path, transcripts: int = MOST, labels: Sequence[Path] = ()
) -> Written:
    """Write the report of some runs into a folder, which may hold an earlier report.

    `labels` are samples that people have labelled.
    """
    check_packages()
    runs = run_names(folders)
    _check_place(out)
    place = out.resolve()  # also of "."
    draft = place.with_name(f"{place.name}.draft")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    try:
        written = _fill(draft, runs, transcripts, labels)
        shutil.rmtree(place, ignore_errors=True)
        draft.replace(place)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise
    return written._replace(page=out / PAGE)


def check_packages() -> None:
    """Raise UserError unless everything that a report needs is installed."""
    if any(find_spec(name) is None for name in PACKAGES):
        raise UserError(NEEDED)


def _check_place(out: Path) -> None:
    if out.exists() and not out.is_dir():
        raise UserError(f"{out} is a file; choose another --out.")
    if out.is_dir() and any(out.iterdir()) and not (out / DATA).is_file():
        raise UserError(f"{out} holds something else than a report; choose another --out.")


def _fill(out: Path, runs: Mapping[str, Path], transcripts: int, labels: Sequence[Path]) -> Written:
    from quandary.results.table import seats as read_seats

    wanted = list(dict.fromkeys([*COLUMNS, *columns()]))
    # In one chunk, or everyone who asks for the texts of a column would join its parts again.
    seats = read_seats(*runs.values(), columns=wanted).combine_chunks()
    if not len(seats):
        raise UserError(f"{' and '.join(runs)}: there are no finished matches to report.")
    scores = scores_of(seats, list(runs.values()), labels)
    lists = chosen_lists(seats)
    chosen = selected(seats, lists, transcripts)
    command = " ".join(
        [
            *("quandary report", *runs, "--out DIR", f"--transcripts {transcripts}"),
            *(f"--labels {name}" for name in run_names(labels)),
        ]
    )
    sections = [
        *score_sections(scores),
        match_section(lists, chosen, list(runs)),
        provenance(runs, run_names(labels), command, out),
    ]
    facts = _facts(seats, chosen.total)
    del seats
    for name in ("tables", "figures", side_files.FOLDER):
        (out / name).mkdir()
    tables = scores.all()
    _write_tables(tables, out)
    figures = [figure for section in sections for figure in section.figures]
    for figure in figures:
        figure.write(out / "figures")
    shutil.copytree(ASSETS, out / "assets")
    side_files.write_list(chosen.matches, list(runs), out / side_files.FOLDER)
    best = {(one.run, one.match) for each in lists for one in each.matches}
    side_files.write_transcripts(chosen.matches, best, runs, out / side_files.FOLDER)
    (out / PAGE).write_text(_page(runs, facts, sections), "utf-8", newline="\n")
    return Written(out / PAGE, chosen.total, len(tables), len(figures), len(chosen.matches))


def _page(runs: Mapping[str, Path], facts: Mapping[str, str], sections: Sequence[Section]) -> str:
    names = ", ".join(runs)
    lead = f"Results of {counted(len(runs), 'run')}: {names}." if len(runs) > 1 else ""
    return page(
        f"Report on {names}" if len(runs) == 1 else "Report",
        lead or "Scores, ratings, costs and transcripts of one run.",
        facts,
        sections,
    )


def _write_tables(tables: Sequence[ScoreTable], out: Path) -> None:
    for table in tables:
        for ending, write in (("md", markdown), ("tex", latex), ("csv", comma_separated)):
            path = out / "tables" / f"{table.key}.{ending}"
            path.write_text(_encodable(write(table)), "utf-8", newline="\n")
    plain = {"quandary": VERSION, "tables": [table.plain() for table in tables]}
    text = json.dumps(plain, indent=1, ensure_ascii=False)
    (out / DATA).write_text(_encodable(text) + "\n", "utf-8", newline="\n")


def _encodable(text: str) -> str:
    """Names of players may hold anything, also what UTF-8 cannot express."""
    return text.encode("utf-8", "backslashreplace").decode()


def _facts(seats: pa.Table, matches: int) -> dict[str, str]:
    """The run in a few numbers."""
    import pyarrow.compute as pc

    def distinct(*names: str) -> int:
        return len(seats.group_by(names, use_threads=False).aggregate([]))

    level = ("task", "puzzle", "level", "split")  # as the leaderboard counts
    missing = pc.sum(pc.and_(pc.is_null(seats["score"]), pc.equal(seats["seat"], 0))).as_py()
    counts = {
        ("match", "matches"): matches,
        ("player", "players"): distinct("player"),
        ("puzzle", "puzzles"): distinct("task", "puzzle"),
        ("distinct start", "distinct starts"): distinct(*level, "instance"),
    }
    return {
        **{names[count != 1]: f"{count:,}" for names, count in counts.items()},
        **({"without a result": f"{missing:,}"} if missing else {}),
        **({"spent on models": cost} if (cost := spent(seats)) else {}),
    }


def spent(seats: pa.Table) -> str:
    """The dollars spent on models, as far as they are known; "" if nothing is known."""
    import pyarrow.compute as pc

    own = seats.filter(pc.is_valid(seats["model"]))
    known = pc.sum(own["cost"]).as_py() or 0.0
    if own["cost"].null_count:
        return f"at least ${known:,.2f}" if known else ""
    return f"${known:,.2f}" if len(own) else ""

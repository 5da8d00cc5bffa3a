"""Writes the report of some runs: a folder with a page, its tables, figures and transcripts."""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple, TypeAlias

from quandary.core.errors import UserError
from quandary.results.run_folders import run_names
from quandary.scoring.score_table import ScoreTable
from quandary.version import VERSION

from .formats import comma_separated, latex, markdown
from .page.layout import ASSETS, page
from .page.match_section import match_section, moment_section
from .page.opening import opening
from .page.pictures import moment_pictures, puzzle_pictures
from .page.provenance import provenance
from .page.puzzle_grid import puzzle_grid
from .page.sections import score_sections
from .played import played
from .scores import columns, scores_of
from .short_names import in_tables
from .viewer import side_files
from .viewer.chosen import COLUMNS, in_reading_order, selected
from .viewer.moments import moments

Tell: TypeAlias = Callable[[int, int], None]  # how many are done, and of how many
PAGE, DATA = "index.html", "report.json"
# All that a report writes into its folder.
WRITTEN = frozenset(
    (PAGE, DATA, "assets", "figures", side_files.FOLDER, "pictures", "provenance", "tables")
)
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
    folders: Sequence[Path],
    out: Path,
    transcripts: int | None = None,
    labels: Sequence[Path] = (),
    tell: Tell = lambda done, of: None,
    home: str = "#top",
) -> Written:
    """Write the report of some runs into a folder, which may hold an earlier report.

    `transcripts`: how many are written besides those of moments; None for as many as fit.
    `labels` are samples that people have labelled; `tell` is told how many transcripts are
    written, and of how many; `home` is where the name in the page's bar leads.
    """
    check_packages()
    runs = run_names(folders)
    _check_place(out)
    place = out.resolve()  # also of "."
    draft = place.with_name(f"{place.name}.draft")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    try:
        written = _fill(draft, runs, transcripts, labels, tell, home)
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
    there = {path.name for path in out.iterdir()} if out.is_dir() else set()
    if there and (DATA not in there or there - WRITTEN):  # a report replaces all of it
        raise UserError(f"{out} holds something else than a report; choose another --out.")


def _fill(
    out: Path,
    runs: Mapping[str, Path],
    transcripts: int | None,
    labels: Sequence[Path],
    tell: Tell,
    home: str,
) -> Written:
    from quandary.results.table import seats as read_seats

    wanted = list(dict.fromkeys([*COLUMNS, *columns()]))
    # In one chunk, or everyone who asks for the texts of a column would join its parts again.
    seats = read_seats(*runs.values(), columns=wanted).combine_chunks()
    if not len(seats):
        raise UserError(f"{' and '.join(runs)}: there are no finished matches to report.")
    scores = scores_of(seats, list(runs.values()), labels)
    found = moments(seats, runs)
    best = {(one.run, match) for one in found.chosen for match in (one.match, one.other) if match}
    if transcripts is None:
        most, because = side_files.most_that_fit(seats, runs)
    else:
        most, because = transcripts, ""
    chosen = selected(seats, best, most, because)
    command = " ".join(
        [
            *("quandary report", *_written(runs), "--out DIR"),
            *([] if transcripts is None else [f"--transcripts {transcripts}"]),
            *(f"--labels {name}" for name in run_names(labels)),
        ]
    )
    what = played(runs, seats)
    pictures = puzzle_pictures(seats, out)
    order, names = list(map(str, scores.main.column("player"))), in_tables(scores.all())
    sections = [
        *score_sections(scores, puzzle_grid(scores.puzzles, order, pictures, names), names),
        provenance(runs, run_names(labels), command, out),
    ]
    sections[1:1] = [
        moment_section(found, list(runs), moment_pictures(found.chosen, out)),
        match_section(chosen),
    ]
    del seats
    for name in ("tables", "figures", side_files.FOLDER):
        (out / name).mkdir()
    tables = scores.all()
    _write_tables(tables, out)
    figures = [
        figure for section in sections for figure in (*section.figures, *section.folded_figures)
    ]
    for figure in figures:
        figure.write(out / "figures")
    for folder in ASSETS:
        shutil.copytree(folder, out / "assets", dirs_exist_ok=True)
    matches = out / side_files.FOLDER
    summaries = side_files.write_transcripts(chosen.matches, best, runs, matches, tell)
    listed = in_reading_order(chosen.matches, runs, order)
    side_files.write_list(listed, summaries, list(runs), matches)
    first = opening(what, scores, names, has_moments=bool(found.chosen))
    text = page(what.title, first, sections, home)
    (out / PAGE).write_text(_encodable(text), "utf-8", newline="\n")
    return Written(out / PAGE, chosen.total, len(tables), len(figures), len(chosen.matches))


def _written(runs: Mapping[str, Path]) -> list[str]:
    """Return the runs as a command names them: as they were named, or by name alone where that
    would tell of folders of this machine.
    """
    paths = (name if folder.is_absolute() else folder.as_posix() for name, folder in runs.items())
    return list(map(shlex.quote, paths))


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

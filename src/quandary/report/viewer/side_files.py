"""The files that the viewer loads when they are wanted, as scripts: browsers let a page that was
opened from a file load scripts, but no data.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from quandary.arena.exchanges import exchanges
from quandary.arena.job import match_name
from quandary.arena.journal import JOURNAL
from quandary.arena.store import RECORDS
from quandary.matches.record import NO_RESULT, Record
from quandary.report.html import script_data
from quandary.results.judging import Choice, SeatJudged, has_judge, judge_all
from quandary.results.lines import Line, lines, record_in
from quandary.results.parquet import covered
from quandary.results.run_context import context_of
from quandary.results.survey import kept_survey
from quandary.results.table import ready

from .chosen import Listed
from .transcripts import transcript

AT_ONCE = 1_000  # records that are held in memory
FOLDER = "matches"


def key_of(runs: Sequence[str], run: str, match: int) -> str:
    """The name of a match in the page and of its file: number of the run, number of the record."""
    return f"{runs.index(run) + 1}-{match}"


def write_list(matches: Sequence[Listed], runs: Sequence[str], folder: Path) -> None:
    """The list of all matches that have a transcript, in columns, each text once."""
    texts = dict[str, int]()

    def number(text: str) -> int:
        return texts.setdefault(text, len(texts))

    columns = {
        "key": [key_of(runs, each.run, each.match) for each in matches],
        "spec": [number(each.spec) for each in matches],
        "puzzle": [number(each.puzzle) for each in matches],
        "level": [number(each.level) for each in matches],
        "players": [[number(player) for player in each.players] for each in matches],
        "scores": [number(_scores(each)) for each in matches],
        "cause": [number(each.cause) for each in matches],
    }
    data = script_data({"columns": columns, "texts": list(texts)})
    (folder / "list.js").write_text(f"quandary.list({data});\n", "ascii")


def _scores(match: Listed) -> str:
    return " : ".join("–" if score is None else f"{score:.3g}" for score in match.scores)


def write_transcripts(
    matches: Iterable[Listed],
    chosen: Iterable[tuple[str, int]],
    runs: Mapping[str, Path],
    folder: Path,
) -> int:
    """A file per match; moves of chosen matches are judged, others where the tables have it."""
    wanted, judged = dict[str, set[int]](), dict[str, set[int]]()
    for each in matches:
        wanted.setdefault(each.run, set()).add(each.match)
    for run, match in chosen:
        judged.setdefault(run, set()).add(match)
    names, written = list(runs), 0
    for run, numbers in wanted.items():
        for number, told in _told(runs[run], numbers, judged.get(run, set())):
            key = key_of(names, run, number)
            text = f"quandary.transcript({script_data(key)},{script_data(told)});\n"
            (folder / f"{key}.js").write_text(text, "ascii")
            written += 1
    return written


def _told(run: Path, wanted: set[int], chosen: set[int]) -> Iterator[tuple[int, dict[str, object]]]:
    context, journal = context_of(run), run / JOURNAL
    found = (line for line in lines(run / RECORDS) if line.match in wanted)
    with ready(run) as tables:
        seen = kept_survey(run / RECORDS, covered(tables), tables)
        while batch := list(islice(found, AT_ONCE)):
            records = {line.match: record_in(line) for line in batch}
            judged = _judged(run, tables, batch, records, chosen, seen.chosen)
            names = {match: _name(record) for match, record in records.items()}
            calls = exchanges(journal, set(names.values())) if journal.exists() else {}
            for match, record in records.items():
                own = {
                    seat: calls[names[match], seat]
                    for seat in range(len(record.players))
                    if (names[match], seat) in calls
                }
                languages = context.languages_of(record.name, record.players)
                yield match, transcript(record, own, judged.get(match, {}), languages)


def _judged(
    run: Path,
    tables: Path,
    batch: Sequence[Line],
    records: Mapping[int, Record],
    chosen: set[int],
    in_tables: Iterable[Choice],
) -> dict[int, dict[int, SeatJudged]]:
    """What is known of the moves of these matches, by match and seat."""
    choices = {choice for choice in in_tables if choice.match in records}
    for line in batch:
        record = records[line.match]
        level = record.name.rpartition("#")[0]
        if line.match in chosen and record.cause not in NO_RESULT and has_judge(level):
            choices |= {Choice(line.match, seat, line.begin) for seat in range(record.start.seats)}
    found = dict[int, dict[int, SeatJudged]]()
    for one in judge_all(run / RECORDS, sorted(choices), tables):
        found.setdefault(one.match, {})[one.seat] = one
    return found


def _name(record: Record) -> str:
    return match_name(record.name, record.players, record.repeat)

"""The files that the viewer loads when they are wanted, as scripts: browsers let a page that was
opened from a file load scripts, but no data.
"""

from __future__ import annotations

import shlex
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from quandary.arena.drawn_programs import stored_programs
from quandary.arena.exchanges import Exchange, JournalIndex
from quandary.arena.job import match_name
from quandary.arena.journal import JOURNAL
from quandary.arena.manifest import PROGRAMS, SPECS
from quandary.arena.store import RECORDS, manifest_of
from quandary.catalogue.spec import Spec
from quandary.matches.record import NO_RESULT, Record
from quandary.players.people import is_person, pooled
from quandary.programs.library import is_program
from quandary.report.html import script_data
from quandary.results.judging import Choice, SeatJudged, has_judge, judge_all
from quandary.results.lines import RecordLine, lines, record_in
from quandary.results.parquet import covered
from quandary.results.run_context import context_of
from quandary.results.survey import kept_survey
from quandary.results.table import ready

from .chosen import Listed, count_matches, selected
from .transcripts import MatchSummary, summary_of, transcript

if TYPE_CHECKING:
    import pyarrow as pa

AT_ONCE = 1_000  # records that are held in memory
FOLDER = "matches"
OF_FILE = 32  # numbers of records whose transcripts share a file: they are much alike
LARGEST = 200_000_000  # bytes of all transcripts, unless the caller wants a number of them
ALWAYS_FIT = 2_000  # matches, whatever they are
MEASURED = 60  # transcripts from which the size of all is told


def key_of(runs: Sequence[str], run: str, match: int) -> str:
    """Return the name of a match in the page and of its file: number of the run, number of the
    record.
    """
    return f"{runs.index(run) + 1}-{match}"


def write_list(
    matches: Sequence[Listed],
    summaries: Mapping[str, MatchSummary],
    runs: Sequence[str],
    folder: Path,
) -> None:
    """Write the list of all matches that have a transcript."""
    (folder / "list.js").write_text(list_script(matches, summaries, runs), "ascii")


def list_script(
    matches: Sequence[Listed], summaries: Mapping[str, MatchSummary], runs: Sequence[str]
) -> str:
    """Return the list of some matches, in columns, each text once."""
    texts = dict[str, int]()

    def number(text: str) -> int:
        return texts.setdefault(text, len(texts))

    def numbers(several: Iterable[str]) -> list[int]:
        return list(map(number, several))

    keys = [key_of(runs, each.run, each.match) for each in matches]
    columns = {
        "key": keys,
        "spec": numbers(each.spec for each in matches),
        "suite": numbers(each.suite for each in matches),
        "puzzle": numbers(each.puzzle for each in matches),
        "level": numbers(each.level for each in matches),
        "languages": [numbers(each.languages) for each in matches],
        "players": [numbers(each.players) for each in matches],
        "scores": [each.scores for each in matches],
        "outcome": numbers(summaries[key].result for key in keys),
        "ending": numbers(summaries[key].ending for key in keys),
        "statuses": [numbers(summaries[key].statuses) for key in keys],
        "moves": [summaries[key].moves for key in keys],
    }
    if any(is_person(player) for each in matches for player in each.players):
        columns["pooled"] = [numbers(map(pooled, each.players)) for each in matches]
    return f"quandary.list({script_data({'columns': columns, 'texts': list(texts)})});\n"


def most_that_fit(seats: pa.Table, runs: Mapping[str, Path]) -> tuple[int, str]:
    """Return how many transcripts fit into LARGEST bytes, and what to say if these are not all."""
    total = count_matches(seats)
    if total <= ALWAYS_FIT:
        return total, ""
    sample = selected(seats, (), MEASURED).matches
    sizes = [len(_packed({key: shown})) for key, shown, _ in _transcripts(sample, (), runs)]
    most = int(LARGEST / max(sum(sizes) / max(len(sizes), 1), 1.0))
    return most, f", because all would take more than {LARGEST // 1_000_000} MB"


def write_transcripts(
    matches: Sequence[Listed],
    chosen: Iterable[tuple[str, int]],
    runs: Mapping[str, Path],
    folder: Path,
    tell: Callable[[int, int], None],
) -> dict[str, MatchSummary]:
    """Write compressed transcripts, and return what the list says of each.

    Moves of chosen matches are judged, others where the tables have it.  The matches of a run stand
    in the order of their numbers.
    """
    listed = dict[str, MatchSummary]()
    made = _transcripts(matches, chosen, runs)
    for name, of_file in groupby(made, lambda each: file_of(each[0])):
        own = dict[str, Any]()
        for key, shown, summary in of_file:
            own[key], listed[key] = shown, summary
        (folder / f"{name}.js").write_text(transcript_script(name, own), "ascii", newline="\n")
        tell(len(listed), len(matches))
    return listed


def transcript_script(file: str, transcripts: Mapping[str, object]) -> str:
    """Return a file of transcripts, by their names in the page."""
    return f'quandary.transcripts("{file}","{_packed(transcripts)}");\n'


def file_of(key: str) -> str:
    """Return the file of a match, by its name in the page."""
    run, _, match = key.partition("-")
    return f"{run}-{int(match) // OF_FILE}"


def _packed(transcripts: Mapping[str, object]) -> str:
    """Transcripts as base64 of a zlib stream, which browsers can read out of a script; unlike a
    gzip file, it has no time in it.
    """
    return b64encode(zlib.compress(msgspec.json.encode(transcripts))).decode()


def _transcripts(
    matches: Iterable[Listed], chosen: Iterable[tuple[str, int]], runs: Mapping[str, Path]
) -> Iterator[tuple[str, dict[str, Any], MatchSummary]]:
    wanted, judged = dict[str, set[int]](), dict[str, set[int]]()
    for each in matches:
        wanted.setdefault(each.run, set()).add(each.match)
    for run, match in chosen:
        judged.setdefault(run, set()).add(match)
    names = list(runs)
    for run, numbers in wanted.items():
        for number, shown, summary in _shown(runs[run], numbers, judged.get(run, set())):
            shown["replay"] = _command(run, number, shown["languages"])
            yield key_of(names, run, number), shown, summary


def _command(run: str, match: int, languages: Sequence[str]) -> str:
    """Return what tells the same match on a terminal, in the language in which it was played."""
    language = f" --language {languages[0]}" if languages[0] != "en" else ""
    return f"quandary replay {shlex.quote(run)} --match {match} --transcript{language}"


def _shown(
    run: Path, wanted: set[int], chosen: set[int]
) -> Iterator[tuple[int, dict[str, Any], MatchSummary]]:
    context, journal = context_of(run), run / JOURNAL
    index = JournalIndex(journal) if journal.exists() else None
    programs = ProgramsOf(run)
    found = (line for line in lines(run / RECORDS) if line.match in wanted)
    with ready(run) as tables:
        seen = kept_survey(run / RECORDS, covered(tables), tables)
        while batch := list(islice(found, AT_ONCE)):
            records = {line.match: record_in(line) for line in batch}
            judged = _judged(run, tables, batch, records, chosen, seen.chosen)
            texts = {line.match: line.text.decode("utf-8", "replace").strip() for line in batch}
            names = {match: _name(record) for match, record in records.items()}
            calls = index.exchanges(names.values()) if index else {}
            for match, record in records.items():
                own = {
                    seat: calls[names[match], seat]
                    for seat in range(len(record.players))
                    if (names[match], seat) in calls
                }
                languages = context.languages_of(record.name, record.players)
                shown = transcript(record, own, judged.get(match, {}), languages)
                shown |= {"record": texts[match], **programs.shown(record)}
                yield match, shown, summary_of(record)


class RunTranscripts:
    """The transcripts of single matches of a run, whose moves are not judged."""

    def __init__(self, run: Path) -> None:
        self.run, self.context = run, context_of(run)
        self.programs = ProgramsOf(run)
        journal = run / JOURNAL
        self.index = JournalIndex(journal) if journal.exists() else None

    def of(self, line: RecordLine) -> dict[str, Any]:
        """Return the transcript of the match in a line of the records."""
        record = record_in(line)
        name, calls = _name(record), dict[tuple[str, int], list[Exchange]]()
        if self.index:
            calls = self.index.exchanges([name])
        own = {seat: made for (_, seat), made in calls.items()}
        languages = self.context.languages_of(record.name, record.players)
        shown = transcript(record, own, {}, languages)
        shown["record"] = line.text.decode("utf-8", "replace").strip()
        shown["replay"] = _command(self.run.name, line.match, languages)
        return shown | self.programs.shown(record)


class ProgramsOf:
    """The code of the programs of a run, those that were drawn by puzzle."""

    def __init__(self, run: Path) -> None:
        manifest = manifest_of(run, without=(SPECS,)) or {}
        named = manifest.get(PROGRAMS, {})
        self.code = {name: program["code"] for name, program in named.items()}
        self.drawn = {
            (program.player, program.puzzle): program.code for program in stored_programs(run)
        }

    def shown(self, record: Record) -> dict[str, dict[str, str]]:
        """Their code as transcripts have it, by player; nothing where no program played."""
        puzzle = Spec.parse(record.name).name
        found = {
            player: self.drawn.get((player, puzzle)) or self.code.get(player)
            for player in record.players
            if is_program(player)
        }
        known = {player: code for player, code in found.items() if code}
        return {"programs": known} if known else {}


def _judged(
    run: Path,
    tables: Path,
    batch: Sequence[RecordLine],
    records: Mapping[int, Record],
    chosen: set[int],
    in_tables: Iterable[Choice],
) -> dict[int, dict[int, SeatJudged]]:
    """Return what is known of the moves of these matches, by match and seat."""
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

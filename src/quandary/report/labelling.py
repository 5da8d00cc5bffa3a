"""A folder of transcripts for labelling by a person."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from quandary.arena.exchanges import Exchanges, exchanges
from quandary.arena.job import match_name
from quandary.arena.journal import JOURNAL
from quandary.arena.store import RECORDS
from quandary.core.errors import UserError
from quandary.labelling.label_sets import NO_ERROR, LabelSet
from quandary.labelling.labels import KEY, LABELS, SampleKey
from quandary.labelling.sampling import Chosen
from quandary.matches.record import Record
from quandary.players.model_names import is_model
from quandary.results.lines import lines, record_in
from quandary.results.run_folders import run_names

from .conversations import conversation, spoken
from .transcript import result_line, transcript

GUIDE, TRANSCRIPTS = "guide.md", "transcripts"
BLIND_PLAYER, OPPONENT = "the player", "an opponent"
HOW = f"""# How to label

Read each file in `transcripts/`, and write one label per column into its row of `{LABELS}`.
An empty cell is a transcript that is not labelled yet. `comment` is for your notes.
`quandary labels DIR` checks the file and counts."""
SECRET = f"The players are hidden; `{KEY}` names them, so do not open it until you have finished."
SHORTEST = 4  # letters of a model's name that is also hidden in texts


def write_sample(
    folders: Sequence[Path],
    chosen: Sequence[Chosen],
    sets: Mapping[str, LabelSet],
    out: Path,
    *,
    seed: int,
    blind: bool,
) -> None:
    """Write transcripts, a file for the labels, a guide to them, and the key to the transcripts."""
    if (out / LABELS).exists():
        raise UserError(f"{out} contains labels already; choose another --out.")
    width = max(3, len(str(len(chosen))))
    names = {f"{place:0{width}}": one for place, one in enumerate(chosen, start=1)}
    (out / TRANSCRIPTS).mkdir(parents=True, exist_ok=True)
    for name, text in transcripts(folders, names, blind):
        (out / TRANSCRIPTS / f"{name}.txt").write_text(text, "utf-8")
    key = SampleKey(seed, blind, dict(sets), names)
    (out / KEY).write_bytes(msgspec.json.format(msgspec.json.encode(key), indent=1) + b"\n")
    (out / GUIDE).write_text(guide(sets, blind), "utf-8")
    with (out / LABELS).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["transcript", *sets, "comment"])
        writer.writerows([name, *[""] * len(sets), ""] for name in names)


def transcripts(
    folders: Sequence[Path], names: Mapping[str, Chosen], blind: bool
) -> Iterable[tuple[str, str]]:
    """Yield the transcripts, by name; records and journals are read once for each run."""
    by_run = defaultdict[str, dict[str, Chosen]](dict)
    for name, one in names.items():
        by_run[one.run][name] = one
    for run, folder in run_names(folders).items():
        own = by_run[run]
        wanted = {one.match for one in own.values()}
        found = {
            line.match: record_in(line) for line in lines(folder / RECORDS) if line.match in wanted
        }
        matches = {_match_name(record) for record in found.values()}
        journal = folder / JOURNAL
        calls = exchanges(journal, matches) if own and journal.exists() else {}
        for name, one in own.items():
            yield name, transcript_of(name, one, found[one.match], calls, blind)


def transcript_of(name: str, one: Chosen, record: Record, calls: Exchanges, blind: bool) -> str:
    """Return one transcript: what was asked, what was replied, and how it ended."""
    who = list(record.players)
    if blind:
        who = [BLIND_PLAYER if seat == one.seat else OPPONENT for seat in range(len(who))]
    head = [f"Transcript {name}: {one.spec}", f"To label: {who[one.seat]} (seat {one.seat})"]
    shown = replace(record, players=tuple(who))
    head += [f"Result: {result_line(shown)}", ""]
    if is_model(record.players[one.seat]):
        of_match = _match_name(record)
        sent = {seat: found for (match, seat), found in calls.items() if match == of_match}
        replies = [reply._replace(player=who[reply.seat]) for reply in spoken(record, sent)]
        text = conversation(record, replies)
        if one.seat not in sent:  # without a journal, what was sent is not known
            text = f"{transcript(shown, positions=True)}\n\n{text}"
    else:
        text = transcript(shown, positions=True)
    return _hidden("\n".join([*head, text]), record.players if blind else ()) + "\n"


def _hidden(text: str, players: Sequence[str]) -> str:
    """Return the text without the names of models."""
    for player in filter(is_model, players):
        path = player.partition(",")[0]
        for name in (player, path, path.partition("/")[2]):
            if len(name) >= SHORTEST:
                text = text.replace(name, "(name hidden)")
    return text


def _match_name(record: Record) -> str:
    return match_name(record.name, record.players, record.repeat)


def guide(sets: Mapping[str, LabelSet], blind: bool) -> str:
    """Return how to fill in the labels."""
    lines = [HOW, SECRET] if blind else [HOW]
    for name, one in sets.items():
        lines += ["", f"## `{name}`: {one.title}", "", "| label | meaning |", "|---|---|"]
        lines += [f"| `{label.name}` | {label.meaning} |" for label in one.labels]
        lines += [f"| `{NO_ERROR}` | {one.none} |"]
        lines += ["", f"Source: {one.source}."] if one.source else []
    return "\n".join(lines) + "\n"

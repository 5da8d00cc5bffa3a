"""Labels that people gave to transcripts, read back as tables."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import msgspec

from quandary.core.errors import UserError, unknown
from quandary.scoring.score_table import Cell, Ranged, ScoreTable, score_table
from quandary.statistics.intervals import pooled_estimate

from .label_sets import NO_ERROR, LabelSet
from .sampling import Chosen

KEY, LABELS = "key.json", "labels.csv"
EVERYBODY = "(all)"
FORMULA = (
    "Share of labelled transcripts with each label, and of those with an error, every transcript "
    "with the same weight; 95 % intervals over starts. The sample is balanced over players and "
    "puzzles, not drawn in proportion to their matches."
)


class SampleKey(msgspec.Struct, frozen=True):
    """What a sample consists of."""

    seed: int
    blind: bool
    sets: dict[str, LabelSet]
    transcripts: dict[str, Chosen]


class Labelled(NamedTuple):
    """One label of one transcript."""

    player: str
    start: str
    label: str


def label_tables(folders: Sequence[Path]) -> list[ScoreTable]:
    """Return one table for each set of labels: how often each player got each label."""
    labelled, sets, sizes = dict[str, list[Labelled]](), dict[str, LabelSet](), dict[str, int]()
    for folder in folders:
        key = key_of(folder)
        given = labels_in(folder, key)
        for name, one in key.sets.items():
            if sets.setdefault(name, one) != one:
                raise UserError(
                    f"the label set {name} of {folder} differs from that of another folder; name "
                    f"one folder at a time."
                )
            sizes[name] = sizes.get(name, 0) + len(key.transcripts)
            found = labelled.setdefault(name, [])
            for transcript, label in given[name].items():
                chosen = key.transcripts[transcript]
                found.append(Labelled(chosen.player, chosen.instance, label))
    return [_table(name, one, labelled[name], sizes[name]) for name, one in sets.items()]


def key_of(folder: Path) -> SampleKey:
    """Return the key of a sample."""
    try:
        return msgspec.json.decode((folder / KEY).read_bytes(), type=SampleKey)
    except OSError:
        raise UserError(
            f"{folder} is not the folder of a sample; give the --out of `quandary sample`."
        ) from None
    except msgspec.DecodeError as reason:
        raise UserError(
            f"{folder / KEY} is damaged ({reason}); run `quandary sample` again."
        ) from None


def labels_in(folder: Path, key: SampleKey) -> dict[str, dict[str, str]]:
    """Return the labels of a sample: set -> transcript -> label."""
    path = folder / LABELS
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeError) as reason:
        why = reason.strerror if isinstance(reason, OSError) else reason
        raise UserError(f"{path} cannot be read: {why}; save it as CSV in UTF-8.") from None
    first = text.partition("\n")[0]
    rows = csv.DictReader(StringIO(text), delimiter=";" if ";" in first else ",")
    for column in ("transcript", *key.sets):
        if column not in (rows.fieldnames or ()):
            raise UserError(f"{path} has no column {column}; keep its first line as it was.")
    found: dict[str, dict[str, str]] = {name: {} for name in key.sets}
    seen = set[str]()
    for row in rows:
        where = f"line {rows.line_num} of {path}"
        transcript = _known_transcript(row["transcript"] or "", key, where)
        if transcript in seen:
            raise UserError(f"{where}: the transcript {transcript} has two rows; delete one.")
        seen.add(transcript)
        for name, one in key.sets.items():
            if label := _known_label(row[name] or "", one, where):
                found[name][transcript] = label
    return found


def _known_transcript(text: str, key: SampleKey, where: str) -> str:
    """Programs for tables make 7 of 007."""
    width = len(next(iter(key.transcripts)))
    name = text.strip().zfill(width)
    if name not in key.transcripts:
        raise UserError(f"{where}: there is no transcript {text.strip()!r} in this sample.")
    return name


def _known_label(text: str, one: LabelSet, where: str) -> str:
    label = "_".join(text.lower().replace("-", " ").replace("_", " ").split())
    if label and label not in one.names:
        raise UserError(f"{where}: {unknown('label', text.strip(), one.names)}")
    return label


def _table(name: str, one: LabelSet, labelled: Sequence[Labelled], size: int) -> ScoreTable:
    players = sorted({each.player for each in labelled})
    rows = list[list[Cell]]()
    for player in [*([EVERYBODY] if len(players) > 1 else []), *players]:
        own = [each for each in labelled if player in (EVERYBODY, each.player)]
        rows += _rows(player, one, own)
    head = ["player", "label", "transcripts", "share of all", "share of errors"]
    notes = [f"{len(labelled)} of {size} transcripts are labelled."]
    if any(label.published is not None for label in one.labels):
        head.append("published")
        notes.append(f"published: share of errors in {one.source}.")
    else:
        rows = [row[:-1] for row in rows]
    return score_table(f"labels_{name}", one.title, FORMULA, head, rows, notes)


def _rows(player: str, one: LabelSet, own: Sequence[Labelled]) -> Iterator[list[Cell]]:
    errors = [each for each in own if each.label != NO_ERROR]
    published = {label.name: label.published for label in one.labels}
    for label in one.names:
        count = sum(each.label == label for each in own)
        of_errors = None if label == NO_ERROR else _share(label, errors)
        yield [player, label, count, _share(label, own), of_errors, published.get(label)]


def _share(label: str, of: Sequence[Labelled]) -> Ranged | None:
    if not of:
        return None
    found = pooled_estimate(
        [float(each.label == label) for each in of], [each.start for each in of]
    )
    return Ranged(found.mean, found.low, found.high)

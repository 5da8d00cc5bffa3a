"""Rewriting the files of a run without a person.

A record in which nobody else played goes; in those with another person, who may keep theirs, the
name alone goes.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from quandary.arena.headers import RecordKey, header_in, headers, is_header
from quandary.arena.jsonl import lock
from quandary.arena.manifest import PLAYERS
from quandary.arena.store import MANIFEST, RECORDS, manifest_of
from quandary.core.contract import Seat
from quandary.core.errors import UserError
from quandary.matches.codec import record_from_json, record_json
from quandary.players.people import DELETED, is_person
from quandary.results.run_folders import TABLES

SET_ASIDE = ".damaged.jsonl"  # of the file with lines of a run that cannot be read


class Gone(NamedTuple):
    """Whom to remove."""

    seats: Callable[[RecordKey], Collection[Seat]]  # of the person in a match
    is_own_name: Callable[[str], bool]  # in a manifest
    is_in: Callable[[bytes], bool]  # a damaged line


def forget(folder: Path, gone: Gone) -> dict[RecordKey, int]:
    """Rewrite a run without a person, and delete the tables that were made of it.

    Returns the new numbers of records that stay under another name, by what they were.
    """
    records, renumbered = folder / RECORDS, dict[RecordKey, int]()
    for path in (records, records.with_suffix(SET_ASIDE)):
        if path.exists() and _names(path, gone):
            renumbered |= _rewrite(path, gone)
    _rewrite_manifest(folder, gone)
    if (folder / TABLES).exists():
        shutil.rmtree(folder / TABLES)
    return renumbered


def _names(path: Path, gone: Gone) -> bool:
    """Return whether a file has anything of a person."""
    with path.open("rb") as file:
        return any(
            gone.seats(header_in(line).key) if is_header(line) else gone.is_in(line)
            for line in file
        )


def _rewrite(path: Path, gone: Gone) -> dict[RecordKey, int]:
    """Rewrite a file of records without a person."""
    taken = {each.key for _, each in headers(path) if not gone.seats(each.key)}
    renumbered = dict[RecordKey, int]()
    with path.open("rb") as file:
        if not lock(file, wait=False):
            raise UserError(f"another process writes to {path}.")
        _replace(path, _without(file, gone, taken, renumbered))
    return renumbered


def _without(
    file: Iterable[bytes], gone: Gone, taken: set[RecordKey], renumbered: dict[RecordKey, int]
) -> Iterator[bytes]:
    """Yield the lines that stay."""
    for line in file:
        if not is_header(line):
            yield b"" if gone.is_in(line) else line
            continue
        key = header_in(line).key
        seats = gone.seats(key)
        if not seats:
            yield line
            continue
        others = [name for at, name in enumerate(key.players) if at not in seats]
        if not any(is_person(name) and name != DELETED for name in others):
            continue
        players = tuple(DELETED if at in seats else name for at, name in enumerate(key.players))
        repeat = key.repeat
        while RecordKey(key.name, players, repeat) in taken:
            repeat += 1
        try:
            record = replace(record_from_json(line), players=players, repeat=repeat)
        except Exception:  # however it is damaged, nobody can read it
            continue
        taken.add(RecordKey(key.name, players, repeat))
        renumbered[key] = repeat
        yield record_json(record).encode() + b"\n"


def _rewrite_manifest(folder: Path, gone: Gone) -> None:
    manifest = manifest_of(folder)
    if not manifest:
        return
    path, there, last = folder / RECORDS, set[str](), 0
    for _, header in headers(path) if path.exists() else ():
        there.update(header.players)
        last = max(last, header.repeat)
    names = [
        name for name in manifest.get(PLAYERS, []) if name in there or not gone.is_own_name(name)
    ]
    manifest[PLAYERS] = list(dict.fromkeys([*names, *({DELETED} & there)]))
    suite = manifest.get("suite", {})
    if suite.get("repeats", 1) <= last:
        suite["repeats"] = last + 1
    text = json.dumps(manifest, indent=1, ensure_ascii=False)
    _replace(folder / MANIFEST, [f"{text}\n".encode()])


def _replace(path: Path, lines: Iterable[bytes]) -> None:
    """Write a file anew, all or nothing: it is as it was if that is not possible."""
    draft = path.with_suffix(".draft")
    try:
        with draft.open("wb") as kept:
            kept.writelines(lines)
            kept.flush()
            os.fsync(kept.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)  # it may name the person

"""The runs of the site: their lists of matches, and single matches move by move.

Records are found by their offsets, so that a run may grow while it is looked at.
"""

from __future__ import annotations

import asyncio
from array import array
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from quandary.arena.jsonl import is_complete
from quandary.arena.manifest import PLAYERS
from quandary.arena.store import RECORDS, manifest_of
from quandary.catalogue.spec import Spec
from quandary.core.errors import UserError, choices
from quandary.report.viewer.side_files import OF_FILE, key_of, list_script, transcript_script

from . import tasks
from .guard import Refused
from .kept_runs import FOLDER, STUDY
from .shown import shown_name
from .workers import Failed, TooSlow, Workers

KEPT = 500  # transcripts, and as many judged matches
AT_ONCE = 5_000  # matches that are listed by one task
MOST_LISTED = 200_000  # matches of a run that its list has
JUDGING = 30.0  # seconds that the moves of one match may take
NOT_SHOWN = "Its instance is part of the study on this site, and it could tell the solution."
BLOCK = 1 << 22  # bytes that are read at once


class Offsets:
    """Where the records of a growing file begin."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.begins, self.end = array("q"), 0

    def update(self) -> None:
        """Find the lines that were added; an incomplete last line waits until it is whole."""
        if not self.path.exists():
            return
        if self.path.stat().st_size < self.end:  # it was written anew
            self.begins, self.end = array("q"), 0
        with self.path.open("rb") as file:
            file.seek(self.end)
            for line in file:
                if not line.endswith(b"\n") and not is_complete(line):
                    break
                if line.strip():
                    self.begins.append(self.end)
                self.end += len(line)


class Runs:
    """Runs by their names on the site."""

    def __init__(
        self,
        named: Sequence[Path],
        data: Path | None,
        workers: Workers,
        studied: Collection[Spec] = (),
    ) -> None:
        """`studied`: the instances of a study, whose solutions matches would show."""
        self.workers, self.data, self.studied = workers, data, studied
        self.named = _apart(named)
        self._offsets = dict[str, Offsets]()
        self._lists = dict[str, _List]()
        self._transcripts: OrderedDict[tuple[str, int, int], dict[str, Any]] = OrderedDict()
        self._costs: OrderedDict[tuple[str, int, int], list[Any]] = OrderedDict()

    def folders(self) -> dict[str, Path]:
        """Those that were named at the start, and those of the matches of the site."""
        found = dict(self.named)
        own = self.data / FOLDER if self.data else None
        if own and own.is_dir():
            for path in sorted(own.iterdir()):
                # A study is not to be read while others take part in it.
                if (path / RECORDS).exists() and not path.name.startswith(STUDY):
                    found.setdefault(path.name, path)
        return found

    def folder(self, name: str) -> Path:
        folders = self.folders()
        if name not in folders:
            near = get_close_matches(name, folders, n=3, cutoff=0.5)
            also = f" Did you mean {choices(near)}?" if near else " /runs/ lists all runs."
            raise Refused(404, f"There is no run {name!r} here.{also}")
        return folders[name]

    def rows(self) -> list[dict[str, Any]]:
        """Return what the list of runs shows."""
        rows = []
        for name, folder in self.folders().items():
            try:
                manifest = manifest_of(folder) or {}
                matches = len(self._begins(name))
            except (UserError, OSError) as reason:
                title = self._public_reason(folder, reason)
                rows.append({"name": name, "title": title, "matches": 0, "players": []})
                continue
            players = list(map(shown_name, manifest.get(PLAYERS, [])))
            more = [f"and {len(players) - 6} more"] if len(players) > 6 else []
            rows.append(
                {
                    "name": name,
                    "title": manifest.get("suite", {}).get("title", ""),
                    "matches": matches,
                    "players": [*players[:6], *more],
                }
            )
        return rows

    def clear(self) -> None:
        """Forget what was read: a run was written anew."""
        self._offsets.clear()
        self._lists.clear()
        # What is being read goes into the old ones.
        self._transcripts, self._costs = OrderedDict(), OrderedDict()

    def size(self, name: str) -> int:
        """Bytes of the records, which tell whether a run has grown."""
        path = self.folder(name) / RECORDS
        return path.stat().st_size if path.exists() else 0

    def _begins(self, name: str) -> array[int]:
        folder = self.folder(name)
        offsets = self._offsets.setdefault(name, Offsets(folder / RECORDS))
        offsets.update()
        return offsets.begins

    async def list(self, name: str) -> str:
        """Return the list of all matches of a run, as a script."""
        folder = self.folder(name)
        known = self._lists.setdefault(name, _List())
        async with known.lock:
            size = self.size(name)
            if size < known.begin:
                known.clear()
            while known.begin < size and len(known.matches) < MOST_LISTED:
                found, begin, match = await self._run(
                    tasks.listed, folder, known.begin, known.match, AT_ONCE
                )
                if begin == known.begin:
                    break  # the last line is not complete
                known.begin, known.match = begin, match
                known.matches += found
        every = [each for each in known.matches if not self._is_studied(each.listed.spec)]
        matches = [each.listed for each in every]
        runs = [folder.name]
        summaries = {key_of(runs, folder.name, each.listed.match): each.summary for each in every}
        return list_script(matches, summaries, runs)

    async def file(self, name: str, number: int) -> str:
        """Return the transcripts of neighbours, as the page of a report loads them."""
        begins = self._begins(name)
        first = max(1, number * OF_FILE)
        wanted = [
            (match, begins[match - 1])
            for match in range(first, min((number + 1) * OF_FILE, len(begins) + 1))
        ]
        if not wanted:
            raise Refused(404, f"The run {name} has no match {first}.")
        found: dict[int, dict[str, Any]] = await self._run(
            tasks.transcripts, self.folder(name), wanted
        )
        for match, shown in found.items():
            if self._is_studied(shown["name"]):
                found[match] = tasks.not_shown(match, "it is not shown", NOT_SHOWN)
        return transcript_script(
            f"1-{number}", {f"1-{match}": shown for match, shown in found.items()}
        )

    def _is_studied(self, name: str) -> bool:
        """Return whether a match, or a question about its positions, is part of a study."""
        try:
            return Spec.parse(name).base in self.studied
        except UserError:  # a record that cannot be read
            return False

    async def transcript(self, name: str, match: int) -> Mapping[str, Any]:
        """Return one match, move by move; Refused if it is part of a study."""
        key, kept = (name, *self._place(name, match)), self._transcripts
        if key not in kept:
            found = await self._run(tasks.transcripts, self.folder(name), [(match, key[2])])
            _put(kept, key, found[match])
        if self._is_studied(kept[key]["name"]):
            raise Refused(403, f"Match {match} of {name} is not shown now. {NOT_SHOWN}")
        return kept[key]

    async def costs(self, name: str, match: int) -> Sequence[Any]:
        """Worth and regret of each move of a match; none where it takes too long."""
        if self.studied:
            await self.transcript(name, match)
        key, kept = (name, *self._place(name, match)), self._costs
        if key not in kept:
            try:
                found = await self.workers.run(
                    tasks.match_costs, self.folder(name), match, key[2], seconds=JUDGING
                )
            except (TooSlow, Failed, UserError):
                found = []
            _put(kept, key, found)
        return kept[key]

    def _place(self, name: str, match: int) -> tuple[int, int]:
        """Return a match with its offset."""
        begins = self._begins(name)
        if not 1 <= match <= len(begins):
            has = f"it has matches 1 to {len(begins)}" if begins else "it has no match yet"
            raise Refused(404, f"The run {name} has no match {match}; {has}.")
        return match, begins[match - 1]

    def _public_reason(self, folder: Path, reason: Exception) -> str:
        """Return a reason without the place of the folder, which is not for visitors."""
        words = reason.strerror if isinstance(reason, OSError) else str(reason)
        return (words or "it cannot be read").replace(str(folder), folder.name)

    async def _run(self, task: Any, *arguments: Any) -> Any:
        try:
            return await self.workers.run(task, *arguments)
        except UserError as reason:
            raise Refused(422, self._public_reason(arguments[0], reason)) from None
        except (TooSlow, Failed) as reason:
            raise Refused(503, f"This cannot be shown now: {reason}.", retry_after=5) from None


class _List:
    """The matches of a run that are listed so far."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.clear()

    def clear(self) -> None:
        self.matches = list[tasks.ListedMatch]()
        self.begin, self.match = 0, 1


def _put(kept: OrderedDict[Any, Any], key: Any, value: Any) -> None:
    kept[key] = value
    while len(kept) > KEPT:
        kept.popitem(last=False)


def _apart(folders: Sequence[Path]) -> dict[str, Path]:
    """Folders by their names, numbered where two have the same."""
    found = dict[str, Path]()
    for folder in folders:
        name, number = folder.resolve().name or "run", 2
        while name in found:
            name, number = f"{folder.resolve().name}-{number}", number + 1
        found[name] = folder
    return found

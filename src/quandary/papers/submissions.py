"""Replies to published problems, in the form in which a benchmark takes submissions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, Protocol, cast

from quandary.arena.manifest import IMPORTED, IN_PUBLISHED_WORDING, PLAYERS
from quandary.arena.store import RECORDS, manifest_of
from quandary.catalogue import papers
from quandary.core.errors import UserError, choices, unknown
from quandary.matches.record import NO_REPLY, NO_RESULT
from quandary.results.lines import lines, played_in

from .imports import write_lines


class SubmissionForm(Protocol):
    """What the module of a paper has that `Paper.submission` names."""

    def sessions(self, run: Path) -> Mapping[str, Sequence[str]]:
        """Return all published problems in their order, by the file of the replies to them; from
        what a run keeps of its import.
        """

    def line(self, session: str, reply: str) -> dict[str, str]:
        """Return what a file says of a problem."""


class ReplyFile(NamedTuple):
    """A file of a submission."""

    name: str
    lines: list[str]
    missing: list[list[str]]  # problems without a reply; neighbours are together

    @property
    def problems(self) -> int:
        return len(self.lines) + sum(map(len, self.missing))


class Submission(NamedTuple):
    """The replies of one player."""

    files: list[ReplyFile]
    is_to_published_prompts: bool  # and not to ours

    def write(self, out: Path) -> dict[Path, int]:
        """Write the files to a folder, and return the number of replies in each."""
        for file in self.files:
            write_lines(out / file.name, file.lines)
        return {out / file.name: len(file.lines) for file in self.files}

    def missing(self) -> str:
        """Return how many replies are missing, and to which problems; "" if none is."""
        groups = [group for file in self.files for group in file.missing]
        count, problems = sum(map(len, groups)), sum(file.problems for file in self.files)
        if not count:
            return ""
        named = (
            f"{group[0]} to {group[-1]}" if group[2:] else ", ".join(group) for group in groups
        )
        are = "is" if count == 1 else "are"
        return f"{count:,} of {problems:,} replies {are} missing: {', '.join(named)}."


def submission(run: Path, player: str | None = None) -> Submission:
    """Return the replies of a player in a run of published problems; of the only one without a
    name.
    """
    manifest = manifest_of(run) or {}
    imported = str(manifest.get(IMPORTED, ""))
    form = _form(run, imported.partition(" ")[0])
    replies = _replies(run, _player(run, manifest.get(PLAYERS, ()), player))
    files = [_file(form, name, every, replies) for name, every in form.sessions(run).items()]
    return Submission(files, imported.endswith(IN_PUBLISHED_WORDING))


def _form(run: Path, paper: str) -> SubmissionForm:
    known = {each.name: each.submission for each in papers.papers() if each.submission}
    if paper not in known:
        raise UserError(
            f"{run} is not a run of published problems with a submission format; those of "
            f"{choices(list(known))} are played with quandary run --problems."
        )
    return cast(SubmissionForm, import_module(known[paper]))


def _player(run: Path, players: Sequence[str], chosen: str | None) -> str:
    if chosen is None and len(players) != 1:
        raise UserError(
            f"{run} has {len(players)} players, and a submission has the replies of one; choose "
            f"with --player: {choices(players)}."
        )
    if chosen is not None and chosen not in players:
        raise unknown("player", chosen, players, of=str(run))
    return chosen or players[0]


def _replies(run: Path, player: str) -> dict[str, str]:
    """Return the last reply to each problem as it was received, by session."""
    found = dict[str, str]()
    for line in lines(run / RECORDS):
        played = played_in(line)
        if played.players != (player,) or played.cause in NO_RESULT:
            continue
        replies = [reply.words for reply in played.said if reply.status not in NO_REPLY]
        if replies:
            found.setdefault(played.name.rpartition(" ")[2], replies[-1])
    return found


def _file(
    form: SubmissionForm, name: str, every: Iterable[str], replies: Mapping[str, str]
) -> ReplyFile:
    found, missing, before = list[str](), list[list[str]](), True
    for session in every:
        has_reply = session in replies
        if has_reply:
            line = form.line(session, replies[session])
            found.append(json.dumps(line, ensure_ascii=False))
        elif before:
            missing.append([session])
        else:
            missing[-1].append(session)
        before = has_reply
    return ReplyFile(name, found, missing)

"""Replies as the server of LogicGame takes them: a file per language, in the published order."""

from __future__ import annotations

from pathlib import Path

import msgspec

from quandary.core.errors import UserError
from quandary.papers.imports import PROBLEMS, read_lines

from .items import LANGUAGES, number_of


class Published(msgspec.Struct):
    """What is needed of a problem."""

    session: str  # its qid
    language: str


def sessions(run: Path) -> dict[str, list[str]]:
    """Return the qids of all items, by file; the published files are in the order of their
    numbers.
    """
    if not (run / PROBLEMS).exists():
        raise UserError(
            f"{run} has no {PROBLEMS}, which says what was published; repeat the command that "
            f"played the run, or copy the file from the import."
        )
    found = [problem for _, problem in read_lines(run / PROBLEMS, Published)]
    return {
        f"{language}.jsonl": sorted(
            (problem.session for problem in found if problem.language == language), key=number_of
        )
        for language in LANGUAGES
    }


def line(session: str, reply: str) -> dict[str, str]:
    return {"qid": session, "response": reply}

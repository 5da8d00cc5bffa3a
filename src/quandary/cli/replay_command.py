"""`quandary replay`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quandary.core.contract import Language
from quandary.core.errors import OtherVersion, UserError, unknown_language
from quandary.core.translations import LANGUAGES, LIST_SEPARATORS
from quandary.core.words import say_in
from quandary.core.wrapper import version_of
from quandary.matches.origin import check_origin, is_earlier
from quandary.matches.record import Record, ReplayMismatch, replay
from quandary.tasks.published_wording import published_prompt

from .output import json_line

if TYPE_CHECKING:
    from quandary.arena.exchanges import Exchange, Exchanges
    from quandary.report.conversations import Spoken

MOST_LISTED = 20  # matches that are all listed, whether they replay or not


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file",
        type=Path,
        metavar="FILE",
        help="records as written by match --out or run --out (FILE may be a run's folder)",
    )
    parser.add_argument(
        "--match", type=int, metavar="N", help="show match N move by move, counted from 1"
    )
    parser.add_argument(
        "--all",
        action="store_true",
        help=f"list every match; of more than {MOST_LISTED}, only those are listed otherwise that "
        f"do not replay to their recorded scores",
    )
    parser.add_argument(
        "--judge",
        action="store_true",
        help="also show how good each move was, where that can be worked out",
    )
    parser.add_argument(
        "--transcript",
        action="store_true",
        help="also show what each player was sent, thought and replied, how the reply was read, "
        "why it was not accepted, and whether an answer is right (what was sent is known only "
        "for runs, from their journals)",
    )
    parser.add_argument(
        "--language",
        default="en",
        metavar="L",
        help=f"the language of positions and results: {LANGUAGES}",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object per match")


def run(options: Namespace) -> int:
    from quandary.arena.store import RECORDS
    from quandary.matches.regret import regrets
    from quandary.report.conversations import conversation, spoken
    from quandary.report.transcript import heading

    path = options.file / RECORDS if options.file.is_dir() else options.file
    chosen = chosen_of(path, options.match)
    for record in chosen:
        is_published = published_prompt(record.start)  # and has no other words than its prompt
        spoken_here = LIST_SEPARATORS if is_published else record.start.languages
        if options.language not in spoken_here:
            raise unknown_language(options.language, spoken_here, of=record.name)
    say, failed = say_in(__name__, options.language), 0
    sent = calls_of(path.parent, chosen) if options.transcript else {}
    asked_for = options.all or options.judge or options.transcript
    lists_all = asked_for or len(chosen) <= MOST_LISTED
    for record in chosen:
        story, reason = follow(
            record, len(chosen) == 1 or options.judge, options.judge, options.language
        )
        received = options.transcript and not reason
        languages = (options.language,) * len(record.players)
        replies = list(spoken(record, _own(sent, record), languages)) if received else []
        if replies:
            text = conversation(record, replies, options.language)
            story = f"{heading(record, options.language)}\n\n{text}\n"
        failed += bool(reason)
        if options.json:
            kept = ("name", "players", "scores", "values", "cause", "offender")
            shown: dict[str, Any] = {key: getattr(record, key) for key in kept} | {
                "moves": len(record.log)
            }
            if options.judge and not reason:
                shown["judged"] = [found and found._asdict() for found in regrets(record)]
            if options.transcript:
                shown["words"] = [_plain(reply) for reply in replies]
            json_line(shown | {"faithful": not reason} | ({"reason": reason} if reason else {}))
        else:
            unfaithful = say("{name}: does not replay: {why}.", name=record.name, why=reason)
            if reason or lists_all:
                print(unfaithful if reason else story)
    if not options.json:
        print(
            say(
                "{right} of {count} {count:match replays to its|matches replay to their} recorded "
                "scores.",
                right=len(chosen) - failed,
                count=len(chosen),
            )
        )
        if not lists_all and failed < len(chosen):
            print(say("--all lists them, and --match N shows one move by move."))
        if earlier := sum(map(is_earlier, chosen)):
            print(
                say(
                    "{count} {count:match|matches} of earlier versions of the puzzles start from "
                    "their stored positions: now the same names may stand for other instances, and "
                    "answers may be judged otherwise.",
                    count=earlier,
                )
            )
    return 1 if failed else 0


def chosen_of(path: Path, match: int | None) -> list[Record]:
    """Return one record by its number in the file, or all that this quandary reads."""
    from quandary.arena.store import read, read_all

    if match is None:
        if records := list(read(path, whole=True)):
            return records
        raise UserError(f"{path} contains no record that can be read.")
    found = list(read_all(path, whole=True))
    if not 1 <= match <= len(found):
        raise UserError(f"{path} contains matches 1 to {len(found)}, but no match {match}.")
    record = found[match - 1]
    if isinstance(record, OtherVersion):
        raise UserError(f"match {match} of {path}: {record}")
    return [record]


def calls_of(folder: Path, records: list[Record]) -> Exchanges:
    """Return the calls of these matches, if there is a journal beside their records."""
    from quandary.arena.exchanges import exchanges
    from quandary.arena.journal import JOURNAL

    path = folder / JOURNAL
    return exchanges(path, {_name(record) for record in records}) if path.exists() else {}


def _own(calls: Exchanges, record: Record) -> dict[int, list[Exchange]]:
    return {seat: found for (match, seat), found in calls.items() if match == _name(record)}


def _name(record: Record) -> str:
    from quandary.arena.job import match_name

    return match_name(record.name, record.players, record.repeat)


def _plain(reply: Spoken) -> dict[str, Any]:
    calls = [
        call._asdict() | {"sent": [message._asdict() for message in call.sent]}
        for call in reply.calls
    ]
    checked = reply.checked and reply.checked._asdict()
    return reply._asdict() | {"calls": calls, "checked": checked}


def follow(
    record: Record, at_length: bool, judge: bool = False, language: Language = "en"
) -> tuple[str, str]:
    """Return a match as text, and "" or why it does not replay."""
    from quandary.report.transcript import match_line, transcript

    try:
        positions = replay(record)
        check_origin(record)
        if not at_length:
            return match_line(record, language), ""
        shows_all = len(positions) <= 200
        return transcript(record, positions=shows_all, judge=judge, language=language), ""
    except ReplayMismatch as reason:
        return "", f"{reason}{_other_version(record)}"
    except Exception as reason:  # a forged position may break a puzzle anywhere
        return "", f"the puzzle raised {type(reason).__name__}: {reason}"


def _other_version(record: Record) -> str:
    if not is_earlier(record):
        return ""
    return (
        f"; it was recorded with version {record.version}, and this quandary has version "
        f"{version_of(record.start)}"
    )

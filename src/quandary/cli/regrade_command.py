"""`quandary regrade`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from quandary.core.control_characters import visible
from quandary.core.errors import UserError
from quandary.matches.record import Record
from quandary.report.tables import counted, table
from quandary.scoring.regrade import ChangedVerdict, Regraded
from quandary.scoring.score_table import level_place

from .output import json_line
from .progress import Progress
from .solve_rates_output import show_solve_rates

if TYPE_CHECKING:
    from quandary.results.level_scores import LevelScore
    from quandary.scoring.reread import Again

Cause = Callable[[ChangedVerdict], str]


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("run", type=Path, metavar="RUN", help="the folder of a run or of an import")
    parser.add_argument(
        "--grading",
        choices=["strict", "published"],
        default="strict",
        help="strict: by the rules of quandary; published: as the published graders did",
    )
    parser.add_argument(
        "--read-again",
        action="store_true",
        help="read the replies of models again, from the run's journal; without it, the recorded "
        "readings count",
    )
    parser.add_argument(
        "--changes", action="store_true", help="list every verdict that changed, with its answer"
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="print one JSON object per line: rates, changed verdicts and, for replies of models, "
        "the versions of the reader",
    )


def run(options: Namespace) -> int:
    from quandary.arena.journal import JOURNAL
    from quandary.arena.store import averages_of

    if options.read_again:
        check_read_again(options.run, options.grading)
    if (options.run / JOURNAL).exists() and options.grading == "strict":
        return reread_run(options)
    from quandary.papers.regrading import graded

    found, cause = graded(options.run, options.grading)
    show_solve_rates(found.rates(), averages_of(options.run), options.json)
    if options.json:
        show_changes_as_json(found, cause)
    else:
        show_changes(found, cause, options.grading, options.changes)
    return 0


def check_read_again(folder: Path, grading: str) -> None:
    """UserError if no reply can be read again."""
    from quandary.arena.headers import headers
    from quandary.arena.journal import JOURNAL
    from quandary.arena.store import RECORDS
    from quandary.papers.imports import paper_of
    from quandary.players.model_names import is_model

    if grading != "strict":
        raise UserError("--read-again is for --grading strict; leave out one of the two.")
    if (folder / JOURNAL).exists():
        return
    if paper_of(folder):
        raise UserError(
            f"{folder} is an import, which has no journal to read replies from; leave out "
            "--read-again."
        )
    if not (folder / RECORDS).exists():
        raise UserError(f"{folder} is not the folder of a run; give the --out of `quandary run`.")
    if any(is_model(name) for _, header in headers(folder / RECORDS) for name in header.players):
        raise UserError(
            f"{folder / JOURNAL}, from which replies are read again, is missing; restore it from a "
            "copy, or leave out --read-again to grade the recorded answers again."
        )
    raise UserError(
        f"no language model played in {folder}, so there are no replies to read again; leave out "
        "--read-again."
    )


def reread_run(options: Namespace) -> int:
    """Return a run of models: every match judged again, and on request every reply read again."""
    from quandary.arena.store import averages_of
    from quandary.results.level_scores import level_means
    from quandary.scoring.reread import reread
    from quandary.scoring.solve_rates import results_of, solve_rates

    with Progress("matches judged again") as tell:
        again = list(reread(options.run, tell, read_again=options.read_again))
    known = [match for match in again if match.now is not None]
    was = level_means(match.was for match in known)
    now = level_means(match.now for match in known if match.now is not None)
    changed = [match for match in again if match.changed]
    lacking = [match for match in again if match.lacks_reply]
    rates = solve_rates(results_of(match.now for match in known if match.now is not None))
    averages, readers = averages_of(options.run), readers_of(known)
    if options.json:
        for before, after in zip(was, now, strict=True):
            shown = {key: getattr(before, key) for key in ("puzzle", "level", "player", "matches")}
            json_line({**shown, "was": before.score, "now": after.score})
        show_solve_rates(rates, averages, as_json=True)
        for match in changed:
            json_line(
                {
                    "match": match.was.name,
                    "players": match.was.players,
                    "repeat": match.was.repeat,
                    "was": _outcome(match.was),
                    "now": _outcome(match.now),
                }
            )
        for match in lacking:
            named = {"match": match.was.name, "players": match.was.players}
            json_line({**named, "repeat": match.was.repeat, "reply_missing": True})
        for reader, replies in readers.items():
            json_line({"reader": reader, "replies": replies, "read_again": options.read_again})
        return 0
    if rows := changed_scores(was, now):
        print(table(("puzzle", "level", "player", "matches", "score was", "is now"), rows))
    else:
        print("No score has changed.")
    if rates:
        print("\nPercent of n questions now solved within so many turns:\n")
        show_solve_rates(rates, averages, as_json=False)
    judged = counted(len(again) - len(lacking), "match", "matches")
    how = "read again from the journal" if options.read_again else "judged again"
    print(f"\n{judged} {how}; {len(changed)} judged differently.")
    for reader, replies in readers.items():
        print(reader_sentence(reader, replies))
    if lost := sum(match.now is None for match in changed):
        print(
            f"{lost} of these would have continued differently, and there are no replies for that; "
            "they are left out of the table."
        )
    if lacking:
        print(
            f"{counted(len(lacking), 'match', 'matches')} not judged, because the journal lacks "
            f"replies that were given (damaged lines are moved to journal.damaged.jsonl)."
        )
    for match in changed if options.changes else ():
        print(
            f"\n{match.was.name}, {' against '.join(match.was.players)}: {_outcome(match.was)}, "
            f"now {_outcome(match.now)}"
        )
    return 0


def changed_scores(
    was: Iterable[LevelScore], now: Iterable[LevelScore]
) -> list[tuple[object, ...]]:
    """Return a row for each score that is another one now; levels are in the order of their
    puzzle.
    """
    pairs = [(one, two) for one, two in zip(was, now, strict=True) if one.score != two.score]
    pairs.sort(
        key=lambda pair: (
            pair[0].puzzle,
            level_place(pair[0].puzzle, pair[0].level),
            pair[0].player,
        )
    )
    return [
        (one.puzzle, one.level, one.player, one.matches, _score(one.score), _score(two.score))
        for one, two in pairs
    ]


def readers_of(matches: Iterable[Again]) -> dict[int, int]:
    """Return how many replies count as which version of the reader read them."""
    found = Counter(
        reply.readings.reader
        for match in matches
        for reply in (match.now.said if match.now else ())
        if reply.readings
    )
    return dict(sorted(found.items()))


def reader_sentence(reader: int, replies: int) -> str:
    from quandary.players.reading.version import READER

    count = counted(replies, "reply", "replies")
    sentence = f"{count}, read with reader version {reader}"
    if reader == READER:
        return f"{sentence}."
    return f"{sentence}; --read-again reads them with version {READER}."


def _outcome(record: Record | None) -> str:
    if record is None:
        return "unknown"
    scores = (
        "no scores"
        if record.scores is None
        else "scores " + ", ".join(f"{score:g}" for score in record.scores)
    )
    return f"{scores} by {record.cause}"


def _score(score: float | None) -> str:
    return "-" if score is None else f"{score:.3f}"


def show_changes(found: Regraded, cause: Cause, grading: str, every_change: bool) -> None:
    print(
        f"\nPercent of n questions solved within so many turns; "
        f"{counted(found.answers, 'answer')}, {grading} grading."
    )
    number = counted(len(found.changes), "verdict differs", "verdicts differ")
    print(f"{number} from what is on record.")
    kinds = Counter(
        (change.puzzle, verdict_word(change.was), verdict_word(change.now), cause(change))
        for change in found.changes
    )
    if kinds:
        rows = [(*key, count) for key, count in sorted(kinds.items())]
        print("\n" + table(("puzzle", "was", "is", "because", "answers"), rows))
    for change in found.changes if every_change else ():
        print(
            f"\n{change.player}, {change.name}, turn {change.turn}: "
            f"{verdict_word(change.was)}, now {verdict_word(change.now)}: {cause(change)}"
        )
        print(visible(change.answer))


def show_changes_as_json(found: Regraded, cause: Cause) -> None:
    for change in found.changes:
        json_line(change._asdict() | {"cause": cause(change)})


def verdict_word(right: bool | None) -> str:
    if right is None:
        return "undetermined"
    return "right" if right else "wrong"

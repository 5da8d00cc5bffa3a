"""What workers compute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from quandary.arena.journal import JOURNAL
from quandary.arena.store import RECORDS
from quandary.catalogue import drawing, registry
from quandary.catalogue.spec import TASKS, Spec
from quandary.core.contract import Game, Move, Question, Seat
from quandary.core.errors import UserError
from quandary.matches.player import Reply, Turn
from quandary.matches.record import Record
from quandary.matches.regret import Judged, judged, regrets
from quandary.players import advice
from quandary.players.strategy import strategy_player
from quandary.report.viewer.chosen import Listed
from quandary.report.viewer.side_files import RunTranscripts
from quandary.report.viewer.transcripts import MatchSummary, summary_of_played, transcript
from quandary.results.lines import RecordLine, line_at, lines, played_in, record_in
from quandary.results.run_context import RunContext, context_of

from .shown import for_visitors, shown_name


def instance(spec: Spec, tries: int, language: str) -> Game:
    """Return the first position of a match."""
    return drawing.game(spec, tries=tries, language=language)


def reply(player: str, level: str, turn: Turn, luck: str) -> Reply:
    """Return what a strategy replies."""
    strategy = strategy_player(player, turn.position, level)
    sitting = strategy.take_seat(turn.seat, luck)
    return sitting.answer(turn)  # type: ignore[union-attr]


def hint(turn: Turn) -> str | None:
    """Return what the strongest player would do, or how its answer begins."""
    move = advice.hint(turn)
    if move is None:
        return None
    return advice.beginning(move) if turn.options is None else move


def cost(position: Game, seat: Seat, move: Move) -> Judged | None:
    """Return how good a move was, if that is known."""
    return judged(position, seat, move)


def costs(record: Record) -> list[Judged | None]:
    """Return how good each move of a match was, where that is known."""
    return regrets(record)


def whole(record: Record, language: str) -> dict[str, Any]:
    """Return a match as the report shows it, for those who may see all of it."""
    shown = for_visitors(transcript(record, {}, {}, [language] * len(record.players), language))
    if record.cause != "unfinished":
        return shown
    for secret in ("solution", "label"):
        shown.pop(secret, None)
    return shown | {"result": "under way"}


def thumbnail(spec: str, width: int) -> str:
    """Return a picture of the first position of an instance, as SVG."""
    from quandary.matches.match import Match
    from quandary.render.svg import picture, svg

    turns: Mapping[Seat, Turn] = Match(drawing.game(spec), spec).pending()
    turn = turns[min(turns)]
    return svg(picture(turn.position, turn.seat), width)


def described() -> list[dict[str, Any]]:
    """Return all puzzles."""
    from quandary.api.listing import list_puzzles

    rows = list_puzzles()
    for row in rows:
        if "error" not in row:
            row["tasks"] = _tasks_on(row["name"]) if row["seats"] == 1 else {}
    return rows


def _tasks_on(name: str) -> dict[str, str]:
    """Return the tasks about positions of a puzzle, in words."""
    puzzle = registry.load(name)
    if issubclass(puzzle, Question):
        return {}
    game = drawing.game(f"{name}/{next(iter(puzzle.levels))}#1")
    return {
        task: words
        for task, words in TASKS.items()
        if not registry.WRAPPERS[task].refusal(game)  # type: ignore[attr-defined]
    }


class ListedMatch(NamedTuple):
    """A match of a run as its list shows it."""

    listed: Listed
    summary: MatchSummary


def listed(run: Path, begin: int, match: int, most: int) -> tuple[list[ListedMatch], int, int]:
    """Up to `most` matches of a run from an offset on; where the next line begins, its number."""
    context, found = context_of(run), list[ListedMatch]()
    for line in islice(lines(run / RECORDS, begin, match), most):
        begin, match = line.end, line.match + 1
        try:
            found.append(_listed(run, line, context))
        except UserError:
            continue  # a damaged record affects no other
    return found, begin, match


def _listed(run: Path, line: RecordLine, context: RunContext) -> ListedMatch:
    played = played_in(line)
    named = replace(played, players=tuple(map(shown_name, played.players)))
    spec = Spec.parse(played.name)
    puzzle, level = drawing.puzzle_and_level(spec)
    is_question = bool(spec.task) or issubclass(registry.load(spec.name), Question)
    shown = Listed(
        run.name,
        line.match,
        played.name,
        puzzle,
        level,
        named.players,
        tuple(played.scores or (None,) * len(played.players)),
        played.cause,
        context.name,
        tuple(dict.fromkeys(context.languages_of(played.name, played.players))),
    )
    return ListedMatch(shown, summary_of_played(named, is_question))


_transcripts = dict[tuple[Path, int], RunTranscripts]()


def transcripts(run: Path, wanted: Sequence[tuple[int, int]]) -> dict[int, dict[str, Any]]:
    """Return the transcripts of some matches of a run, given by number and offset, by number."""
    journal = run / JOURNAL
    key = run, journal.stat().st_size if journal.exists() else 0
    if key not in _transcripts:
        _transcripts.clear()  # of one run at a time: an index of a journal is large
        _transcripts[key] = RunTranscripts(run)
    found = dict[int, dict[str, Any]]()
    for match, begin in wanted:
        try:
            whole = _transcripts[key].of(line_at(run / RECORDS, match, begin))
            found[match] = for_visitors(whole)
        except UserError as reason:
            words = str(reason).replace(str(run), run.name)
            found[match] = not_shown(match, "it cannot be read", words)
    return found


def not_shown(match: int, result: str, reason: str) -> dict[str, Any]:
    """Return what is shown instead of a match that cannot or must not be shown."""
    return {
        "name": f"match {match}",
        "players": ["?"],
        "models": [False],
        "languages": ["en"],
        "scores": None,
        "result": result,
        "question": False,
        "judged": [],
        "left_out": 0,
        "problem": reason,
        "steps": [],
        "frames": [],
        "pieces": [],
    }


def match_costs(run: Path, match: int, begin: int) -> list[Judged | None]:
    """Return how good each move of a match of a run was, where that is known."""
    return costs(record_in(line_at(run / RECORDS, match, begin)))

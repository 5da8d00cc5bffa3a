"""Runs as logs of Inspect AI, which its viewer opens: one log per run and player."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict

from quandary.arena.exchanges import Exchange, Exchanges, exchanges
from quandary.arena.job import match_name
from quandary.arena.journal import JOURNAL
from quandary.arena.store import RECORDS, records
from quandary.core.contract import CHANCE
from quandary.core.errors import UserError
from quandary.matches.record import Record
from quandary.matches.verdicts import checked, in_words, right_answer
from quandary.tasks.published_wording import published_prompt
from quandary.version import VERSION

from .level_scores import WEIGHTS, headlines, level_means
from .lines import RecordLine, header_of, lines, record_in
from .rows import SeatRow
from .run_context import context_of
from .stream import match_rows

if TYPE_CHECKING:
    from inspect_ai.event import Event
    from inspect_ai.log import EvalLog, EvalSample
    from inspect_ai.model import ChatMessage
    from inspect_ai.scorer import Score

SCORE = "score"  # the name of our score in the logs
USED = ("input_tokens", "output_tokens", "total_tokens", "input_tokens_cache_read", "total_cost")


def write_logs(runs: Mapping[str, Path], out: Path) -> dict[Path, int]:
    """Write a log for each player of each run, and return the files and their samples."""
    if find_spec("inspect_ai") is None:
        raise UserError("logs of Inspect AI need its package: pip install 'quandary[inspect]'.")
    from inspect_ai.log import write_eval_log

    written = {}
    for run, folder in runs.items():
        scores = headlines(level_means(records(folder)))
        keys = map(header_of, lines(folder / RECORDS))
        for player in dict.fromkeys(chain.from_iterable(key.players for key in keys)):
            log = _log(run, folder, player, scores.get(player))
            path = out / _file_name(run, log.eval.task, player)
            write_eval_log(log, str(path), format="eval")
            written[path] = len(log.samples or [])
    return written


def _file_name(run: str, suite: str, player: str) -> str:
    """Readable, and different for different players."""
    digest = blake2b(f"{run}\n{player}".encode(), digest_size=4).hexdigest()
    words = [re.sub(r"[^\w.]+", "-", word).strip("-")[:60] for word in (run, suite, player)]
    return "_".join(dict.fromkeys([*words, digest])) + ".eval"


def _log(run: str, folder: Path, player: str, score: float | None) -> EvalLog:
    from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSpec, EvalStats

    context = context_of(folder)
    ended = datetime.fromtimestamp((folder / RECORDS).stat().st_mtime, UTC)
    samples, changed = list(_samples(run, folder, player, ended)), ended.isoformat()
    number = blake2b(f"{run}\n{context.name}\n{player}".encode(), digest_size=11).hexdigest()
    ids = list(dict.fromkeys(str(sample.id) for sample in samples))
    return EvalLog(
        status="success",
        eval=EvalSpec(
            eval_id=number,
            run_id=number,
            task_id=number,
            created=changed,
            task=context.name,
            dataset=EvalDataset(name=context.name, samples=len(ids), sample_ids=ids),
            model=player,
            config=EvalConfig(epochs=max((sample.epoch for sample in samples), default=1)),
            packages={"quandary": VERSION},
            metadata={"run": run, "suite": dict(context.suite)},
        ),
        results=_results(samples, score),
        stats=EvalStats(
            started_at=changed, completed_at=changed, model_usage=_total_usage(samples)
        ),
        samples=samples,
    )


def _results(samples: Sequence[EvalSample], headline: float | None) -> Any:
    """Return the score of the player, as in leaderboards, and how many samples have one."""
    from inspect_ai.log import EvalMetric, EvalResults, EvalScore

    scored, metrics = sum(bool(sample.scores) for sample in samples), {}
    if headline is not None:
        weights = {"weights": WEIGHTS}
        metrics = {"mean": EvalMetric(name="mean", value=headline, metadata=weights)}
    score = EvalScore(
        name=SCORE,
        scorer="quandary",
        metrics=metrics,
        scored_samples=scored,
        unscored_samples=len(samples) - scored,
    )
    return EvalResults(total_samples=len(samples), completed_samples=scored, scores=[score])


def _samples(run: str, folder: Path, player: str, ended: datetime) -> Iterator[EvalSample]:
    all_calls: Exchanges = {}
    if (folder / JOURNAL).exists():
        keys = (header_of(line) for line in lines(folder / RECORDS))
        names = {
            match_name(key.name, key.players, key.repeat) for key in keys if player in key.players
        }
        all_calls = exchanges(folder / JOURNAL, names)
    for line, rows in match_rows(folder, run):
        for row in rows.seats:
            if row.player == player:
                yield _sample(line, row, all_calls, ended)


def _sample(line: RecordLine, row: SeatRow, all_calls: Exchanges, ended: datetime) -> EvalSample:
    from inspect_ai.log import EvalError, EvalSample
    from inspect_ai.model import ModelOutput
    from inspect_ai.scorer import Score

    record, language = record_in(line), row.language
    view, own = record.start.seen_by(row.seat), [r for r in record.said if r.seat == row.seat]
    last = own[-1].words if own else ""
    calls = all_calls.get((match_name(record.name, record.players, record.repeat), row.seat), [])
    move = next((reply.move for reply in reversed(own) if reply.move), None)
    against = f" against {row.opponents}" if row.opponents else ""
    score, why, target = None, _explanation(record, row), _target(record, row)
    if row.score is not None:
        score = {SCORE: Score(value=row.score, answer=move, explanation=why)}
    return EvalSample(
        id=f"{row.spec} seat {row.seat}{against}",
        epoch=row.repeat + 1,
        input=published_prompt(view)
        or f"{view.rules(language)}\n\n{view.text(row.seat, language)}",
        target=target,
        messages=list(_messages(calls, record, row.seat)),
        output=ModelOutput.from_content(row.player, last),
        scores=score,
        events=list(_events(record, row, ended, score and score[SCORE], target)),
        metadata={key: value for key, value in asdict(row).items() if value is not None},
        model_usage=_usage(row),
        total_time=row.seconds,
        error=None if score else EvalError(message=why, traceback="", traceback_ansi=""),
    )


def _target(record: Record, row: SeatRow) -> str:
    """Return a right answer to a question; of a game the value of good play, where it is known."""
    if solution := right_answer(record.start, row.language):
        return solution
    return "" if row.reference is None else f"{row.reference:g}"


def _explanation(record: Record, row: SeatRow) -> str:
    """Return what the checker says about the last answer; of a game, how it ended."""
    own = [reply for reply in record.said if reply.seat == row.seat]
    if own and own[-1].status == "answered":
        found = checked(record.start, own[-1].move, row.language)
        if found is not None:
            return in_words(found, row.language)
    return f"ended by {row.cause}" + (
        f", status {own[-1].status}" if row.lost_by_failure and own else ""
    )


def _events(
    record: Record, row: SeatRow, ended: datetime, score: Score | None, target: str
) -> Iterator[Event]:
    """Yield the moves of all seats and of chance, then the score.

    A record has no clock, only how long each reply took: the last one came when the run ended.
    """
    from inspect_ai.event import InfoEvent, ScoreEvent

    whole = sum(reply.seconds for reply in record.said)
    for number, ((seat, move), clock) in enumerate(zip(record.log, _times(record), strict=True)):
        data: dict[str, Any] = {"number": number + 1, "player": "chance", "move": move}
        if seat != CHANCE:
            data |= {"player": record.players[seat], "seat": seat}
        when = ended - timedelta(seconds=whole - clock)
        yield InfoEvent(source="quandary", data=data, timestamp=when, working_start=clock)
    if score is not None:
        yield ScoreEvent(score=score, target=target, timestamp=ended, working_start=whole)


def _times(record: Record) -> Iterator[float]:
    """Yield the seconds that all replies up to each move took together."""
    replies, clock = iter(record.said), 0.0
    for seat, move in record.log:
        while seat != CHANCE and (reply := next(replies, None)) is not None:
            clock += reply.seconds
            if reply.move == move and reply.seat == seat:
                break
        yield clock


def _usage(row: SeatRow) -> dict[str, Any]:
    """Return the tokens of a model, where they are known; Inspect's input tokens are those not
    cached.
    """
    from inspect_ai.model import ModelUsage

    if row.model is None or row.tokens_read is None or row.tokens_written is None:
        return {}
    return {
        row.model: ModelUsage(
            input_tokens=row.tokens_read - (row.tokens_cached or 0),
            output_tokens=row.tokens_written,
            total_tokens=row.tokens_read + row.tokens_written,
            input_tokens_cache_read=row.tokens_cached,
            total_cost=row.cost,
        )
    }


def _total_usage(samples: Sequence[EvalSample]) -> dict[str, Any]:
    """Return the sum over all samples of a model; unknown where it is unknown for one of them."""
    from inspect_ai.model import ModelUsage

    found = [usage for sample in samples for usage in sample.model_usage.items()]
    if not found or len(found) < len(samples):
        return {}
    total = dict[str, Any]()
    for name in USED:
        counts = [getattr(usage, name) for _, usage in found]
        total[name] = None if None in counts else sum(counts)
    return {found[0][0]: ModelUsage(**total)}


def _messages(calls: Sequence[Exchange], record: Record, seat: int) -> Iterator[ChatMessage]:
    """Yield what a model was sent and replied, each message once; the replies alone of other
    players.
    """
    from inspect_ai.model import (
        ChatMessageAssistant,
        ChatMessageSystem,
        ChatMessageUser,
        ModelOutput,
    )

    roles = {"system": ChatMessageSystem, "user": ChatMessageUser}
    known = set[tuple[str, str]]()
    for call in calls:
        for role, text in call.sent:
            if (role, text) not in known:
                known.add((role, text))
                yield roles.get(role, ChatMessageAssistant)(content=text)
        for generation in call.generations:
            known.add(("assistant", generation.text))
            yield ModelOutput.from_content("", generation.text).message
    for reply in record.said if not calls else ():
        if reply.seat == seat:
            yield ChatMessageAssistant(content=reply.words)

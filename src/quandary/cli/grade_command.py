"""`quandary grade`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from quandary.core.errors import UserError
from quandary.core.mixins.objectives import reference, reference_is_bound
from quandary.core.translations import LANGUAGES
from quandary.core.words import Say, say_in

from .output import json_line

if TYPE_CHECKING:
    from quandary.core.contract import Question, Verdict
    from quandary.matches.player import Reading


def arguments(parser: ArgumentParser) -> None:
    parser.epilog = "The exit code is 0 for a right answer and 1 for a wrong one."
    parser.add_argument(
        "spec",
        metavar="SPEC",
        help="a question, for example islands/easy#7, or whole:tidy_tower/easy#1",
    )
    given = parser.add_mutually_exclusive_group(required=True)
    given.add_argument(
        "--answer",
        metavar="FILE",
        help="the file with the answer alone, or - for standard input",
    )
    given.add_argument(
        "--reply",
        metavar="FILE",
        help="the file with a model's whole reply, from which the answer is read",
    )
    parser.add_argument(
        "--language", default="en", metavar="L", help=f"the language of the feedback: {LANGUAGES}"
    )
    parser.add_argument("--json", action="store_true", help="as one JSON object")


def run(options: Namespace) -> int:
    from quandary.catalogue import drawing, registry
    from quandary.catalogue.drawing import named
    from quandary.core.contract import Game, Question, Verdict
    from quandary.core.errors import unknown_language
    from quandary.tasks.whole import Whole

    spec = named(options.spec)
    question = drawing.instance(spec)
    if isinstance(question, Game):
        advice = (
            "" if Whole.refusal(question) else f", or grade all its moves at once as whole:{spec}"
        )
        raise UserError(
            f"{spec.name} is played move by move; use quandary play or quandary match{advice}."
        )
    assert isinstance(question, Question)
    if options.language not in question.languages:
        raise unknown_language(options.language, question.languages, of=spec.name)
    say, is_answer = say_in(__name__, options.language), options.answer is not None
    text = read(options.answer if is_answer else options.reply)
    reading = _read_reply(text, question)
    answer = text if is_answer else reading.answer
    verdict = question.check(answer, options.language)
    status = "answered" if is_answer else reading.status
    if status != "answered":
        unread = say("no answer can be read from the reply ({status})", status=say.label(status))
        verdict = Verdict(0.0, status, unread)
    hint = ""
    if is_answer and verdict.score == 0.0 and _is_right(question, reading):
        hint = say("Read as a model's reply, its answer is right; give it with --reply.")
    best = reference(question) if verdict.value is not None else None
    is_bound = best is not None and reference_is_bound(question)
    if options.json:
        shown = {
            "spec": str(spec),
            "status": status,
            "score": verdict.score,
            "kind": verdict.kind,
            "feedback": verdict.feedback,
            "value": verdict.value,
            "reference": best,
            "reference_is_bound": is_bound,
            **({"hint": hint} if hint else {}),
            "parts": dict(verdict.parts),
            "first_wrong_step": verdict.first_wrong_step,
            "version": registry.load(spec.name).version,
        }
        json_line(shown)
        return exit_code(verdict)
    print(say.lines(_result(verdict, best, is_bound, say), verdict.feedback, hint))
    return exit_code(verdict)


def _result(verdict: Verdict, best: float | None, is_bound: bool, say: Say) -> str:
    """Return whether the answer is right, and all its numbers, in one line."""
    numbers = [say("score {score}", score=f"{verdict.score:g}")]
    if verdict.value is not None:
        numbers.append(say("value {value}", value=f"{verdict.value:g}"))
    if best is not None:
        text = f"{best:g}"
        numbers.append(
            say("bound {best}", best=text) if is_bound else say("best possible {best}", best=text)
        )
    numbers += [f"{say.label(name)} {part:g}" for name, part in verdict.parts]
    word = say("wrong")
    if verdict.score == 1.0:
        word = say("right")
    elif verdict.value is not None:
        word = say("accepted")
    return say("{word}: {numbers}", word=word, numbers=say.list(numbers))


def exit_code(verdict: Verdict) -> int:
    """0 for a right answer or one that is judged by its value, 1 for a wrong one."""
    return 0 if verdict.score == 1.0 or verdict.value is not None else 1


def _read_reply(text: str, question: Question) -> Reading:
    from quandary.models.provider import Generation
    from quandary.players.reading.reply import read as read_reply

    return read_reply(Generation(text), question.form).lenient


def _is_right(question: Question, reading: Reading) -> bool:
    return reading.status == "answered" and question.check(reading.answer).score > 0.0


def read(source: str) -> str:
    """Return the text of a file, or of standard input."""
    if source == "-" and (sys.stdin is None or sys.stdin.closed):
        raise UserError("the answer cannot be read, because standard input is closed.")
    if not source:
        raise UserError("the name of the file is empty; name one, or - for standard input.")
    try:
        data = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    except OSError as reason:
        raise UserError(f"the answer cannot be read from {source}: {reason.strerror}.") from None
    try:
        # some editors write a byte order mark
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = None
    if text is None or "\0" in text:  # as UTF-16 taken for UTF-8 has
        raise UserError(
            "the answer is not UTF-8 text, or has zero characters; save it as UTF-8 without them."
        )
    return text

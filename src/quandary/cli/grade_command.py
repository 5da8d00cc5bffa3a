"""`quandary grade`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from quandary.core.errors import UserError

from .output import json_line


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "spec",
        metavar="SPEC",
        help="a question, for example islands/easy#7, or whole:tidy_tower/easy#1",
    )
    parser.add_argument(
        "--answer",
        required=True,
        metavar="FILE",
        help="the file that holds the answer, or - for standard input",
    )
    parser.add_argument(
        "--lang", default="en", metavar="L", help="the language of the feedback: en or zh"
    )
    parser.add_argument("--json", action="store_true", help="as one JSON object")


def run(options: Namespace) -> int:
    from quandary.catalogue import registry
    from quandary.catalogue.registry import named
    from quandary.core.contract import Game, Question
    from quandary.core.errors import unknown
    from quandary.tasks.whole import Whole

    spec = named(options.spec)
    question = registry.instance(spec)
    if isinstance(question, Game):
        advice = (
            "" if Whole.refusal(question) else f", or grade all its moves at once as whole:{spec}"
        )
        raise UserError(
            f"{spec.name} is played move by move; use quandary play or quandary match{advice}."
        )
    assert isinstance(question, Question)
    if options.lang not in question.languages:
        raise unknown(f"language of {spec.name}", options.lang, question.languages)
    verdict = question.check(read(options.answer), options.lang)
    if options.json:
        shown = {
            "spec": str(spec),
            "score": verdict.score,
            "kind": verdict.kind,
            "feedback": verdict.feedback,
            "value": verdict.value,
        }
        json_line(
            shown | {"parts": dict(verdict.parts), "version": registry.load(spec.name).version}
        )
        return 0
    value = "" if verdict.value is None else f", value {verdict.value:g}"
    parts = "".join(f", {name.replace('_', ' ')} {part:g}" for name, part in verdict.parts)
    word = "right" if verdict.score == 1.0 else "accepted" if verdict.value is not None else "wrong"
    print(f"{word}: score {verdict.score:g}{value}{parts}")
    if verdict.feedback:
        print(verdict.feedback)
    return 0


def read(source: str) -> str:
    """The text of a file, or of standard input."""
    if source == "-" and (sys.stdin is None or sys.stdin.closed):
        raise UserError("the answer cannot be read, because standard input is closed.")
    try:
        data = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    except OSError as reason:
        raise UserError(f"the answer cannot be read from {source}: {reason.strerror}.") from None
    try:
        # some editors write a byte order mark
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = None
    # UTF-16 taken for UTF-8 is full of zero characters
    if text is None or "\0" in text:
        raise UserError("the answer is not UTF-8 text; save it in that encoding.")
    return text

"""`python -m benchmarks.answer_forms`: which way of asking for an answer a small model follows.

The same questions are put to `local/smollm2` in four ways: a marker line, answer tags, a fence,
a JSON object.  A reply follows a form if the form stands in it once and holds something.  Needs
`pip install 'quandary[local]'` and `quandary models pull smollm2`.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from itertools import cycle, islice
from random import Random

from quandary.catalogue import registry
from quandary.core.contract import Form
from quandary.matches.engine import Match
from quandary.models.provider import Decoding, Message, Request
from quandary.models.providers.local import LocalProvider
from quandary.models.providers.weights import find
from quandary.players.prompts.messages import opening
from quandary.players.prompts.settings import PromptSettings
from quandary.players.prompts.wording import WORDING
from quandary.scoring.intervals import wilson

QUESTIONS = 200
# Questions and first moves whose prompts are short enough for a model of this size.
LINES = ("password_game/easy", "anagram_scribble/easy", "string_search/easy", "card_nim/easy",
         "sudokill/easy", "bracket_game/easy")  # fmt: skip
BLOCKS = ("islands/easy", "ordering_text/easy", "crossword_arranger/easy", "text_sudoku/easy")
FORMS = {
    "marker": "",  # as the prompts ask today
    "tags": "End with your answer between tags and nothing else, in this form:\n"
    "<answer>your answer</answer>",
    "fence": "End with your answer between two lines of three backticks each, in this form:\n"
    "```\nyour answer\n```",
    "json": "End with your answer as one JSON object and nothing else, in this form:\n"
    '{"answer": "your answer"}',
}
PATTERNS = {
    "tags": re.compile(r"<answer>(.*?)</answer>", re.S),
    "fence": re.compile(r"^```[a-z]*\n(.*?)\n```\s*$", re.S | re.M),
    "json": re.compile(r"(\{.*\})", re.S),
}
MARKER = {
    "line": re.compile(r"^Answer:[ \t]*(\S[^\n]*)$", re.M),
    "block": re.compile(r"^Answer:[ \t]*\n```\n(.*?)\n```", re.S | re.M),
}
TOKENS = 120


def follows(reply: str, way: str, form: Form) -> bool:
    """Whether an answer stands in the reply once, in the form that was asked for."""
    held = (MARKER[form] if way == "marker" else PATTERNS[way]).findall(reply)
    if len(held) != 1 or not held[0].strip() or "your answer" in held[0].casefold():
        return False
    if way != "json":
        return True
    try:
        answer = json.loads(held[0])
    except ValueError:
        return False
    return isinstance(answer, dict) and bool(answer.get("answer"))


def asked(spec: str, way: str, thoughts: str) -> tuple[tuple[Message, ...], Form]:
    """The messages of a first turn, with the answer asked for in one of the ways."""
    settings = PromptSettings(thoughts=thoughts)  # type: ignore[arg-type]
    turn = Match(registry.game(spec), spec).pending()[0]
    form = turn.position.form
    messages = opening(turn, settings, [], Random(spec))
    if FORMS[way]:
        usual = WORDING["en"][form].format(marker="Answer:")
        messages = [
            Message(role, tuple(str(part).replace(usual, FORMS[way]) for part in parts))
            for role, parts in messages
        ]
    return tuple(messages), form


async def measure(specs: list[str], way: str, thoughts: str, provider: LocalProvider) -> int:
    followed = 0
    for spec in specs:
        messages, form = asked(spec, way, thoughts)
        tokens = TOKENS if thoughts == "none" else 3 * TOKENS
        request = Request(messages, Decoding(temperature=0.0, max_tokens=tokens))
        [generation, *_] = (await provider.ask(request)).generations
        followed += follows(generation.text, way, form)
    return followed


async def main() -> None:
    provider = LocalProvider(find("smollm2"), threads=1)
    for form, levels in (("line", LINES), ("block", BLOCKS)):
        specs = [
            f"{level}#{1 + at // len(levels)}"
            for at, level in enumerate(islice(cycle(levels), QUESTIONS))
        ]
        for way in FORMS:
            followed = await measure(specs, way, "none", provider)
            low, high = wilson(followed / QUESTIONS, QUESTIONS)
            print(
                f"{form} {way}: {followed} of {QUESTIONS} followed ({low:.2f} to {high:.2f})",
                flush=True,
            )
    await provider.close()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))

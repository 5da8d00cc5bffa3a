"""`python -m benchmarks.answer_forms [FILE]`: which way of asking a small model follows.

The same questions are put to `local/smollm2` in four ways: a marker line, answer tags, a fence,
a JSON object.  A reply follows a form if the form stands in it once and holds something.  Needs
`pip install 'quandary[local]'` and `quandary models pull smollm2`.

It takes about an hour on one core, so replies are kept in FILE, if one is given, and not asked for
again.  Questions that begin alike are asked one after the other, so that the model reads their
beginning once.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections import Counter
from itertools import product
from pathlib import Path
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

SEEDS = 20  # per level: 200 questions
# Questions and first moves whose prompts are short enough for a model of this size.
LINES = ("password_game/easy", "anagram_scribble/easy", "string_search/easy", "card_nim/easy",
         "sudokill/easy", "bracket_game/easy")  # fmt: skip
BLOCKS = ("islands/easy", "ordering_text/easy", "crossword_arranger/easy", "text_sudoku/easy")
ALONE = "Do not explain anything. Write your answer "
FORMS = {
    "marker": "",  # as the prompts ask today
    "tags": f"{ALONE}between tags and nothing else, in this form:\n<answer>your answer</answer>",
    "fence": f"{ALONE}between two lines of three backticks each, in this form:\n"
    "```\nyour answer\n```",
    "json": f"{ALONE}as one JSON object and nothing else, in this form:\n"
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
TOKENS = 80  # the longest answer, a crossword in a fence, takes about 60


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


def asked(spec: str, way: str) -> tuple[tuple[Message, ...], Form]:
    """The messages of a first turn, with the answer asked for in one of the ways."""
    settings = PromptSettings(thoughts="none")
    turn = Match(registry.game(spec), spec).pending()[0]
    form = turn.position.form
    messages = opening(turn, settings, [], Random(spec))
    if FORMS[way]:
        usual = WORDING["en"][f"{form} alone"].format(marker="Answer:")
        messages = [
            Message(role, tuple(str(part).replace(usual, FORMS[way]) for part in parts))
            for role, parts in messages
        ]
    return tuple(messages), form


class Replies:
    """The model's replies, by question and way of asking; kept in a file, if there is one."""

    def __init__(self, file: Path | None) -> None:
        self.file, self.known = file, dict[tuple[str, str], str]()
        if file and file.exists():
            for line in file.read_text("utf-8").splitlines():
                spec, way, text = json.loads(line)
                self.known[spec, way] = text

    async def get(self, spec: str, way: str, provider: LocalProvider) -> str:
        if (spec, way) not in self.known:
            text = self.known[spec, way] = await reply(spec, way, provider)
            if self.file:
                with self.file.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([spec, way, text]) + "\n")
        return self.known[spec, way]


async def reply(spec: str, way: str, provider: LocalProvider) -> str:
    messages, _ = asked(spec, way)
    decoding = Decoding(temperature=0.0, max_tokens=TOKENS, body={"cache_prompt": True})
    [generation, *_] = (await provider.ask(Request(messages, decoding))).generations
    return generation.text


def shown(followed: int, questions: int) -> str:
    low, high = wilson(followed / questions, questions)
    return f"{followed} of {questions} ({low:.2f} to {high:.2f})"


async def main(file: Path | None) -> None:
    provider, replies, followed = LocalProvider(find("smollm2")), Replies(file), Counter[str]()
    lines, blocks = (
        [f"{level}#{seed}" for level in levels for seed in range(1, SEEDS + 1)]
        for levels in (LINES, BLOCKS)
    )
    for form, specs in (("line", lines), ("block", blocks)):
        for spec, way in product(specs, FORMS):
            text = await replies.get(spec, way, provider)
            followed[f"{way} {form}"] += follows(text, way, asked(spec, way)[1])
    for way in FORMS:
        line, block = followed[f"{way} line"], followed[f"{way} block"]
        print(
            f"{way}: {shown(line + block, len(lines) + len(blocks))} followed; "
            f"lines {shown(line, len(lines))}, blocks {shown(block, len(blocks))}"
        )
    await provider.close()


if __name__ == "__main__":
    sys.exit(asyncio.run(main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)))

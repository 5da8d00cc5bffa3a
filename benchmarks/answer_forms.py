"""`python -m benchmarks.answer_forms [FILE] [--way WAY]`: which form a small model follows.

The same questions are put to `local/smollm2` in four ways: a marker line, answer tags, a fence (as
the prompts ask), a JSON object; `--way` asks in one of them only.  A reply follows a form if the
form stands in it once and holds something.  Needs `pip install 'quandary[local]'` and `quandary
models pull smollm2`.

It takes about an hour on one core, so replies are kept in FILE, if one is given, with a digest of
what was asked; a reply is asked for again only if that has changed.  Questions that begin alike are
asked one after the other, so that the model reads their beginning once.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from itertools import product
from pathlib import Path
from random import Random

from quandary.catalogue import drawing
from quandary.core.contract import Form
from quandary.core.question import form_of
from quandary.matches.match import Match
from quandary.models.provider import Decoding, Message, Request
from quandary.models.providers.local import LocalProvider
from quandary.models.providers.weights import find
from quandary.players.prompts.messages import how_to_answer, opening
from quandary.players.prompts.settings import PromptSettings
from quandary.statistics.intervals import wilson

SEEDS = 20  # per level: 200 questions
# Questions and first moves whose prompts are short enough for a model of this size.
LINES = ("password_game/easy", "anagram_scribble/easy", "string_search/easy", "card_nim/easy",
         "sudokill/easy", "bracket_game/easy")  # fmt: skip
BLOCKS = ("islands/easy", "ordering_text/easy", "crossword_arranger/easy", "text_sudoku/easy")
ALONE = "Do not explain anything. Write your answer "
WAYS = ("marker", "tags", "fence", "json")
MARKED: dict[Form, str] = {  # as the prompts asked before
    "line": "Do not explain anything. Write one line and nothing else, in this form:\n"
    "Answer: <your answer>",
    "block": "Do not explain anything. Write a line Answer: and below it your answer, between two "
    "lines of three backticks each.",
}
FORMS = {
    "tags": f"{ALONE}between tags and nothing else, in this form:\n<answer>your answer</answer>",
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
    settings = PromptSettings(prompting="none")
    turn = Match(drawing.game(spec), spec).pending()[0]
    form = form_of(turn.position)
    messages = opening(turn, settings, [], Random(spec))
    usual = how_to_answer(form, settings)
    wording = {**FORMS, "fence": usual, "marker": MARKED.get(form, "")}[way]
    replaced = (
        Message(role, tuple(str(part).replace(usual, wording) for part in parts))
        for role, parts in messages
    )
    return tuple(replaced), form


class Replies:
    """The model's replies, by what was asked; kept in a file, if there is one."""

    def __init__(self, file: Path | None) -> None:
        self.file, self.known = file, dict[str, str]()
        if file and file.exists():
            for line in file.read_text("utf-8").splitlines():
                _, _, text, digest = json.loads(line)
                self.known[digest] = text

    async def get(self, spec: str, way: str, provider: LocalProvider) -> str:
        messages, _ = asked(spec, way)
        digest = digest_of(messages)
        if digest not in self.known:
            text = self.known[digest] = await reply(messages, provider)
            if self.file:
                with self.file.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([spec, way, text, digest]) + "\n")
        return self.known[digest]


def digest_of(messages: Sequence[Message]) -> str:
    plain = [[role, *map(str, parts)] for role, parts in messages]
    return sha256(json.dumps(plain).encode()).hexdigest()[:16]


async def reply(messages: tuple[Message, ...], provider: LocalProvider) -> str:
    decoding = Decoding(temperature=0.0, max_tokens=TOKENS, body={"cache_prompt": True})
    [generation, *_] = (await provider.ask(Request(messages, decoding))).generations
    return generation.text


def shown(followed: int, questions: int) -> str:
    low, high = wilson(followed / questions, questions)
    return f"{followed} of {questions} ({low:.2f} to {high:.2f})"


async def measure(file: Path | None, ways: Sequence[str]) -> None:
    provider, replies, followed = LocalProvider(find("smollm2")), Replies(file), Counter[str]()
    lines, blocks = (
        [f"{level}#{seed}" for level in levels for seed in range(1, SEEDS + 1)]
        for levels in (LINES, BLOCKS)
    )
    for form, specs in (("line", lines), ("block", blocks)):
        for spec, way in product(specs, ways):
            text = await replies.get(spec, way, provider)
            followed[f"{way} {form}"] += follows(text, way, asked(spec, way)[1])
    for way in ways:
        line, block = followed[f"{way} line"], followed[f"{way} block"]
        print(
            f"{way}: {shown(line + block, len(lines) + len(blocks))} followed; "
            f"lines {shown(line, len(lines))}, blocks {shown(block, len(blocks))}"
        )
    await provider.close()


def main() -> None:
    parser = argparse.ArgumentParser(description="Which way of asking a small model follows.")
    parser.add_argument("file", nargs="?", type=Path, help="keeps the replies")
    parser.add_argument("--way", choices=WAYS, help="ask in this way only")
    options = parser.parse_args()
    asyncio.run(measure(options.file, [options.way] if options.way else WAYS))


if __name__ == "__main__":
    main()

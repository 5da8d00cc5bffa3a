"""A server with models that answer as well as they are told, and fail in every way that models do.

What a model does is decided by a digest of its name and of what it is asked, so that equal runs
have equal records.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from quandary.arena import suite as suites
from quandary.catalogue import drawing
from quandary.cli.main import main
from quandary.core.contract import Game, Language, Seat
from quandary.core.errors import UserError
from quandary.core.mixins.answers import translated
from quandary.tasks.question_game import asked_question
from server_thread import served

REFUSED = "I'm sorry, but I can't help with that."
UNSURE = "There are several ways to go on from here."
BROKEN_OFF = "First, I write down what is known, and then"
LANGUAGES = ("en", "zh")
TRIES = 3
# How many of a hundred replies are right, are wrong, and fail in each other way.
SHARES: Mapping[str, Mapping[str, int]] = {
    "strong": {"right": 80, "wrong": 10, "no process": 4, "lenient": 3, "cut off": 3},
    "middle": {
        "right": 45, "wrong": 33, "no process": 5, "lenient": 5, "cut off": 4, "unreadable": 5,
        "refused": 3,
    },
    "weak": {
        "right": 12, "wrong": 55, "no process": 3, "lenient": 5, "cut off": 8, "unreadable": 12,
        "refused": 5,
    },
}  # fmt: skip
SMALL = """
tries = 2

[[puzzles]]
puzzle = "card_nim"
levels = ["easy"]
seeds = "1-3"

[[puzzles]]
puzzle = "reversi"
levels = ["1", "3"]
seeds = "1-4"

[[puzzles]]
puzzle = "path_movement"
levels = ["1"]
seeds = "1-6"

[[puzzles]]
puzzle = "sudoku"
task = "check"
levels = ["easy"]
seeds = "1-4"

[[puzzles]]
puzzle = "game_of_24"
levels = ["easy"]
seeds = "1-3"
"""
MODELS = tuple(f"openai/{name}" for name in SHARES)


class ScriptedModels:
    """Knows the positions that it may be asked about by their texts."""

    def __init__(self, specs: Iterable[str], languages: Iterable[Language] = LANGUAGES) -> None:
        self.languages = tuple(languages)
        self.known = dict[str, tuple[Game, Seat, Language]]()
        for spec in specs:
            try:
                self._learn(drawing.game(spec, tries=TRIES))
            except UserError:  # a spec that no seed makes
                continue

    def _learn(self, position: Game) -> None:
        for seat in position.options():
            for language in self.languages if seat >= 0 else ():
                text = position.seen_by(seat).text(seat, language)
                self.known.setdefault(text, (position, seat, language))

    def speak(self, body: Mapping[str, Any]) -> str:
        """One reply; models whose names are not in SHARES are as good as the middle one."""
        asked = "\n".join(str(each["content"]) for each in body["messages"])
        shares = SHARES.get(str(body["model"]), SHARES["middle"])
        draw = Random(sha256(f"{body['model']}/{asked}".encode()).hexdigest())
        way = draw.choices(list(shares), list(shares.values()))[0]
        found = self._position(body)
        thinking = f"<think>I look at each possibility in turn ({draw.random():.3f}).</think>\n"
        if way == "refused":
            return REFUSED
        if way == "cut off":
            return f"<think>{BROKEN_OFF}"
        if way == "unreadable" or found is None:
            return thinking + UNSURE
        answer = self._answer(*found, way, draw)
        if way == "lenient":
            return f"{thinking}The answer is:\n\n{answer}"
        return f"{thinking}It must be so.\n```\n{answer}\n```"

    def _position(self, body: Mapping[str, Any]) -> tuple[Game, Seat, Language] | None:
        """What the last message that shows a position is about."""
        for message in reversed(body["messages"]):
            shown = [text for text in self.known if text in str(message["content"])]
            if shown:
                return self.known[max(shown, key=len)]
        return None

    def _answer(
        self, position: Game, seat: Seat, language: Language, way: str, draw: Random
    ) -> str:
        asked = asked_question(position)
        if asked is not None:
            view = asked.question.seen_by(seat)
            wrong, right = view.sample(draw), view.solution()
            answer = wrong if way == "wrong" else right
            if way == "no process":
                answer = _with_process_of(right, wrong)
            return translated(view, answer, language)
        move = self._move(position, seat, way, draw)
        self._learn_after(position, seat, move)
        return position.translated(move, language)

    def _move(self, position: Game, seat: Seat, way: str, draw: Random) -> str:
        view = position.seen_by(seat)
        if way != "wrong" and "oracle" in view.strategies:
            return view.strategies["oracle"](view, seat, draw, 1_000)
        listed = position.options()[seat]
        return draw.choice(list(listed)) if listed else view.sample(draw)

    def _learn_after(self, position: Game, seat: Seat, move: str) -> None:
        """The positions in which the same seat may be asked next."""
        listed = position.options()[seat]
        if set(position.options()) != {seat} or (listed is not None and move not in listed):
            return
        after = position.after(seat, move)
        self._learn(after)
        for other, replies in after.options().items():
            if other >= 0 and len(after.options()) == 1 and other != seat:
                for reply in replies or ():
                    self._learn(after.after(other, reply))


def _with_process_of(right: str, wrong: str) -> str:
    """The right answer with the process of another one, where there is a process."""
    try:
        data, other = json.loads(right), json.loads(wrong)
    except json.JSONDecodeError:
        return right
    if not isinstance(data, dict) or not isinstance(other, dict) or "process" not in data:
        return right
    process = other["process"] if other["process"] != data["process"] else data["process"][:-1]
    return json.dumps({**data, "process": process}, ensure_ascii=False)


def why_it_ended(text: str) -> str:
    """The reason that the server gives for the end of a reply."""
    return "length" if text.endswith(BROKEN_OFF) else "stop"


def scripted_run(
    out: Path,
    *others: str,
    suite: str = "quick",
    languages: Iterable[Language] = LANGUAGES,
    options: Iterable[str] = (),
) -> Path:
    """A run of these models in some languages, and of other players; returns its folder."""
    path = Path(suite)
    known = suites.read(path.stem, path.read_text()) if path.suffix else suites.load(suite)
    specs = list(map(str, known.specs))
    models = ScriptedModels(specs, languages)
    players = [word for player in (*MODELS, *others) for word in ("--player", player)]
    asked_in = [word for language in languages for word in ("--language", language)]
    with served(speak=models.speak, reason=why_it_ended) as server:
        command = ["run", "--suite", suite, *players, *asked_in, "--out", str(out)]
        assert 0 == main([*command, "--base-url", server.address, *options])
    return out


def small_scripted_run(folder: Path, *others: str) -> Path:
    """A run on few puzzles, against the house where it takes two."""
    suite = folder / "small.toml"
    suite.write_text(SMALL)
    return scripted_run(folder / "run", *others, suite=str(suite), options=["--schedule", "house"])


if __name__ == "__main__":
    import sys

    scripted_run(Path(sys.argv[1]), *sys.argv[2:])

"""`python -m benchmarks.costs`: what a game of the PuzzlePlex suite costs a model, in calls and in
tokens; written to `docs/costs.md`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from quandary.arena.suite import Suite, load
from quandary.catalogue import registry
from quandary.catalogue.spec import Spec
from quandary.core.contract import Seat
from quandary.matches.drivers import play_now
from quandary.matches.player import InstantSitting, Player, Reply, Turn
from quandary.models.provider import Generation, Message
from quandary.players.prompts.conversation import Conversation
from quandary.players.prompts.examples import Examples
from quandary.players.prompts.messages import answer_text
from quandary.players.prompts.settings import PromptSettings
from quandary.players.strategy import strategy_player

PAGE = Path(__file__).parent.parent / "docs" / "costs.md"
SEEDS = 5  # games per entry
LETTERS = 4  # per token, roughly, in English
WITH_HISTORY, WITHOUT = PromptSettings(), PromptSettings(history=False)
TEXT = """# What the PuzzlePlex suite costs a model

<!-- Written by `make costs`. -->

How often a model is asked in one game of the instruction setting, and how many tokens it is sent,
per seat. The level's house opponent plays all seats, on the first {seeds} seeds of each entry, and
is sent what a model would be sent. A token is counted as {letters} characters.

By default the conversation is kept: every call repeats the replies before it, the first position,
and of the positions between the first and the current one the lines that changed. With
`history=no` each call holds the rules and the position alone. Replies are counted as the answer
alone, without thoughts: if every reply has r more tokens, a game of n calls writes n r more, and
with history it reads n (n - 1) / 2 r more. Pictures are not counted.

Games are those of one player in the whole suite, who meets one opponent from both seats where
there are two.
"""
COLUMNS = (
    "entry", "games", "calls per game", "most", "tokens per game", "with `history=no`",
    "tokens of all games",
)  # fmt: skip
PROGRAMS = """
## Entries for programs alone

A program is written once, so its games need no calls. A model would pay:
"""


class Cost(NamedTuple):
    """What one seat of one game is sent."""

    calls: int
    tokens: int
    without_history: int


@dataclass
class Listening:
    """A strategy that is sent what a model would be sent; it counts the letters."""

    player: Player
    examples: Examples
    calls: int = 0
    letters: int = 0
    letters_without_history: int = 0

    @property
    def name(self) -> str:
        return self.player.name

    def sit(self, seat: Seat, luck: str) -> _Listener:
        sitting = self.player.sit(seat, luck)
        assert hasattr(sitting, "answer")
        conversations = [
            Conversation(settings, self.examples, seat, luck)
            for settings in (WITH_HISTORY, WITHOUT)
        ]
        return _Listener(self, sitting, conversations)

    def cost(self) -> Cost:
        return Cost(self.calls, self.letters // LETTERS, self.letters_without_history // LETTERS)


@dataclass
class _Listener:
    counts: Listening
    sitting: InstantSitting
    conversations: Sequence[Conversation]

    def answer(self, turn: Turn) -> Reply:
        kept, fresh = self.conversations
        self.counts.calls += 1
        self.counts.letters += _letters(kept.ask(turn))
        self.counts.letters_without_history += _letters(fresh.ask(turn))
        reply = self.sitting.answer(turn)
        said = Generation(answer_text(reply.answer, turn.position, WITH_HISTORY))
        for conversation in self.conversations:
            conversation.answered(said, "answered")
        return reply


def _letters(messages: Sequence[Message]) -> int:
    return sum(len(part) for said in messages for part in said.parts if isinstance(part, str))


def costs(spec: Spec, tries: int = 1) -> list[Cost]:
    """What each seat of a game among house opponents would be sent as a model."""
    game = registry.game(spec, tries=tries)
    examples = Examples(game, registry.level_of(spec))
    seated = [
        Listening(strategy_player("house", game, spec.level), examples) for _ in range(game.seats)
    ]
    play_now(game, seated, str(spec))
    return [player.cost() for player in seated]


def entries(suite: Suite) -> dict[Spec, list[Spec]]:
    """The specs of a suite by entry: an entry is a spec without its seed."""
    found: dict[Spec, list[Spec]] = {}
    for spec in suite.specs:
        found.setdefault(replace(spec, seed=0), []).append(spec)
    return found


def row(specs: Sequence[Spec], tries: int = 1) -> str:
    """One line of the table."""
    measured = [cost for spec in specs[:SEEDS] for cost in costs(spec, tries)]
    games = len(specs) * getattr(registry.load(specs[0].name), "seats", 1)
    calls, tokens, fresh = (fmean(column) for column in zip(*measured, strict=True))
    most = max(cost.calls for cost in measured)
    name = str(specs[0]).rpartition("#")[0]
    return (
        f"| {name} | {games} | {calls:.1f} | {most} | {tokens:,.0f} | {fresh:,.0f} | "
        f"{games * tokens:,.0f} |"
    )


def table(suite: Suite, setting: str) -> Iterator[str]:
    """The entries of a setting; those of another one are left out of `code`."""
    yield f"| {' | '.join(COLUMNS)} |\n" + "|---" * len(COLUMNS) + "|"
    asked = entries(suite.only(setting="instruction"))
    for entry, specs in entries(suite.only(setting=setting)).items():
        if setting == "instruction" or entry not in asked:
            yield row(specs, suite.tries)


def main() -> None:
    suite = load("puzzleplex")
    parts = [TEXT.format(seeds=SEEDS, letters=LETTERS), *table(suite, "instruction")]
    PAGE.write_text("\n".join([*parts, PROGRAMS, *table(suite, "code")]) + "\n", "utf-8")


if __name__ == "__main__":
    main()

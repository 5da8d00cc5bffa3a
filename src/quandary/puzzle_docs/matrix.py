"""The matrix: every puzzle in every way of asking.

A cell says that a scripted player finished a match that way and that its record replays, or in one
sentence why not.
"""

from __future__ import annotations

from asyncio import run
from collections.abc import Callable
from functools import cache
from random import Random
from xml.etree import ElementTree

from quandary.catalogue import drawing, registry
from quandary.catalogue.spec import Spec
from quandary.core.contract import Game, Seat, WordPuzzle
from quandary.core.game import refusal as refusal_text
from quandary.core.luck import Luck
from quandary.core.mixins.turns import feedback_of
from quandary.matches.codec import record_from_json, record_json
from quandary.matches.drivers import play_match, play_now
from quandary.matches.player import Reply, Scripted, Turn, takes_time
from quandary.matches.record import Record, replay
from quandary.models.pool import ClientPool
from quandary.models.provider import Completion, Generation, Message, Request
from quandary.players.prompts.messages import answer_text
from quandary.players.prompts.settings import PromptSettings
from quandary.players.registry import PlayerRegistry
from quandary.players.strategy import random_move
from quandary.programs.library import Program
from quandary.programs.player import ProgramPlayer
from quandary.programs.pool import ProgramPool
from quandary.render.svg import picture, svg

WORKS = "works"
RULES_ONLY = "rules only"
BUDGET = 200
NONSENSE = "§ not a move §"
COLUMNS = (
    "text", "picture", "Chinese", "feedback", "0/1/2 shots", "legal moves", "no history",
    "program", "whole", "state check", "next state", "data row", "replay",
)  # fmt: skip
LATER = {"data row": "later: data sets"}
# Makes moves that were recorded, whatever it sees.
PROGRAM = """
class Player:
    moves = iter({moves})

    def play(self, view):
        return next(self.moves)
"""

Speak = Callable[[Turn, Random], str]


def cells(name: str, level: str) -> dict[str, str]:
    """Return the result of each way of asking this puzzle."""
    spec = f"{name}/{level}#1"
    return {column: LATER.get(column) or WAYS[column](spec) for column in COLUMNS}


def _text(spec: str) -> str:
    def speak(turn: Turn, rng: Random) -> str:
        return _best(turn, rng) if turn.position.rules() and turn.position.text(turn.seat) else ""

    return _finished(_match(drawing.game(spec), spec, speak))


def _picture(spec: str) -> str:
    def speak(turn: Turn, rng: Random) -> str:
        ElementTree.fromstring(svg(picture(turn.position, turn.seat)))
        return _best(turn, rng)

    return _finished(_match(drawing.game(spec), spec, speak))


def _chinese(spec: str) -> str:
    game = drawing.game(spec)
    if "zh" not in drawing.instance(spec).languages:
        return "it speaks English only"

    def speak(turn: Turn, rng: Random) -> str:
        return (
            _best(turn, rng)
            if turn.position.rules("zh") and turn.position.text(turn.seat, "zh")
            else ""
        )

    finished = _finished(_match(game, spec, speak))
    is_about_words = issubclass(registry.load(drawing.named(spec).name), WordPuzzle)
    return RULES_ONLY if finished == WORKS and is_about_words else finished


def _feedback(spec: str) -> str:
    """Reply with nonsense first: the second turn must say what was wrong."""
    corrections = list[str]()

    def speak(turn: Turn, rng: Random) -> str:
        again = turn.refused or feedback_of(turn.position)
        if not again and not corrections:
            return NONSENSE
        if again:
            refusal = turn.refused and refusal_text(turn.position, turn.refused)
            corrections.append(refusal or turn.position.text(turn.seat))
        return _best(turn, rng)

    finished = _finished(_match(drawing.game(spec, tries=2), spec, speak))
    return finished if corrections and all(corrections) else "a wrong reply is not answered"


def _shots(spec: str) -> str:
    """Ask with no, one and two examples, each of which must have its own turn."""
    for shots in (0, 1, 2):
        match = PromptedMatch(spec, f"shots={shots}")
        if match.result() != WORKS:
            return match.result()
        if len(match.first) < 2 * shots + 2:
            return ("no worked example is", "only one worked example is")[shots - 1] + " available"
    return WORKS


def _legal_moves(spec: str) -> str:
    if None in drawing.game(spec).options().values():
        return "a question's answers are not listed"
    return PromptedMatch(spec, "list_moves=yes").result()


def _no_history(spec: str) -> str:
    """Ask without history: a prompt must contain only the system message and one question."""
    match = PromptedMatch(spec, "history=no")
    return match.result() if match.longest == 2 else "a prompt contains earlier turns"


class PromptedMatch:
    """A match of model players whose prompts are answered by strategies."""

    def __init__(self, spec: str, settings: str) -> None:
        self.requests = list[Request]()
        game, named = drawing.game(spec), drawing.named(spec)
        players = [StandIn(self, settings, game, named) for _ in range(game.seats)]
        self.record = run(play_match(game, players, spec))

    def result(self) -> str:
        return _finished(self.record)

    @property
    def first(self) -> tuple[Message, ...]:
        return self.requests[0].messages

    @property
    def longest(self) -> int:
        return max(len(request.messages) for request in self.requests)


class StandIn:
    """A player and provider that gets a model's prompts and answers with the best known move."""

    def __init__(self, match: PromptedMatch, settings: str, game: Game, spec: Spec) -> None:
        self.match = match
        self.name = f"scripted/any,{settings}"
        clients = ClientPool(open_provider=lambda provider, model: self)
        self.player = PlayerRegistry(clients=clients).find(self.name, game, spec)

    def take_seat(self, seat: Seat, luck: str) -> StandIn:
        seated = self.player.take_seat(seat, luck)
        assert takes_time(seated)
        self.seated, self.rng = seated, Luck(luck)
        return self

    async def act(self, turn: Turn) -> Reply:
        self.turn = turn
        return await self.seated.act(turn)

    async def ask(self, request: Request) -> Completion:
        self.match.requests.append(request)
        answer = answer_text(_best(self.turn, self.rng), self.turn.position, PromptSettings())
        return Completion((Generation(answer),))

    async def leave(self) -> None: ...

    async def close(self) -> None: ...


def _program(spec: str) -> str:
    """Let programs make the moves of a match: they are given views and return moves like others."""
    game = drawing.game(spec)
    model = _match(game, spec, _best)
    seated = [
        ProgramPlayer(_replaying(model, seat), _programs(), game) for seat in range(game.seats)
    ]
    record = play_now(game, seated, spec)
    return _finished(record) if record.log == model.log else "its moves are not those of a program"


def _replaying(record: Record, seat: Seat) -> Program:
    """Return a program with the words of a seat."""
    words = [reply.words for reply in record.said if reply.seat == seat]
    return Program(f"program/seat_{seat}.py", PROGRAM.format(moves=words), "recorded")


@cache
def _programs() -> ProgramPool:
    return ProgramPool()


def _task(task: str) -> Callable[[str], str]:
    def way(spec: str) -> str:
        base, wrapped = drawing.instance(spec), f"{task}:{spec}"
        if not isinstance(base, Game):
            return "a question is asked once, and has no moves"
        if reason := registry.load(task).refusal(base):  # type: ignore[attr-defined]
            return str(reason)
        record = _match(drawing.game(wrapped), wrapped, _best)
        return (
            _finished(record)
            if record.scores == (1.0,) or record.values
            else "its solution is not accepted"
        )

    return way


def _replayed(spec: str) -> str:
    record = _match(drawing.game(spec), spec, _best)
    back = record_from_json(record_json(record))
    return WORKS if back == record and replay(back) else "its record does not replay"


WAYS: dict[str, Callable[[str], str]] = {
    "text": _text,
    "picture": _picture,
    "Chinese": _chinese,
    "feedback": _feedback,
    "0/1/2 shots": _shots,
    "legal moves": _legal_moves,
    "no history": _no_history,
    "program": _program,
    "whole": _task("whole"),
    "state check": _task("check"),
    "next state": _task("next"),
    "replay": _replayed,
}


def _match(game: Game, name: str, speak: Speak) -> Record:
    return play_now(game, [Scripted("scripted", speak)] * game.seats, name)


def _finished(record: Record) -> str:
    replay(record)
    ruled = record.cause in ("goal", "no_move", "dead_end", "limit")
    return WORKS if ruled else f"a match ended by {record.cause}"


def _best(turn: Turn, rng: Random) -> str:
    oracle = turn.position.strategies.get("oracle")
    return oracle(turn.position, turn.seat, rng, BUDGET) if oracle else random_move(turn, rng)


def _mark(cell: str) -> str:
    if cell in (WORKS, RULES_ONLY):
        return "✔" if cell == WORKS else cell
    return "later" if cell.startswith("later") else "–"


def page(names: list[str], tell: Callable[[int, int], None] = lambda done, of: None) -> str:
    """Return the matrix as Markdown: one row per puzzle, and below it why a cell does not work."""
    rows, notes = list[str](), dict[str, list[str]]()
    for done, name in enumerate(names):
        tell(done, len(names))
        row = cells(name, next(iter(registry.load(name).levels)))
        marks = " | ".join(map(_mark, row.values()))
        rows.append(f"| [{name}](puzzles/{name}.md) | {marks} |")
        for column, cell in row.items():
            if cell not in (WORKS, RULES_ONLY) and column not in LATER:
                notes.setdefault(f"{column}: {cell}", []).append(name)
    tell(len(names), len(names))
    return "\n".join(
        [
            "# Every puzzle in every way of asking",
            "",
            "<!-- Generated by `quandary check --matrix`. -->",
            "",
            "✔: a scripted player finished a match that way, and its record replays.",
            "rules only: it works; the rules are translated, the words of the puzzle are English.",
            "–: it does not apply, for the reason below; later: not built yet.",
            "",
            f"| puzzle | {' | '.join(COLUMNS)} |",
            "|---" * (len(COLUMNS) + 1) + "|",
            *rows,
            "",
            *(f"- {column}: {reason}." for column, reason in LATER.items()),
            "",
            *(f"- {reason}: {', '.join(among)}." for reason, among in sorted(notes.items())),
            "",
        ]
    )

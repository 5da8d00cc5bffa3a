"""One match as every seat sees it, for puzzle pages and for golden files that show every change."""

from __future__ import annotations

from random import Random

from quandary.catalogue import drawing, registry
from quandary.core.codec import view_json
from quandary.core.contract import CHANCE, Game, Move
from quandary.matches.drivers import play_now
from quandary.matches.player import Scripted, Turn
from quandary.matches.record import replay
from quandary.players.strategy import random_move

PLIES = 8  # plies shown in full; of later ones only the moves are shown
LONGEST = 120  # moves shown
WIDE = 1_500  # characters of JSON shown
BUDGET = 200


def playthrough(name: str, level: str, seed: int = 1) -> str:
    """Return the rules, then a match: what each seat sees and plays, and how it ends."""
    spec = f"{name}/{level}#{seed}"
    game = drawing.game(spec, tries=2)
    lines = [f"{spec}, version {registry.load(name).version}", ""]
    for language in game.languages:
        lines += [f"== rules ({language}) ==", game.rules(language), ""]
    return "\n".join([*lines, *_match_lines(game, spec)]).rstrip() + "\n"


def _match_lines(game: Game, spec: str) -> list[str]:
    record = play_now(game, [Scripted("playthrough", _move)] * game.seats, spec)
    lines, positions = list[str](), replay(record)
    for ply, (seat, move) in enumerate(record.log):
        if ply < PLIES:
            lines += _seen(positions[ply], ply)
        if ply < LONGEST:
            lines.append(f"-- {'chance' if seat == CHANCE else f'seat {seat}'} plays: {move}")
            lines += [""] if ply < PLIES else []
    plies = len(record.log)
    more = [f"-- and {plies - LONGEST} more moves", ""] if plies > LONGEST else [""]
    scores = f"scores {record.scores}" + (
        f", values {record.values}" if record.values is not None else ""
    )
    over = f"== over after {plies} moves, by {record.cause}: {scores} =="
    return [*lines, *more, *_seen(positions[-1], plies), over]


def _seen(position: Game, ply: int) -> list[str]:
    lines = list[str]()
    for seat in range(position.seats):
        seen, json = position.seen_by(seat), view_json(position, seat)
        lines += [f"== after {ply} moves, seat {seat} sees ==", seen.text(seat)]
        lines += [json if len(json) <= WIDE else f"{json[:WIDE]} ... ({len(json)} characters)", ""]
    return lines


def _move(turn: Turn, rng: Random) -> Move:
    """Return the move of the best strategy; with several seats only every other time, else at
    random.
    """
    oracle = turn.position.strategies.get("oracle")
    if oracle and (turn.number % 2 or (turn.position.seats == 1 and turn.options is not None)):
        return oracle(turn.position, turn.seat, rng, BUDGET)
    return random_move(turn, rng)

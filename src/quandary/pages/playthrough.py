"""One match as every seat sees it, for golden files and puzzle pages: any unintended change shows as a readable difference."""

from __future__ import annotations

from random import Random

from quandary.catalogue import registry
from quandary.core.codec import view_json
from quandary.core.contract import CHANCE, Ending, Game, Move, Seat
from quandary.matches.engine import draw
from quandary.matches.player import Turn
from quandary.matches.record import settle
from quandary.players.strategy import random_move

PLIES = 8  # told in full; later ones by their moves alone
LONGEST = 120  # moves told at all
WIDE = 1_500  # characters of JSON shown
BUDGET = 200


def playthrough(name: str, level: str, seed: int = 1) -> str:
    """The rules, then a match: what each seat sees in words and as JSON, what it plays, and how it ends."""
    spec = f"{name}/{level}#{seed}"
    game = registry.game(spec, tries=2)
    lines = [f"{spec}, version {registry.load(name).version}", ""]
    for language in game.languages:
        lines += [f"== rules ({language}) ==", game.rules(language), ""]
    return "\n".join([*lines, *_told(game, spec)]).rstrip() + "\n"


def _told(game: Game, spec: str) -> list[str]:
    position, lines, rng, ply = game, list[str](), Random(f"{spec}/playthrough"), 0
    while options := position.options():
        if ply < PLIES:
            lines += _seen(position, ply)
        for seat in [min(options)]:
            move = _move(position, seat, rng, f"{spec}/chance/{ply}", ply)
            if ply < LONGEST:
                lines += [f"-- {'chance' if seat == CHANCE else f'seat {seat}'} plays: {move}", ""][: 2 if ply < PLIES else 1]
            position = position.after(seat, move)
        ply += 1
    outcome = settle(position, Ending())
    more = [f"-- and {ply - LONGEST} more moves", ""] if ply > LONGEST else [""]
    scores = f"scores {outcome.scores}" + (f", values {outcome.values}" if outcome.values is not None else "")
    return [*lines, *more, *_seen(position, ply), f"== over after {ply} moves, by {position.ending().cause}: {scores} =="]


def _seen(position: Game, ply: int) -> list[str]:
    lines = list[str]()
    for seat in range(position.seats):
        seen, json = position.seen_by(seat), view_json(position, seat)
        lines += [f"== after {ply} moves, seat {seat} sees ==", seen.text(seat)]
        lines += [json if len(json) <= WIDE else f"{json[:WIDE]} ... ({len(json)} characters)", ""]
    return lines


def _move(position: Game, seat: Seat, rng: Random, luck: str, ply: int) -> Move:
    """Chance draws by its own stream; seat 0 plays its best strategy every other move, so that matches get somewhere."""
    listed = position.options()[seat]
    if seat == CHANCE:
        return position.chance(Random(luck)) if listed is None else draw(listed, Random(luck))
    oracle = position.strategies.get("oracle")
    if oracle is not None and (ply % 2 or (position.seats == 1 and listed is not None)):
        return oracle(position.seen_by(seat), seat, rng, BUDGET)
    return random_move(Turn(seat, position.seen_by(seat), listed), rng)

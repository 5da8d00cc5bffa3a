"""Plies per second: refereed with the position put into words each turn, and raw, beside TextArena
and OpenSpiel's Python games.

A ply is a move of a player; the draws of chance between them cost their time but do not count.
An episode includes making its instance where TextArena draws one too; its Nim, ConnectFour, PigDice
and TowerOfHanoi
always start alike, and so do ours beside them.  Players move at random (in sudoku rightly).  Rates
are the best of several rounds,
in which the two systems take turns.
Each of ours stands beside the nearest game of TextArena: turns on a board without luck
(ConnectFour), luck in every turn (PigDice),
hidden choices of cards that are then shown (GameOfPureStrategy).
TextArena is measured with a fresh environment per episode, and with one environment that is reset
for each of 1,000 episodes, or as many as 10 seconds allow. In the latter case it keeps the words of
all earlier episodes and slows down.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import Any, TypeAlias

from quandary.catalogue import drawing
from quandary.core.contract import CHANCE
from quandary.core.mixins.turns import draw_of_chance
from quandary.matches.drivers import play_match
from quandary.matches.player import Scripted, Turn
from quandary.players.strategy import random_move
from quandary.puzzles._shared.sudoku import solver
from quandary.puzzles.solo.sudoku import Sudoku

from .clock import long_rate, rate, rates
from .limits import Limit, Measured, limit_table

EPISODES, BATCH = 1_000, 20
TURNS, FASTER = 15, 1.5  # rounds in which both take turns; times as many plies that are wanted

Pair: TypeAlias = tuple[
    str, Callable[[Turn, Random], str], bool, str, int, Callable[[Any, Random], str]
]


def table() -> list[str]:
    """One row per pair of comparable games."""
    rows = [
        (
            "| ours | refereed, in words | raw | TextArena | fresh | reused "
            "| ours / fresh | ours / reused |"
        ),
        "|---|---|---|---|---|---|---|---|",
    ]
    compared = list[Measured]()
    for spec, speak, drawn, name, seats, moves in PAIRS:
        refereed, fresh = rates(
            _refereed(spec, speak, drawn), _fresh(name, seats, moves), rounds=TURNS
        )
        compared.append(Measured(_limit(spec, name), [fresh / refereed]))
        raw = rate(_raw(spec))
        reused = long_rate(_reused(name, seats, moves), EPISODES, seconds=10)
        rows.append(
            f"| {spec} | {refereed:,.0f} | {raw:,.0f} | {name} | {fresh:,.0f} | {reused:,.0f} "
            f"| {refereed / fresh:.1f} x | {refereed / reused:.1f} x |"
        )
    rows += ["", *limit_table(compared)]
    rows += [
        "",
        "| OpenSpiel's Python game | plies a second, with its text each turn |",
        "|---|---|",
    ]
    return rows + [f"| {name} | {rate(_spiel(name)):,.0f} |" for name in SPIEL]


def measured(rounds: int) -> list[Measured]:
    """What a ply takes beside one of TextArena's fresh environments."""
    return [
        Measured(_limit(pair[0], pair[3]), [_beside(pair) for _ in range(rounds)]) for pair in PAIRS
    ]


def _beside(pair: Pair) -> float:
    spec, speak, drawn, name, seats, moves = pair
    refereed, fresh = rates(_refereed(spec, speak, drawn), _fresh(name, seats, moves), rounds=TURNS)
    return fresh / refereed


def _limit(spec: str, name: str) -> Limit:
    return Limit(f"a ply of {spec} beside one of a fresh {name}", 1 / FASTER)


def _anything(turn: Turn, rng: Random) -> str:
    """Puts the position into words, as a model player must, and plays at random."""
    turn.position.text(turn.seat)
    return random_move(turn, rng)


def _right_fill(turn: Turn, rng: Random) -> str:
    """The right digit for the first empty cell of a sudoku."""
    turn.position.text(turn.seat)
    position = turn.position
    assert isinstance(position, Sudoku)
    at = position.cells.index(".")
    return f"{at // 9} {at % 9} {_solution(position.givens)[at]}"


@lru_cache
def _solution(givens: str) -> str:
    """Worked out once an episode, so that the solver's time hardly counts."""
    return solver.solve(givens) or ""


def _refereed(spec: str, speak: Callable[[Turn, Random], str], drawn: bool) -> Callable[[int], int]:
    """Some matches; all in one event loop, as a run plays them."""
    player, loop = Scripted("random", speak), asyncio.Runner()

    async def matches(first: int) -> int:
        plies = 0
        for i in range(first, first + BATCH):
            game = drawing.game(f"{spec}#{i}") if drawn else only
            record = await play_match(game, [player] * game.seats, f"{spec}#{i}")
            plies += sum(seat != CHANCE for seat, _ in record.log)
        return plies

    only = drawing.game(f"{spec}#1")

    return lambda i: loop.run(matches(i * BATCH))


def _raw(spec: str) -> Callable[[int], int]:
    def episode(i: int) -> int:
        position, rng, plies = drawing.game(f"{spec}#{i}"), Random(i), 0
        while options := position.options():
            seat, listed = next(iter(options.items()))
            plies += seat != CHANCE
            position = position.play(
                seat, rng.choice(list(listed)) if listed else draw_of_chance(position, rng)
            )
        return plies

    return episode


def _played(env: Any, seats: int, seed: int, moves: Callable[[Any, Random], str]) -> int:
    env.reset(num_players=seats, seed=seed)
    # Another stream than the environment's, which seeds the global random: with the same one the
    # first guess is the secret code.
    inner, rng, plies, done = env, Random(f"player {seed}"), 0, False
    while hasattr(inner, "env"):
        inner = inner.env
    while not done:
        env.get_observation()
        done, _ = env.step(moves(inner.state.game_state, rng))
        plies += 1
    env.close()
    return plies


def _fresh(name: str, seats: int, moves: Callable[[Any, Random], str]) -> Callable[[int], int]:
    import textarena

    return lambda i: _played(textarena.make(name), seats, i, moves)


def _reused(name: str, seats: int, moves: Callable[[Any, Random], str]) -> Callable[[int], int]:
    import textarena

    env = textarena.make(name)
    return lambda i: _played(env, seats, i, moves)


def _nim(state: Any, rng: Random) -> str:
    pile = rng.choice([i for i, left in enumerate(state["piles"]) if left])
    return f"[{pile} {rng.randint(1, state['piles'][pile])}]"


def _connect(state: Any, rng: Random) -> str:
    return f"[col {rng.choice([x for x in range(7) if state['board'][0][x] == '.'])}]"


def _pig(state: Any, rng: Random) -> str:
    return rng.choice(["[roll]", "[hold]"])


def _card(state: Any, rng: Random) -> str:
    first = state["starting_player"]
    card = rng.choice(state["player_hands"][1 - first if state["pending_bids"] else first])
    return f"[{ {1: 'A', 11: 'J', 12: 'Q', 13: 'K'}.get(card, card) }]"


def _hanoi(state: Any, rng: Random) -> str:
    towers = state["towers"]
    legal = [
        f"[{a} {b}]"
        for a in towers
        for b in towers
        if a != b and towers[a] and (not towers[b] or towers[b][-1] > towers[a][-1])
    ]
    return rng.choice(legal)


def _fill(state: Any, rng: Random) -> str:
    """The right digit for the first empty cell: a wrong one would end the episode."""
    cells = "".join(str(digit) if digit else "." for row in state["board"] for digit in row)
    if "solution" not in state:
        state["solution"] = _solution(cells)
    at = cells.index(".")
    return f"[{at // 9 + 1} {at % 9 + 1} {state['solution'][at]}]"


def _code(state: Any, rng: Random) -> str:
    return "[" + " ".join(map(str, rng.sample(range(1, 7), 4))) + "]"


def _spiel(name: str) -> Callable[[int], int]:
    import pyspiel
    from open_spiel.python.games import iterated_prisoners_dilemma, kuhn_poker, tic_tac_toe

    assert iterated_prisoners_dilemma and kuhn_poker and tic_tac_toe, (
        "importing them registers their games"
    )
    game = pyspiel.load_game(name)

    def episode(i: int) -> int:
        state, rng, plies = game.new_initial_state(), Random(i), 0
        while not state.is_terminal():
            str(state)
            if state.is_simultaneous_node():
                state.apply_actions([rng.choice(state.legal_actions(seat)) for seat in range(2)])
            elif state.is_chance_node():
                state.apply_action(rng.choice([outcome for outcome, _ in state.chance_outcomes()]))
            else:
                state.apply_action(rng.choice(state.legal_actions()))
            plies += 1
        return plies

    return episode


PAIRS: tuple[Pair, ...] = (
    ("card_nim/hard", _anything, False, "Nim-v0", 2, _nim),
    ("sudokill/easy", _anything, False, "ConnectFour-v0", 2, _connect),
    ("superply/easy", _anything, False, "PigDice-v0", 2, _pig),
    ("beat_or_bomb_sto/normal", _anything, True, "GameOfPureStrategy-v0", 2, _card),
    ("tidy_tower/easy", _anything, False, "TowerOfHanoi-v0", 1, _hanoi),
    ("sudoku/normal", _right_fill, True, "Sudoku-v0", 1, _fill),
    ("exclusivity_probes/easy", _anything, True, "Mastermind-v0", 1, _code),
)
SPIEL = ("python_tic_tac_toe", "python_kuhn_poker", "python_iterated_prisoners_dilemma")

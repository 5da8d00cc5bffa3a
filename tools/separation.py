"""Measures how many seeds separate a simple rule from the strongest player, level by level.

    python tools/separation.py                  every level that is not measured yet
    python tools/separation.py card_nim         the levels of some puzzles, measured again
    python tools/separation.py --seconds 30     also what was left open in less time per level

The results are kept in `src/quandary/puzzle_docs/separation.json` after each level, so that it can
be stopped at any time; `pytest --update tests/test_golden.py` then writes the pages.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from time import process_time

from quandary.catalogue import drawing, registry
from quandary.core.contract import Game
from quandary.matches.drivers import play_now
from quandary.players.strategy import strategy_player
from quandary.puzzle_docs.separation import DATA, LevelSeparation
from quandary.statistics.separation import separation

RESULTS = Path(__file__).parent.parent / "src" / "quandary" / "pages" / DATA
# Instances per level after which a clear result ends the measurement: few, because a result that
# is looked at again and again becomes clear by luck.
LOOKS = (30, 100, 400)
STRONGEST = "oracle"


def simple_rule(game: Game) -> str:
    """The first strategy that the game lists, which is its simplest; `random` if it has none."""
    return next((name for name in game.strategies if name != STRONGEST), "random")


def scores(spec: str, level: str, *players: str) -> list[float]:
    """The mean score of each player on one instance; in duels against the house, in both seats."""
    game, found = drawing.game(spec), list[float]()
    for name in players:
        player, house = (strategy_player(who, game, level) for who in (name, "house"))
        seatings = [[player]] if game.seats == 1 else [[player, house], [house, player]]
        results = [play_now(game, seated, spec).scores or () for seated in seatings]
        found.append(fmean(result[seat] for seat, result in enumerate(results)))
    return found


def measure(name: str, level: str, seconds: float) -> LevelSeparation:
    puzzle = registry.load(name)
    game = drawing.game(f"{name}/{level}#1")
    rule = simple_rule(game)
    both, starts, begun = list[tuple[float, float]](), set[object](), process_time()
    for seed in range(1, LOOKS[-1] + 1):
        spec = f"{name}/{level}#{seed}"
        starts.add(drawing.game(spec).canonical())
        one, other = scores(spec, level, rule, STRONGEST)
        both.append((one, other))
        found = separation([strong - simple for simple, strong in both])
        is_clear = seed in LOOKS and found.seeds is not None and found.seeds <= seed
        if is_clear or process_time() - begun > seconds:
            break
    return LevelSeparation(
        version=puzzle.version,
        seconds=seconds,
        rule=rule,
        against=game.house.get(level, "random") if game.seats > 1 else "",
        played=len(both),
        distinct=len(starts),
        rule_score=round(fmean(simple for simple, _ in both), 6),
        strongest_score=round(fmean(strong for _, strong in both), 6),
        seeds=found.seeds,
        more_than=found.more_than,
    )


def left(
    known: dict[str, LevelSeparation], names: list[str], seconds: float
) -> Iterator[tuple[str, str]]:
    """The levels to measure: those named, else those not measured or left open in less time."""
    for name in names or registry.names():
        for level in registry.load(name).levels:
            entry = known.get(f"{name}/{level}")
            is_open = entry is not None and entry["seeds"] is None and entry["seconds"] < seconds
            is_old = entry is None or entry["version"] != registry.load(name).version
            if names or is_old or is_open:
                yield name, level


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="puzzles (default: what is left)")
    parser.add_argument("--seconds", type=float, default=4.0, help="per level (%(default)s)")
    options = parser.parse_args()
    known: dict[str, LevelSeparation] = json.loads(RESULTS.read_text("utf-8"))
    for name, level in list(left(known, options.names, options.seconds)):
        known[f"{name}/{level}"] = measure(name, level, options.seconds)
        ordered = {
            key: known[key]
            for key in (
                f"{one}/{at}" for one in registry.names() for at in registry.load(one).levels
            )
            if key in known
        }
        RESULTS.write_text(json.dumps(ordered, indent=1) + "\n", "utf-8")
        print(f"{name}/{level}: {known[f'{name}/{level}']}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

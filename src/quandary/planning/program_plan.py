"""What a run would take in which models write programs, which then play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
from math import inf

from quandary.arena.drawn_programs import samples_of
from quandary.arena.schedule import Kind, Schedule, seatings
from quandary.arena.suite import Suite
from quandary.catalogue import drawing, registry
from quandary.catalogue.spec import Spec
from quandary.matches.codec import record_json
from quandary.matches.drivers import play_now
from quandary.models.prices import Prices
from quandary.models.provider import Decoding, Usage
from quandary.players.model_names import parse
from quandary.players.strategy import strategy_player
from quandary.programs.library import author_of
from quandary.programs.player import hides_or_draws
from quandary.programs.prompt import CLOCK, program_prompt

from .game_costs import LETTERS
from .plan import (
    Assumptions,
    Games,
    Plan,
    PlayerPlan,
    Playing,
    games_on_levels,
    total_of,
    untimed_of,
)

# Seconds of processor time, of the run and of the processes of programs together.  They are rounded
# so that each is within a tenth of `python -m benchmarks programs`: a match of card nim took 2.5 ms
# for 6 turns, one of superply 23 ms for 56, one of beat or bomb 16 ms for 17, with their records
# stored, and a start 5 ms (Python 3.11, x86-64, two busy cores).
PLY = 1 / 5_000  # of a turn
START = 0.005  # of a new process for a program; where nothing is hidden, few are needed
MATCH = 0.0015  # of what each match takes besides, those few starts included


def plan_programs(
    suite: Suite,
    models: Sequence[str],
    samples: int,
    kind: Kind | None,
    prices: Prices,
    assumed: Assumptions | None = None,
    base_url: str = "",
    *,
    programs_per_pair: int = 0,
    repairs: int = 0,
) -> Plan:
    """Return what a run would take in which each model writes so many programs per puzzle."""
    assumed = assumed or Assumptions()
    drawn = samples_of(suite.specs, models, samples)
    programs = list(dict.fromkeys(sample.player for sample in drawn))
    schedule = Schedule(
        suite, [*programs, "house"], kind or "pairs", programs_per_pair=programs_per_pair
    )
    tables = {
        seats: seatings(schedule.kind, schedule.players, seats, programs_per_pair)
        for seats in set(schedule.seats)
    }
    levels = tuple(
        level._replace(games=_by_author(level.games))
        for level in games_on_levels(schedule, lambda seats: _taken(tables[seats]))
    )
    written = Writing(suite, levels, samples, repairs, prices, assumed)
    parts = {
        (name, level.entry): written.part(name, level)
        for name in (*models, "house")
        for level in levels
    }
    players = (*models, "house")
    return Plan(
        suite,
        schedule.kind,
        schedule.total,
        levels,
        tuple(total_of(name, [parts[name, level.entry] for level in levels]) for name in players),
        parts,
        assumed,
        untimed_of(models, assumed, base_url),
        _playing(schedule, levels, tables, samples, repairs, len(programs[0])),
    )


def _taken(tables: Iterable[Sequence[str]]) -> dict[str, float]:
    """Return how many seats each player takes on an instance."""
    return {name: float(count) for name, count in Counter(chain.from_iterable(tables)).items()}


def _by_author(games: Mapping[str, float]) -> dict[str, float]:
    """Games of the programs of each model, and of the house."""
    found = Counter[str]()
    for name, count in games.items():
        found[name if name == "house" else author_of(name)] += count  # type: ignore[assignment]
    return dict(found)


class Writing:
    """What it takes that models write programs; a program is divided among its puzzle's levels."""

    def __init__(
        self,
        suite: Suite,
        levels: Sequence[Games],
        samples: int,
        repairs: int,
        prices: Prices,
        assumed: Assumptions,
    ) -> None:
        self.suite, self.samples, self.repairs = suite, samples, repairs
        self.prices, self.assumed = prices, assumed
        self.levels = Counter(level.spec.name for level in levels)

    def part(self, name: str, level: Games) -> PlayerPlan:
        """Return what a player does in the games of one level."""
        games = level.games.get(name, 0.0)
        if name == "house":
            return PlayerPlan(name, games)
        usual = self.suite.prompt_settings
        provider, model, _, decoding = parse(name, usual, Decoding(**dict(self.suite.decoding)))
        calls = self.samples / self.levels[level.spec.name]
        read = calls * prompt_tokens(level.spec.name, self.suite.clock or CLOCK)
        reply = self.assumed.reply
        if reply is None:
            reply = self.assumed.thought + self.assumed.program
        reply = min(reply, decoding.max_tokens or inf)
        seconds = self.assumed.wait + reply / self.assumed.tokens_per_second
        usage = Usage(round(read), round(calls * reply))
        return PlayerPlan(
            name,
            games,
            calls,
            calls * (self.suite.attempts + self.repairs),
            read,
            calls * reply,
            self.prices.cost(f"{provider}/{model}", usage),
            calls * seconds,
            seconds,
        )


@cache
def prompt_tokens(puzzle: str, clock: int) -> float:
    """Return the tokens of the prompt that asks for a program."""
    return len(program_prompt(registry.load(puzzle), clock=clock)) / LETTERS


def _playing(
    schedule: Schedule,
    levels: Sequence[Games],
    tables: Mapping[int, Sequence[Sequence[str]]],
    samples: int,
    repairs: int,
    letters: int,  # of the name of a program
) -> Playing:
    seconds = size = 0.0
    for level in levels:
        game = drawing.game(level.spec)
        seated = tables[game.seats]
        matches = len(seated) * level.instances * schedule.repeats
        plies = level.cost.calls * game.seats
        seconds += matches * (MATCH + plies * PLY)
        if hides_or_draws(game):
            of_programs = sum(name != "house" for each in seated for name in each)
            seconds += of_programs * level.instances * schedule.repeats * START
        size += matches * (record_bytes(level.spec, plies) + game.seats * letters)
    puzzles = tuple(dict.fromkeys(level.spec.name for level in levels))
    per_pair = schedule.programs_per_pair
    return Playing(puzzles, samples, repairs, per_pair, seconds / 3_600, round(size))


@cache
def record_bytes(spec: Spec, plies: float) -> float:
    """Return the size of a record with so many turns, without the names of the players, by a match
    of random play.
    """
    game = drawing.game(spec)
    seated = [strategy_player("random", game, spec.level) for _ in range(game.seats)]
    record = play_now(game, seated, str(spec))
    whole = len(record_json(record))
    start = len(record_json(replace(record, log=(), said=())))
    return start + (whole - start) / max(len(record.said), 1) * plies

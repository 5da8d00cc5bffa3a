"""What a run would cost, and what it could show, before it is played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import inf
from typing import NamedTuple

from quandary.arena.run import check_authors, check_programs, validate
from quandary.arena.schedule import Kind, Schedule, seatings
from quandary.arena.suite import Suite
from quandary.arena.swiss import Pairings
from quandary.catalogue import drawing
from quandary.catalogue.spec import Spec
from quandary.matches.drivers import play_now
from quandary.matches.player import Scripted, Turn
from quandary.models.pool import check_provider
from quandary.models.prices import FREE, Prices
from quandary.models.provider import Decoding, Usage
from quandary.models.providers import presets
from quandary.models.settings_check import check_support
from quandary.players.model_names import is_model, parse, prompt_choices
from quandary.players.prompts.conversation import Conversation
from quandary.players.prompts.examples import Examples
from quandary.players.prompts.settings import PromptSettings
from quandary.players.registry import PlayerRegistry
from quandary.players.strategy import random_move
from quandary.players.tree_of_thoughts import PROPOSALS, VOTES

from .game_costs import LETTERS, WITH_HISTORY, GameCost, entry_name, game_cost, letters_of


@dataclass(frozen=True)
class Assumptions:
    """What cannot be known before a run."""

    thought: int = 500  # tokens a model writes before its answer, where it is asked to think
    like: str = ""  # an earlier run
    reply: float | None = None  # tokens of a whole reply in it; if known, instead of `thought`
    program: int = 1_000  # tokens of a program
    tokens_per_second: float = 50.0  # that a model writes
    wait: float = 1.0  # seconds before its first token
    connections: int = 32  # calls in flight; a model in this process answers one at a time
    # Whether the user gave the speed and the connections, so that they also hold for models that
    # the user runs; nothing is known of those otherwise.
    is_own_speed: bool = False


class Games(NamedTuple):
    """The games of one level in a run."""

    entry: str
    spec: Spec  # one of them
    instances: int
    cost: GameCost
    games: dict[str, float]  # by player: seats it takes; of a Swiss run, on average
    tries: int


class PlayerPlan(NamedTuple):
    """What a player does in a run; only models make calls."""

    player: str
    games: float
    calls: float = 0.0
    most: float = 0.0  # calls, if every game is as long as the longest that was measured
    read: float = 0.0  # tokens
    written: float = 0.0
    dollars: float | None = 0.0  # None: the price is unknown
    seconds: float = 0.0  # of all calls, one after another
    longest: float = 0.0  # seconds of a game


def total_of(player: str, parts: Sequence[PlayerPlan]) -> PlayerPlan:
    """Return what a player does on several levels."""
    costs = [part.dollars for part in parts]
    return PlayerPlan(
        player,
        games=sum(part.games for part in parts),
        calls=sum(part.calls for part in parts),
        most=sum(part.most for part in parts),
        read=sum(part.read for part in parts),
        written=sum(part.written for part in parts),
        dollars=None if None in costs else sum(cost or 0.0 for cost in costs),
        seconds=sum(part.seconds for part in parts),
        longest=max(part.longest for part in parts),
    )


class Playing(NamedTuple):
    """What the games of programs take that models are to write."""

    puzzles: tuple[str, ...]  # each once
    samples: int  # per model and puzzle
    repairs: int  # replies after failed trial matches, at most
    programs_per_pair: int  # 0: all
    hours: float  # of processor time, without what programs and the house think
    size: int  # of the records, in bytes


@dataclass(frozen=True)
class Plan:
    """A run before it is played."""

    suite: Suite
    kind: Kind
    matches: int
    levels: tuple[Games, ...]
    players: tuple[PlayerPlan, ...]
    parts: Mapping[tuple[str, str], PlayerPlan]  # by player and level
    assumed: Assumptions
    untimed: tuple[str, ...] = ()  # players of whose speed nothing is known
    programs: Playing | None = None  # of a run in which models write programs

    @property
    def languages(self) -> set[str]:
        """In which models are asked."""
        usual = self.suite.prompt_settings
        models = [each.player for each in self.players if is_model(each.player)]
        return {prompt_choices(name, usual).language for name in models}

    @property
    def dollars(self) -> float | None:
        costs = [player.dollars for player in self.players]
        return None if None in costs else sum(cost or 0.0 for cost in costs)

    @property
    def minutes(self) -> float | None:
        """Of all calls, so many at once; no game can be shorter than its calls in sequence.

        None if nothing is known of a player's speed.
        """
        if self.untimed:
            return None
        one_by_one = sum(each.seconds for each in self.players if each.player.startswith(FREE))
        others = sum(each.seconds for each in self.players) - one_by_one
        longest = max(each.longest for each in self.players)
        return max(one_by_one, others / self.assumed.connections, longest) / 60


def check(suite: Suite, players: Sequence[str], samples: int = 0) -> None:
    """Refuse what a run would refuse, except that no keys and servers are needed."""
    if samples:
        check_authors(suite, players)
    elif suite.setting == "code":
        check_programs(players)
    validate(suite, [name for name in players if not is_model(name)], PlayerRegistry())
    for name in filter(is_model, players):
        provider, _, _, decoding = parse(
            name, suite.prompt_settings, Decoding(**dict(suite.decoding))
        )
        check_provider(provider)
        check_support(provider, decoding)


def plan(
    suite: Suite,
    players: Sequence[str],
    kind: Kind | None,
    prices: Prices,
    assumed: Assumptions | None = None,
    base_url: str = "",
) -> Plan:
    """Return what a run of a suite would take, by measured games and assumptions."""
    assumed = assumed or Assumptions()
    schedule = Schedule(suite, players, kind)
    players = schedule.players
    levels = tuple(games_on_levels(schedule, lambda seats: games_of(schedule.kind, players, seats)))
    parts = {
        (name, level.entry): on_level(name, level, suite, prices, assumed)
        for name in players
        for level in levels
    }
    return Plan(
        suite,
        schedule.kind,
        schedule.total,
        levels,
        tuple(total_of(name, [parts[name, level.entry] for level in levels]) for name in players),
        parts,
        assumed,
        untimed_of(players, assumed, base_url),
    )


def untimed_of(players: Sequence[str], assumed: Assumptions, base_url: str) -> tuple[str, ...]:
    """Return the players of whose speed nothing is known."""
    return tuple(
        name
        for name in players
        if is_model(name) and not assumed.is_own_speed and _is_run_by_user(name, base_url)
    )


def _is_run_by_user(name: str, base_url: str) -> bool:
    """Return whether a model answers in this process, or at another address than its provider's."""
    provider = name.partition("/")[0]
    if provider not in presets.names():
        return name.startswith(FREE)
    known = presets.preset(provider)
    return not known.key_variable or presets.address(provider, base_url) != known.base_url


def games_on_levels(
    schedule: Schedule, taken: Callable[[int], Mapping[str, float]]
) -> Iterable[Games]:
    """Yield the games of each level; `taken` tells the seats of each player on an instance, by the
    number of seats.
    """
    suite = schedule.suite
    counts, seats = Counter[str](), dict[str, int]()
    one = dict[str, Spec]()
    for spec, number in zip(schedule.specs, schedule.seats, strict=True):
        name = entry_name(spec)
        counts[name] += 1
        seats[name], one[name] = number, one.get(name, spec)
    for name, instances in counts.items():
        games = {
            player: own * instances * suite.repeats for player, own in taken(seats[name]).items()
        }
        tries = getattr(drawing.game(one[name], tries=suite.tries), "tries", 1)
        yield Games(name, one[name], instances, game_cost(one[name]), games, tries)


def games_of(kind: Kind, players: Sequence[str], seats: int) -> dict[str, float]:
    """Return how many seats each player takes on one instance; in a Swiss run, on average."""
    if kind == "swiss" and seats == 2:
        count, pairs = len(players), len(players) // 2
        return dict.fromkeys(players, Pairings(players).rounds * 4 * pairs / count)
    seated = seatings(kind, players, seats)
    return {name: float(sum(table.count(name) for table in seated)) for name in players}


def on_level(
    name: str, level: Games, suite: Suite, prices: Prices, assumed: Assumptions
) -> PlayerPlan:
    """Return what a player does in the games of one level."""
    games = level.games[name]
    if not is_model(name):
        return PlayerPlan(name, games)
    usual = replace(suite.prompt_settings, modality=suite.modality_of(level.spec))
    provider, model, prompt, decoding = parse(name, usual, Decoding(**dict(suite.decoding)))
    cost, thought = level.cost, _thought(level.cost, prompt, decoding, assumed)
    read = cost.tokens + cost.repeated * thought if prompt.history else cost.without_history
    read += cost.calls * _more_per_call(level.spec, replace(prompt, history=True))
    written, calls = cost.written + cost.calls * thought, cost.calls
    longest = calls
    if prompt.prompting == "tree":
        # Proposals and votes are one call each; each reply to them is written in full.
        read, calls, written = 2 * read, 2 * calls, (PROPOSALS + VOTES) * written
    usage = Usage(round(games * read), round(games * written))
    seconds = calls * assumed.wait + written / assumed.tokens_per_second
    return PlayerPlan(
        name,
        games,
        games * calls,
        games * cost.most * level.tries * (calls / longest),
        games * read,
        games * written,
        prices.cost(f"{provider}/{model}", usage),
        games * seconds,
        seconds,
    )


def _thought(
    cost: GameCost, prompt: PromptSettings, decoding: Decoding, assumed: Assumptions
) -> float:
    """Tokens of a reply beside its answer; below 0 if replies are shorter than answers of the
    house.
    """
    if prompt.prompting == "none":
        return 0.0
    most = decoding.max_tokens or inf
    if assumed.reply is not None:
        return min(assumed.reply, most) - cost.written / cost.calls
    return float(min(assumed.thought, most))


@cache
def _more_per_call(spec: Spec, prompt: PromptSettings) -> float:
    """Tokens by which a prompt with these settings is longer than a usual one, by the first prompt
    of an instance; pictures are not counted.
    """
    if prompt == WITH_HISTORY:
        return 0.0
    turn = first_turn(spec, prompt)
    game = drawing.game(spec, language=prompt.language)
    examples = Examples(game, spec)
    usual = Conversation(replace(WITH_HISTORY, modality="text"), examples, turn.seat, str(spec))
    own = Conversation(replace(prompt, modality="text"), examples, turn.seat, str(spec))
    return (letters_of(own.ask(turn)) - letters_of(usual.ask(turn))) / LETTERS


def first_turn(spec: Spec, prompt: PromptSettings) -> Turn:
    """Return the first turn of an instance that is played at random."""
    seen = list[Turn]()

    def look(turn: Turn, rng: object) -> str:
        seen.append(turn)
        return random_move(turn, rng)  # type: ignore[arg-type]

    game = drawing.game(spec, language=prompt.language)
    play_now(game, [Scripted("random", look)] * game.seats, str(spec))
    return seen[0]

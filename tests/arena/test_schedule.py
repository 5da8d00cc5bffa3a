"""Schedules: who meets whom, found by numbers."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from pathlib import Path
from random import Random

import pytest

from quandary.arena.manifest import manifest
from quandary.arena.run import run
from quandary.arena.schedule import KINDS, TILE, Kind, Schedule, seatings
from quandary.arena.store import Store
from quandary.arena.suite import read as read_suite
from quandary.arena.swiss import Pairings
from quandary.core.errors import UserError
from quandary.players.registry import PlayerRegistry
from quandary.results.unplayed import left
from run_files import stored

DUELS = '[[puzzles]]\npuzzle = "card_nim"\nlevels = ["easy"]\nseeds = "1-3"\n'
ALONE = '[[puzzles]]\npuzzle = "islands"\nlevels = ["easy"]\nseeds = "1-2"\n'
ABOUT = '[[puzzles]]\npuzzle = "card_nim"\ntask = "check"\nlevels = ["easy"]\nseeds = "1"\n'
MIXED = read_suite("mixed", f"repeats = 2\n{DUELS}{ALONE}{ABOUT}")
PLAYERS = ["random", "oracle", "house"]
LANGUAGES = ["openai/x,language=en", "openai/x,language=zh"]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "alone"])
def test_matches_are_found_by_number_and_name(kind: Kind) -> None:
    """Each has one number, no two have the same, and each duel is played from both seats."""
    schedule = Schedule(MIXED, PLAYERS, kind)
    jobs = list(schedule)

    assert len(jobs) == len(set(jobs)) == len(schedule)
    assert list(range(len(jobs))) == [
        schedule.number(str(job.start), job.players, job.repeat) for job in jobs
    ]
    assert schedule.number("card_nim/easy#9", jobs[0].players, 0) is None
    assert schedule.number(str(jobs[0].start), jobs[0].players, 2) is None
    duels = Counter(
        (job.start, job.repeat, frozenset(job.players)) for job in jobs if len(job.players) == 2
    )
    assert {2} == set(duels.values())
    assert {"check:card_nim/easy#1", "islands/easy#1"} < {
        str(job.start) for job in jobs if len(job.players) == 1
    }


def test_few_players_meet_before_others_do() -> None:
    """So that little more than a tile of processes is needed, of those that played last."""
    players = [f"program/a{number}.py" for number in range(5 * TILE)]
    every = seatings("pairs", players, 2)
    assert {*permutations(players, 2)} == {*every}
    assert len(every) == len({*every})

    waiting, started = dict[str, None](), 0
    for seating in every:
        for player in seating:
            started += player not in waiting
            waiting.pop(player, None)
            waiting[player] = None
        while len(waiting) > TILE + 2:
            del waiting[next(iter(waiting))]
    assert started <= 2 * len(every) / TILE + 2 * len(players)


def test_each_player_meets_the_house() -> None:
    """And the house meets random, which is the same match."""
    duels = {job.players for job in Schedule(MIXED, PLAYERS, "house") if len(job.players) == 2}

    assert duels == {
        ("random", "house"), ("house", "random"), ("oracle", "house"), ("house", "oracle")
    }  # fmt: skip


@pytest.mark.parametrize("kind", ["pairs", "house"])
def test_a_model_does_not_meet_itself_in_another_language(kind: Kind) -> None:
    """Both languages have the same opponents, whatever settings stand beside them."""
    one, other = "openai/x,language=en,shots=1", "openai/x,shots=1,language=zh"
    second = ["openai/x,language=en", "openai/x"]  # other settings, and the language of the suite
    met = {name: Counter[str]() for name in (one, other)}
    duels = [job.players for job in Schedule(MIXED, [one, other, *second, "random"], kind)]
    for players in (seated for seated in duels if len(seated) == 2):
        for seat, name in enumerate(players):
            if name in met:
                met[name][players[1 - seat]] += 1

    assert met[one] == met[other]
    assert set(met[one]) == ({"house"} if kind == "house" else {*second, "random"})
    assert not any(set(seated) == set(second) for seated in duels)


def test_tables_for_more_than_two_are_filled_up() -> None:
    """A model in two languages takes one seat of three, so the house is asked in."""
    players = ["openai/x,language=en", "openai/x,language=zh", "random"]
    tables = {frozenset(seated) for seated in seatings("pairs", players, 3)}

    assert tables == {frozenset({name, "random", "house"}) for name in players[:2]}


@pytest.mark.parametrize(
    ("kind", "players", "advice"),
    [
        ("alone", PLAYERS, "card_nim is not played alone; use --schedule house"),
        ("swiss", ["random"], "needs two or more players"),
        ("pairs", ["random"], "for card_nim; name a second player, or use --schedule house"),
        ("pairs", LANGUAGES, "for card_nim; name a second player, or use --schedule house"),
        ("swiss", [*LANGUAGES, "random"], "would not meet the same opponents; use --schedule p"),
        ("swizz", PLAYERS, "did you mean 'swiss'"),
    ],
)
def test_what_cannot_be_scheduled_is_said(kind: Kind, players: list[str], advice: str) -> None:
    """In one sentence."""
    with pytest.raises(UserError, match=advice):
        Schedule(MIXED, players, kind)
    assert 12 == len(Schedule(read_suite("alone", f"repeats = 2\n{ALONE}"), PLAYERS, "alone"))


def test_pairs_of_a_lone_player_are_refused_only_where_it_would_meet_the_house(
    tmp_path: Path,
) -> None:
    """Not where every puzzle has one seat, nor in the runs of earlier versions that have them."""
    alone, duels = read_suite("alone", ALONE), read_suite("duels", DUELS)
    assert 2 == len(Schedule(alone, ["random"], "pairs"))
    assert "house" == Schedule(duels, ["random"]).kind

    old = Schedule(duels, ["random"], "pairs", stored=list(map(str, duels.specs)))
    with Store(tmp_path, manifest(old)):
        pass  # as a run that was interrupted at once
    assert 6 == len(list(left(tmp_path, [], 0)))
    assert 6 == len(run(duels, ["random"], tmp_path, PlayerRegistry()).records)
    longer = read_suite("duels", DUELS.replace("1-3", "1-4"))
    with pytest.raises(UserError, match="name a second player"):
        run(longer, ["random"], tmp_path, PlayerRegistry())


def test_a_player_who_is_left_out_of_pairs_is_named(tmp_path: Path) -> None:
    """Naming one of two players is a mistake about the run, not about the schedule."""
    suite = read_suite("duels", DUELS)
    run(suite, ["random", "house"], tmp_path, PlayerRegistry())
    with pytest.raises(UserError, match="the player house, which this command lacks"):
        run(suite, ["random"], tmp_path, PlayerRegistry())


@pytest.mark.parametrize("number", range(2, 22))
def test_nobody_meets_twice_in_a_swiss_run(number: int) -> None:
    """Whatever the results are; an odd player rests at most once."""
    players, rng = [f"p{each}" for each in range(number)], Random(number)
    pairings, points = Pairings(players), dict.fromkeys(players, 0.0)
    met = Counter[frozenset[str]]()
    for _ in range(pairings.rounds):
        pairs = pairings.next_round(points)
        assert number // 2 == len(pairs)
        assert 2 * len(pairs) == len({player for pair in pairs for player in pair})
        met.update(map(frozenset, pairs))
        for pair in pairs:
            points[rng.choice(pair)] += 1
    assert {1} == set(met.values())
    assert len(pairings.rested) == (pairings.rounds if number % 2 else 0)


def test_a_swiss_run_goes_on_in_any_round(tmp_path: Path) -> None:
    """Stopped at any moment, the pairs are the same: winners meet winners."""
    players = ["random", "cautious", "house", "oracle"]
    suite = read_suite("duels", DUELS)
    whole = run(suite, players, tmp_path / "whole", PlayerRegistry(), kind="swiss")

    # Two rounds of two pairs instead of all six pairs, on three instances from both seats.
    assert (24, 24, "") == (whole.matches, len(whole.records), whole.stopped)
    lines = (tmp_path / "whole" / "records.jsonl").read_bytes().splitlines(keepends=True)
    for cut in (5, 12, 17):
        folder = tmp_path / str(cut)
        run(suite, players, folder, PlayerRegistry(), kind="swiss")
        (folder / "records.jsonl").write_bytes(b"".join(lines[:cut]))
        again = run(suite, players, folder, PlayerRegistry())  # the folder knows its schedule
        assert 24 == len(again.records)
        assert stored(tmp_path / "whole") == stored(folder)

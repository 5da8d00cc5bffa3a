"""A part of the pairs of programs: which ones, how many, and that each program plays as often."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from quandary.arena.program_pairs import chosen_pairs
from quandary.arena.schedule import Schedule, seatings
from quandary.arena.suite import read as read_suite
from quandary.core.errors import UserError

SUITE = '[[puzzles]]\npuzzle = "card_nim"\nlevels = ["easy"]\nseeds = "1-2"\n'


def _programs(author: str, count: int) -> list[str]:
    return [f"program/{author}_{number}.py" for number in range(1, count + 1)]


@pytest.mark.parametrize(("one", "other"), [(4, 4), (3, 5), (4, 6), (1, 7), (8, 2)])
def test_each_program_plays_about_as_often(one: int, other: int) -> None:
    """For every number of pairs, and no pair comes twice."""
    every = {frozenset(pair) for pair in product(_programs("a", one), _programs("b", other))}
    for count in range(1, one * other + 3):
        found = chosen_pairs([*_programs("a", one), *_programs("b", other)], count)
        assert len(found) == min(count, one * other)
        assert found <= every
        played = Counter(program for pair in found for program in pair)
        for author, number in (("a", one), ("b", other)):
            own = [played[name] for name in _programs(author, number)]
            assert max(own) - min(own) <= 1, (author, count)


def test_pairs_follow_from_names_alone() -> None:
    """Whoever else plays, and in whatever order; more pairs contain fewer."""
    players = [*_programs("a", 6), *_programs("b", 6)]
    found = chosen_pairs(players, 9)
    assert found == chosen_pairs(reversed(players), 9)
    with_others = chosen_pairs([*players, *_programs("c", 4), "house"], 9)
    assert found == {pair for pair in with_others if not any("/c_" in name for name in pair)}
    assert found < chosen_pairs(players, 10)
    # As they were chosen when this was written: another machine must choose the same.
    assert {
        ("program/a_1.py", "program/b_2.py"),
        ("program/a_2.py", "program/b_1.py"),
    } == {tuple(sorted(pair)) for pair in chosen_pairs(_programs("a", 2) + _programs("b", 2), 2)}


def test_both_seats_and_the_house_are_played() -> None:
    players = [*_programs("a", 3), *_programs("b", 3), "house"]
    found = seatings("pairs", players, 2, 2)
    assert {(b, a) for a, b in found} == set(found)
    assert 2 * 2 + 2 * 6 == len(found)
    assert [(player,) for player in players] == seatings("pairs", players, 1, 2)


def test_a_schedule_has_so_many_matches() -> None:
    players = [*_programs("a", 3), *_programs("b", 3), "house"]
    schedule = Schedule(read_suite("nim", SUITE), players, "pairs", programs_per_pair=2)
    assert 2 * 16 == schedule.total == len({job.name for job in schedule})
    for number, job in enumerate(schedule):
        assert number == schedule.number(str(job.start), job.players, job.repeat)


def test_other_schedules_have_no_pairs_to_choose_from() -> None:
    players = [*_programs("a", 3), "house"]
    with pytest.raises(UserError, match="is for games of two seats, and for --schedule pairs"):
        Schedule(read_suite("nim", SUITE), players, "house", programs_per_pair=2)

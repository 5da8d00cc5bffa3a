"""Mutual restriction: who beats whom, what results tell, and how many games there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations, product
from random import Random

import pytest
from proofs.second_workings.mutual_restriction import BEATEN, rows, work

from quandary.puzzles.questions.planning.mutual_restriction import MutualRestriction
from quandary.puzzles.questions.planning.mutual_restriction.solver import (
    CARDS,
    EXCEPTIONS,
    RESULTS,
    Result,
    beaten,
    left_after,
    result,
    rows_of,
)

LEVELS = [(family, level) for family in "abcd" for level in range(4)]
# Unique games with the numbers of rounds 1 to 4, up to turning the circle.
UNIQUE = {"a": (1, 12, 108, 624), "c": (2, 18, 72, 120)}


def game(family: str, own: str, told: str, level: int | None = None) -> MutualRestriction:
    """Results are written W, L and D."""
    results: dict[str, Result] = {"W": "win", "L": "loss", "D": "draw"}
    level = len(own) - 1 if level is None else level
    return MutualRestriction(family, level, own, tuple(results[one] for one in told))


def games(family: str, rounds: int) -> Iterator[MutualRestriction]:
    """All of them, those without or with several solutions too."""
    for own in map("".join, permutations(CARDS[family], rounds)):
        for told in product(RESULTS, repeat=rounds):
            yield MutualRestriction(family, rounds - 1, own, told)


def is_drawn(one: MutualRestriction) -> bool:
    """As the rules of making instances say, by the second working."""
    if not one.is_unique():
        return False
    _, process = work(one)
    known = [sum(card != "*" for card in entry) for entry in process]
    telling = sum(now > before for now, before in zip(known, [0, *known], strict=False))
    gradual = len(process) < 3 or (
        any("*" in entry for entry in process) and 2 * telling >= len(process)
    )
    return gradual and one.uses_every_rule()


def test_the_worked_example_of_the_specification(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ranks A, B, C: A wins, then B is a draw."""
    monkeypatch.setitem(CARDS, "ranks", "ABC")
    monkeypatch.setitem(EXCEPTIONS, "ranks", ())

    assert game("ranks", "AB", "WD").work() == (["C", "B"], [["*"], ["C", "B"]])


@pytest.mark.parametrize(
    ("family", "own", "told", "process"),
    [
        # Water beats Fire, which it overcomes, and Metal, which generates it and is used before.
        ("a", "DE", "DW", ["D", "DB"]),
        # Wood loses to Fire and to Metal, which is used later.
        ("a", "AD", "LD", ["*", "BD"]),
        # The marshal loses to the landmine alone, which is then used.
        ("b", "AB", "LL", ["H", "HA"]),
        # The engineer, who alone beats the landmine, cannot be there for a draw too.
        ("b", "HG", "LD", ["G", ""]),
        # The general loses to the marshal and to the landmine, which is beaten later.
        ("b", "BG", "LW", ["*", "AH"]),
        # A draw is one of two cards; the one that is beaten later was not it.
        ("c", "AB", "DW", ["*", "AC"]),
        # The mouse beats the elephant alone, and the elephant loses to the mouse alone.
        ("d", "HA", "WL", ["A", "AH"]),
        ("d", "GF", "WW", ["H", "HG"]),
    ],
)
def test_known_games(family: str, own: str, told: str, process: list[str]) -> None:
    made = game(family, own, told)
    if process[-1]:
        assert made.work().process == [list(entry) for entry in process]
    else:
        assert not left_after(family, made.own, made.results)[-1]
        with pytest.raises(ValueError, match="no candidate fits"):
            made.work()


def test_who_beats_whom() -> None:
    """By names: generation and overcoming as everybody knows them, and the order of ranks."""
    generated, overcome = "Wood Fire Earth Metal Water Wood", "Wood Earth Water Fire Metal Wood"
    named = dict(zip(["Wood", "Fire", "Earth", "Metal", "Water"], "ABCDE", strict=True))
    generates = list(zip(generated.split(), generated.split()[1:], strict=False))
    overcomes = list(zip(overcome.split(), overcome.split()[1:], strict=False))

    assert len(generates) == len(overcomes) == 5
    for winner, loser in [*overcomes, *(pair[::-1] for pair in generates)]:
        assert result("a", named[winner], named[loser]) == "win"
    assert {
        family: {card: set(beaten(family, card)) for card in CARDS[family]} for family in "abcd"
    } == {
        family: {card: set(others) for card, others in table.items()}
        for family, table in BEATEN.items()
    }


def test_every_pair_has_one_outcome() -> None:
    """Different cards are a draw only in the circle of four, where two pairs are opposite."""
    opposite: dict[Result, Result] = {"win": "loss", "loss": "win", "draw": "draw"}
    for family, cards in CARDS.items():
        told = {pair: result(family, *pair) for pair in product(cards, cards)}
        draws = {one + other for (one, other), how in told.items() if how == "draw" and one < other}

        assert all(told[other, one] == opposite[how] for (one, other), how in told.items())
        assert all(told[card, card] == "draw" for card in cards)
        assert draws == ({"AC", "BD"} if family == "c" else set())


@pytest.mark.parametrize("family", "abcd")
def test_the_solver_against_every_row_of_cards(family: str) -> None:
    """All games of two rounds, and some of four: how many rows fit, and what they have alike."""
    rng = Random(family)
    drawn = [
        MutualRestriction(
            family, 3, "".join(rng.sample(CARDS[family], 4)), tuple(rng.choices(RESULTS, k=4))
        )
        for _ in range(100)
    ]
    found = 0
    for one in [*games(family, 2), *drawn]:
        candidates = rows_of(family, len(one.own))
        told = [
            row
            for row in rows(one)
            if all(
                result(family, *pair) == how
                for *pair, how in zip(one.own, row, one.results, strict=True)
            )
        ]
        left = left_after(family, one.own, one.results)[-1]

        assert list(candidates.listed(left)) == told
        assert one.is_unique() == (len(told) == 1)
        if one.is_unique():
            found += 1
            assert tuple(one.work()) == work(one)
    assert found >= 12


@pytest.mark.parametrize("family", UNIQUE)
def test_how_many_games_are_unique(family: str) -> None:
    """Counted by listing the results of every two rows of cards."""
    for rounds, expected in enumerate(UNIQUE[family], start=1):
        played = Counter(
            (own, tuple(result(family, *pair) for pair in zip(own, row, strict=True)))
            for own in permutations(CARDS[family], rounds)
            for row in permutations(CARDS[family], rounds)
        )
        unique = [
            MutualRestriction(family, rounds - 1, "".join(own), told)
            for (own, told), count in played.items()
            if count == 1
        ]

        assert len(unique) == expected * len(CARDS[family])
        assert all(one.is_unique() for one in unique)
        assert len({one.canonical() for one in unique}) == expected


LARGE = [("b", 3), ("d", 3)]


@pytest.mark.parametrize(
    ("family", "level"),
    [pytest.param(*pair, marks=pytest.mark.heavy if pair in LARGE else ()) for pair in LEVELS],
)
def test_as_many_as_declared(family: str, level: int) -> None:
    forms = {one.canonical() for one in games(family, level + 1) if is_drawn(one)}

    assert len(forms) == MutualRestriction.distinct_instances[f"{level},family={family}"].instances


def test_levels_have_as_many_as_their_families() -> None:
    small = MutualRestriction.distinct_instances
    for level in map(str, range(4)):
        own = [small[f"{level},family={family}"] for family in "abcd"]
        assert small[level].instances == sum(few.instances for few in own)
        assert small[level].published == sum(few.published for few in own)


@pytest.mark.parametrize(("family", "level"), [("a", 2), ("c", 1), ("c", 2), ("b", 0)])
def test_all_games_are_drawn_equally_often(family: str, level: int) -> None:
    """By a chi-square test that a fair draw hardly ever fails."""
    forms = {one.canonical() for one in games(family, level + 1) if is_drawn(one)}
    drawn = Counter(
        MutualRestriction.new(Random(seed), family=family, level=level).canonical()
        for seed in range(20 * len(forms))
    )
    chi_square = sum((drawn[form] - 20) ** 2 / 20 for form in forms)

    assert drawn.keys() == forms
    assert chi_square < len(forms) - 1 + 5 * (2 * len(forms)) ** 0.5 + 20


@pytest.mark.parametrize(("family", "level"), LEVELS)
def test_instances_are_as_promised(family: str, level: int) -> None:
    for seed in range(5):
        made = MutualRestriction.new(Random(seed), family=family, level=level)

        assert len(made.own) == len(set(made.own)) == level + 1
        assert is_drawn(made)
        assert [len(entry) for entry in made.work().process] == list(range(1, level + 2))


def test_a_round_of_four_follows_from_the_others() -> None:
    """Where all cards of the circle are put down; so no result counts as a rule in play."""
    unique = [one for one in games("c", 4) if one.is_unique()]
    for one in unique:
        assert not one.rules_in_play()
        assert any(one.work(without=at) == one.work() for at in range(4))
    assert len(unique) == 4 * 120


@pytest.mark.parametrize("family", "ac")
def test_games_count_as_one_if_renamed_cards_make_them_equal(family: str) -> None:
    """Under any exchange of cards after which each card beats the same ones."""
    cards = CARDS[family]
    same = [
        table
        for image in permutations(cards)
        for table in [dict(zip(cards, image, strict=True))]
        if all(
            result(family, *pair) == result(family, *map(table.get, pair))  # type: ignore[arg-type]
            for pair in product(cards, cards)
        )
    ]
    unique = [one for one in games(family, 2) if one.is_unique()]
    for one in unique:
        images = {"".join(table[card] for card in one.own) for table in same}
        equal = {(made.own, made.results) for made in unique if made.canonical() == one.canonical()}
        assert equal == {(own, one.results) for own in images}
        assert one.equivalent(Random(1)).canonical() == one.canonical()
    assert len(same) == len(cards)


@pytest.mark.parametrize("family", "bd")
def test_in_an_order_no_card_can_be_renamed(family: str) -> None:
    """Cards that beat equally many beat different ones, so each has a place of its own."""
    wins = {card: len(beaten(family, card)) for card in CARDS[family]}
    profiles = {(wins[card], *sorted(wins[x] for x in beaten(family, card))) for card in wins}

    assert len(profiles) == len(CARDS[family])
    made = MutualRestriction.new(Random(1), family=family, level=3)
    assert made.equivalent(Random(2)) == made


def test_what_is_told() -> None:
    made = game("a", "ADC", "DWL")

    assert made.text(0).splitlines() == [
        "Round 1: you put down Wood (A), and it is a draw.",
        "Round 2: you put down Metal (D) and win.",
        "Round 3: you put down Earth (C) and lose.",
    ]
    assert made.text(0, "zh").splitlines() == [
        "第 1 轮：你出木（A），平局。",
        "第 2 轮：你出金（D），你胜。",
        "第 3 轮：你出土（C），你负。",
    ]
    for sentence in (
        "Wood (A) beats Earth (C), Water (E).",
        "Metal (D) beats Wood (A), Earth (C).",
    ):
        assert sentence in made.rules()


@pytest.mark.parametrize(
    ("sizes", "advice"),
    [({"rounds": 5}, "rounds=5 is out of bounds"), ({"rounds": 0}, "rounds=0 is out of bounds")],
)
def test_sizes_out_of_reach_are_refused(sizes: dict[str, int], advice: str) -> None:
    with pytest.raises(ValueError, match=advice):
        MutualRestriction.new(Random(1), level=1, **sizes)

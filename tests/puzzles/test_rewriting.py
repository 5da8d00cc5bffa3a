"""Rewriting: the traces by brute force, where they end, and planted rules, which are all used."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, product
from random import Random

import pytest

from quandary.puzzles.questions.execution._shared.rewriting import (
    Endless,
    Step,
    ends_need_all,
    in_circles,
    needs_all,
    once_each,
    planted_in_circles,
    planted_once,
)

Texts = tuple[str, str]  # what a text begins with, and what stands there instead
Recipe = tuple[tuple[int, ...], tuple[int, ...]]  # how many of each kind it takes, and gives


def rewritten(rule: Texts, text: str) -> str | None:
    old, new = rule
    return new + text[len(old) :] if text.startswith(old) else None


def exchanged(rule: Recipe, counts: tuple[int, ...]) -> tuple[int, ...] | None:
    left = [have - take for have, take in zip(counts, rule[0], strict=True)]
    if min(left) < 0:
        return None
    return tuple(have + give for have, give in zip(left, rule[1], strict=True))


def beginning(rng: Random) -> Callable[[str, Sequence[Texts]], Iterator[Texts]]:
    """Makes rules that drop or lower the letter with which a text begins."""

    def make(text: str, rules: Sequence[Texts]) -> Iterator[Texts]:
        if old := text[: rng.randint(1, 2)]:
            lower = [letter for letter in "abc" if letter < old[0]]
            yield old, rng.choice(["", *lower]) + old[1:]

    return make


def cooking(rng: Random) -> Callable[[tuple[int, ...], Sequence[Recipe]], Iterator[Recipe]]:
    """Makes recipes that take what is there and give less, of a later kind."""

    def make(counts: tuple[int, ...], rules: Sequence[Recipe]) -> Iterator[Recipe]:
        for kind in rng.sample(range(len(counts) - 1), len(counts) - 1):
            made = rng.randrange(kind + 1, len(counts))
            yield unit(len(counts), kind, 2), unit(len(counts), made, 1)

    return make


def unit(size: int, place: int, number: int) -> tuple[int, ...]:
    return tuple(number if at == place else 0 for at in range(size))


def by_brute_force(start: str, rules: Sequence[Texts], visits: int) -> list[tuple[int, str]]:
    """The rules written down again and again, and each of them tried on the text."""
    seen, text = [], start
    for visit in range(visits):
        place = visit % len(rules)
        old, new = rules[place]
        if text[: len(old)] == old:
            text = new + text[len(old) :]
            seen.append((place, text))
    return seen


def test_the_examples_of_the_module():
    def make(text: str, rules: Sequence[Texts]) -> Iterator[Texts]:
        return ((text[:size], "") for size in (1, 2))

    assert once_each("aab", [("b", "c"), ("aa", "b")], rewritten) == [Step(0, "aab"), Step(1, "bb")]
    assert in_circles("aab", [("aa", "b"), ("bb", "c")], rewritten) == [Step(0, "bb"), Step(1, "c")]
    assert planted_once("aab", 2, make, rewritten) == [("a", ""), ("a", "")]


def test_traces_agree_with_brute_force():
    """Over all texts of up to four letters and all pairs of short rules that end."""
    olds = ["".join(letters) for size in (1, 2) for letters in product("ab", repeat=size)]
    rules = [(old, new) for old in olds for new in ("", "b") if (len(new), new) < (len(old), old)]
    texts = ["".join(letters) for size in range(5) for letters in product("ab", repeat=size)]
    for one, other in product(rules, repeat=2):
        for text in texts:
            pair = [one, other]

            assert in_circles(text, pair, rewritten) == by_brute_force(text, pair, 40)
            after = [text, *(step.state for step in once_each(text, pair, rewritten))]
            assert len(after) == 3
            changes = [
                (place, new)
                for place, (old, new) in enumerate(pairwise(after))
                if rewritten(pair[place], old) is not None
            ]
            assert changes == by_brute_force(text, pair, 2)


def test_once_each_lists_a_rule_that_does_not_apply():
    steps = once_each("ab", [("b", "c"), ("a", "b"), ("bb", "")], rewritten)

    assert steps == [(0, "ab"), (1, "bb"), (2, "")]


def test_circles_go_on_behind_the_rule_that_applied():
    """After the second rule the third one has its turn, though the first one applies again."""
    rules = [("a", "b"), ("b", "a"), ("ac", "d")]

    assert in_circles("bc", rules, rewritten) == [(1, "ac"), (2, "d")]


def test_circles_end_or_say_that_they_do_not():
    assert in_circles("b", [("a", "")], rewritten) == []
    assert in_circles("a", [], rewritten) == []
    assert len(in_circles("a" * 7, [("a", "")], rewritten, most=7)) == 7
    with pytest.raises(Endless, match="after 6 steps"):
        in_circles("a" * 7, [("a", "")], rewritten, most=6)
    with pytest.raises(Endless, match="after 1,000 steps"):
        in_circles("a", [("a", "b"), ("b", "a")], rewritten)


def test_a_rule_that_changes_nothing_does_not_apply():
    assert in_circles("ab", [("a", "a"), ("ab", "c")], rewritten) == [(1, "c")]
    assert planted_once("ab", 1, lambda text, rules: [("a", "a"), ("a", "")], rewritten) == [
        ("a", "")
    ]


def test_what_needs_all_rules_changes_without_any_one():
    """Over all texts of up to four letters and all triples of some rules."""
    texts = ["".join(letters) for size in range(5) for letters in product("ab", repeat=size)]
    rules = [("a", ""), ("ab", ""), ("ab", "b"), ("b", ""), ("ba", "a")]
    found = set()
    for triple in product(rules, repeat=3):
        for text in texts:
            steps = in_circles(text, triple, rewritten)
            needs = needs_all(text, triple, rewritten, steps)
            found.add(needs)
            if needs:
                for place in range(3):
                    others = [*triple[:place], *triple[place + 1 :]]
                    without = in_circles(text, others, rewritten)
                    assert [one.state for one in without] != [one.state for one in steps]
    assert found == {True, False}
    twice = [("a", ""), ("a", "")]
    assert not needs_all("aa", twice, rewritten, in_circles("aa", twice, rewritten))


@pytest.mark.parametrize("wait", [0.0, 0.4])
@pytest.mark.parametrize("count", [1, 3, 6])
def test_every_rule_planted_in_circles_is_used(count: int, wait: float):
    """They end without any one of them too, because each makes the text shorter or lower."""
    found, later = 0, 0
    for seed in range(60):
        rng = Random(seed)
        text = "".join(rng.choices("abc", k=12))
        rules = planted_in_circles(text, count, beginning(rng), rewritten, rng, wait=wait, most=30)
        if rules is None:
            continue
        steps = in_circles(text, rules, rewritten)
        found += 1
        later += [step.rule for step in steps[:count]] != list(range(count))

        assert len(rules) == count and {step.rule for step in steps} == set(range(count))
        assert len(steps) <= 30
        assert steps == by_brute_force(text, rules, count * 32)
        for place in range(count):
            in_circles(text, [*rules[:place], *rules[place + 1 :]], rewritten)
    assert found >= 20
    assert (later > 0) == (wait > 0 and count > 1)


def test_every_rule_planted_once_is_used():
    for seed in range(40):
        rng = Random(seed)
        text = "".join(rng.choices("abc", k=12))
        rules = planted_once(text, 5, beginning(rng), rewritten)

        assert rules is not None and len(rules) == 5
        states = [text, *(step.state for step in once_each(text, rules, rewritten))]
        assert all(old != new for old, new in pairwise(states))


def test_counts_are_rewritten_as_texts_are():
    """Two ore make a bar, bar and coal a gear: the worked example of the rules of LogicGame."""
    rules = [((2, 0, 0, 0), (0, 0, 1, 0)), ((0, 1, 1, 0), (0, 0, 0, 1))]
    steps = in_circles((4, 1, 0, 0), rules, exchanged)

    assert [step.state for step in steps] == [(2, 1, 1, 0), (2, 0, 0, 1), (0, 0, 1, 1)]


def test_recipes_can_be_planted():
    found = 0
    for seed in range(40):
        rng = Random(seed)
        start = (7, 6, 5, 0, 0)
        rules = planted_in_circles(start, 4, cooking(rng), exchanged, rng, wait=0.0, most=20)
        if rules is not None:
            found += 1
            steps = in_circles(start, rules, exchanged)
            assert {step.rule for step in steps} == set(range(4)) and len(steps) <= 20
    assert found >= 20


def test_planting_gives_up_where_nothing_applies():
    rng = Random(0)

    assert planted_once("", 1, beginning(rng), rewritten) is None
    assert planted_in_circles("", 1, beginning(rng), rewritten, rng) is None
    assert planted_in_circles("cccc", 2, beginning(rng), rewritten, rng, most=1) is None


def test_ends_need_all_by_taking_each_rule_away() -> None:
    rules = [(old, new) for old in ("a", "b", "ab") for new in ("", "a", "bb")]

    def end(start: str, chosen: Sequence[Texts]) -> str:
        return ([start] + [step.state for step in once_each(start, chosen, rewritten)])[-1]

    found = set[bool]()
    for chosen in product(rules, repeat=3):
        states = ["abba", *(step.state for step in once_each("abba", chosen, rewritten))]
        fewer = [[*chosen[:place], *chosen[place + 1 :]] for place in range(3)]
        is_needed = all(end("abba", some) != states[-1] for some in fewer)
        is_changed = all(one != other for one, other in pairwise(states))

        assert ends_need_all("abba", chosen, rewritten) == (is_needed and is_changed)
        found.add(is_needed and is_changed)
    assert found == {True, False}

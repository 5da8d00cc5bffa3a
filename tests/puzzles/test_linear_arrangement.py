"""Linear arrangement: what conditions mean and tell, one order, no condition to spare."""

from __future__ import annotations

import re
from collections import Counter
from itertools import permutations, product
from random import Random

import pytest
from proofs.second_workings.linear_arrangement import every_order, is_true, work

from quandary.puzzles.questions.planning.linear_arrangement import (
    DRAWN,
    KINDS,
    LinearArrangement,
)
from quandary.puzzles.questions.planning.linear_arrangement.solver import KINDS as MEANINGS
from quandary.puzzles.questions.planning.linear_arrangement.solver import (
    PLACED,
    Clue,
    Said,
    fitting,
    left_after,
    orders_of,
    renamed,
    turned,
)

LEVELS = [(family, level) for family in "abcd" for level in range(4)]
ALL_KINDS = {**KINDS, "a": (*KINDS["a"], "anywhere")}


def row(things: int, *said: Said, family: str = "a") -> LinearArrangement:
    return LinearArrangement(family, things - 3, things, tuple((one,) for one in said))


def fit(things: int, said: Said) -> set[str]:
    orders = orders_of(things)
    return set(map("".join, orders.listed(fitting(things, (said,)))))


def statements(things: int, about: str) -> list[Said]:
    """All that can be said, true or not."""
    numbers = {"at": range(1, things + 1), "not_at": range(1, things + 1)}.get(about, [0])
    numbers = range(1, things - 1) if about == "apart" else numbers
    named = permutations("ABCDEFG"[:things], MEANINGS[about].things)
    return [Said(about, "".join(letters), number) for letters in named for number in numbers]


def test_the_worked_example_of_the_specification() -> None:
    """P, Q, R are A, B, C here: Q is the leftmost; P is not next to Q."""
    made = row(3, Said("at", "B", 1), Said("not_next_to", "AB"))

    assert made.work() == (["BCA"], ["B**", "BCA"])


@pytest.mark.parametrize(
    ("said", "orders"),
    [
        (Said("at", "B", 3), "ACB CAB"),
        (Said("not_at", "B", 3), "ABC BAC BCA CBA"),
        (Said("anywhere", "B"), "ABC ACB BAC BCA CAB CBA"),
        (Said("before", "CA"), "BCA CAB CBA"),
        (Said("just_before", "CA"), "BCA CAB"),
        (Said("next_to", "AC"), "ACB BAC BCA CAB"),
        (Said("not_next_to", "AC"), "ABC CBA"),
        (Said("apart", "CA", 1), "ABC CBA"),
        (Said("between", "BAC"), "ABC CBA"),
        (Said("farther", "ABC"), "ACB BCA"),
    ],
)
def test_what_is_said_of_three(said: Said, orders: str) -> None:
    assert fit(3, said) == set(orders.split())


def test_what_is_said_of_six() -> None:
    """The order is DFBACE: places 1 to 6."""
    true = [
        *(Said("apart", "DA", 2), Said("apart", "ED", 4), Said("apart", "FC", 2)),
        *(Said("between", "BEF"), Said("between", "ADE"), Said("farther", "BEF")),
        *(Said("before", "DE"), Said("just_before", "FB"), Said("not_next_to", "DB")),
    ]
    false = [
        *(Said("apart", "DA", 1), Said("apart", "BA", 1), Said("between", "FBE")),
        *(Said("farther", "BFA"), Said("farther", "BFE"), Said("before", "ED")),
        *(Said("just_before", "BF"), Said("just_before", "DB"), Said("next_to", "DB")),
    ]
    assert [said for said in (*true, *false) if "DFBACE" in fit(6, said)] == true


@pytest.mark.parametrize("things", [3, 4, 5, 6])
def test_the_solver_against_every_order(things: int) -> None:
    """Each statement alone holds in the orders in which the second working finds it true."""
    for about in MEANINGS:
        said = statements(things, about)
        for one in Random(things).sample(said, k=min(30, len(said))):
            expected = {order for order in every_order(things) if is_true(order, *one)}
            assert fit(things, one) == expected


def test_several_things_may_be_said_at_once() -> None:
    """B is not first, and A comes before it: each clue has one entry."""
    clues: tuple[Clue, ...] = (
        (Said("not_at", "B", 3), Said("before", "AB")),
        (Said("anywhere", "C"),),
    )
    made = LinearArrangement("a", 0, 3, clues)

    assert made.work() == (["ABC"], ["ABC", "ABC"]) == work(made)
    assert made.text(0).splitlines()[1:] == [
        "1. Book B is not in place 3. Book A is somewhere to the left of book B.",
        "2. Book C may be in any place.",
    ]
    assert made.text(0, "zh").splitlines() == [
        "书：A、B、C",
        "1. 书 B 不在位置 3。书 A 在书 B 的左边。",
        "2. 书 C 可以在任意位置。",
    ]


def test_conditions_that_no_order_fits() -> None:
    made = row(3, Said("before", "AB"), Said("before", "BA"))

    assert not made.is_unique()
    with pytest.raises(ValueError, match="no candidate fits"):
        made.work()


@pytest.mark.parametrize(("family", "level"), LEVELS)
def test_instances_are_as_promised(family: str, level: int) -> None:
    """One order, no condition to spare; from level 2 on, half of the entries tell something."""
    for seed in range(8):
        made = LinearArrangement.new(Random(seed), family=family, level=level)
        sizes = made.sizes[family][level]
        answer, process = work(made)

        assert (answer, process) == tuple(made.work())
        assert (made.things, len(made.clues)) == (sizes["things"], sizes["conditions"])
        assert made.uses_every_rule()
        entries = ["*" * made.things, *process]
        telling = sum(now != before for before, now in zip(entries, process, strict=False))
        assert level < 2 or 2 * telling >= len(process)
        assert "*" in process[-2]


def test_kinds_of_conditions() -> None:
    """Each kind of a family is drawn, at most twice, and one place at most is told."""
    for family, kinds in KINDS.items():
        seen = Counter[str]()
        for seed in range(30):
            made = LinearArrangement.new(Random(seed), family=family, level=3)
            own = Counter(said.about for clue in made.clues for said in clue)
            assert max(own.values()) <= 2 and own["at"] <= 1
            seen += own
        assert seen.keys() == set(kinds)


@pytest.mark.parametrize(
    ("family", "level"),
    [
        pytest.param(family, level, marks=[pytest.mark.heavy] * level)
        for family in "abcd"
        for level in (0, 1)
    ],
)
def test_every_instance_is_counted(family: str, level: int) -> None:
    """By trying all conditions that are true of ABC or ABCD; at level 0 all are drawn."""
    things, count = level + 3, level + 2
    most, order = Counter(DRAWN[family]), "ABCD"[:things]
    true = [said for about in most for said in statements(things, about) if is_true(order, *said)]
    forms = set()
    for told in product(true, repeat=count):
        made = row(things, *told, family=family)
        if Counter(said.about for said in told) - most or not made.is_unique():
            continue
        if made.uses_every_rule():
            forms.add(made.canonical())
    drawn = {
        LinearArrangement.new(Random(seed), family=family, level=level).canonical()
        for seed in range(2_000)
    }
    assert drawn <= forms
    assert level or drawn == forms
    assert len(forms) == LinearArrangement.distinct_instances[f"{level},family={family}"].instances


def test_levels_have_as_many_as_their_families() -> None:
    small = LinearArrangement.distinct_instances
    for level in "01":
        own = [small[f"{level},family={family}"] for family in "abcd"]
        assert small[level].instances == sum(few.instances for few in own)
        assert small[level].published == sum(few.published for few in own)


@pytest.mark.parametrize(("family", "level"), LEVELS)
def test_names_and_directions_make_no_difference(family: str, level: int) -> None:
    """Nor does the order in which alike things are named: by trying all renamings."""
    made = LinearArrangement.new(Random(level), family=family, level=level)
    letters = "ABCDEF"[: made.things]
    images = {
        LinearArrangement(family, level, made.things, clues).canonical()
        for names in list(permutations(letters))[:: 1 if made.things < 6 else 12]
        for one in (made.clues, turned(made.clues, made.things))
        for clues in [renamed(one, letters, "".join(names))]
    }
    swapped = tuple(
        tuple(
            said._replace(things=said.things[::-1])
            if said.about in ("next_to", "not_next_to", "apart")
            else said._replace(things=said.things[0] + said.things[:0:-1])
            if said.about == "between"
            else said
            for said in clue
        )
        for clue in made.clues
    )
    assert images == {made.canonical()}
    assert LinearArrangement(family, level, made.things, swapped).canonical() == made.canonical()
    for seed in range(5):
        other = made.equivalent(Random(seed))
        assert other.canonical() == made.canonical() and other.is_unique()


def test_what_is_turned_tells_the_same_from_the_other_end() -> None:
    for family, level in LEVELS:
        made = LinearArrangement.new(Random(1), family=family, level=level)
        other = LinearArrangement(family, level, made.things, turned(made.clues, made.things))

        assert [entry[::-1] for entry in other.work().process] == made.work().process


def test_another_task_has_another_form() -> None:
    """Conditions in another order, or one that says something else."""
    base = [Said("at", "A", 1), Said("before", "BC")]
    made = row(3, *base)
    others = [
        row(3, *base[::-1]),
        row(3, base[0], Said("just_before", "BC")),
        row(3, Said("not_at", "A", 2), Said("at", "A", 1), base[1]),
        row(3, *base, family="d"),
        row(3, Said("at", "A", 2), base[1]),
    ]
    assert len({one.canonical() for one in (made, *others)}) == 6
    assert row(3, Said("at", "C", 3), Said("before", "AB")).canonical() == made.canonical()


def test_forms_are_exact_without_an_only_order() -> None:
    """Also where several orders fit, or none."""
    rng = Random(1)
    for _ in range(40):
        said = [rng.choice(statements(4, rng.choice(list(MEANINGS)))) for _ in range(3)]
        made = row(4, *said)
        assert made.equivalent(rng).canonical() == made.canonical()


def test_no_form_joins_different_tasks() -> None:
    """Two conditions on three things, also those that leave several orders or none."""
    said = [one for about in ALL_KINDS["a"] for one in statements(3, about)]
    joined: dict[object, set[tuple[int, ...]]] = {}
    for pair in product(said, repeat=2):
        left = left_after(3, [(one,) for one in pair])
        counts = tuple(some.bit_count() for some in left)
        joined.setdefault(row(3, *pair).canonical(), set()).add(counts)
    assert all(len(counts) == 1 for counts in joined.values())
    assert len(joined) > 100


@pytest.mark.parametrize("family", "abcd")
def test_everything_can_be_said(family: str) -> None:
    """Each kind of a family, with all that it names, in both languages."""
    for about in ALL_KINDS[family]:
        said = Said(about, "CBA"[: MEANINGS[about].things], 2)
        made = row(3, said, family=family)
        named = {*said.things, *("2" if about in (*PLACED, "apart") else "")}
        for language in ("en", "zh"):
            sentence = made.text(0, language).splitlines()[1].removeprefix("1. ")
            assert set(re.findall(r"(?<![a-zA-Z])[A-C](?![a-z])|\d", sentence)) == named


@pytest.mark.parametrize(
    ("sizes", "advice"),
    [
        ({"things": 8}, "things=8 is out of bounds"),
        ({"conditions": 1}, "conditions=1 is out of bounds"),
        ({"things": 3, "conditions": 9}, "1,000 tries with things=3, conditions=9 made no inst"),
    ],
)
def test_sizes_out_of_reach_are_refused(sizes: dict[str, int], advice: str) -> None:
    with pytest.raises(ValueError, match=advice):
        LinearArrangement.new(Random(1), level=1, family="a", **sizes)


def test_larger_rows_are_made() -> None:
    made = LinearArrangement.new(Random(1), level=3, family="c", things=7, conditions=7)

    assert tuple(made.work()) == work(made)

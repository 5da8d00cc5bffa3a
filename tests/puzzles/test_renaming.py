"""Letters under other names: equal letters stay equal, and different ones different."""

from __future__ import annotations

from itertools import permutations, product
from random import Random

from quandary.puzzles.questions.execution._shared.renaming import exchanged_names, in_order


def test_strings_get_the_same_names_just_if_they_are_alike() -> None:
    strings = list(map("".join, product("ABC", repeat=4)))
    named = {string: string.translate(in_order(string, "xyz")) for string in strings}

    for one, other in product(strings, repeat=2):
        tables = (str.maketrans("ABC", "".join(names)) for names in permutations("ABC"))
        is_alike = any(one.translate(table) == other for table in tables)
        assert (named[one] == named[other]) == is_alike


def test_every_exchange_of_names_is_drawn() -> None:
    rng = Random(1)

    drawn = {"ABCD".translate(exchanged_names(rng, "ABC")) for _ in range(200)}

    assert drawn == {"".join(names) + "D" for names in permutations("ABC")}

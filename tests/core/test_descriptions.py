"""The descriptions of fields, and of the fields of values inside them, reach the JSON schema."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass
from typing import Annotated, NamedTuple

from msgspec import Struct

from broken_puzzles import Sound
from quandary.core import codec
from quandary.core.contract import Doc, Private, Secret
from quandary.core.descriptions import parts_of


class Pair(NamedTuple):
    """Two numbers.

    The first one comes first.
    """

    one: Annotated[int, Doc("the first number")]
    other: Annotated[int | None, Doc("the second one; null if there is none")] = None


FIRST = Pair(1)


@dataclass(frozen=True)
class Amount:
    number: Annotated[int, Doc("how many")]
    pair: Annotated[Pair, Doc("of what")] = FIRST


class Clue(Struct, frozen=True, tag="clue", rename="camel"):
    long_name: Annotated[int, Doc("a number")]


class Listed(Struct, frozen=True, tag=True, array_like=True):
    place: Annotated[int, Doc("a place")]


@dataclass(frozen=True)
class Unseen:
    amount: int = 0


@dataclass(frozen=True)
class Parts(Sound):
    amounts: Annotated[tuple[Amount | str, ...], Doc("amounts, or words")] = ()
    clue: Annotated[Clue | None, Doc("a clue")] = None
    lists: Annotated[tuple[Listed, ...], Doc("lists")] = ()
    own: Annotated[Private[tuple[Pair, ...]], Doc("a pair for each seat")] = (Pair(0), Pair(1))
    hidden: Secret[tuple[Unseen, ...]] = ()
    inside: Annotated[Sound | None, Doc("another puzzle")] = None


class One:
    @dataclass(frozen=True)
    class Same:
        number: Annotated[int, Doc("one")]


class Other:
    @dataclass(frozen=True)
    class Same:
        number: Annotated[int, Doc("other")]


@dataclass(frozen=True)
class Both(Sound):
    first: Annotated[One.Same | None, Doc("the first")] = None
    second: Annotated[tuple[Other.Same, ...], Doc("the second")] = ()


Plain = namedtuple("Plain", "a b")


@dataclass(frozen=True)
class OfPlain(Sound):
    plain: Annotated[Plain | None, Doc("two things")] = None


def test_the_parts_are_the_classes_that_a_seat_sees() -> None:
    """None that only a secret holds, and no puzzle."""
    assert {
        Amount: "amounts",
        Pair: "amounts",
        Clue: "clue",
        Listed: "lists",
    } == parts_of(Parts)


def test_descriptions_reach_the_schema() -> None:
    known = codec.schema(Parts)["$defs"]

    assert known["Pair"]["description"] == "Two numbers.\n\nThe first one comes first."
    assert known["Pair"]["prefixItems"] == [
        {"title": "one", "description": "the first number", "type": "integer"},
        {
            "title": "other",
            "description": "the second one; null if there is none",
            "anyOf": [{"type": "integer"}, {"type": "null"}],
            "default": None,
        },
    ]
    assert known["Amount"]["properties"]["number"] == {"description": "how many", "type": "integer"}
    assert known["Amount"]["properties"]["pair"]["description"] == "of what"
    assert known["Clue"]["properties"]["longName"]["description"] == "a number"
    assert known["Listed"]["prefixItems"] == [
        {"enum": ["Listed"]},
        {"title": "place", "description": "a place", "type": "integer"},
    ]


def test_classes_of_one_name_keep_their_own_descriptions() -> None:
    texts = {
        title.split("test_descriptions.")[-1]: schema["properties"]["number"]
        for title, schema in codec.schema(Both)["$defs"].items()
        if title.endswith("Same")
    }

    assert {title: schema["description"] for title, schema in texts.items()} == {
        "One.Same": "one",
        "Other.Same": "other",
    }


def test_a_named_tuple_without_types_has_fields_too() -> None:
    assert {Plain: "plain"} == parts_of(OfPlain)


def test_values_are_read_and_written_as_without_descriptions() -> None:
    position = Parts(7, amounts=(Amount(3, Pair(1, 2)),), lists=(Listed(4),))
    packed = codec.decode(codec.to_json(position))

    assert packed["amounts"] == [{"number": 3, "pair": [1, 2]}]
    assert packed["lists"] == [["Listed", 4]]
    assert codec.convert(packed["amounts"], tuple[Amount, ...], "it", dict) == position.amounts

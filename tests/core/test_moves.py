"""What follows from the declaration of moves: writing, JSON, forms, the index and clicks."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quandary.core.errors import Unreadable, UserError
from quandary.core.forms import FormField
from quandary.core.moves import (
    MOST_MOVES,
    Bits,
    Choice,
    MoveIndex,
    Notation,
    Number,
    composable,
    compose,
)

COORDINATE = Number(0, 8)
FILL = Notation("{row} {column} {value}", row=COORDINATE, column=COORDINATE, value=Number(1, 9))
TURN = Notation(
    "{cube} {turns}[ hold {held}]", cube=Number(0, 5), turns=Number(1, 3), held=Number(1, 5)
)
TAKE = Notation("{stones}[ reset]", stones=Number(1, 30))
CARD = Notation("{card} {decision}", card=Choice("A", "7", "K"), decision=Choice("bid", "give up"))
PAIR = Notation("{drug} {other_drug}", unordered=True, drug=Number(1, 6), other_drug=Number(1, 6))
PLACE = Notation("{place}", place=Bits(5))
PLACES = Notation("{place}", place=Bits(5, shortest=3))
JUMP = Notation("{start} to {end}", start=Number(-3, 3), end=Number(-3, 3))
ALL = [FILL, TURN, TAKE, CARD, PAIR, PLACE, PLACES, JUMP]


def in_english(phrase: str, /, **values: object) -> str:
    return phrase.format(**values)


@pytest.mark.parametrize(
    ("notation", "move", "values"),
    [
        (FILL, "1 2 3", {"row": 1, "column": 2, "value": 3}),
        (TURN, "1 2", {"cube": 1, "turns": 2}),
        (TURN, "1 2 hold 3", {"cube": 1, "turns": 2, "held": 3}),
        (TURN, "1 2 hold 0", {"cube": 1, "turns": 2, "held": 0}),
        (TAKE, "4", {"stones": 4, "reset": False}),
        (TAKE, "4 reset", {"stones": 4, "reset": True}),
        (CARD, "7 give up", {"card": "7", "decision": "give up"}),
        (PAIR, "2 10", {"drug": 2, "other_drug": 10}),
        (PLACE, "01101", {"place": "01101"}),
        (JUMP, "-2 to 0", {"start": -2, "end": 0}),
    ],
)
def test_a_move_has_one_spelling(
    notation: Notation, move: str, values: dict[str, int | str | bool]
) -> None:
    """Values are written as the move, and the move is parsed into the values."""
    assert move == notation.write(values)
    assert values == notation.parse(move)
    assert move == notation.from_json(notation.to_json(move))


@pytest.mark.parametrize(
    ("notation", "text"),
    [
        (FILL, "01 2 3"),
        (FILL, "1  2 3"),
        (FILL, "1 2 3 "),
        (FILL, "1 2"),
        (FILL, "-0 2 3"),
        (FILL, "1 2 1234567890"),
        (TURN, "1 2 hold"),
        (TAKE, "4 Reset"),
        (CARD, "k bid"),
        (PAIR, "10 2"),
        (PLACE, "01201"),
    ],
)
def test_other_spellings_are_not_parsed(notation: Notation, text: str) -> None:
    """`parse` takes the canonical text only."""
    with pytest.raises(Unreadable):
        notation.parse(text)


def test_unordered_fields_are_sorted_as_numbers() -> None:
    """Both orders are one move."""
    assert "2 10" == PAIR.write({"drug": 10, "other_drug": 2})


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"row": 1, "column": 2}, "lacks: value"),
        ({"row": 1, "column": 2, "value": 3, "colour": 1}, "no field 'colour'"),
        ({"row": 1, "column": 2, "value": "3"}, "'3' cannot be the value"),
        ({"row": True, "column": 2, "value": 3}, "True cannot be the row"),
    ],
)
def test_values_that_are_not_a_move(values: dict[str, int | str], message: str) -> None:
    """They are refused with a sentence, and from JSON they are unreadable."""
    with pytest.raises(ValueError, match=message):
        FILL.write(values)
    with pytest.raises(Unreadable):
        FILL.from_json(values)


@pytest.mark.parametrize("odd", [None, [1, 2, 3], "1 2 3", {}, {1: 2}])
def test_json_that_is_not_a_move(odd: object) -> None:
    """Whatever a model sends is a move or unreadable."""
    with pytest.raises(Unreadable):
        FILL.from_json(odd)


def test_json_may_say_that_an_optional_field_is_null() -> None:
    """Models fill in every property of a schema."""
    assert "1 2" == TURN.from_json({"cube": 1, "turns": 2, "held": None})
    # Illegal, not unreadable.
    assert "1 2 99" == FILL.from_json({"row": 1, "column": 2, "value": 99})


def test_equal_declarations_are_equal() -> None:
    """They are values: hashable, immutable, picklable, told apart by their bounds and labels."""
    again = Notation("{place}", place=Bits(5))

    assert {PLACE: 1}[again] == 1
    assert pickle.loads(pickle.dumps(FILL)) == FILL
    assert PLACE != Notation("{place}", place=Bits(6))
    assert PLACE != Notation("{place}", labels={"place": ("position",)}, place=Bits(5))
    for name in ("template", "labels", "anything"):
        with pytest.raises(AttributeError):
            setattr(PLACE, name, "other")


@pytest.mark.parametrize(
    ("template", "fields", "unordered"),
    [
        ("{row} {column}", {"row": COORDINATE}, False),
        ("{row}", {"row": COORDINATE, "column": COORDINATE}, False),
        ("{row}[ {column}]", {"row": COORDINATE, "column": COORDINATE}, False),
        ("{row}", {"row": COORDINATE}, True),
        ("{row} {column}", {"row": COORDINATE, "column": Number(0, 3)}, True),
    ],
)
def test_declarations_that_cannot_be_read(
    template: str, fields: dict[str, Number], unordered: bool
) -> None:
    """They fail when they are made, not when a player writes a move."""
    with pytest.raises(ValueError):
        Notation(template, unordered=unordered, **fields)


@pytest.mark.parametrize("notation", ALL)
def test_how_to_write_a_move(notation: Notation) -> None:
    """The sentence names every field, and its examples are read and lie within the bounds."""
    names = {name: f"<{name}>" for name in notation.fields if name != "reset"}
    sentence = notation.how(in_english, names)
    index = MoveIndex(notation)

    assert all(name in sentence for name in names.values())
    for example in (notation.example(), notation.example(optional=True)):
        assert example in sentence
        assert example == notation.read(example) == index.move(index.index(example))


def test_names_of_fields_are_shown_in_words() -> None:
    """Without a displayed name a field is called by its own."""
    assert "Write your move as: drug other drug, for example: 1 2" == PAIR.how(in_english, {})
    assert "one number (bid)" in Notation("{bid}", bid=Number(0, 9)).how(in_english, {})
    assert "as: stones, or as: stones reset, for" in TAKE.how(in_english, {})


def test_the_json_schema() -> None:
    """Optional parts are not required, and nothing else may be given."""
    assert {
        "type": "object",
        "properties": {
            "cube": {"type": "integer", "minimum": 0, "maximum": 5},
            "turns": {"type": "integer", "minimum": 1, "maximum": 3},
            "held": {"type": "integer", "minimum": 1, "maximum": 5},
        },
        "required": ["cube", "turns"],
        "additionalProperties": False,
    } == TURN.schema()
    properties = [CARD.schema()["properties"], PLACE.schema()["properties"]]
    assert [
        {
            "card": {"type": "string", "enum": ["A", "7", "K"]},
            "decision": {"type": "string", "enum": ["bid", "give up"]},
        },
        {"place": {"type": "string", "pattern": "^[01]{5,5}$"}},
    ] == properties


def test_the_fields_of_a_form() -> None:
    """One per field, with what a page needs to draw it."""
    assert (
        FormField("stones", "number", low=1, high=30),
        FormField("reset", "flag", optional=True),
    ) == TAKE.form()
    assert FormField("decision", "choice", choices=("bid", "give up")) == CARD.form()[1]
    assert (FormField("place", "bits", longest=5),) == PLACE.form()


@pytest.mark.parametrize(
    ("notation", "size"),
    [
        (FILL, 729),
        (TURN, 6 * 3 * 6),
        (TAKE, 60),
        (CARD, 6),
        (PAIR, 15),
        (PLACE, 32),
        (PLACES, 8 + 16 + 32),
        (JUMP, 49),
    ],
)
def test_every_combination_has_an_index(notation: Notation, size: int) -> None:
    """Indices and moves correspond one to one."""
    index = MoveIndex(notation)
    moves = [index.move(number) for number in range(index.size)]

    assert size == index.size == len(set(moves))
    assert list(range(size)) == [index.index(move) for move in moves]


@given(
    low=st.integers(-50, 50),
    count=st.integers(2, 40),
    words=st.integers(1, 5),
    optional=st.integers(1, 9),
    data=st.data(),
)
def test_indices_of_any_declaration(
    low: int, count: int, words: int, optional: int, data: st.DataObject
) -> None:
    """Round trips hold for numbers, words, optional fields and flags together, and for pairs."""
    mixed = Notation(
        "{a} {b}[ hold {c}][ reset]",
        a=Number(low, low + count - 1),
        b=Choice(*(f"w{number}" for number in range(words))),
        c=Number(0, optional - 1),
    )
    pair = Notation("{a} {b}", unordered=True, a=mixed.declared[0][1], b=mixed.declared[0][1])
    for notation, size in (
        (mixed, count * words * (optional + 1) * 2),
        (pair, count * (count - 1) // 2),
    ):
        index = MoveIndex(notation)
        number = data.draw(st.integers(0, size - 1))
        assert size == index.size
        assert number == index.index(index.move(number))


def test_an_index_has_bounds() -> None:
    """Moves out of bounds have no index, and large sets of moves have none at all."""
    for notation, move in ((FILL, "9 0 1"), (PAIR, "3 3"), (PLACE, "011"), (TURN, "1 1 hold 9")):
        with pytest.raises(UserError, match=r"is not|twice"):
            MoveIndex(notation).index(move)
    for number in (-1, 32):
        with pytest.raises(UserError, match="from 0 to 31"):
            MoveIndex(PLACE).move(number)
    assert MOST_MOVES == MoveIndex(Notation("{bid}", bid=Number(1, MOST_MOVES))).size
    with pytest.raises(ValueError, match="at most 100,000 moves"):
        MoveIndex(Notation("{bid}", bid=Number(0, MOST_MOVES)))


def test_a_mask_shows_the_options() -> None:
    """True for the indices of the options and for nothing else."""
    index = MoveIndex(TAKE)
    options = ["1", "2 reset", "30"]

    assert {index.index(move) for move in options} == {
        number for number, legal in enumerate(index.mask(options)) if legal
    }


def test_clicks_add_up_to_a_move() -> None:
    """Each click fills in some fields; a later one replaces what an earlier one filled in."""
    cell, other = {"row": 1, "column": 2}, {"row": 4, "column": 5}

    assert "4 5 3" == compose(FILL, [cell, {"value": 3}, other])
    assert "2 reset" == compose(TAKE, [{"reset": True}, {"stones": 2}])
    with pytest.raises(ValueError, match="lacks: value"):
        compose(FILL, [cell])


def test_clicks_that_reach_every_option() -> None:
    """All options must be reachable, and no click may lead nowhere."""
    options = ["1", "2", "2 reset"]
    clicks = [{"stones": 1}, {"stones": 2}, {"reset": True}]

    assert composable(TAKE, options, clicks)
    assert not composable(TAKE, options, clicks[:2])
    assert not composable(TAKE, options, [*clicks, {"stones": 3}])
    assert not composable(TAKE, options, clicks[1:])

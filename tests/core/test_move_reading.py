"""Moves are read in many dresses and never guessed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counted_work import CHARACTERS, calls
from hostile_texts import MOTIFS, TAILS
from quandary.core.errors import Unreadable
from quandary.core.moves import (
    Bits,
    Choice,
    MoveIndex,
    Notation,
    Number,
    chinese_numbers,
    fields,
    reading,
    template,
    vocabulary,
)
from quandary.core.moves.notation import _reader
from quandary.core.moves.reading import LONGEST
from regex_steps import written_down

COORDINATE = Number(0, 8)
BID = Notation("{bid}", bid=Number(0, 100))
CELL = Notation(
    "{row} {column}",
    labels={"row": ("r",), "column": ("col", "c")},
    row=COORDINATE,
    column=COORDINATE,
)
FILL = Notation(
    "{row} {column} {value}",
    labels={"column": ("col",)},
    row=COORDINATE,
    column=COORDINATE,
    value=Number(1, 9),
)
TURN = Notation(
    "{cube} {turns}[ hold {held}]", cube=Number(0, 5), turns=Number(1, 3), held=Number(1, 5)
)
TAKE = Notation("{stones}[ reset]", labels={"stones": ("take",)}, stones=Number(1, 30))
CARD = Notation(
    "{card} {decision}",
    card=Choice("A", "7", "10", "Q", "K", spoken={"1": "A", "ace": "A", "queen": "Q"}),
    decision=Choice("compete", "give up", spoken={"giveup": "give up"}),
)
QUEEN = Notation(
    "{row} {column} to {new_row} {new_column}",
    labels={"new_row": ("row",), "new_column": ("column",)},
    row=COORDINATE,
    column=COORDINATE,
    new_row=COORDINATE,
    new_column=COORDINATE,
)
PAIR = Notation("{drug} {other_drug}", unordered=True, drug=Number(1, 6), other_drug=Number(1, 6))
PLACE = Notation("{place}", labels={"place": ("position",)}, place=Bits(5))
PATTERNS = (chinese_numbers, fields, reading, template, vocabulary)
ALL = [BID, CELL, FILL, TURN, TAKE, CARD, QUEEN, PAIR, PLACE]
CHINESE = {
    "row": ("行",),
    "column": ("列",),
    "value": ("值", "数字"),
    "stones": ("颗石子",),
    "reset": ("重置",),
    "hold": ("按住",),
    "compete": ("竞争",),
    "give up": ("放弃",),
    "card": ("牌",),
}


def outcome(notation: Notation, said: str) -> str:
    """The move that is read, or the name of the error."""
    try:
        return notation.read(said, CHINESE)
    except Unreadable as refused:
        return type(refused).__name__


@pytest.mark.parametrize(
    "said",
    [
        "1 2 3", " 1, 2, 3\n", "<1 2 3>", "(1; 2; 3)", "[(1, 2), 3]", "[[1, 2], 3]", "01 02 03",
        "operation = [(1, 2), 3]", "**Operation:** `[(1, 2), 3]`", "(1, 2) = 3", "(1, 2) -> 3",
        "Row: 1, Column: 2, Value: 3", "row 1 column 2 value 3", "value 3, column 2, row 1",
        "row=1 col=2 value=3", '{"value": 3, "row": 1, "column": 2}',
        "{'row': 1, 'col': 2, 'value': 3}", "(row, column, value) = (1, 2, 3)",
        "1, column 2, value 3", "row **1**, column **2**, value **3**", "* 1 2 3",
        "My move is: 1 2 3.", "\\boxed{1 2 3}", "1 2 3, so [(1, 2), 3]",
        "7, 8, 9 are there: operation = [(1, 2), 3]", "（1，2）＝3", "１ ２ ３",
        "行 1，列 2，值 3", "第1行第2列填3", "第 2 列，第 1 行，填 3", "1行2列3", "2列1行3",
        "我在第 1 行第 2 列填入 3。", "第1行第2列的值为3", "行：1，列：2，数字：3",
        "行：一，列：二，值：三",
        "把第 1 行第 2 列填成 3", "第一步：第1行第2列填3",
    ],
)  # fmt: skip
def test_three_numbers_in_many_dresses(said: str) -> None:
    """Separators, brackets, labels in two languages and in any order."""
    assert "1 2 3" == outcome(FILL, said)


@pytest.mark.parametrize(
    ("notation", "said", "move"),
    [
        (BID, "7", "7"), (BID, "I bid 7, yes, [7]", "7"), (BID, "bid = [7] of 100", "7"),
        (BID, "3 + 4, so [7]", "7"), (BID, '3 + 4: {"bid": 7}', "7"),
        (BID, "List[int] = [7] of 34", "7"), (BID, "-7", "-7"), (BID, "999", "999"),
        (BID, "7.", "7"), (BID, "My bid is 7, a good bid", "7"), (CELL, "r3c4", "3 4"),
        (CELL, "c4r3", "3 4"), (CELL, "4 列 3 行", "3 4"), (CELL, "row, column: 3, 4", "3 4"),
        (CELL, "the cell in row 3 and column 4", "3 4"), (CELL, "(3, 4), my 2nd", "3 4"),
        (CELL, "column 4, row 3: (3, 4)", "3 4"), (CELL, "(0, -1)", "0 -1"),
        (CELL, "12 700", "12 700"), (TURN, "1 2", "1 2"), (TURN, "1 2 HOLD 3", "1 2 hold 3"),
        (TURN, "hold 3, 1 2", "1 2 hold 3"), (TURN, "(1, 2, hold 3)", "1 2 hold 3"),
        (TURN, "1 2 (hold: 3)", "1 2 hold 3"),
        (TURN, '{"cube": 1, "turns": 2, "held": 3}', "1 2 hold 3"),
        (TURN, "1 2 按住 3", "1 2 hold 3"), (TAKE, "I take 2 stones", "2"),
        (TAKE, "2, no reset", "2"), (TAKE, "2 without a reset", "2"), (TAKE, "[2, 0]", "2"),
        (TAKE, "(2, False)", "2"), (TAKE, '{"take": 2, "reset": false}', "2"),
        (TAKE, "[2, 0] # I keep my reset", "2"), (TAKE, "20 left: move = [2, 0]", "2"),
        (TAKE, "2 RESET", "2 reset"), (TAKE, "take 2 and use a reset", "2 reset"),
        (TAKE, "[2, 1]", "2 reset"), (TAKE, "[1, 1]", "1 reset"), (TAKE, "[2, yes]", "2 reset"),
        (TAKE, "[2, reset]", "2 reset"), (TAKE, '{"reset": true, "stones": 2}', "2 reset"),
        (TAKE, "取 2 颗石子，重置", "2 reset"), (TAKE, "取 2 颗，不重置", "2"),
        (TAKE, "2，重置：否", "2"), (TAKE, "2，重置：是", "2 reset"), (TAKE, "2，不使用重置", "2"),
        (CARD, "['Q', 'give up']", "Q give up"),
        (CARD, "give_up 10", "10 give up"), (CARD, "GIVE-UP: k.", "K give up"),
        (CARD, "1 giveup", "A give up"), (CARD, "compete with the queen", "Q compete"),
        (CARD, "出K，竞争", "K compete"),
        (CARD, '{"card": "ace", "decision": "give up"}', "A give up"),
        (CARD, "10 放弃", "10 give up"), (QUEEN, "[4, 1] to [5, 0]", "4 1 to 5 0"),
        (QUEEN, "(4,1) → (5,0)", "4 1 to 5 0"), (QUEEN, "4 1 5 0", "4 1 to 5 0"),
        (QUEEN, "[[4, 1], [5, 0]]", "4 1 to 5 0"),
        (QUEEN, "Move from row 4, column 1 to row 5, column 0", "4 1 to 5 0"),
        (QUEEN, '{"new_row": 5, "new_column": 0, "row": 4, "column": 1}', "4 1 to 5 0"),
        (PAIR, "2 1", "1 2"), (PAIR, "1-2", "1 2"), (PAIR, "{2, 1}", "1 2"),
        (PAIR, "(3, 3)", "3 3"), (PAIR, "Drugs 1 and 2 shall clash.", "1 2"),
        (PAIR, "(1, 2), the same as (2, 1)", "1 2"), (PLACE, "0 1 1 0 1", "01101"),
        (PLACE, "['0', '1', '1', '0', '1']", "01101"), (PLACE, "position = 01101", "01101"),
        (PLACE, "[0,1,1,0,1], so 01101", "01101"),
        (PLACE, "Probe 10 of 32: position = [0,1,1,0,1]", "01101"), (PLACE, "011", "011"),
        (FILL, "0 1 2\n0 1 2", "0 1 2"), (FILL, "My move: 0 1 2\nSo I play 0 1 2.", "0 1 2"),
        (FILL, "(0, 1, 2)\n\n0 1 2", "0 1 2"), (FILL, "Row: 0\nColumn: 1\nValue: 2", "0 1 2"),
        (BID, "7\n7", "7"), (TAKE, "2\n2", "2"), (TAKE, "2 reset\n2 reset", "2 reset"),
        (TAKE, "2\nreset", "2 reset"), (TURN, "1 2 hold 3\n1 2 hold 3", "1 2 hold 3"),
        (FILL, "（０，１）＝２", "0 1 2"),
    ],
)  # fmt: skip
def test_moves_are_read(notation: Notation, said: str, move: str) -> None:
    """Also those out of bounds: whether a move is legal is not a matter of reading."""
    assert move == outcome(notation, said)


@pytest.mark.parametrize(
    ("notation", "said"),
    [
        (BID, "3 or 4"), (BID, "[3] or [4]"), (BID, "bid = [3], not [4]"),
        (BID, "8, leaving [26]"), (BID, "(10 - 2) * (3 * 3) = 72"), (CELL, "(3, 1), not (3, 2)"),
        (CELL, "row 3, column 1, not (3, 2)"), (CELL, "3 1, 3 2"),
        (FILL, "[(0, 3), 2] or [(0, 3), 1]"), (FILL, "(0, 3) = 2, not [(0, 4), 2]"),
        (FILL, "第1行第2列填3，或第1行第2列填4"), (TURN, "1 1, 2 2"), (TURN, "(1 1), not (2 2)"),
        (TURN, "1 1 hold 2 3"), (TAKE, "2 2"), (TAKE, "2 1"), (TAKE, "[2, 2]"),
        (TAKE, "[2, 0] or [2, 1]"), (TAKE, "2, not [3, 0]"), (TAKE, "[2, 0], or 5 with a reset"),
        (CARD, "K compete, not 7 give up"), (CARD, "[K, compete], not 7 give up"),
        (PAIR, "(1, 2) because (3, 4) would lose"), (PLACE, "not 00000 but 1 1 1 1 1"),
        (PLACE, "[[0,0,0,0,0], [1,1,1,1,1]]"), (PLACE, "00000 = 11111"),
        (QUEEN, "(2, 1) to (2, 0), not (2, 1) to (2, 3)"),
        (FILL, "0 1 2\n0 1 3"), (BID, "3\n4"), (TAKE, "2 reset\n2"), (TURN, "1 2\n1 2 hold 3"),
        (FILL, "0 1 2\nnot 0 1 2, but 0 1 3"), (TAKE, "2\n2\nreset"),
    ],
)  # fmt: skip
def test_several_moves_are_ambiguous(notation: Notation, said: str) -> None:
    """None of them is picked."""
    assert "Ambiguous" == outcome(notation, said)


@pytest.mark.parametrize(
    ("notation", "said"),
    [
        (BID, ""), (BID, "seven"), (BID, "2.5"), (BID, "1,000"), (BID, "1234567890"), (BID, "٣"),
        (CELL, "3"), (CELL, "3 4 5"), (CELL, "3.5 4"), (CELL, "row 3, because column 4 is free"),
        (CELL, "4 列 3"), (CELL, "row 3 row 4"), (CELL, "row 3 4 row"),
        (FILL, "Row 1 has 5 empty cells, so 3"), (FILL, "Place 3 at (1, 2)"), (FILL, "0 3 x"),
        (FILL, "0 column 3 value 2"), (FILL, "5 + 7 = 13"), (FILL, "(9 - (12 / 2)) * 4 = 24"),
        (TURN, "1 1 1"), (TURN, "1 1 hold"), (TURN, "1 1, do not hold 3"), (TAKE, "reset"),
        (TAKE, "2 resets"), (TAKE, "2, but I do not reset"), (TAKE, "2; should I reset?"),
        (TAKE, "no, 2 and reset"), (TAKE, "no reset: false, 2"), (TAKE, "不重置：否，2"),
        (CARD, "K"),
        (CARD, "14 compete"), (CARD, "K 7 compete"), (CARD, "K, don't compete"),
        (CARD, "1.5 compete"), (CARD, "-7 compete"), (CARD, "K compete give up"),
        (QUEEN, "4 1 to 4"), (QUEEN, "41 to 40"), (QUEEN, "to (4, 0) from (4, 1)"),
        (QUEEN, "4 0 from 4 1"), (QUEEN, "4 to 1 4 0"), (QUEEN, "[[1, 2], [1, 3]], [[3, 3]"),
        (PAIR, "1 2 3"), (PAIR, "1.5 2"), (PLACE, "01201"), (PLACE, "[0, 1, 2]"), (PLACE, "-1"),
        (PLACE, "[]"), (PLACE, "0.0"),
    ],
)  # fmt: skip
def test_what_is_not_clear_is_unreadable(notation: Notation, said: str) -> None:
    """A move that might be another one is not played."""
    assert "Unreadable" == outcome(notation, said)


def test_errors_have_no_words_of_their_own() -> None:
    """The game says how a move is written."""
    with pytest.raises(Unreadable) as refused:
        BID.read("seven")
    assert "" == refused.value.phrase


def test_labels_of_another_language_are_those_that_are_given() -> None:
    """Without them the words are unknown and may mean anything."""
    assert "3 4" == CELL.read("列 4，行 3", CHINESE)
    with pytest.raises(Unreadable):
        CELL.read("列 4，行 3")


@given(st.sampled_from(ALL), st.data())
def test_every_move_is_read_back(notation: Notation, data: st.DataObject) -> None:
    """From its canonical text, from JSON, and from JSON as a reply."""
    index = MoveIndex(notation)
    move = index.move(data.draw(st.integers(0, index.size - 1)))
    fields = notation.to_json(move)

    assert move == notation.read(move) == notation.read(f"`{move}`.") == notation.from_json(fields)
    assert move == notation.read(str(fields)) == notation.read(str(fields), CHINESE)


@given(
    st.sampled_from(ALL),
    st.text(max_size=60) | st.text("0123456789,.-()[]{}=: ksetoldr第行列", max_size=40),
)
def test_any_text_is_a_move_or_unreadable(notation: Notation, said: str) -> None:
    """What is read is canonical, and nothing else is raised."""
    try:
        move = notation.read(said, CHINESE)
    except Unreadable:
        return
    assert move == notation.write(notation.parse(move))


def hostile(notation: Notation, length: int) -> Iterator[str]:
    """Texts that are looked at, of every motif and of the notation's own words."""
    own = [f"{notation.example(optional=True)} ", *(f"{word} " for word in notation.fields)]
    nested = ["((1) ", "[1]", "reset no ", "row 1 ", "第1行", "1 0 ", "([{", "}])", "= [1] "]
    for motif, tail in product((*MOTIFS, *own, *nested), TAILS):
        yield (motif * length)[:length] + tail
    yield "(" * (length // 2) + "1" + ")" * (length // 2)
    yield "[" * (length // 2) + "]" * (length // 2)


def reading_calls(notation: Notation, text: str) -> float:
    return calls(outcome, notation, text)


def steps(notation: Notation, text: str) -> float:
    """Of regular expressions."""
    _reader.cache_clear()  # what is compiled now is counted
    with written_down(*PATTERNS) as uses:
        outcome(notation, text)
    return sum(use.steps() for use in uses)


@pytest.mark.heavy
@pytest.mark.parametrize("work", [reading_calls, steps])
@pytest.mark.parametrize("notation", ALL, ids=lambda notation: notation.template)
def test_work_is_linear(notation: Notation, work: Callable[[Notation, str], float]) -> None:
    """Four times the text takes about four times the work; if it were quadratic, sixteen times."""
    grain, size = 5_000, 480  # which every motif divides, so that brackets are closed in both
    for short, long in zip(hostile(notation, size), hostile(notation, 4 * size), strict=True):
        assert LONGEST // 2 < len(long) <= LONGEST
        assert work(notation, long) <= 6 * max(grain, work(notation, short)), long[:20]


def test_pairs_of_brackets_take_linear_work() -> None:
    """They are not compared with every value."""
    outcome(CELL, "1")  # what is compiled once
    short, long = (calls(outcome, CELL, "[1]" * number) for number in (160, 640))

    assert 3 * short < long < 5 * short


@pytest.mark.parametrize("notation", ALL, ids=lambda notation: notation.template)
def test_a_text_that_is_too_long_is_not_looked_at(notation: Notation) -> None:
    outcome(notation, "")  # what is compiled once
    for motif in MOTIFS:
        text = motif * 50_000
        assert calls(outcome, notation, text) < 30 + 2 * len(text) // CHARACTERS


ORDINALS = ["第一行第二列填三", "在第一行、第二列的格子里填上三。", "第一行，第2列，填三"]


@pytest.mark.parametrize("said", ORDINALS)
def test_chinese_ordinals_count_from_one(said: str) -> None:
    """Where counting begins at 0, the first row may be 0 or 1, unless the reply begins at 0."""
    one = Number(1, 9)
    fill = Notation("{row} {column} {value}", row=one, column=one, value=one)

    assert "1 2 3" == outcome(fill, said)
    assert "1 2 3" != outcome(FILL, said)
    assert "0 2 3" == outcome(FILL, "第零行第二列填三") == outcome(FILL, "第0行第二列填三")


def test_a_line_counts_from_zero_if_another_does() -> None:
    """Whether 第一行 is the second row is decided over all lines."""
    said = "第零行第一列填二\n第一行第一列填三"

    assert ["0 1 2", "1 1 3"] == [outcome(FILL, line) for line in FILL.lines(said)]
    assert ["Unreadable"] == [outcome(FILL, line) for line in FILL.lines("第一行第一列填三")]


@pytest.mark.parametrize("said", ["数字游戏：1 2 3", "可行：第1行第2列填3", "下列：1 2 3"])
def test_a_chinese_label_counts_only_beside_its_value(said: str) -> None:
    """In other places it is a part of another word."""
    assert "1 2 3" == outcome(FILL, said)


@pytest.mark.parametrize("said", ["3万", "1 百", "3十", "4十号", "出2成", "负 3", "先打三再打四"])
def test_a_digit_with_a_unit_or_a_sign_is_not_the_digit(said: str) -> None:
    assert outcome(BID, said) in ("Unreadable", "Ambiguous")


@pytest.mark.parametrize(
    ("said", "number"),
    [
        ("三", "3"), ("十二。", "12"), ("二十", "20"), ("“三十五”", "35"), ("打出七", "7"),
        ("出价十五", "15"), ("答案：九", "9"), ("我选择两", "2"), ("出价为四十分。", "40"),
        ("三！", "3"), ("出一张四", "4"), ("二十三号", "23"), ("应该出七吧", "7"),
    ],
)  # fmt: skip
def test_numbers_in_chinese_digits(said: str, number: str) -> None:
    assert number == outcome(BID, said)


@pytest.mark.parametrize(
    "said",
    [
        "我只有一张牌能出：5",
        "填一个 5",
        "一定出 5",
        "这是唯一的选择：5",
        "第一步出 5",
        "第二次，出5",
    ],
)
def test_chinese_digits_in_other_words_are_no_numbers(said: str) -> None:
    assert "5" == outcome(BID, said)


@pytest.mark.parametrize("said", ["2 (0, 1)", "2: (0,1)", "[2, (0, 1)]", "2 → (0,1)", "2（0，1）"])
def test_a_value_before_a_pair_is_not_a_row(said: str) -> None:
    """Such a reply probably puts the value at the place in brackets, so it is asked for again."""
    fill = Notation(
        "{row} {column} {value}", row=Number(0, 8), column=Number(0, 8), value=Number(1, 9)
    )

    with pytest.raises(Unreadable):
        fill.read(said, {})
    assert "0 1 2" == fill.read("(0, 1) 2", {}) == fill.read("[(0, 1), 2]", {})


def test_a_typographic_minus_is_a_minus() -> None:
    """A number does not lose its sign."""
    assert "-3" == Notation("{bid}", bid=Number(0, 9)).read("−3", {})

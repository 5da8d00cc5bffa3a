"""Pictures put together from parts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import combinations
from xml.etree import ElementTree

import pytest

from quandary.core.boards import Cell, beside, board, captions, cards, stack
from quandary.core.scene import Box, Disc, Label, Line, Scene
from quandary.core.text_columns import columns
from quandary.core.text_width import text_width
from quandary.render.svg import svg
from quandary.render.terminal import terminal


def boxes(scene: Scene) -> list[Box]:
    return [shape for shape in scene.shapes if isinstance(shape, Box)]


def labels(scene: Scene) -> list[Label]:
    return [shape for shape in scene.shapes if isinstance(shape, Label)]


def area(label: Label) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a label, letters at their widest."""
    width = text_width(label.text, label.size)
    left = label.x - {"start": 0, "middle": width / 2, "end": width}[label.anchor]
    return left, label.y - label.size / 2, left + width, label.y + label.size / 2


def areas(scene: Scene) -> list[tuple[float, float, float, float]]:
    framed = [(box.x, box.y, box.x + box.width, box.y + box.height) for box in boxes(scene)]
    return framed + [area(label) for label in labels(scene)]


def assert_sound(scene: Scene) -> None:
    """Nothing overlaps and nothing leaves the edges."""
    near = 1e-6
    for left, top, right, bottom in areas(scene):
        assert left >= -near
        assert top >= -near
        assert right <= scene.width + near
        assert bottom <= scene.height + near
    for one, other in combinations(areas(scene), 2):
        across = min(one[2], other[2]) - max(one[0], other[0])
        down = min(one[3], other[3]) - max(one[1], other[1])
        assert across <= near or down <= near, (one, other)


def test_cells_stand_where_their_row_and_column_say() -> None:
    scene = board(["ab", [Cell("c", "mark"), None]])

    assert [(box.x, box.y, box.text, box.fill) for box in boxes(scene)] == [
        (0, 0, "a", "paper"),
        (1, 0, "b", "paper"),
        (0, 1, "c", "mark"),
    ]
    assert (scene.width, scene.height) == (2, 2)


def test_edges_are_numbered_from_the_first_index() -> None:
    scene = board(["abc", "def"], first=0)
    top = [label.text for label in labels(scene) if label.y < boxes(scene)[0].y]
    left = [label.text for label in labels(scene) if label.x < boxes(scene)[0].x]

    assert top == ["0", "1", "2"]
    assert left == ["0", "1"]
    assert_sound(scene)


def test_each_number_stands_beside_its_row_and_above_its_column() -> None:
    scene = board(["ab", "cd"], first=7, size=(1.5, 0.8))
    middles = {box.text: (box.x + box.width / 2, box.y + box.height / 2) for box in boxes(scene)}
    above = [label for label in labels(scene) if label.y < boxes(scene)[0].y]
    beside_rows = [label for label in labels(scene) if label not in above]

    assert [label.x for label in above] == pytest.approx([middles["a"][0], middles["b"][0]])
    assert [label.y for label in beside_rows] == pytest.approx([middles["a"][1], middles["c"][1]])


@pytest.mark.parametrize("names", [["1", "2"], ["you bid", "opponent bid"], ["0101", "1111"]])
def test_names_of_any_length_stay_clear_of_the_cells(names: Sequence[str]) -> None:
    assert_sound(board(["ab", "cd"], row_names=names, column_names=names))


@pytest.mark.parametrize("name", ["行", "对手", "你的出价", "对手的出价", "opponent bid"])
def test_row_names_fit_into_a_terminal(name: str) -> None:
    """Wide letters take two columns there, and none of them is cut off."""
    assert name in terminal(board(["ab", "cd"], row_names=["1", name]), colour=False)


def test_long_names_of_columns_are_told_apart() -> None:
    one, other = labels(board(["ab"], column_names=["0101", "1111"]))

    assert area(other)[0] - area(one)[2] > 0.15


def test_rows_and_columns_may_have_no_name() -> None:
    scene = board(["ab", "cd"], row_names=["", "2"], column_names=["x", ""])

    assert [label.text for label in labels(scene)] == ["x", "2"]
    assert labels(scene)[1].y == boxes(scene)[2].y + 0.5


def test_heavy_lines_divide_a_board_into_boxes() -> None:
    scene = board(["abcdef"] * 4, heavy=(2, 3))
    lines = [shape.points for shape in scene.shapes if isinstance(shape, Line)]

    assert lines == [
        *(((0, y), (6, y)) for y in (0, 2, 4)),
        *(((x, 0), (x, 4)) for x in (0, 3, 6)),
    ]


def test_a_piece_carries_the_text_of_its_cell() -> None:
    scene = board([[Cell("X", piece="blue"), Cell("Y", piece="paper"), Cell("Z", piece="red")]])
    discs = [shape for shape in scene.shapes if isinstance(shape, Disc)]

    assert [(disc.text, disc.fill, disc.colour) for disc in discs] == [
        ("X", "blue", "paper"),
        ("Y", "paper", "ink"),
        ("Z", "red", "paper"),
    ]
    assert not any(box.text for box in boxes(scene))


def test_a_cell_without_a_frame_is_its_text_alone() -> None:
    scene = board([[Cell("a long text", fill=""), Cell(fill="")]])

    assert not boxes(scene)
    assert [label.text for label in labels(scene)] == ["a long text"]
    assert_sound(scene)


def test_a_click_on_a_cell_or_its_piece_fills_in_the_same_fields() -> None:
    fields = {"row": "3", "column": "4"}
    scene = board([[Cell("Q", piece="blue", click=fields), "x"]])

    assert [shape.click for shape in scene.shapes if isinstance(shape, Box | Disc)] == [
        fields,
        fields,
        None,
    ]


def test_what_can_be_clicked_is_marked_unless_it_has_a_fill() -> None:
    go = {"card": "1"}
    scene = board([[Cell("1", click=go), Cell("2"), Cell("3", "paper", click=go), "4"]])

    assert [box.fill for box in boxes(scene)] == ["mark", "paper", "paper", "paper"]


def test_svg_writes_the_fields_of_a_click_as_json() -> None:
    fields = {"word": "\"'<&>", "row": "3"}
    drawing = ElementTree.fromstring(svg(board([[Cell(click=fields), Cell()]])))
    written = [
        element.attrib["data-click"] for element in drawing.iter() if "data-click" in element.attrib
    ]

    assert [json.loads(text) for text in written] == [fields]


def test_shapes_with_fields_can_be_compared_and_hashed() -> None:
    one, other = Box(0, 0, click={"row": "1"}), Box(0, 0, click={"row": "2"})

    assert len({one, other, Box(0, 0, click={"row": "1"})}) == 2


def test_cards_wrap_under_their_title_and_leave_holes() -> None:
    scene = cards(["1", None, "3", "4"], columns=3, title="your cards")

    assert {box.text: box.x for box in boxes(scene)} == {"1": 0, "3": 2, "4": 0}
    assert boxes(scene)[-1].y == boxes(scene)[0].y + 1
    assert_sound(scene)


def test_cards_without_a_card_show_their_title() -> None:
    assert [label.text for label in labels(cards([], title="your cards"))] == ["your cards"]


@pytest.mark.parametrize("text", ["x" * 30, "some words " * 9, "翻转棋盘上的棋子" * 4])
@pytest.mark.parametrize("size", [0.3, 0.4, 0.6])
def test_captions_are_wrapped_to_their_width(text: str, size: float) -> None:
    scene = captions(text, size=size, width=5)

    assert "".join(label.text for label in labels(scene)).replace(" ", "") == text.replace(" ", "")
    assert len(labels(scene)) > 1
    assert all(text_width(label.text, size) <= 5 for label in labels(scene))
    assert_sound(scene)


@pytest.mark.parametrize("width", [4, 5, 6, 7, 8])
def test_captions_in_chinese_are_broken_as_chinese_is(width: int) -> None:
    """After a comma and between letters; a name stays with its meaning, a mark with its word."""
    text = "- 年份：1904、1913、fourth act（第四个出场）；“年份”小于 opera（歌剧）所在行的“年份”。"
    lines = [label.text for label in labels(captions(text, width=width))]

    assert text.replace(" ", "") == "".join(lines).replace(" ", "")
    assert all(max(text_width(line, 0.48), columns(line) / 4) <= width for line in lines)
    assert not any(line[0] in "、；，。）”" or line[-1] in "（“" for line in lines)
    assert any("opera（歌剧）" in line for line in lines)
    assert width < 7 or any("fourth act（第四个出场）" in line for line in lines)


def test_captions_do_not_end_with_a_short_line() -> None:
    """Where other lines can be narrower instead, and there are not more of them."""
    for width in range(6, 20):
        text = "The difference of the numbers in (1,1), (3,3) is 2."
        *before, last = [label.text for label in labels(captions(text, width=width))]

        assert not before or text_width(last, 0.48) > 1.5


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("the sum of the numbers in (1,2) and (2,2) is 12.", "is 12."),
        ("“年份”恰好比“北极光号”所在行的“年份”小 9。", "小 9。"),
        ("位于第 12 行的棋子有 3 个，第 4 行没有棋子", "第 12 行"),
        ("The window has 3 x 3 cells and it moves", "3 x 3"),
        ("what it takes, with -, and what it makes, with +.", "with -,"),
    ],
)
def test_a_number_stays_with_its_word(text: str, whole: str) -> None:
    for width in range(3, 16):
        lines = [label.text for label in labels(captions(text, width=width))]

        assert any(whole in line for line in lines)


def test_further_lines_of_a_caption_are_indented() -> None:
    scene = captions("• one two three four", width=3, indent="   ")
    first, *further = [label.text for label in labels(scene)]

    assert first.startswith("•")
    assert further
    assert all(line.startswith("   ") for line in further)


def test_captions_fit_into_a_terminal() -> None:
    text = "The quick brown fox jumps over the lazy dog. " * 5

    assert text.strip() in terminal(captions(text.strip(), size=0.3), colour=False)


def test_empty_captions_take_no_room() -> None:
    assert captions("", "a").height == captions("a").height


def test_parts_are_stacked_without_touching() -> None:
    parts = [captions("a title"), None, captions(""), board(["ab", "cd"], first=1), cards("12345")]
    scene = stack(*parts)

    assert_sound(scene)
    assert [shape.text for shape in boxes(scene)] == list("abcd12345")
    assert scene.width == max(part.width for part in parts if part)


def test_narrow_parts_can_stand_in_the_middle() -> None:
    [narrow, *_] = boxes(stack(board(["a"]), board(["bcdef"]), align="middle"))

    assert narrow.x == 2


def test_parts_stand_beside_each_other() -> None:
    one, other = board(["ab"], heavy=(1, 1)), captions("some", "more", "lines")
    scene = beside(one, None, other, gap=0.5)

    assert_sound(scene)
    assert scene.width == one.width + 0.5 + other.width
    assert scene.height == max(one.height, other.height)


def test_lines_move_along_with_their_board() -> None:
    scene = stack(captions("a title"), board(["ab"], heavy=(1, 2)))
    [box, *_] = boxes(scene)
    points = [point for shape in scene.shapes if isinstance(shape, Line) for point in shape.points]

    assert min(points) == (box.x, box.y)

"""Scenes as SVG, PNG and terminal text."""

from __future__ import annotations

import struct
import zlib
from functools import cache
from xml.etree import ElementTree

import pytest

from quandary.catalogue import drawing, registry
from quandary.core.boards import CAPTION, Cell, board, captions, cards, stack
from quandary.core.scene import Box, Disc, Label, Line, Scene
from quandary.core.text_columns import columns
from quandary.core.text_width import text_width
from quandary.render.png import CHINESE_FONT, png
from quandary.render.svg import COLOURS, MARGIN, TEXT_COLUMNS, picture, svg, text_scene
from quandary.render.terminal import SIGNS, explained_signs, terminal

BOARD = board(
    [["7", Cell(click={"row": "0", "column": "1"})], ["", Cell("x", "blue")]], heavy=(1, 1), first=0
)


def pixels(data: bytes) -> tuple[int, int, list[bytes]]:
    """Width, height and rows of a PNG: eight bits a channel, red, green, blue and alpha."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
    assert (depth, kind) == (8, 6)
    at, packed = 8, b""
    while at < len(data):
        length = struct.unpack(">I", data[at : at + 4])[0]
        if data[at + 4 : at + 8] == b"IDAT":
            packed += data[at + 8 : at + 8 + length]
        at += 12 + length
    raw, rows, before = zlib.decompress(packed), list[bytes](), bytes(4 * width)
    for y in range(height):
        start = y * (4 * width + 1)
        before = _unfiltered(raw[start], raw[start + 1 : start + 1 + 4 * width], before)
        rows.append(before)
    return width, height, rows


@cache  # many rows are blank
def _unfiltered(kind: int, line: bytes, above: bytes) -> bytes:
    out = bytearray()
    for i, byte in enumerate(line):
        left = out[i - 4] if i >= 4 else 0
        up, corner = above[i], above[i - 4] if i >= 4 else 0
        if kind == 4:
            guess = _nearest(left, up, corner)
        else:
            guess = (0, left, up, (left + up) // 2)[kind]
        out.append((byte + guess) & 255)
    return bytes(out)


def _nearest(left: int, up: int, corner: int) -> int:
    """The predictor of the fourth kind of row."""
    guess = left + up - corner
    return min(
        (abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner)
    )[2]


def inked(scene: Scene) -> int:
    """How many pixels of a scene are not paper."""
    _, _, rows = pixels(png(scene))
    paper = bytes.fromhex(COLOURS["paper"][1:]) + b"\xff"
    return sum(row[i : i + 4] != paper for row in rows for i in range(0, len(row), 4))


@pytest.mark.parametrize("name", registry.names())
def test_pictures_are_opaque(name: str) -> None:
    """Also at their edges, whatever their sizes at all levels.

    What is drawn on paper leaves it opaque, so the paper is enough.
    """
    for level in registry.load(name).levels:
        game = drawing.game(f"{name}/{level}#1")
        for language in game.languages:
            scene = picture(game, 0, language)
            _, _, rows = pixels(png(Scene(scene.width, scene.height, ())))

            assert {alpha for row in {*rows} for alpha in row[3::4]} == {255}


@pytest.mark.parametrize("longest", [64, 220, 512])
def test_no_part_of_a_scene_is_cut_off(longest: int) -> None:
    """Sizes are rounded up, and a unit measures the same across and down."""
    for width, height in [(3.3, 7.77), (9.01, 2.499), (5, 5)]:
        root = ElementTree.fromstring(svg(Scene(width, height, ()), longest))
        across, down = (float(root.attrib[name]) for name in ("width", "height"))
        *_, wide, high = map(float, root.attrib["viewBox"].split())

        assert max(across, down) == longest
        assert wide >= width + 2 * MARGIN - 1e-6 and high >= height + 2 * MARGIN - 1e-6
        assert across / wide == pytest.approx(down / high)


def test_a_picture_measures_what_was_asked() -> None:
    """The longer side has the wanted length."""
    width, height, _ = pixels(png(Scene(4, 2, (Box(0, 0),))))

    assert width == 512
    assert height < width


@pytest.mark.parametrize("text", ["7", "Q", "é", "♠", "→"])
def test_letters_are_really_drawn(text: str) -> None:
    """A label leaves ink: the fonts come along, whatever the machine has."""
    assert inked(Scene(2, 2, (Label(1, 1, text, size=1),))) > 200


def test_chinese_letters_are_really_drawn() -> None:
    """Another letter leaves other ink, so that these are no boxes for missing ones."""
    pytest.importorskip(CHINESE_FONT, reason="needs a font: pip install 'quandary[chinese]'")
    one, other = (png(Scene(2, 2, (Label(1, 1, text, size=1),))) for text in "牌直")

    assert inked(Scene(2, 2, (Label(1, 1, "牌", size=1),))) > 200
    assert one != other


def test_colours_are_the_ones_of_the_palette() -> None:
    """A blue box is blue in the middle."""
    width, height, rows = pixels(png(Scene(2, 2, (Box(0, 0, 2, 2, fill="blue"),))))
    at = width // 2 * 4

    assert bytes.fromhex(COLOURS["blue"][1:]) == rows[height // 2][at : at + 3]


def test_svg_escapes_what_players_wrote() -> None:
    """Texts cannot break out of the picture."""
    hostile = Box(0, 0, text='<&">\x00', click={'"': "'><script>"})
    scene = Scene(2, 2, (hostile, Disc(1, 1, text="a&b"), Line(((0, 0), (1, 1)))))
    root = ElementTree.fromstring(svg(scene))

    assert '<&"> ' in [element.text for element in root.iter()]
    assert not [element for element in root.iter() if "script" in element.tag]


def test_long_texts_shrink_to_their_box() -> None:
    """What stands in a cell stays in it."""
    sizes = [
        float(element.attrib["font-size"])
        for text in ("1", "1234567")
        for element in ElementTree.fromstring(svg(Scene(1, 1, (Box(0, 0, text=text),)))).iter()
        if "font-size" in element.attrib
    ]

    assert sizes[0] == 0.5
    assert text_width("1234567", sizes[1]) == pytest.approx(0.8, abs=1e-4)


def test_a_terminal_board_shows_its_cells() -> None:
    """Without colours, plain letters; with colours, painted cells."""
    drawn = terminal(BOARD, colour=False)

    assert "┃ 7 ┃" in drawn
    assert "\x1b" not in drawn
    assert "\x1b[" in terminal(BOARD, colour=True)


@pytest.mark.parametrize("size", [0.3, CAPTION, 0.5, 0.6, 0.69, 0.8])
def test_a_terminal_has_blank_rows_where_a_scene_has_gaps(size: float) -> None:
    """And none within a text, above the cards of a title, or where there is no gap."""
    scene = stack(
        captions("Left: 5", "Right: 7", "Third: 1", "Fourth: 2", size=size),
        captions("Your card: 3", size=size),
        cards(["3"], title="cards"),
        captions("Go on.", size=size),
    )

    assert terminal(scene, colour=False).split("\n") == [
        *("Left: 5", "Right: 7", "Third: 1", "Fourth: 2", ""),
        *("Your card: 3", "", "cards", "+---+", "| 3 |", "+---+", "", "Go on."),
    ]


@pytest.mark.parametrize("place", range(3))
def test_captions_that_are_left_out_leave_no_rows(place: int) -> None:
    """But for the blank one between their neighbours."""
    parts = [board(["a"]), board(["b"])]
    parts.insert(place, captions("one", "two", "three", "four", size=0.6))
    scene = stack(*parts, gap=1.0)
    words = [shape for shape in scene.shapes if isinstance(shape, Label)]
    drawn = terminal(scene, colour=False, without=words)

    assert drawn == "+---+\n| a |\n+---+\n\n+---+\n| b |\n+---+"


def test_blank_rows_far_from_captions_stay() -> None:
    """A picture with things at some distance keeps its form."""
    names = [Label(0, y, name, anchor="start") for y, name in ((0, "up"), (3, "down"))]
    scene = stack(Scene(1, 3.5, tuple(names)), captions("one", "two"))
    words = [shape for shape in scene.shapes if isinstance(shape, Label) and shape.caption]

    for without, rest in (((), ["", "one", "two"]), (words, [])):
        drawn = terminal(scene, colour=False, without=without)
        assert drawn.split("\n") == ["up", *[""] * 5, "down", *rest]


def test_without_colours_signs_tell_fills_apart() -> None:
    """Of cells or of pieces with the same text; paper and what a text tells apart has no sign."""
    lamps = board([[Cell(fill="yellow"), Cell(fill="paper"), Cell("x", "blue"), Cell("", "")]])
    assert "| ^ |   | x |" in terminal(lamps, colour=False)
    assert "^" not in terminal(lamps, colour=True)
    assert "^ on" == explained_signs(lamps, {"yellow": "on", "blue": "no two", "mark": "none"})

    texts = [[Cell("7", "good"), Cell("10", "good"), Cell("100", "good"), Cell("7", "bad")]]
    assert "|>7 |10>|100|?7 |" in terminal(board(texts), colour=False)
    pieces = board([[Cell(piece="ink"), Cell("", "mark", "red"), Cell("", "paper", "red")]])
    assert "|#● |*●!|!● |" in terminal(pieces, colour=False)
    covered = Scene(1, 1, (Box(0, 0, fill="good"), Box(0, 0, fill="bad")))
    assert "| ? |" in terminal(covered, colour=False)


def test_signs_are_different_and_no_colour_is_without_one() -> None:
    assert {"paper", *SIGNS} == {*COLOURS}
    assert len({*SIGNS.values()}) == len(SIGNS)
    assert not any(sign.isalnum() or sign in "+-|" for sign in SIGNS.values())


def test_a_terminal_shows_heavy_lines_of_a_board() -> None:
    """The boxes of a sudoku can be told apart."""
    drawn = terminal(board(["1234"] * 4, heavy=(2, 2)), colour=False).splitlines()

    assert drawn[:3] == ["╋━━━━━━━╋━━━━━━━╋", "┃ 1 | 2 ┃ 3 | 4 ┃", "┃---+---┃---+---┃"]


def test_a_terminal_shows_slanted_lines() -> None:
    """They are dots in a row from one end to the other, behind all letters."""
    line, label = Line(((0, 0), (2, 1))), Label(0.5, 0.25, "x")
    drawn, with_a_letter = (
        terminal(Scene(2, 1, shapes), colour=False).splitlines()
        for shapes in [(line,), (label, line)]
    )

    assert drawn == ["⠉⠒⠤⣀", "    ⠉⠒⠤⣀", "        ⠁"]
    assert with_a_letter == ["⠉⠒x⣀", *drawn[1:]]


def test_a_light_line_leaves_the_edges_of_boxes_as_they_are() -> None:
    """Where there is no edge, it is drawn."""
    cells, line = (Box(0, 0), Box(1, 0)), Line(((0, 1), (3, 1)))
    drawn = terminal(Scene(3, 1, (*cells, line)), colour=False).splitlines()

    assert drawn[2] == "+---+---+⠉⠉⠉⠁"


def test_wide_letters_keep_a_terminal_board_straight() -> None:
    """A Chinese letter takes two columns, so every line of a board ends in the same column."""
    rows = [["步", "按住", "还剩"], ["7", "", "x"], ["a", "数", "b"]]
    lines = terminal(board(rows), colour=False).splitlines()

    assert {columns(line) for line in lines} == {columns("+---+---+---+")}
    assert lines[5] == "| a |数 | b |"


def test_what_is_drawn_over_half_a_wide_letter_replaces_all_of_it() -> None:
    """No line gets longer or shorter, and nothing is drawn beyond the edge."""
    expected = ("x 二三", " x二三", "一x 三", "一 x三", "一二x", "一二 x")
    for number, drawn in enumerate(expected):
        labels = (Label(0, 0, "一二三", anchor="start"), Label(number / 4, 0, "x", anchor="start"))

        assert terminal(Scene(1.5, 0, labels), colour=False) == drawn
    assert terminal(Scene(0.5, 0, (Label(0, 0, "一二三", anchor="start"),)), colour=False) == "一"


def test_wide_text_stays_within_its_picture() -> None:
    """A text of wide letters needs twice the room of one of narrow letters."""
    assert text_scene("剩" * 30).width == 2 * text_scene("x" * 30).width


@pytest.mark.parametrize("text", ["wide letters and 剩 " * 9, "x" * 200, "剩" * 100])
def test_long_lines_of_plain_text_are_broken(text: str) -> None:
    """They would be too small to read; nothing is left out."""
    scene = text_scene(text)
    shown = [shape.text for shape in scene.shapes if isinstance(shape, Label)]

    assert "".join(shown).replace(" ", "") == text.replace(" ", "")
    assert max(map(columns, shown)) <= TEXT_COLUMNS < columns(text)


def test_wide_letters_keep_the_columns_of_an_svg_straight() -> None:
    """What follows a wide letter stands where it would after two narrow ones."""
    labels = [Label(1, 1, text, anchor="start", mono=True) for text in ("号 7", "no 7")]
    wide, narrow = list(ElementTree.fromstring(svg(Scene(9, 9, tuple(labels)))))[-2:]
    places = [float(place) for place in wide.attrib["x"].split()]

    assert "1" == narrow.attrib["x"]
    assert [1.0, 1.0 + 2 * 0.2408, 1.0 + 3 * 0.2408] == pytest.approx(places, abs=1e-4)


def test_plain_text_becomes_a_picture() -> None:
    """A puzzle without a scene has a picture on its first day."""
    scene = text_scene("one\n\n  two")

    assert [shape.text for shape in scene.shapes if isinstance(shape, Label)] == ["one", "  two"]
    assert inked(scene) > 500

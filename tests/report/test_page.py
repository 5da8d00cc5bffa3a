"""HTML of the report: whatever players are called or say stays text."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest

from quandary.report.html import Markup, element, script_data
from quandary.report.page.layout import ASSETS
from quandary.report.page.score_tables import MOST_ROWS, score_table
from quandary.report.page.shading import shaded
from quandary.scoring.score_table import Ranged, ScoreTable

HOSTILE = '</script><!-- <img src=x onerror=alert(1)> "&" \'</td>'


class Parsed(HTMLParser):
    """Elements with their attributes, and the texts between them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements = list[tuple[str, dict[str, str | None]]]()
        self.texts = list[str]()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_texts_and_attributes_are_escaped() -> None:
    """A parser finds the same words again, and no element that was not meant."""
    parsed = Parsed(element("p", HOSTILE, element("b", HOSTILE), title=HOSTILE))

    assert [name for name, _ in parsed.elements] == ["p", "b"]
    assert parsed.elements[0][1]["title"] == HOSTILE
    assert "".join(parsed.texts) == HOSTILE * 2


def test_markup_is_not_escaped_twice() -> None:
    assert element("p", Markup("<b>x</b>"), "&") == "<p><b>x</b>&amp;</p>"


def test_control_characters_and_halves_of_letters_are_shown() -> None:
    """What cannot be written as UTF-8, and what turns the direction of writing, is spelt out."""
    shown = element("p", "a\x1b\u202e\ud800b")
    assert shown.encode() == rb"<p>a\x1b\u202e\ud800b</p>"


def _classes(*scores: Ranged, is_score: bool = True) -> list[list[str]]:
    cells = [shaded(score, 6, "x", is_score=is_score) for score in scores]
    return [str(Parsed(cell).elements[0][1]["class"]).split() for cell in cells]


def test_the_colour_of_a_cell_is_its_score_and_fainter_if_less_is_known() -> None:
    """Scores in the middle have a colour of their own, and what is no score has none of them."""
    sharp, vague = _classes(Ranged(0.5, 0.45, 0.55), Ranged(0.5, 0.0, 1.0))
    [tied] = _classes(Ranged(0.5, 0.45, 0.55), is_score=False)
    assert sharp == ["shaded", "s5", "sure20"] and vague == ["shaded", "s5", "sure8"]
    assert tied == ["shaded", "even", "sure20"]

    styles = "".join((folder / "style.css").read_text("utf-8") for folder in ASSETS[1:])
    widths = [Ranged(at / 100, 0.0, at / 100) for at in range(101)]
    for kind in {kind for found in [tied, *_classes(*widths)] for kind in found}:
        assert f".{kind} {{" in styles


def test_columns_are_in_words_and_players_keep_their_names() -> None:
    """On the page; files have the names that programs read."""
    rows = [("my_model", 0.5, 1), ("other", 0.25, 2)]
    html = score_table(
        ScoreTable("k", "t", "by_this: x / y", ("player", "by_this", "my_model"), tuple(rows))
    )
    texts = Parsed(html).texts

    assert "by this" in texts and "by this: x / y" in texts and "by_this" not in "".join(texts)
    assert "".join(texts).count("my_model") == 2


@pytest.mark.parametrize("text", [HOSTILE, "\u2028\u2029", "\ud800", "é漢\x00", "]]>"])
def test_script_data_is_data(text: str) -> None:
    """It cannot end a script or start a comment, is ASCII, and reads as the same data."""
    written = script_data({"text": text})

    assert not re.search(r"[<>&\u2028\u2029]|[^\x20-\x7e]", written)
    assert json.loads(written) == {"text": text}


def test_tables_have_values_to_sort_by_and_names_that_stay_text() -> None:
    table = ScoreTable(
        "key",
        HOSTILE,
        "formula",
        ("player", "score", "n"),
        ((HOSTILE, Ranged(0.25, 0.1, 0.5), 1_234), ("other", None, 7)),
    )
    parsed = Parsed(score_table(table))

    assert "img" not in dict(parsed.elements)
    assert parsed.texts.count(HOSTILE) == 2  # title and name
    cells = [attributes for name, attributes in parsed.elements if name == "td"]
    assert [cell.get("data-sort") for cell in cells] == [None, "0.25", "1234", None, "", "7"]
    assert {"0.250", "0.100 – 0.500", "1,234", "–"} <= set(parsed.texts)
    links = [attributes["href"] for name, attributes in parsed.elements if name == "a"]
    assert links == ["tables/key.csv", "tables/key.md", "tables/key.tex"]


def test_one_is_not_many() -> None:
    """What the page counts is in the singular too."""
    pa = pytest.importorskip("pyarrow", reason="needs pyarrow: pip install 'quandary[report]'")
    from quandary.report.played import _facts

    names = ("suite", "task", "puzzle", "level", "split", "instance", "player")
    row = dict.fromkeys(names, "x") | {"model": None, "cost": None, "score": 1.0, "seat": 0}
    one, two = pa.Table.from_pylist([row]), pa.Table.from_pylist([row, {**row, "player": "y"}])

    assert list(_facts(one)) == ["match", "starting position"]
    assert list(_facts(two)) == ["matches", "starting position"]


def test_a_long_table_says_that_rows_are_left_out() -> None:
    rows = tuple((number,) for number in range(MOST_ROWS + 1))
    parsed = Parsed(score_table(ScoreTable("key", "title", "formula", ("n",), rows)))

    assert sum(name == "tr" for name, _ in parsed.elements) == MOST_ROWS + 1
    assert any("1,001 rows; the files have all" in text for text in parsed.texts)

"""Tables of scores in every format."""

import csv
from collections.abc import Callable
from io import StringIO

import pytest

from quandary.arena.tally import Tally
from quandary.report import formats, results
from quandary.report.tables import table
from quandary.scoring.readings import Readings
from quandary.scoring.score_table import Ranged, ScoreTable, score_table

SCORES = score_table(
    "scores",
    "Scores of 50 % & more",
    "Mean over starts.",
    ("player", "score", "n"),
    [("a_b|<script>", Ranged(0.5, 0.25, 0.75), 1200), ("zero", None, 0)],
    ("n counts matches.",),
)


def test_a_row_must_fit_the_head():
    with pytest.raises(ValueError, match="head"):
        ScoreTable("x", "X", "", ("one",), ((1, 2),))


def test_text_names_what_the_numbers_are():
    lines = formats.text(SCORES).splitlines()
    assert lines[0] == "Scores of 50 % & more"
    assert "0.500 (0.250 to 0.750)" in lines[4] and "1,200" in lines[4]
    assert lines[5].split() == ["zero", "-", "0"]
    assert lines[-2:] == ["Mean over starts.", "n counts matches."]


@pytest.mark.parametrize("value", [-0.0, Ranged(-0.0, -0.0, 0.0)])
def test_nothing_is_less_than_nothing(value: float | Ranged) -> None:
    assert "-0.000" not in formats.shown(value)


def test_markdown_keeps_marks_of_names_inside_their_cell():
    row = formats.markdown(SCORES).splitlines()[4]
    assert row == r"| a\_b\|&lt;script&gt; | 0.500 (0.250 to 0.750) | 1,200 |"


NAME = "vllm/**bold** [x](javascript:alert(1)) _i_ $m$ `c` ~~s~~ &lt; \\ <b>\x1b[31m\nnext"


def test_markdown_reads_no_name_as_markup():
    """In cells, titles, formulas and notes alike."""
    written = formats.markdown(score_table("k", NAME, NAME, (NAME,), [(NAME,)], (NAME,)))
    escaped = (
        r"vllm/\*\*bold\*\* \[x\](javascript:alert(1)) \_i\_ \$m\$ \`c\` \~\~s\~\~ &amp;lt; "
        r"\\ &lt;b&gt;\\x1b\[31m next"
    )
    assert written.count(escaped) == 5
    assert len(written.splitlines()) == 9 and "\x1b" not in written


@pytest.mark.parametrize("write", [formats.text, formats.latex, formats.markdown])
def test_names_command_no_terminal(write: Callable[[ScoreTable], str]):
    """In notes and heads too."""
    written = write(score_table("k", "t", "f", ("player", NAME), [(NAME, 1)], (NAME,)))
    assert "\x1b" not in written and "\nnext" not in written


def test_sentences_about_models_command_no_terminal():
    """What `quandary run` says about each model, and its tables without the extra."""
    found = Readings(NAME)
    found.statuses["truncated"] = 3
    written = [
        results.readings_sentence(found),
        results.truncation_warning(found, None),
        results.calls_sentence(NAME, Tally(), None),
        table(("player",), [(NAME,)]),
    ]
    for each in written:
        assert r"\x1b[31m next" in each and "\x1b" not in each


def test_what_is_left_of_rounding_is_zero():
    """And small numbers that mean something are shown."""
    shown = formats.shown
    assert shown(2e-18) == "0.000" and shown(Ranged(-2e-18, 0.0, 0.561)) == "0.000 (0.000 to 0.561)"
    assert shown(3e-9) == "3e-09"


def test_csv_has_no_formulas():
    written = formats.comma_separated(score_table("k", "t", "f", ("player", "n"), [("=1+1", -1)]))
    assert written.splitlines() == ["player,n", "'=1+1,-1"]


def test_latex_escapes_what_it_would_read_as_a_command():
    written = formats.latex(SCORES)
    assert r"a\_b|\textless{}script\textgreater{} & 0.500 (0.250 to 0.750) & 1,200 \\" in written
    assert r"50 \% \& more" in written


def test_csv_has_full_precision_and_three_columns_per_interval():
    found = list(csv.reader(StringIO(formats.comma_separated(SCORES))))
    assert found[0] == ["player", "score", "score low", "score high", "n"]
    assert found[1] == ["a_b|<script>", "0.5", "0.25", "0.75", "1200"]
    assert found[2] == ["zero", "", "", "", "0"]


def test_json_has_a_dictionary_per_row():
    assert SCORES.plain()["rows"][0] == {
        "player": "a_b|<script>",
        "score": [0.5, 0.25, 0.75],
        "n": 1200,
    }
    assert SCORES.column("n") == (1200, 0)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0.000"), (0.00049, "5e-04"), (-2e-9, "-2e-09"), (0.0005, "0.001"), (1234.5, "1,234")],
)
def test_small_numbers_are_not_shown_as_zero(value: float, text: str):
    assert text == formats.shown(value)


def test_ends_of_intervals_are_shown_like_their_value():
    assert "0.109 (0.000 to 0.210)" == formats.shown(Ranged(0.109, 0.0005 - 1e-9, 0.21))
    assert "2e-04 (1e-04 to 4e-04)" == formats.shown(Ranged(0.0002, 0.0001, 0.0004))

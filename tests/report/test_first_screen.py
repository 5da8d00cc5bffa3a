"""The first screen: what was played, by whom and when, who is ahead, and what is missing."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

pytest.importorskip("scipy", reason="needs scipy: pip install 'quandary[report]'")
pytest.importorskip("pyarrow", reason="needs pyarrow: pip install 'quandary[report]'")

from quandary.arena.journal import JOURNAL
from quandary.arena.store import MANIFEST
from quandary.report.html import element
from quandary.report.page.opening import leaderboard, warnings_box
from quandary.report.page.provenance import settings_that_differ
from quandary.report.page.text import breakable, with_code
from quandary.report.played import played
from quandary.report.scores import language_sentence
from quandary.scoring.score_table import Ranged, ScoreTable
from seat_tables import seat_row, seat_table

HOSTILE = "vllm/<script>`x`</script>"


class Text(HTMLParser):
    """The text of some HTML, and the names of its elements."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text, self.elements = "", list[str]()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def _run(folder: Path, *days: str) -> Path:
    folder.mkdir()
    (folder / MANIFEST).write_text(json.dumps({"suite": {"name": "mine"}}))
    if days:
        lines = [json.dumps({"sent": "x", "at": f"{day}T23:59:59.000+00:00"}) for day in days]
        (folder / JOURNAL).write_text("\n".join(['{"message": "m"}', *lines, '{"sent": "cut of']))
    return folder


def _seats() -> object:
    models = [
        seat_row(at, f"vllm/m,language={language}", 1.0, model="vllm/m", language=language)
        for at, language in enumerate(("en", "zh"))
    ]
    return seat_table([*models, seat_row(3, "random", 0.0), seat_row(3, "house", 0.0, puzzle="x")])


def test_the_title_says_what_was_played_and_by_whom(tmp_path: Path) -> None:
    found = played({"a": _run(tmp_path / "a")}, _seats())

    assert found.title == "Suite mine: 1 model and 2 strategies on 2 puzzles"
    assert found.players == ("vllm/m", "random", "house")
    assert found.languages == ("English", "Chinese") and found.when == ""
    assert found.facts["matches"] == "4"


def test_several_suites_and_a_single_puzzle_are_named_as_such(tmp_path: Path) -> None:
    runs = {}
    for name in ("mine", "x"):
        runs[name] = _run(tmp_path / name)
        (runs[name] / MANIFEST).write_text(json.dumps({"suite": {"name": name}}))
    of_x = seat_table([seat_row(3, "house", 0.0, puzzle="x")])

    assert played(runs, _seats()).title.startswith("Suites mine and x: ")
    assert played({"x": runs["x"]}, of_x).title == "x: 1 strategy"


def test_losses_without_a_readable_answer_are_told_by_model(tmp_path: Path) -> None:
    runs = {"a": _run(tmp_path / "a")}

    def unread(*models: str) -> str:
        rows = [
            seat_row(at, model, 0.0 if at else 1.0, model=model, cause="unreadable" if at else "")
            for model in models
            for at in range(3)
        ]
        return played(runs, seat_table(rows)).unread

    sentence = "are losses because no move or answer could be read"
    assert unread("vllm/a") == f"2 of 3 results of models {sentence}."
    assert unread("vllm/a", "vllm/a", "vllm/b") == (
        f"6 of 9 results of models {sentence}: 4 of 6 by `vllm/a` and 2 of 3 by `vllm/b`."
    )
    assert unread(*(f"vllm/{name}" for name in "abcd")).endswith(" and 2 of 3 by `vllm/d`.")
    assert unread(*(f"vllm/{name}" for name in "abcde")).endswith(" and those of 2 more models.")


@pytest.mark.parametrize(("people", "sentence"), [(1, "1 person"), (3, "3 people")])
def test_people_are_counted_and_not_listed(tmp_path: Path, people: int, sentence: str) -> None:
    names = [f"human/p{at}" for at in range(people)]
    rows = [seat_row(at, name, 1.0) for at, name in enumerate([*names, "human/p0,hints=1"])]
    found = played({"a": _run(tmp_path / "a")}, seat_table([*rows, seat_row(9, "house", 0.0)]))

    assert found.title == f"Suite mine: 1 strategy and {sentence} on 1 puzzle"
    assert found.players == ("human", "human (with help)", "house")


@pytest.mark.parametrize(
    ("days", "sentence"),
    [
        ((("2026-11-19",), ()), "on 19 November 2026"),
        ((("2026-11-19", "2026-11-21"), ()), "from 19 November 2026 to 21 November 2026"),
        ((("2026-11-19",), ("2025-01-01",)), "from 1 January 2025 to 19 November 2026"),
        (((), ()), ""),
        ((("no day",), ()), ""),
    ],
)
def test_when_models_were_called_is_read_from_journals(
    tmp_path: Path, days: tuple[tuple[str, ...], ...], sentence: str
) -> None:
    runs = {str(at): _run(tmp_path / str(at), *own) for at, own in enumerate(days)}

    assert sentence == played(runs, _seats()).when


def test_names_in_backquotes_are_code_and_stay_text() -> None:
    shown = Text(element("p", *with_code("`vllm/<b>` is ahead of `b` & c")))

    assert shown.elements == ["p", "code", "wbr", "code"]
    assert shown.text == "vllm/<b> is ahead of b & c"


def test_a_name_breaks_and_is_not_cut() -> None:
    name = f"openai/{'m' * 80},language=en,shots=1"
    shown = Text(element("p", *breakable(name)))

    assert shown.text == name and shown.elements == ["p", "wbr", "wbr", "wbr"]


def test_the_leaderboard_is_a_figure_with_its_numbers() -> None:
    """Also of players without an interval or a result, and whatever they are called."""
    head = ("player", "score", "missing", "ranks", "group", "n")
    rows = (
        (HOSTILE, Ranged(0.5, 0.25, 1.0), 0, "1", "a", 1_234),
        ("partial", 0.3, 7, None, None, 10),
        ("silent", None, 9, None, None, 0),
    )
    html = leaderboard(
        ScoreTable("leaderboard", "Leaderboard", "", head, rows), 2, has_moments=True
    )
    shown = Text(html)

    assert HOSTILE in shown.text and "script" not in shown.elements
    assert "0.500 (0.25 to 1.00)" in shown.text and "1,234" in shown.text
    assert '<line x1="25.00%" x2="100.00%"' in html and "style=" not in html
    assert html.count('class="dot"') == 2 and 'cx="30.00%"' in html
    assert "One of 2 leaderboards" in shown.text


def test_a_long_leaderboard_says_that_players_are_left_out() -> None:
    head = ("player", "score", "ranks", "group", "n")
    rows = tuple((f"p{at}", 0.5, None, None, 1) for at in range(20))

    assert (
        "The first 14 of 20 players"
        in Text(
            leaderboard(ScoreTable("leaderboard", "", "", head, rows), 1, has_moments=False)
        ).text
    )


def _factors(*p: float | None) -> list[ScoreTable]:
    head = ("factor", "from", "to", "player", "difference", "p")
    rows = tuple(
        ("language", "en", "zh", f"m{at}", Ranged(-0.2, -0.3, -0.1), each)
        for at, each in enumerate(p)
    )
    return [ScoreTable("factors", "", "", head, rows)]


def test_languages_are_compared_after_holms_correction() -> None:
    """0.03 alone is significant; twice it is not, though each would be by itself."""
    few = "too few matches to say"

    assert language_sentence([]) == ()
    [alone] = language_sentence(_factors(0.03))
    assert alone == "`m0` scores 0.20 less in Chinese than in English (-0.30 to -0.10)."
    [both] = language_sentence(_factors(0.03, 0.03))
    assert few in both and "`m0`" not in both
    [one] = language_sentence(_factors(0.01, 0.9, None))
    assert one.startswith("`m0`") and "`m1`" not in one and few in one


def test_settings_that_differ_are_named() -> None:
    players = [
        "vllm/m,shots=1,language=en",
        "vllm/m,shots=1,language=zh",
        "vllm/n,shots=1",
        "random",
    ]

    usual = {"language": "en", "shots": "0"}

    assert settings_that_differ(players, usual) == "language: en (usual), zh"
    assert settings_that_differ(["vllm/m,language=en", "vllm/n"], usual) == ""
    other = ["vllm/m,max_tokens=64", "vllm/n"]
    assert settings_that_differ(other, usual) == "max_tokens: 64, unset"


def test_warnings_of_the_run_stand_on_the_first_screen() -> None:
    """The first three in full, as text; the table of replies has those of all players."""
    shown = Text("".join(warnings_box([f"3 of 4 replies of {HOSTILE}", "b", "c", "d", "e"])))

    assert shown.elements == ["p", "p", "p", "p", "a"]
    assert shown.text.startswith(f"3 of 4 replies of {HOSTILE}b")
    assert shown.text.endswith("The same is true of 2 more players. All replies by status")
    assert warnings_box([]) == []

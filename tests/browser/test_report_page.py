"""The report in a real browser, from a file, without a network, on a phone and on a desk."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

pytest.importorskip("aiohttp", reason="needs aiohttp: pip install 'quandary[report,models]'")
pytest.importorskip("scipy", reason="needs scipy: pip install 'quandary[report,models]'")
pytest.importorskip("pyarrow", reason="needs pyarrow: pip install 'quandary[report,models]'")
pytest.importorskip("matplotlib", reason="needs matplotlib: pip install 'quandary[report,models]'")
pytest.importorskip("playwright", reason="needs playwright: pip install 'quandary[browser]'")

from playwright import sync_api

from quandary.cli.main import main
from quandary.core.control_characters import visible
from quandary.report.html import Markup
from quandary.report.page.layout import ASSETS, Section, page
from quandary.report.viewer.chosen import Listed
from quandary.report.viewer.side_files import key_of, write_list
from quandary.report.viewer.transcripts import MatchSummary
from report_runs import HOSTILE, MODEL, THOUGHT, hostile_run
from watched_pages import LOOKS, SIZES, Watched

pytestmark = pytest.mark.heavy


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("browser")
    run = hostile_run(folder, 4, "random", "oracle", f"{MODEL},shots=1")
    assert 0 == main(["report", str(run), "--out", str(folder / "report")])
    return folder / "report"


@pytest.fixture(scope="module")
def shown(report: Path) -> Path:
    return report


def offline(browser: Any, size: str, scheme: str = "light") -> Watched:
    return Watched(browser, "file:", size, scheme, offline=True)


def close(watched: Watched) -> None:
    """Nothing of what the model says has run."""
    assert watched.page.evaluate("window.owned") is None
    watched.close()


@pytest.fixture(params=LOOKS)
def opened(browser: Any, report: Path, request: pytest.FixtureRequest) -> Iterator[Watched]:
    watched = offline(browser, *request.param)
    watched.page.goto((report / "index.html").as_uri())
    yield watched
    close(watched)


def open_details(page: Any) -> None:
    page.evaluate("document.querySelectorAll('main details').forEach(box => box.open = true)")


def test_the_page_is_whole(opened: Watched) -> None:
    """Every figure is loaded and has a text alternative, and nothing is wider than the window."""
    page = opened.page
    page.wait_for_selector("#match-list table")
    open_details(page)
    figures = page.locator("figure img")
    assert figures.count() >= 6
    dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    for figure in figures.all():
        figure.scroll_into_view_if_needed()
        sync_api.expect(figure).to_have_js_property("complete", True)
        assert figure.evaluate("image => image.naturalWidth") > 0
        assert len(figure.get_attribute("alt") or "") > 20
        assert figure.evaluate("image => image.currentSrc").endswith("-dark.svg") == dark
    unnamed = "img:not([alt]), svg:not([aria-hidden]):not([aria-label])"
    assert page.evaluate(f"document.querySelectorAll('{unnamed}').length") == 0
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= page.viewport_size["width"]


def test_hostile_replies_are_shown_as_text(opened: Watched) -> None:
    """The viewer shows what the model said, letter by letter, and nothing of it runs."""
    page = opened.page
    page.wait_for_selector("#match-list table")
    players = page.locator("#filter-player option").all_inner_texts()
    assert MODEL in players
    page.select_option("#filter-player", label=MODEL)
    page.select_option("#filter-puzzle", label="card_nim")
    page.locator("#match-list a").first.click()
    dialog = page.locator("dialog[open]")
    dialog.wait_for()
    while not dialog.locator(".bubble", has_text=MODEL).count():
        page.keyboard.press("ArrowRight")
    replies = dialog.locator("pre.text").all_text_contents()
    assert any(visible(HOSTILE.strip()) in text for text in replies)
    assert any(THOUGHT in text for text in dialog.locator("pre.thought").all_text_contents())
    assert MODEL in dialog.inner_text()
    for words in ("no move could be read", "verdict", "why", "sent"):
        assert words in dialog.inner_text(), words
    dialog.locator("summary", has_text="system").first.click()
    picture = dialog.locator("svg.board")
    assert picture.count() == 1 and "Stones" in (picture.get_attribute("aria-label") or "")
    page.keyboard.press("End")
    assert "quandary replay run --match" in (dialog.text_content() or "")
    assert dialog.evaluate("box => box.scrollWidth <= box.clientWidth")
    assert page.evaluate("document.querySelectorAll('dialog script, dialog style').length") == 0
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0
    assert f"#list?{urlencode({'puzzle': 'card_nim', 'player': MODEL})}" in page.url


def test_a_match_can_be_linked_to(opened: Watched) -> None:
    """The address of a match opens it, and the button closes it."""
    page = opened.page
    page.evaluate("location.hash = '#match-1-1'")
    page.locator("dialog[open] h2").wait_for()
    page.locator("dialog button", has_text="Close").click()
    assert page.locator("dialog[open]").count() == 0


def test_tables_are_sorted_by_their_heads(opened: Watched) -> None:
    """By number, highest first, then lowest; gaps come last; texts in order of letters."""
    page = opened.page
    open_details(page)
    table = page.locator("#table-levels table")

    def column(name: str) -> list[str]:
        heads = table.locator("th").all_inner_texts()
        at = [head.strip("▲▼ ") for head in heads].index(name) + 1
        return table.locator(f"tbody td:nth-child({at})").all_inner_texts()

    head = table.locator("th button", has_text="score").first
    head.click()
    scores = [float(text.split()[0]) for text in column("score")]
    assert scores == sorted(scores, reverse=True) and len(set(scores)) > 1
    head.click()
    scores = [float(text.split()[0]) for text in column("score")]
    assert scores == sorted(scores)
    table.locator("th button", has_text="player").click()
    assert column("player") == sorted(column("player"), key=str.lower)


def _write(matches: list[Listed], report: Path) -> None:
    summaries = {
        key_of(["run"], "run", each.match): MatchSummary(
            "one won 1 : 0", 6, ("answered",), "the end"
        )
        for each in matches
    }
    write_list(matches, summaries, ["run"], report / "matches")


def test_a_hundred_thousand_matches_open_at_once(
    browser: Any, report: Path, tmp_path: Path
) -> None:
    """The page does not wait for the list, and the list shows a part at a time."""
    copy = tmp_path / "large"
    shutil.copytree(report, copy)
    players = ("one", "two")
    matches = [
        Listed(
            "run", at, f"puzzle/easy#{at}", f"puzzle{at % 7}", "easy", players, (1.0, 0.0), "goal"
        )
        for at in range(1, 100_001)
    ]
    _write(matches, copy)
    watched = offline(browser, "phone")
    page, held_back = watched.page, list[Any]()
    page.route("**/list.js", lambda route: held_back.append(route))
    page.goto((copy / "index.html").as_uri(), wait_until="domcontentloaded")
    page.locator("table:visible").first.wait_for()
    assert page.locator("#match-list table").count() == 0
    while not held_back:
        page.wait_for_timeout(10)
    held_back[0].continue_()
    page.wait_for_selector("#match-list table")
    assert "page 1 of 6,667 (100,000 matches)" in page.inner_text("#match-list")
    assert page.locator("#match-list tbody tr").count() == 15
    page.locator("#match-list button", has_text="Last").click()
    assert "puzzle/easy#100000" in page.inner_text("#match-list")
    page.select_option("#filter-puzzle", label="puzzle3")
    assert "(14,286 matches)" in page.inner_text("#match-list")
    close(watched)


@pytest.mark.parametrize("size", SIZES)
def test_a_long_name_does_not_widen_the_page(
    browser: Any, report: Path, tmp_path: Path, size: str
) -> None:
    """Neither in the list of matches nor in the box in which players are chosen."""
    copy, name = tmp_path / "long", f"vllm/{'L' * 300}"
    shutil.copytree(report, copy)
    listed = Listed("run", 1, "puzzle/easy#1", "puzzle", "easy", (name, "two"), (1.0, 0.0), "goal")
    _write([listed], copy)
    watched = offline(browser, size)
    watched.page.goto((copy / "index.html").as_uri())
    watched.page.wait_for_selector("#match-list table")
    watched.page.select_option("#filter-player", label=name)
    width = watched.page.evaluate("document.documentElement.scrollWidth")
    assert width <= SIZES[size][0]
    box = watched.page.locator("#filter-player").bounding_box()
    assert box["x"] + box["width"] <= SIZES[size][0]
    close(watched)


TITLES = (
    "Puzzles", "Moments", "Matches", "Head to head", "Cost", "Settings", "Papers", "Programs",
    "Moves", "Labels", "Sources",
)  # fmt: skip


@pytest.mark.parametrize("size", SIZES)
def test_every_section_can_be_reached_from_the_bar(browser: Any, tmp_path: Path, size: str) -> None:
    """With all sections that a report can have, in one row: on a desk all links are in view, and
    on a phone they scroll.
    """
    for folder in ASSETS:
        shutil.copytree(folder, tmp_path / "assets", dirs_exist_ok=True)
    more = Markup(f"<p>{'long<br>' * 90}</p><div id='match-list'></div>")
    sections = [Section(f"part{at}", title, "", more=more) for at, title in enumerate(TITLES)]
    (tmp_path / "index.html").write_text(page("Title", Markup("<h1>Title</h1>"), sections), "utf-8")
    watched = offline(browser, size)
    watched.page.goto((tmp_path / "index.html").as_uri(), wait_until="domcontentloaded")
    if size == "desk":  # before a click scrolls to its link
        assert watched.page.locator(".bar nav").evaluate(
            "nav => nav.scrollWidth <= nav.clientWidth"
        )
    tops = watched.page.locator(".bar nav a").evaluate_all("all => all.map(one => one.offsetTop)")
    assert len(set(tops)) == 1
    for at, title in enumerate(TITLES):
        link = watched.page.locator(".bar nav a", has_text=title)
        if size == "phone":
            link.scroll_into_view_if_needed()
        box = link.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= SIZES[size][0], title
        link.click()
        bar, head = watched.page.locator(".bar"), watched.page.locator(f"#part{at} h2")
        assert head.bounding_box()["y"] >= bar.bounding_box()["height"] - 1, title
    watched.context.close()


def test_a_box_fades_as_long_as_it_hides_a_part_at_the_right(opened: Watched) -> None:
    """And no other does."""
    page = opened.page
    page.wait_for_selector("#match-list table")
    open_details(page)
    hides = "box => box.scrollWidth - box.clientWidth - box.scrollLeft > 1"
    fades = "box => box.classList.contains('more')"
    boxes = [box for box in page.locator("main .scroll").all() if box.is_visible()]
    wide = [box for box in boxes if box.evaluate(hides)]
    assert wide
    for box in boxes:
        page.wait_for_function(
            f"box => ({fades})(box) === ({hides})(box)", arg=box.element_handle()
        )
    wide[0].evaluate("box => box.scrollTo(box.scrollWidth, 0)")
    page.wait_for_function(f"box => !({fades})(box)", arg=wide[0].element_handle())

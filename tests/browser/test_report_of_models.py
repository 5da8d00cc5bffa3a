"""The report of a run with models that go wrong in every way, in two languages, in a browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from quandary.tasks.question_game import asked_question

pytest.importorskip("aiohttp", reason="needs aiohttp: pip install 'quandary[report,models]'")
pytest.importorskip("scipy", reason="needs scipy: pip install 'quandary[report,models]'")
pytest.importorskip("pyarrow", reason="needs pyarrow: pip install 'quandary[report,models]'")
pytest.importorskip("matplotlib", reason="needs matplotlib: pip install 'quandary[report,models]'")
pytest.importorskip("playwright", reason="needs playwright: pip install 'quandary[browser]'")

from playwright import sync_api

from axe import axe_script
from quandary.arena.store import records
from quandary.cli.main import main
from quandary.matches.record import Record
from scripted_models import small_scripted_run
from watched_pages import Watched

pytestmark = pytest.mark.heavy
SHOWN = {
    "right": "right",
    "wrong": "wrong",
    "unreadable": "no answer could be read",
    "truncated": "cut off before the answer",
}
SENTENCES = {  # of the checker, in the language of the match
    "en": 'The "process" first goes wrong at entry',
    "zh": "“process”",
}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_scripted_run(tmp_path_factory.mktemp("scripted"), "random")


@pytest.fixture(scope="module")
def report(run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("report") / "here"
    assert 0 == main(["report", str(run), "--out", str(out)])
    return out


@pytest.fixture(scope="module")
def shown(report: Path) -> Path:
    return report


@pytest.fixture(params=[("phone", "dark"), ("desk", "light")])
def page(browser: Any, report: Path, request: pytest.FixtureRequest) -> Iterator[Any]:
    """The report, with its list of matches."""
    watched = Watched(browser, "file:", *request.param, bypass_csp=True)
    watched.page.goto((report / "index.html").as_uri())
    watched.page.wait_for_selector("#match-list table")
    yield watched.page
    watched.close()


def _kinds(record: Record) -> set[str]:
    """Which of SHOWN occur in a match of a question."""
    asked = asked_question(record.start)
    if asked is None:
        return set()
    found = set[str]()
    for reply in record.said:
        if reply.status == "answered":
            score = asked.question.check(reply.move).score
            found |= {"right"} if score == 1.0 else {"wrong"} if score == 0.0 else set()
        else:
            found.add(reply.status)
    return found & set(SHOWN)


def _open(page: Any, place: str) -> Any:
    page.evaluate(f"location.hash = '#match-{place}'")
    dialog = page.locator("dialog[open]")
    dialog.locator(".stage").wait_for()
    return dialog


@pytest.mark.parametrize("kind", SHOWN)
def test_every_reply_shows_what_it_was(page: Any, run: Path, kind: str) -> None:
    """In both languages; the position is told in that of the match."""
    languages = set[str]()
    for number, record in enumerate(records(run), start=1):
        language = record.players[0].rpartition("language=")[2]
        if language not in SENTENCES or language in languages or kind not in _kinds(record):
            continue
        dialog = _open(page, f"1-{number}")
        assert record.name == dialog.locator("h2").inner_text()
        board = dialog.locator("svg.board, pre.position").first
        shown = board.get_attribute("aria-label") or board.inner_text()
        assert record.start.seen_by(0).text(0, language)[:40] in shown
        verdicts = list[str]()
        for _ in record.said:  # each at its own step
            verdicts += dialog.locator(".verdict").all_inner_texts()
            page.keyboard.press("ArrowRight")
        assert any(SHOWN[kind] in text for text in verdicts)
        assert "best play" not in dialog.inner_text()
        page.keyboard.press("End")
        command = f"quandary replay run --match {number} --transcript"
        source = dialog.locator("pre.box").all_text_contents()
        assert f"{command}{' --language zh' if language == 'zh' else ''}" in source
        assert any(
            json.loads(text).get("name") == record.name for text in source if text[:1] == "{"
        )
        page.keyboard.press("Escape")
        languages.add(language)
    assert languages == set(SENTENCES)


def test_the_first_wrong_entry_of_a_process_is_marked(page: Any, run: Path) -> None:
    for number, record in enumerate(records(run), start=1):
        asked = asked_question(record.start)
        last = record.said[-1]
        if asked is None or last.status != "answered" or "/" not in record.players[0]:
            continue
        step = asked.question.check(last.move).first_wrong_step
        if step is None:
            continue
        dialog = _open(page, f"1-{number}/{len(record.said)}")
        process = dialog.locator(".process").last
        marked = process.locator("li.bad")
        assert marked.count() == 1 and process.locator("li.good").count() == step - 1
        assert "first wrong entry" in marked.inner_text() or "is missing" in marked.inner_text()
        assert "It should be" in marked.inner_text() or step > process.locator("li").count()
        return
    raise AssertionError("no process is wrong")


def test_a_cell_of_the_grid_lists_its_matches(page: Any) -> None:
    page.locator(
        '.puzzles a[href="#list?puzzle=reversi&player=openai%2Fweak%2Clanguage%3Dzh"]'
    ).click()
    rows = page.locator("#match-list tbody tr")
    sync_api.expect(rows).to_have_count(8)
    assert all(
        "reversi" in text and "openai/weak,language=zh" in text for text in rows.all_inner_texts()
    )
    page.locator('.puzzles a[href="#list?puzzle=card_nim"]').click()
    sync_api.expect(rows.first).to_contain_text("card_nim")
    assert all("card_nim" in text for text in rows.all_inner_texts())


def test_lists_and_grids_fit_the_window(page: Any) -> None:
    """They scroll neither sideways nor down; every row of the list shows its score."""
    for kind in ("puzzles", "listed", "matrix", "board"):
        boxes = page.locator(f".scroll:has(table.{kind})").all()
        assert boxes
        for box in boxes:
            found = box.evaluate(
                "box => [box.scrollWidth - box.clientWidth, box.scrollHeight - box.clientHeight]"
            )
            assert max(found) <= 1, kind
    score = page.locator("#match-list tbody tr").first.locator("td.number").first
    box = score.bounding_box()
    assert box and box["x"] + box["width"] <= page.viewport_size["width"]


def test_a_group_of_puzzles_folds(page: Any) -> None:
    fold = page.locator(".puzzles th.group button").last
    name = page.locator(".puzzles tbody").last.locator("th[scope=row]").last
    for _ in range(2):
        is_open = fold.get_attribute("aria-expanded") == "true"
        assert name.is_visible() == is_open
        fold.click()
        assert name.is_visible() != is_open


def test_moments_open_their_matches(page: Any) -> None:
    links = page.locator(".moments a").all()
    assert len(links) >= 5
    for link in links[:3]:
        name = link.evaluate("a => a.closest('article').querySelector('.note').innerText")
        link.click()
        head = page.locator("dialog[open] h2")
        head.wait_for()
        assert name.startswith(head.inner_text())
        page.keyboard.press("Escape")


def test_a_lost_position_is_called_lost(page: Any) -> None:
    """Nobody is told that nothing was lost there, and the moment opens where it was lost."""
    card = page.locator(".moments article", has_text="Won from a lost position").first
    card.locator("a").first.click()
    dialog = page.locator("dialog[open]")
    dialog.locator("h2").wait_for()
    text = dialog.inner_text()
    assert "already lost: best play from here is worth 0" in text
    assert "nothing lost" not in text and "worth 0.00" not in text
    page.keyboard.press("ArrowRight")
    assert "gave away" in dialog.locator(".moves").inner_text()


def test_a_right_answer_with_a_wrong_process_is_called_so(page: Any) -> None:
    card = page.locator(".moments article", has_text="Right answer, wrong process").first
    card.locator("a").first.click()
    verdict = page.locator("dialog[open] .verdict").last
    sync_api.expect(verdict).to_contain_text("the answer is right, the process is not")


def test_what_the_strict_reading_rejects_is_told(page: Any) -> None:
    card = page.locator(".moments article", has_text="Read only leniently").first
    card.locator("a").first.click()
    bubble = page.locator("dialog[open] .bubble", has_text="read strictly").first
    sync_api.expect(bubble).to_contain_text("rejected: the answer is not in the form")


def test_what_is_linked_to_unfolds(page: Any) -> None:
    table = page.locator("#table-leaderboard table")
    assert not table.is_visible()
    page.locator("a", has_text="All columns and files").click()
    table.wait_for()


def test_axe_finds_nothing(page: Any) -> None:
    """Neither on the page, with all details open, nor in a match."""
    script = axe_script()
    if script is None:
        pytest.skip("no axe-core here: make axe")
    page.evaluate("document.querySelectorAll('main details').forEach(box => box.open = true)")
    page.evaluate(script.read_text("utf-8"))
    page.set_default_timeout(300_000)
    for key in ("", page.locator(".moments a").first.get_attribute("href")):
        if key:
            page.evaluate(f"location.hash = '{key}'")
            page.locator("dialog[open] h2").wait_for()
        found = page.evaluate("axe.run({preload: false, resultTypes: ['violations']})")
        assert [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]] == []

"""The site in a real browser: playing by every way, alone and against each other, and replays."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("aiohttp", reason="needs aiohttp: pip install 'quandary[web]'")
pytest.importorskip("playwright", reason="needs playwright: pip install 'quandary[browser]'")

from playwright.sync_api import expect

from axe import axe_script
from quandary.arena.store import records
from quandary.catalogue import drawing, registry
from quandary.cli.main import main
from quandary.matches.match import Match
from quandary.render.svg import picture
from watched_pages import LOOKS, Watched

heavy = pytest.mark.heavy
# None of it is part of the study of the site, whose matches are not shown.
SUITE = """
[[puzzles]]
puzzle = "card_nim"
levels = ["easy"]
seeds = "11-12"

[[puzzles]]
puzzle = "sudoku"
levels = ["easy"]
seeds = "11"
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("played")
    (folder / "suite.toml").write_text(SUITE)
    players = ["--player", "random", "--player", "house"]
    suite = str(folder / "suite.toml")
    assert 0 == main(["run", "--suite", suite, *players, "--out", str(folder / "games")])
    return folder / "games"


@pytest.fixture(scope="module")
def site(run: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The address of a running site, and where it keeps its matches."""
    data = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "quandary", "web", str(run), "--port", "0"]
    command += ["--data", str(data), "--study", "quick", "--contact", "us", "--kept-for", "a day"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ) as process:
        assert process.stdout
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found
        yield found[0].rstrip("/"), data
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0


@pytest.fixture(scope="module")
def shown(site: tuple[str, Path]) -> tuple[str, Path]:
    return site


@pytest.fixture(
    params=[pytest.param(look, marks=[] if look == ("phone", "dark") else heavy) for look in LOOKS]
)
def watched(
    browser: Any, site: tuple[str, Path], request: pytest.FixtureRequest
) -> Iterator[Watched]:
    found = Watched(browser, site[0], *request.param)
    yield found
    found.close()


def begin(page: Any, base: str, puzzle: str, level: str = "", **choices: str) -> None:
    page.goto(f"{base}/p/{puzzle}")
    if level:
        page.get_by_label("Level").select_option(level)
    for label, choice in choices.items():
        page.get_by_label(label).first.select_option(choice)
    page.get_by_role("button", name="Play", exact=True).click()
    page.locator(".panel .status").wait_for()


def status(page: Any) -> Any:
    return page.locator(".panel .status")


def test_sudoku_is_solved_by_clicks_and_keys(watched: Watched, site: tuple[str, Path]) -> None:
    """A cell is clicked, its value chosen on the keypad; the board and the steps grow."""
    page = watched.page
    begin(page, site[0], "sudoku", "easy")
    for move in range(1, 30):
        if page.locator(".bubble h3", has_text="The end").count():
            break
        page.get_by_role("button", name="Hint").click()
        expect(page.locator(".advice")).to_contain_text("would play")
        row, column, value = page.locator(".advice").inner_text().split()[-3:]
        cell = page.get_by_role("button", name=f"row {row}, column {column}", exact=True)
        cell.click()
        page.locator(".keypad button:not(:disabled)", has_text=value).first.click()
        expect(page.locator(".counter")).to_have_text(re.compile(rf"^{move + 1} of {move + 1}$"))
        page.wait_for_timeout(50)
    expect(page.locator(".panel .status")).to_contain_text("Solved")
    expect(page.get_by_role("heading", name="The end")).to_be_visible()


def test_cards_are_clicked_against_the_house(watched: Watched, site: tuple[str, Path]) -> None:
    page = watched.page
    begin(page, site[0], "card_nim", "easy")
    for _ in range(40):
        expect(status(page)).not_to_contain_text("Waiting")
        if "your turn" not in status(page).inner_text():
            break
        before = page.locator(".counter").inner_text()
        page.locator(".choosable").first.click()
        expect(page.locator(".counter")).not_to_have_text(before)
    assert re.search("You (win|lose)", status(page).inner_text())
    page.get_by_role("button", name="Play again").click()
    page.wait_for_url(re.compile(r"/m/[\w-]+/1$"))


def clicked() -> list[str]:
    """Puzzles on whose boards parts of a move can be clicked."""
    found = list[str]()
    for name in registry.names():
        for level in registry.load(name).levels:
            text = f"{name}/{level}#1"
            turns = Match(drawing.game(text), text).pending()
            turn = turns[min(turns)]
            if any(
                getattr(shape, "click", None) for shape in picture(turn.position, turn.seat).shapes
            ):
                found.append(f"{name}/{level}")
                break
    return found


@heavy
def test_moves_of_clicks_and_keys_are_the_typed_ones(browser: Any, site: tuple[str, Path]) -> None:
    """The first move of every puzzle whose board can be clicked."""
    places = clicked()
    assert {"sudoku", "takuzu", "tidy_tower"} <= {place.partition("/")[0] for place in places}
    page = (watched := Watched(browser, site[0])).page
    for place in places:
        typed, by_clicks = (first_move(page, site[0], place, by) for by in (type_in, fill_in))
        assert typed == by_clicks, place
    watched.close()


def first_move(page: Any, base: str, place: str, make: Callable[..., None]) -> str:
    """Make a move on an instance in one of the ways; how the site has understood it."""
    page.goto(f"{base}/p/{place.partition('/')[0]}")
    begun = page.request.post(
        f"{base}/matches",
        form={"spec": f"{place}#9003"},
        headers={"Origin": base},
        max_redirects=0,
    )
    page.goto(base + begun.headers["location"])
    page.locator(".choosable").first.wait_for()
    address = f"{base}{begun.headers['location']}/view"
    asked = page.request.get(address).json()["input"]
    labels = "all => all.map((one) => one.getAttribute('aria-label'))"
    shapes = page.locator(".choosable").evaluate_all(labels)
    wanted, own = next(
        (one, own)
        for one in asked["legal"]
        if (own := [each for each in shapes if set(each.split(", ")) <= named_parts(asked, one)])
    )
    make(page, asked, wanted, own)
    expect(page.locator(".counter"), place).to_have_text(re.compile("^[2-9] of"))
    steps = page.request.get(address).json()["update"]["steps"]
    move = next(reply["move"] for step in steps for reply in step.get("replies", ()))
    assert move == wanted["move"]
    return str(move)


def type_in(page: Any, asked: Any, wanted: Any, shapes: list[str]) -> None:
    page.get_by_label("Your move", exact=True).fill(wanted["move"])
    page.keyboard.press("Enter")


def named_parts(asked: Any, legal: Any) -> set[str]:
    """The parts of a move as shapes name them; where the order is free, all by the first name."""
    labels = {field["name"]: field["label"] for field in asked["fields"]}
    first = asked["fields"][0]["label"]
    return {
        f"{first if asked.get('unordered') else labels[name]} {value}"
        for name, value in legal["fields"].items()
        if value
    }


def fill_in(page: Any, asked: Any, wanted: Any, shapes: list[str]) -> None:
    """Click the shapes of a move, then choose what is missing on the keypad."""
    for shape in dict.fromkeys(shapes):
        page.locator(f'.choosable[aria-label="{shape}"]').last.click()  # on top
    chosen = {part for shape in shapes for part in shape.split(", ")}
    missing = [field for field in asked["fields"] if not field.get("optional")]
    for field in missing if named_parts(asked, wanted) != chosen else ():
        part = f"{field['label']} {wanted['fields'][field['name']]}"
        if part not in chosen:
            page.locator(f'.keys [aria-label="{part}"]').click(timeout=5_000)
    if any(field.get("optional") for field in asked["fields"]):
        page.get_by_role("button", name="Send this move").click()


@heavy
def test_how_to_type_a_move_has_no_backticks(browser: Any, site: tuple[str, Path]) -> None:
    page = (watched := Watched(browser, site[0])).page
    begin(page, site[0], "sudoku", "easy")
    assert page.locator(".input .note code").count() > 0
    assert "`" not in page.locator(".input").inner_text()
    watched.close()


@heavy
def test_only_the_last_clicked_cell_is_marked(browser: Any, site: tuple[str, Path]) -> None:
    page = (watched := Watched(browser, site[0])).page
    begin(page, site[0], "takuzu", "easy")
    cells, chosen = page.locator(".choosable"), page.locator(".choosable.chosen")
    for at in (0, 3, 5, 3):
        cells.nth(at).click()
        expect(chosen).to_have_count(1)
        expect(cells.nth(at)).to_have_class(re.compile("chosen"))
    page.locator(".keys button:not(:disabled)").first.click()
    expect(page.locator(".counter")).to_have_text(re.compile("^[2-9] of"))
    expect(chosen).to_have_count(0)
    watched.close()


@heavy
def test_whoever_looks_back_is_not_pulled_forward(browser: Any, site: tuple[str, Path]) -> None:
    """Another page of the same player moves, and both pages show it."""
    one = Watched(browser, site[0])
    begin(one.page, site[0], "sudoku", "easy")
    other = one.context.new_page()
    other.goto(one.page.url)
    other.locator(".choosable").first.wait_for()
    for page in (other, other):
        page.get_by_role("button", name="Hint").click()
        expect(page.locator(".advice")).to_contain_text("would play")
        move = " ".join(page.locator(".advice").inner_text().split()[-3:])
        page.get_by_label("Your move", exact=True).fill(move)
        page.keyboard.press("Enter")
        expect(page.locator(".advice")).to_have_text("")
        page.wait_for_timeout(100)
    one.page.bring_to_front()
    expect(one.page.locator(".counter")).to_have_text("3 of 3")
    one.page.get_by_label("First step (Home)").click()
    other.bring_to_front()
    other.get_by_role("button", name="Take back").click()
    one.page.bring_to_front()
    expect(one.page.locator(".counter")).to_have_text(re.compile("^[12] of 2$"))
    one.close()


@heavy
def test_two_people_play_a_hidden_game(browser: Any, site: tuple[str, Path]) -> None:
    anna, ben = Watched(browser, site[0]), Watched(browser, site[0], "phone", "dark")
    begin(anna.page, site[0], "beat_or_bomb_sto", "easy", Against="human")
    link = anna.page.get_by_label("Link for the other player").input_value()
    ben.page.goto(link)
    ben.page.get_by_role("button", name="Take seat 1").click()
    expect(status(anna.page)).to_contain_text("your turn")
    for _ in range(20):
        if "your turn" not in status(anna.page).inner_text():
            break
        shown = ben.page.locator("svg.board").get_attribute("aria-label")
        anna.page.locator(".choosable").first.click()
        expect(status(anna.page)).to_contain_text("Waiting")
        assert shown == ben.page.locator("svg.board").get_attribute("aria-label")
        ben.page.locator(".choosable").first.click()
        expect(status(anna.page)).not_to_contain_text("Waiting")
    expect(anna.page.get_by_role("heading", name="The end")).to_be_visible()
    expect(ben.page.get_by_role("heading", name="The end")).to_be_visible()
    anna.close()
    ben.close()


@heavy
@pytest.mark.parametrize("puzzle", ["eight_queens", "standard_sudoku", "arithmetic_sudoku"])
def test_boards_of_planning_are_filled_in_cell_by_cell(
    browser: Any, site: tuple[str, Path], puzzle: str
) -> None:
    """Once: what is asked for again is copied."""
    page = (watched := Watched(browser, site[0])).page
    begin(page, site[0], puzzle, "2")
    page.get_by_role("button", name="Solution").click()
    expect(page.locator(".advice")).to_contain_text("answer")
    rows = json.loads(page.locator(".advice").inner_text())["answer"]
    answer, process = page.locator("table.cells").all()
    assert answer.locator("tr").count() == process.locator("tr").count() == len(rows)
    for at, value in enumerate(value for row in rows for value in row):
        answer.locator("input").nth(at).fill(str(value))
    page.get_by_role("button", name="Copy the answer").click()
    page.get_by_role("button", name="Send", exact=True).first.click()
    expect(status(page)).to_contain_text("Solved")
    watched.close()


@heavy
def test_answers_are_filled_in_on_a_grid_and_chosen(browser: Any, site: tuple[str, Path]) -> None:
    page = (watched := Watched(browser, site[0])).page
    begin(page, site[0], "text_sudoku", "easy")
    assert page.locator(".cells input.given").count() == 12
    page.get_by_role("button", name="Send", exact=True).first.click()
    expect(status(page)).to_contain_text("Some cells are still empty")
    page.get_by_role("button", name="Solution").click()
    expect(page.locator(".advice")).not_to_have_text("")
    letters = page.locator(".advice").inner_text().replace("\n", "").replace(" ", "")
    for at, letter in enumerate(letters):
        cell = page.locator(".cells input").nth(at)
        if "given" not in (cell.get_attribute("class") or ""):
            cell.fill(letter)
    page.get_by_role("button", name="Send", exact=True).first.click()
    expect(status(page)).to_contain_text("Solved")

    begin(page, site[0], "game_of_24", "easy")
    page.locator(".keypad button").first.click()
    expect(page.locator(".counter")).to_have_text(re.compile("^2 of"))
    watched.close("(Unprocessable Entity)")


@heavy
def test_the_keyboard_alone_suffices(browser: Any, site: tuple[str, Path]) -> None:
    page = (watched := Watched(browser, site[0])).page
    begin(page, site[0], "share_card_nim", "easy")
    page.locator(".choosable").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".counter")).to_have_text(re.compile("^[2-9] of"))
    begin(page, site[0], "expanding_nim", "easy")
    field = page.get_by_label("Your move", exact=True)
    field.focus()
    page.keyboard.type("999")
    page.keyboard.press("Enter")
    expect(status(page)).to_have_class(re.compile("bad"))
    assert field.input_value() == "999"
    field.fill("1")
    page.keyboard.press("Enter")
    expect(page.locator(".counter")).to_have_text(re.compile("^[2-9] of"))
    watched.close("(Unprocessable Entity)")


@heavy
def test_the_keyboard_goes_on_where_it_was(browser: Any, site: tuple[str, Path]) -> None:
    """After a move by keypad or in words; never on the page as a whole."""
    page = (watched := Watched(browser, site[0])).page
    focused = "document.activeElement.getAttribute('aria-label') || document.activeElement.name"
    page.goto(f"{site[0]}/p/sudoku")
    page.get_by_label("Level").select_option("easy")
    page.get_by_label("Seed").fill("9003")  # whose first move does not end it
    page.get_by_role("button", name="Play", exact=True).click()
    page.locator(".panel .status").wait_for()
    cell = page.locator(".choosable").first
    label = cell.get_attribute("aria-label")
    cell.focus()
    page.keyboard.press("Enter")
    page.locator(".keypad button:not(:disabled)").first.wait_for()
    page.keyboard.press("Enter")
    expect(page.locator(".counter")).to_have_text(re.compile("^2 of"))
    assert page.evaluate("document.activeElement.classList.contains('choosable')")
    assert page.evaluate(focused).split()[0] == label.split()[0]
    begin(page, site[0], "game_of_24", "easy")
    button = page.locator(".keypad button").first
    button.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".counter")).to_have_text(re.compile("^2 of"))
    assert page.evaluate("document.activeElement.closest('.panel') !== null")
    begin(page, site[0], "expanding_nim", "easy")
    page.get_by_label("Your move", exact=True).fill("1")
    page.keyboard.press("Enter")
    expect(page.locator(".counter")).to_have_text(re.compile("^2 of"))
    expect(page.get_by_label("Your move", exact=True)).to_be_focused()
    watched.close()


@heavy
def test_boards_with_empty_cells_are_not_sent(browser: Any, site: tuple[str, Path]) -> None:
    page = (watched := Watched(browser, site[0])).page
    begin(page, site[0], "letter_diagram")
    sent = list[str]()
    page.on("request", lambda request: "/reply" in request.url and sent.append(request.url))
    cells = page.locator(".cells input")
    empty = next(at for at in range(cells.count()) if cells.nth(at).input_value() == "*")
    page.get_by_role("button", name="Send").first.click()
    expect(status(page)).to_have_text(re.compile("^Some cells are still empty"))
    expect(cells.nth(empty)).to_be_focused()
    assert sent == []
    watched.close()


@heavy
def test_visible_names_are_spoken_names(browser: Any, site: tuple[str, Path]) -> None:
    """Whoever speaks to the page says what it shows."""
    page = (watched := Watched(browser, site[0])).page
    begin(page, site[0], "card_nim", "easy")
    page.get_by_role("button", name="Give up", exact=True).click()
    assert differing(page) == []
    page.get_by_role("button", name="Really give up?", exact=True).click()
    page.get_by_role("button", name="Play again", exact=True).wait_for()
    assert differing(page) == []
    watched.close()


def differing(page: Any) -> list[str]:
    """Buttons with words that their label does not contain."""
    found = page.evaluate(
        "[...document.querySelectorAll('#match button, #match a')].map((one) => "
        "[one.textContent.trim(), one.getAttribute('aria-label') ?? one.textContent])"
    )
    return [
        f"{words} / {label}"
        for words, label in found
        if re.search(r"[a-z]", words) and words.lstrip("▶⏸ ").lower() not in label.lower()
    ]


@heavy
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_page_that_waits_fits_a_phone(
    browser: Any, site: tuple[str, Path], language: str
) -> None:
    page = (watched := Watched(browser, site[0], "phone")).page
    begin(page, site[0], "card_nim", Against="human", Language=language)
    page.locator(".link").wait_for()
    watched.close()


@heavy
def test_who_plays_again_keeps_their_name(browser: Any, site: tuple[str, Path]) -> None:
    anna, ben = Watched(browser, site[0]), Watched(browser, site[0])
    page, other = anna.page, ben.page
    page.goto(f"{site[0]}/p/card_nim")
    page.get_by_label("Against").select_option("human")
    page.get_by_label("Your name").fill("anna")
    page.get_by_role("button", name="Play", exact=True).click()
    other.goto(page.locator(".link").input_value())
    other.get_by_label("Your name").fill("ben")
    other.get_by_role("button", name="Take seat 1").click()
    other.locator(".panel .status").wait_for()
    for _ in range(2):
        page.get_by_role("button", name="give up").click()
    page.get_by_role("button", name="Play again").click()
    other.get_by_role("link", name="To the match after this one").click()
    expect(other.get_by_label("Your name")).to_have_value("ben")
    other.get_by_role("button", name="Take seat").click()
    expect(page.locator("#match")).to_contain_text("human/ben")
    anna.close()
    ben.close()


@heavy
def test_ten_pages_share_one_stream(browser: Any, site: tuple[str, Path]) -> None:
    one = Watched(browser, site[0])
    begin(one.page, site[0], "sudoku", "easy")
    pages = [one.page]
    for _ in range(9):
        pages.append(one.context.new_page())
        pages[-1].goto(one.page.url)
        pages[-1].locator(".choosable").first.wait_for(timeout=10_000)
    pages[-1].get_by_label("Your move", exact=True).fill("99 99 99")
    pages[-1].keyboard.press("Enter")
    expect(pages[-1].locator(".panel .status")).to_have_class(re.compile("bad"))
    one.close("(Unprocessable Entity)")


@heavy
def test_lost_connections_return(browser: Any, site: tuple[str, Path]) -> None:
    one = Watched(browser, site[0])
    page = one.page
    begin(page, site[0], "sudoku", "easy")
    page.get_by_label("Your move", exact=True).fill("0 0 1")
    one.context.set_offline(True)
    page.keyboard.press("Enter")
    expect(status(page)).to_contain_text("no connection")
    assert page.get_by_label("Your move", exact=True).input_value() == "0 0 1"
    one.context.set_offline(False)
    page.reload()
    expect(status(page)).to_contain_text("your turn")
    one.messages = [
        message for message in one.messages if "ERR_INTERNET_DISCONNECTED" not in message
    ]
    one.close()


def test_runs_are_replayed_and_compared(watched: Watched, site: tuple[str, Path]) -> None:
    page = watched.page
    page.goto(f"{site[0]}/runs/")
    page.get_by_role("link", name="games").click()
    page.locator("#match-list table a").first.click()
    expect(page.locator("dialog[open] .counter")).to_be_visible()
    page.goto(f"{site[0]}/runs/games/1#3")
    expect(page.locator(".counter")).to_have_text(re.compile("^3 of"))
    expect(page.locator(".cost", has_text="?")).to_have_count(0)
    page.goto(f"{site[0]}/compare?a=games/1&b=games/2")
    expect(page.locator(".stage .match")).to_have_count(2)


@heavy
def test_a_run_grows_while_it_is_looked_at(browser: Any, site: tuple[str, Path], run: Path) -> None:
    """What the reader has chosen stays, and the new matches can be opened."""
    watched = Watched(browser, site[0])
    page = watched.page
    page.goto(f"{site[0]}/runs/games/")
    page.get_by_label("puzzle").select_option(label="card_nim")
    rows = page.locator("#match-list tbody tr")
    before = rows.count()
    lines = (run / "records.jsonl").read_bytes().splitlines(keepends=True)
    [added, *_] = [line for line in lines if b"card_nim" in line]
    with (run / "records.jsonl").open("ab") as file:
        file.write(added)
    expect(rows).to_have_count(before + 1, timeout=15_000)
    assert "card_nim" in page.get_by_label("puzzle").locator("option:checked").inner_text()
    rows.last.locator("a").first.click()
    expect(page.locator("dialog[open] .counter")).to_be_visible()
    watched.close()


@heavy
def test_two_people_are_told_what_the_other_one_does(browser: Any, site: tuple[str, Path]) -> None:
    """Moves in words, an open seat that is gone, and a match after this one."""
    anna, ben, eve = (Watched(browser, site[0]) for _ in range(3))
    begin(anna.page, site[0], "card_nim", "easy", Against="human")
    link = anna.page.get_by_label("Link for the other player").input_value()
    for page in (ben.page, eve.page):
        page.goto(link)
        expect(page.get_by_role("heading", name="card nim")).to_be_visible()
    ben.page.get_by_role("button", name="Take seat 1").click()
    expect(eve.page.get_by_role("button", name="Take seat 1")).to_have_count(0)
    anna.page.locator(".choosable").first.click()
    expect(ben.page.locator(".live")).to_contain_text("(seat 0) plays")
    expect(eve.page.locator(".panel .status")).to_contain_text("(seat 0) plays")
    for _ in range(2):
        anna.page.get_by_role("button", name="Give up").click()
    again = "To the match after this one"
    expect(ben.page.get_by_role("button", name="Play again")).to_be_visible()
    anna.page.get_by_role("button", name="Play again").click()
    expect(ben.page.get_by_role("link", name=again)).to_be_visible()
    anna.page.wait_for_url(re.compile(r"/m/[\w-]+/1$"))
    anna.page.locator(".panel .status").wait_for()
    for page in (anna, ben, eve):
        page.close()


@heavy
@pytest.mark.parametrize("puzzle", ["card_nim", "minesweeper"])
def test_a_chinese_match_has_no_english_words(
    browser: Any, site: tuple[str, Path], puzzle: str
) -> None:
    """Besides names: from the first turn to the end."""
    page = (watched := Watched(browser, site[0])).page
    begin(page, site[0], puzzle, Language="zh")
    shown = [page.locator("#match").inner_text()]
    for _ in range(2):
        page.get_by_role("button", name="放弃").click()
    expect(page.get_by_role("heading", name="结束")).to_be_visible()
    shown.append(page.locator("#match").inner_text())
    known = {*puzzle.split("_"), "easy", "human", "house", "quandary", "replay", "won", "seat"}

    def english(text: str) -> set[str]:
        return set(re.findall("[a-z]{3,}", text)) - known

    assert [english(text) for text in shown] == [set(), set()]
    watched.close()


@heavy
def test_a_chinese_replay_has_no_english_words(browser: Any, site: tuple[str, Path]) -> None:
    page = (watched := Watched(browser, site[0])).page
    begin(page, site[0], "card_nim", Language="zh")
    for _ in range(2):
        page.get_by_role("button", name="放弃").click()
    expect(page.get_by_role("heading", name="结束")).to_be_visible()
    run = site[1] / "runs" / "play-zh" / "records.jsonl"
    until = time.monotonic() + 20
    while not run.exists() and time.monotonic() < until:
        time.sleep(0.1)
    page.goto(f"{site[0]}/runs/play-zh/1")
    page.locator(".stage").wait_for()
    text = page.locator("#replay").inner_text() + " ".join(
        page.locator("#replay [aria-label]").evaluate_all(
            "all => all.map((one) => one.getAttribute('aria-label'))"
        )
    )
    name = json.loads(run.read_bytes().splitlines()[0])["name"]
    known = {"human", "house", "quandary", "replay", "seat", "home", "end"}
    known |= set(re.findall("[a-z]{3,}", name))
    assert set(re.findall("[a-z]{3,}", text.lower())) - known == set()
    watched.close()


@heavy
def test_a_match_can_be_claimed_when_the_time_has_come(
    browser: Any, site: tuple[str, Path]
) -> None:
    """The button appears by itself."""
    anna, ben = Watched(browser, site[0]), Watched(browser, site[0])
    begin(anna.page, site[0], "card_nim", "easy", Against="human")
    ben.page.goto(anna.page.get_by_label("Link for the other player").input_value())
    ben.page.get_by_role("button", name="Take seat 1").click()
    begun = time.monotonic()

    def sooner(route: Any) -> None:
        """Three seconds instead of ten minutes."""
        view = route.fetch().json()
        view["claim_in"] = max(0.0, begun + 3 - time.monotonic())
        if not view["claim_in"]:
            view["may"].append("claim")
        route.fulfill(json=view)

    ben.page.route("**/1/view?*", sooner)
    ben.page.reload()
    expect(ben.page.get_by_role("button", name="Claim the match")).to_be_visible()
    anna.close()
    ben.close()


def test_the_library_is_searched(watched: Watched, site: tuple[str, Path]) -> None:
    page = watched.page
    page.goto(f"{site[0]}/")
    page.get_by_label("Search").fill("sudoku")
    shown = page.locator(".card:visible b").all_inner_texts()
    assert {"sudoku", "text sudoku", "sudokill"} <= set(shown) and len(shown) < 12
    page.get_by_label("Players").select_option("2")
    assert page.locator(".card:visible b").all_inner_texts() == ["sudokill"]
    page.reload()
    assert page.locator(".card:visible b").all_inner_texts() == ["sudokill"]
    page.locator(".card:visible a").click()
    expect(page.get_by_role("heading", name="sudokill")).to_be_visible()
    page.goto(f"{site[0]}/daily")
    page.get_by_role("button", name="Play").click()
    page.locator(".panel .status").wait_for()


@heavy
def test_a_study_from_consent_to_deletion(browser: Any, site: tuple[str, Path]) -> None:
    base, data = site
    watched = Watched(browser, base)
    page = watched.page
    page.goto(f"{base}/study")
    assert "What is kept" in page.inner_text("main")
    page.get_by_role("button", name="I agree").click()
    page.get_by_role("button", name="Begin").click()
    page.locator(".panel .status").wait_for()
    assert page.get_by_role("button", name="Hint").count() == 0
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("link", name="Continue the study").click()
    assert re.search(r"1 of \d+ puzzles are done", page.inner_text("main"))
    page.get_by_role("button", name="Go on").click()
    expect(status(page)).to_contain_text("It is your turn")
    other_tab = watched.context.new_page()
    other_tab.goto(f"{base}/study")
    other_tab.get_by_role("button", name="Stop taking part").click()
    other_tab.get_by_text("You have stopped").wait_for()
    page.reload()
    expect(status(page)).to_contain_text("You have stopped taking part")
    assert "your turn" not in status(page).inner_text()
    assert page.locator(".panel form").count() == 0
    page.get_by_role("link", name="Continue the study").click()
    link = page.locator("code").first.inner_text()
    other = Watched(browser, base)
    other.page.goto(link)
    expect(other.page.get_by_role("heading", name="Study")).to_be_visible()
    other.close()
    run = data / "runs" / "study-quick"
    for _ in range(60):
        if (run / "records.jsonl").exists() and len(records(run)):
            break
        page.wait_for_timeout(100)
    assert len(records(run)) == 1 and records(run)[0].cause == "resigned"
    page.get_by_label("Delete everything").check()
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("button", name="I agree")).to_be_visible()
    assert len(records(run)) == 0
    watched.close()


@heavy
def test_axe_finds_nothing(watched: Watched, site: tuple[str, Path]) -> None:
    script = axe_script()
    if script is None:
        pytest.skip("no axe-core here: make axe")
    page, base = watched.page, site[0]
    page.set_default_timeout(120_000)
    paths = ["/", "/p/sudoku", "/p/card_nim", "/daily", "/runs/", "/runs/games/", "/runs/games/1",
             "/compare?a=games/1&b=games/2", "/study", "/nothing"]  # fmt: skip
    for path in [*paths, *(f"play {name}" for name in ("sudoku", "card_nim", "text_sudoku"))]:
        if path.startswith("play "):
            begin(page, base, path.removeprefix("play "))
        else:
            page.goto(base + path)
            page.wait_for_timeout(300)
        page.evaluate(script.read_text("utf-8"))
        found = page.evaluate("axe.run({preload: false, resultTypes: ['violations']})")
        violations = [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]]
        assert violations == [], path
    watched.messages = [message for message in watched.messages if "404" not in message]

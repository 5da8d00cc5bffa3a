"""The stage in a real browser: every kind of match, on a phone and on a desk, light and dark."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("aiohttp", reason="needs aiohttp: pip install 'quandary[report,models]'")
pytest.importorskip("scipy", reason="needs scipy: pip install 'quandary[report,models]'")
pytest.importorskip("pyarrow", reason="needs pyarrow: pip install 'quandary[report,models]'")
pytest.importorskip("matplotlib", reason="needs matplotlib: pip install 'quandary[report,models]'")
pytest.importorskip("playwright", reason="needs playwright: pip install 'quandary[browser]'")

from playwright.sync_api import expect

from axe import axe_script
from counting_server import counting_server
from quandary.arena.store import records
from quandary.cli.main import main
from quandary.matches.record import Record, replay
from quandary.matches.regret import regrets
from quandary.programs.sandbox.seccomp import reason_missing
from quandary.report.viewer.transcripts import steps
from quandary.tasks.question_game import asked_question
from scripted_models import small_scripted_run
from watched_pages import LOOKS, Watched

pytestmark = pytest.mark.heavy
GAMES = """
[[puzzles]]
puzzle = "card_nim"
levels = ["easy"]
seeds = "1-2"

[[puzzles]]
puzzle = "beat_or_bomb_sto"
levels = ["easy"]
seeds = "1"

[[puzzles]]
puzzle = "superply"
levels = ["easy", "hard"]
seeds = "1"

[[puzzles]]
puzzle = "sudokill"
levels = ["easy"]
seeds = "1"

[[puzzles]]
puzzle = "exclusivity_particles"
levels = ["hard"]
seeds = "1"

[[puzzles]]
puzzle = "tidy_tower"
levels = ["easy"]
seeds = "1"
"""
PROGRAM = "class Player:\n    def play(self, view):\n        return view['nothing']\n"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Models that go wrong in every way, and games of strategies and a program that crashes."""
    folder = tmp_path_factory.mktemp("stage")
    (folder / "suite.toml").write_text(GAMES)
    (folder / "crashing.py").write_text(PROGRAM)
    players = ["random", "house"]
    if not reason_missing():
        players.append("program/crashing.py")
    command = ["run", "--suite", str(folder / "suite.toml"), "--out", str(folder / "games")]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert 0 == main([*command, *(word for one in players for word in ("--player", one))])
    (folder / "scripted").mkdir()
    return {
        "run": small_scripted_run(folder / "scripted", "random"),
        "games": folder / "games",
        "tree": tree_run(folder / "tree"),
    }


def tree_run(out: Path) -> Path:
    """A game of a model that proposes and votes for cards 1, 2 and 3 in turns, half in Chinese."""
    asked = count()

    def speak(body: Mapping[str, Any]) -> str:
        return f"I have thought about a curious card.\n```\n{next(asked) % 3 + 1}\n```"

    options = ["--schedule", "house", "--language", "en", "--language", "zh", "--concurrency", "1"]
    with counting_server(speak) as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_BASE_URL", server.address)
        patch.setenv("OPENAI_API_KEY", "key")
        command = ["run", "--puzzle", "card_nim", "--level", "easy", "--seeds", "1", *options]
        assert 0 == main([*command, "--player", "openai/x,prompting=tree", "--out", str(out)])
    return out


@pytest.fixture(scope="module")
def matches(runs: dict[str, Path]) -> dict[str, Record]:
    """All matches by the key that links to them."""
    return {
        f"{number}-{match}": record
        for number, run in enumerate(runs.values(), start=1)
        for match, record in enumerate(records(run), start=1)
    }


@pytest.fixture(scope="module")
def report(runs: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("report") / "here"
    assert 0 == main(["report", *map(str, runs.values()), "--out", str(out)])
    return out


@pytest.fixture(scope="module")
def shown(report: Path) -> Path:
    return report


@pytest.fixture(params=LOOKS)
def page(browser: Any, report: Path, request: pytest.FixtureRequest) -> Iterator[Any]:
    """The report, with its list of matches."""
    size, scheme = request.param
    options = {"has_touch": size == "phone", "accept_downloads": True}
    watched = Watched(browser, "file:", size, scheme, **options)
    watched.page.goto((report / "index.html").as_uri())
    watched.page.wait_for_selector("#match-list table")
    yield watched.page
    watched.close()


def key_where(matches: dict[str, Record], wanted: Callable[[Record], Any]) -> str:
    """The first match of a kind."""
    return next(key for key, record in matches.items() if wanted(record))


def of_each_kind(matches: dict[str, Record]) -> list[str]:
    """A match of each level."""
    return list({record.name.partition("#")[0]: key for key, record in matches.items()}.values())


def go(page: Any, place: str) -> Any:
    """Open a match, and return the box in which it is."""
    page.evaluate(f"location.hash = '#match-{place}'")
    dialog = page.locator("dialog[open]")
    dialog.locator(".stage .counter").wait_for()
    key, _, step = place.partition("/")
    wanted = step.partition("?")[0] or "1"
    expect(page).to_have_url(re.compile(f"#match-{re.escape(key)}/{wanted}(?!\\d)"))
    expect(dialog.locator(".counter").first).to_have_text(re.compile(f"^{wanted} of "))
    return dialog


def count_of(dialog: Any) -> tuple[int, int]:
    now, _, last = dialog.locator(".counter").inner_text().partition(" of ")
    return int(now), int(last)


def test_every_match_can_be_stepped_through(page: Any, matches: dict[str, Record]) -> None:
    """All kinds of matches, to the end, with as many steps as there are, and no sideways scroll."""
    for key in of_each_kind(matches):
        record = matches[key]
        dialog = go(page, f"{key}/1")
        last = len(steps(record, replay(record))) + 1
        assert (1, last) == count_of(dialog)
        for number in range(1, last + 1):
            assert number == count_of(dialog)[0]
            assert dialog.locator("svg.board, pre.position, .words").count() >= 1
            assert dialog.locator(".body").evaluate("box => box.scrollWidth <= box.clientWidth")
            page.keyboard.press("ArrowRight")
        assert "The end" in dialog.inner_text()
        page.keyboard.press("Escape")


def test_keys_buttons_and_the_slider_move(page: Any, matches: dict[str, Record]) -> None:
    key = key_where(matches, lambda record: len(record.log) > 6 and record.start.seats == 2)
    dialog = go(page, f"{key}/2")
    last = count_of(dialog)[1]
    for press, step in (
        ("ArrowRight", 3),
        ("ArrowLeft", 2),
        ("End", last),
        ("ArrowRight", last),
        ("Home", 1),
        ("ArrowLeft", 1),
    ):
        page.keyboard.press(press)
        assert step == count_of(dialog)[0], press
    dialog.get_by_label("Last step (End)").click()
    assert last == count_of(dialog)[0]
    dialog.get_by_label("Back (left arrow)").click()
    assert last - 1 == count_of(dialog)[0]
    dialog.locator(".slider").fill("3")
    assert 3 == count_of(dialog)[0]
    dialog.locator(".cost").nth(4).click()
    assert 5 == count_of(dialog)[0]
    assert page.evaluate("location.hash").startswith(f"#match-{key}/5?seat=")
    page.reload()
    page.locator("dialog[open] .counter").wait_for()
    assert 5 == count_of(page.locator("dialog[open]"))[0]


def test_a_match_plays_by_itself(page: Any, matches: dict[str, Record]) -> None:
    key = key_where(matches, lambda record: len(record.log) > 6 and record.start.seats == 2)
    dialog = go(page, f"{key}/1")
    dialog.get_by_label("Speed").select_option("fast")
    dialog.locator(".body").focus()
    page.keyboard.press("Space")
    expect(dialog.locator(".counter")).to_have_text(re.compile("^([3-9]|1[0-9]) of "))
    page.keyboard.press("Space")
    stopped = count_of(dialog)[0]
    page.wait_for_timeout(900)
    assert stopped == count_of(dialog)[0]
    assert "Play" in dialog.locator(".controls").inner_text()


def test_a_swipe_turns_to_the_next_step(page: Any, matches: dict[str, Record]) -> None:
    key = key_where(matches, lambda record: record.name.startswith("sudokill/easy"))
    dialog = go(page, f"{key}/1")
    swipe = """(from, to) => {
      const body = document.querySelector('.stage .body');
      const touch = (x) => ({ clientX: x, clientY: 300, identifier: 1, target: body });
      const event = (name, touches, changed) => {
        const made = new Event(name, { bubbles: true });
        Object.assign(made, { touches, changedTouches: changed });
        body.dispatchEvent(made);
      };
      event('touchstart', [touch(from)], []);
      event('touchend', [], [touch(to)]);
    }"""
    page.evaluate(f"({swipe})(300, 120)")
    assert 2 == count_of(dialog)[0]
    page.evaluate(f"({swipe})(120, 300)")
    assert 1 == count_of(dialog)[0]
    page.evaluate(f"({swipe})(120, 140)")
    assert 1 == count_of(dialog)[0]


def test_the_move_is_marked_and_its_cost_is_told(page: Any, matches: dict[str, Record]) -> None:
    key = key_where(
        matches, lambda record: record.name.startswith("card_nim") and not record.said[0].readings
    )
    record = matches[key]
    known = regrets(record)
    dialog = go(page, f"{key}/1?seat=0")
    for number, (seat, move) in enumerate(record.log, start=1):
        dialog.get_by_label("Seen by").select_option(str(seat))
        assert move == dialog.locator(".played").inner_text()
        assert dialog.locator("svg.board .marked").count() == 1
        last = dialog.locator("svg.board > *").last.get_attribute("class")
        assert last == "marked", "it is drawn above all shapes"
        judged = known[number - 1]
        cell = dialog.locator(".cost").nth(number - 1)
        assert "step" == cell.get_attribute("aria-current")
        text = dialog.locator(".moves").inner_text()
        if judged is None:
            assert "?" == cell.inner_text() and "not judged" in text
        elif judged.worth <= 0.005:
            assert "L" == cell.inner_text() and "already lost" in text
        elif judged.regret > 0.005:
            assert f"gave away {judged.regret:.2f}" in text
        else:
            assert "0" == cell.inner_text() and "as good as best play" in text
        page.keyboard.press("ArrowRight")


def test_the_legend_has_the_signs_that_occur(page: Any, matches: dict[str, Record]) -> None:
    """And no others; where nobody could move, it does not say that moves are not judged."""
    for key in of_each_kind(matches):
        dialog = go(page, f"{key}/1")
        expect(dialog.locator("h2")).to_have_text(matches[key].name)
        marks = dialog.locator(".cost").all_inner_texts()
        signs = {mark.removesuffix("!") for mark in marks if not mark.startswith("−")}
        signs |= {"!"} if any(mark.endswith("!") for mark in marks) else set()
        legend = dialog.locator(".seen > .note").inner_text()
        assert signs == set(re.findall(r"(?:^|[,:] )([0?L✗✓·!■])(?= )", legend)), legend

    key = key_where(matches, lambda record: not record.log and not asked_question(record.start))
    legend = go(page, f"{key}/1").locator(".seen > .note")
    expect(legend).to_have_text(re.compile("^No move was made"))


def test_the_end_leads_to_the_costliest_move(page: Any, matches: dict[str, Record]) -> None:
    """Of several that gave away as much, to the last one."""

    def worst(record: Record) -> tuple[float, int]:
        known = enumerate(regrets(record), start=1)
        return max(((judged.regret, step) for step, judged in known if judged), default=(0.0, 0))

    key = key_where(
        matches,
        lambda record: record.name.startswith("card_nim") and worst(record)[0] > 0.5,
    )
    regret, step = worst(matches[key])
    dialog = go(page, f"{key}/1")
    page.keyboard.press("End")
    bubble = dialog.locator(".bubble p", has_text="The costliest move was")
    expect(bubble).to_contain_text(f"in step {step}: it gave away {regret:.2f}.")
    bubble.get_by_role("button").click()
    assert step == count_of(dialog)[0]


def test_the_view_stays_with_one_seat(page: Any, matches: dict[str, Record]) -> None:
    """Cards of the other seat are never shown in it; both views can stand side by side."""
    key = key_where(matches, lambda record: record.name.startswith("beat_or_bomb_sto"))
    positions = replay(matches[key])
    dialog = go(page, f"{key}/1?seat=1")
    for at in range(3):
        label = dialog.locator("svg.board").get_attribute("aria-label") or ""
        assert label == positions[2 * at].seen_by(1).text(1)
        assert dialog.locator(".moves li").count() == 2
        page.keyboard.press("ArrowRight")
    assert page.evaluate("location.hash") == f"#match-{key}/4?seat=1"
    dialog.get_by_label("Seen by").select_option("all")
    assert 2 == dialog.locator("svg.board").count()
    assert page.evaluate("location.hash") == f"#match-{key}/4?seat=all"


def test_chance_is_told(page: Any, matches: dict[str, Record]) -> None:
    key = key_where(matches, lambda record: record.name.startswith("superply/easy"))
    assert go(page, f"{key}/1").locator(".chance").inner_text().startswith("Chance: Hint: ")


def test_a_program_that_failed_shows_its_line(page: Any, matches: dict[str, Record]) -> None:
    if reason_missing():
        pytest.skip(reason_missing())
    key = key_where(matches, lambda record: record.cause == "crash")
    dialog = go(page, f"{key}/{len(steps(matches[key], replay(matches[key])))}")
    assert "KeyError: 'nothing' (line 3)" in dialog.inner_text()
    dialog.locator("summary", has_text="The program, which failed in line 3").click()
    assert "return view['nothing'] ← it failed here" in dialog.locator(".code li.bad").inner_text()


def test_a_tree_of_thoughts_shows_proposals_and_votes(
    page: Any, matches: dict[str, Record]
) -> None:
    key = key_where(matches, lambda record: "openai/x,prompting=tree,language=zh" in record.players)
    dialog = go(page, f"{key}/1")
    bubble = dialog.locator(".bubble").first
    heads = bubble.locator("h4").all_inner_texts()
    assert ["proposals (5)", "votes (5)", "chosen of these"] == heads[:3]
    proposal = bubble.locator("summary", has_text="proposal 2: ")
    assert proposal.inner_text().rpartition(" ")[2] in "123"
    proposal.click()
    expect(bubble.get_by_text("I have thought about a curious card.").nth(1)).to_be_visible()


def test_what_was_searched_for_is_marked(page: Any) -> None:
    page.locator("#search-text").fill("a CURIOUS card")
    page.locator("#search button").click()
    expect(page.locator("#search-progress")).to_contain_text("found")
    page.locator("#match-list tbody a").first.click()
    hit = page.locator("dialog[open] .hit").first
    expect(hit).to_be_visible()
    assert "a curious card" == hit.inner_text()


def test_two_matches_stand_side_by_side(page: Any, matches: dict[str, Record]) -> None:
    """They go in step, and the link says which they are."""
    names = [record.name for record in matches.values()]
    key = key_where(
        matches, lambda record: record.name.startswith("reversi") and names.count(record.name) > 1
    )
    dialog = go(page, f"{key}/1")
    other = dialog.get_by_label("Compare with another match").locator("option").nth(1)
    wanted = other.get_attribute("value")
    dialog.get_by_label("Compare with another match").select_option(wanted)
    expect(dialog.locator(".stage .match")).to_have_count(2)
    assert [matches[key].name] * 2 == dialog.locator("h2").all_inner_texts()
    assert page.evaluate("location.hash") == f"#match-{key},{wanted}/1"
    boards, same = dialog.locator(".boards"), dialog.locator(".stage.same")
    expect(same).to_have_count(1)  # both begin with the same position, which is shown once
    assert [one.is_visible() for one in boards.all()] == [True, False]
    tops = [one.bounding_box()["y"] for one in dialog.locator(".details").all()]
    if page.viewport_size["width"] > 1000:
        top = boards.first.bounding_box()
        assert all(each < top["y"] + top["height"] / 2 for each in tops), "replies are beside it"
    page.keyboard.press("End")
    assert 2 == dialog.get_by_role("heading", name="The end").count()
    boxes = [one.bounding_box() for one in dialog.locator(".match").all()]
    assert (boxes[0]["y"] == boxes[1]["y"]) == (page.viewport_size["width"] > 1000)


def test_pictures_suit_dark_pages(page: Any, matches: dict[str, Record]) -> None:
    key = key_where(matches, lambda record: record.name.startswith("superply/hard"))
    dialog = go(page, f"{key}/3")
    ground = dialog.locator("svg.board .ground").evaluate("one => getComputedStyle(one).fill")
    light = max(map(int, ground.removeprefix("rgb(").removesuffix(")").split(",")))
    is_dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    assert (light < 80) if is_dark else (light > 200)


def test_letters_are_legible_and_targets_can_be_hit(page: Any, matches: dict[str, Record]) -> None:
    """Letters of at least 9 px and targets of 24 px on every screen; wide boards scroll alone."""
    for key in of_each_kind(matches):
        dialog = go(page, f"{key}/1")
        if not dialog.locator("svg.board").count():
            continue
        unit = dialog.locator("svg.board").first.evaluate(
            "svg => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width"
        )
        sizes = dialog.locator("svg.board text").evaluate_all(
            "all => all.map(one => Number(one.getAttribute('font-size')))"
        )
        assert all(size * unit >= 8.9 for size in sizes), matches[key].name
        page.keyboard.press("Escape")


def test_axe_finds_nothing_in_any_kind_of_match(page: Any, matches: dict[str, Record]) -> None:
    script = axe_script()
    if script is None:
        pytest.skip("no axe-core here: make axe")
    page.evaluate(script.read_text("utf-8"))
    page.set_default_timeout(300_000)
    for key in of_each_kind(matches):
        dialog = go(page, f"{key}/1")
        for press in ("Home", "End"):
            page.keyboard.press(press)
            dialog.locator("details").evaluate_all("all => all.forEach(one => one.open = true)")
            found = page.evaluate(
                "axe.run('dialog[open]', {preload: false, resultTypes: ['violations']})"
            )
            violations = [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]]
            assert violations == [], matches[key].name


def test_the_list_is_found_by_filters_search_and_order(
    page: Any, matches: dict[str, Record]
) -> None:
    rows = page.locator("#match-list tbody tr")

    def total() -> int:
        return int(page.inner_text(".pager").split("(")[1].split(" ")[0].replace(",", ""))

    assert total() == len(matches)
    page.select_option("#filter-status", label="cut off before the answer")
    cut = [
        one for one in matches.values() if any(reply.status == "truncated" for reply in one.said)
    ]
    assert total() == len(cut)
    page.select_option("#filter-language", label="zh")
    assert total() == sum("language=zh" in "".join(one.players) for one in cut)
    assert "#list?language=zh&status=truncated" in page.url
    page.select_option("#filter-status", "")
    page.select_option("#filter-language", "")
    page.fill("#filter-least", "1")
    page.locator("#filter-least").blur()
    won = [one for one in matches.values() if one.scores and max(one.scores) >= 1]
    assert total() == len(won)
    page.fill("#filter-least", "")
    page.locator("#filter-least").blur()
    page.fill("#search-text", "several WAYS to go on")
    page.locator("#search button").click()
    expect(page.locator("#search-progress")).to_contain_text("found")
    found = [
        one
        for one in matches.values()
        if any("several ways to go on" in reply.words for reply in one.said)
    ]
    expect(page.locator(".pager")).to_contain_text(f"({len(found)} match")
    assert 0 < len(found) < len(matches) and "search=several+WAYS+to+go+on" in page.url
    page.reload()
    expect(page.locator(".pager")).to_contain_text(f"({len(found)} match")
    page.fill("#search-text", "")
    page.locator("#search button").click()
    expect(page.locator(".pager")).to_contain_text(f"({len(matches)} match")
    page.locator("#match-list th button", has_text="moves").click()
    shown = [int(text) for text in rows.locator("td:nth-child(5)").all_inner_texts()]
    assert shown == sorted(shown, reverse=True) and len(set(shown)) > 1
    assert "sort=-moves" in page.url


def test_other_matches_of_an_instance_are_listed(page: Any, matches: dict[str, Record]) -> None:
    link = page.locator("#match-list td a", has_text="other").first
    name = link.locator("xpath=ancestor::tr").locator("a").first.inner_text()
    link.click()
    page.locator("text=Only matches of").wait_for()
    listed = page.locator("#match-list tbody td:first-child").all_inner_texts()
    assert set(listed) == {name}
    assert len(listed) == min(15, sum(one.name == name for one in matches.values()))


def test_a_match_can_be_downloaded(page: Any, matches: dict[str, Record]) -> None:
    key = key_where(matches, lambda record: record.name.startswith("card_nim"))
    dialog = go(page, f"{key}/2")
    for kind, begin in {"Record": "{", "Transcript": matches[key].name, "Picture": "<svg"}.items():
        with page.expect_download() as waiting:
            dialog.get_by_label("Download").select_option(kind)
        assert f"_match_{key.replace('-', '_')}." in waiting.value.suggested_filename
        text = Path(waiting.value.path()).read_text("utf-8")
        assert text.startswith(begin), kind
        assert "undefined" not in text and "class=" not in text


def test_all_filters_are_cleared_at_once(page: Any, matches: dict[str, Record]) -> None:
    page.evaluate("location.hash = '#matches'")
    rows = page.locator("#match-list tbody tr")
    before = page.locator(".pager").inner_text()
    assert page.get_by_role("button", name="Clear filters").count() == 0
    page.locator("#filter-puzzle").select_option(label="card_nim")
    page.locator("#filter-least").fill("1")
    page.wait_for_function("location.hash.includes('puzzle=card_nim')")
    assert page.locator(".pager").inner_text() != before

    page.get_by_role("button", name="Clear filters").click()

    page.wait_for_function("location.hash === '#matches'")
    assert page.locator(".pager").inner_text() == before
    assert rows.count() == min(15, len(matches))


def test_a_link_to_a_match_that_is_not_there_says_so(page: Any) -> None:
    page.evaluate("location.hash = '#match-1-0'")  # matches are counted from 1
    dialog = page.locator("dialog[open]")
    expect(dialog).to_contain_text("No such match")
    expect(dialog).to_contain_text("The list has all matches.")


def test_a_match_opens_at_once_in_a_large_report(
    browser: Any, report: Path, tmp_path: Path
) -> None:
    """Opening loads one file of neighbours, however long the list is."""
    from quandary.report.viewer.chosen import Listed
    from quandary.report.viewer.side_files import key_of, write_list
    from quandary.report.viewer.transcripts import MatchSummary

    copy = tmp_path / "large"
    shutil.copytree(report, copy)
    listed = [
        Listed(
            "run",
            at,
            f"puzzle/easy#{at}",
            f"puzzle{at % 7}",
            "easy",
            ("a", "b"),
            (1.0, 0.0),
            "goal",
        )
        for at in range(1, 10_001)
    ]
    summaries = {
        key_of(["run"], "run", one.match): MatchSummary("a won", 6, ("answered",), "")
        for one in listed
    }
    write_list(listed, summaries, ["run"], copy / "matches")
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    opened, asked = context.new_page(), list[str]()
    opened.goto((copy / "index.html").as_uri())
    opened.wait_for_selector("#match-list table")
    opened.on("request", lambda request: asked.append(request.url))
    begun = time.perf_counter()
    opened.evaluate("location.hash = '#match-1-1'")
    opened.locator("dialog[open] .counter").wait_for()
    print(f"opened after {time.perf_counter() - begun:.3f} s")
    assert [url.rpartition("/")[2] for url in asked] == ["1-0.js"]
    context.close()

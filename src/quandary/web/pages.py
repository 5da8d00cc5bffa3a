"""The pages of the site as HTML; what moves on them is the work of their scripts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from quandary.core.words import say_in
from quandary.report.html import Content, Markup, element
from quandary.report.page.scroll_box import scroll_box
from quandary.version import VERSION

from .links import SITE_LINKS, Links

STYLES = ("style.css", "stage.css", "web.css")


def page(
    title: str,
    *content: Content,
    scripts: Sequence[str] = (),
    is_wide: bool = False,
    links: Links = SITE_LINKS,
) -> str:
    """Return a whole page."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", f"{title} – quandary"),
        element("link", rel="icon", href="data:,"),
        *(element("link", rel="stylesheet", href=links.asset(name)) for name in STYLES),
        *(element("script", src=links.asset(name), defer=True) for name in scripts),
    )
    bar = element(
        "header",
        element("a", "quandary", href=links.home, class_="home"),
        element(
            "nav",
            *(element("a", words, href=link) for link, words in links.navigation.items()),
            aria_label="Site",
        ),
        class_="bar",
    )
    main = element("main", *content, class_="wide" if is_wide else False)
    foot = element("footer", element("p", f"quandary {VERSION}", class_="note"))
    return (
        f"<!DOCTYPE html>\n{element('html', head, element('body', bar, main, foot), lang='en')}\n"
    )


def message_page(title: str, sentence: str) -> str:
    """Return a page that says one thing."""
    return page(
        title,
        element("h1", title),
        element("p", sentence),
        element("p", element("a", "To the library", href="/")),
    )


# The library.


def library_page(
    rows: Sequence[Mapping[str, Any]], links: Links = SITE_LINKS, *, has_study: bool = False
) -> str:
    """Return all puzzles with pictures."""
    groups = sorted({row["group"] for row in rows})
    suites = sorted({suite for row in rows for suite in row["suites"]})
    filters = [
        element(
            "label",
            "Search",
            element("input", id="search", type="search", autocomplete="off"),
        ),
        _filter("group", "Kind", {group: group.replace("/", ": ") for group in groups}),
        _filter("seats", "Players", {"1": "one", "2": "two"}),
        _filter("suite", "Suite", {suite: suite for suite in suites}),
        _filter("language", "Language", {"en": "English", "zh": "Chinese"}),
    ]
    return page(
        "Library",
        element("h1", "Library"),
        element("p", f"{len(rows)} puzzles to play, alone or against others.", class_="lead"),
        *([element("p", element("a", "Take part in a study", href="/study"))] if has_study else []),
        element("form", *filters, class_="filters", id="filters", role="search"),
        element("p", id="found", role="status", class_="note"),
        element("ul", *(_card(row, links) for row in rows), class_="cards", id="cards"),
        scripts=("library.js",),
        links=links,
    )


def _filter(name: str, words: str, choices: Mapping[str, str]) -> Markup:
    options = [element("option", shown, value=value) for value, shown in choices.items()]
    return element(
        "label",
        words,
        element("select", element("option", "all", value=""), *options, id=f"filter-{name}"),
    )


def _card(row: Mapping[str, Any], links: Links) -> Markup:
    name = row["name"]
    shown = name.replace("_", " ")
    facts = ["one player" if row["seats"] == 1 else f"{row['seats']} players"]
    facts += ["chance"] if row["chance"] else []
    facts += ["hidden"] if row["hidden"] else []
    return element(
        "li",
        element(
            "a",
            element(
                "img",
                src=links.picture(name),
                alt="",
                width="200",
                height="150",
                loading="lazy",
                decoding="async",
            ),
            element("b", shown),
            href=links.puzzle(name),
        ),
        element("span", ", ".join(facts), class_="note"),
        element("span", row["summary"].partition(":")[2].strip() or row["summary"], class_="what"),
        class_="card",
        data_words=f"{shown} {row['summary']}".lower(),
        data_group=row["group"],
        data_seats=str(row["seats"]),
        data_suite=" ".join(row["suites"]),
        data_language=" ".join(row["languages"]),
    )


def puzzle_page(
    row: Mapping[str, Any],
    rules: str,
    levels: Sequence[str],
    opponents: Sequence[str],
    usual: str,
    language: str,
) -> str:
    """Return one puzzle: its rules, an instance of each level, and how to begin a match."""
    notes = []
    if row["hidden"] or row["chance"]:
        notes.append("What is hidden or drawn follows from the seed, which is shown after the end.")
    if row["distinct_instances"]:
        notes.append("Some levels have only a few different instances.")
    return _puzzle(
        row,
        rules,
        levels,
        [
            _start_form(row, levels, opponents, usual, language),
            *(element("p", note, class_="note") for note in notes),
        ],
        SITE_LINKS,
    )


def puzzle_file(row: Mapping[str, Any], rules: str, levels: Sequence[str], links: Links) -> str:
    """Return the same without a server: what it is, and how to play it."""
    how = element("p", "Play it at a terminal: ", element("code", f"quandary play {row['name']}"))
    return _puzzle(row, rules, levels, [how], links)


def _puzzle(
    row: Mapping[str, Any],
    rules: str,
    levels: Sequence[str],
    start: Sequence[Markup],
    links: Links,
) -> str:
    name, shown = row["name"], row["name"].replace("_", " ")
    pictures = [
        element(
            "figure",
            element("figcaption", level),
            element(
                "img",
                src=links.picture(name, level),
                alt=f"An instance of {shown}, level {level}",
                width="220",
                height="165",
                loading="lazy",
            ),
        )
        for level in levels
    ]
    return page(
        shown,
        element("h1", shown),
        element("p", row["summary"], class_="lead"),
        *start,
        element("h2", "Rules"),
        element("pre", rules, class_="rules", tabindex="0"),
        element("h2", "Levels"),
        element("div", *pictures, class_="levels"),
        links=links,
    )


def _start_form(
    row: Mapping[str, Any],
    levels: Sequence[str],
    opponents: Sequence[str],
    usual: str,
    language: str,
) -> Markup:
    name = row["name"]
    is_secret = row["hidden"] or row["chance"]
    fields = [
        element("input", type="hidden", name="puzzle", value=name),
        _select("level", "Level", {level: level for level in levels}, usual),
    ]
    if len(row["languages"]) > 1:
        words = {"en": "English", "zh": "Chinese"}
        chosen = {each: words.get(each, each) for each in row["languages"]}
        fields.append(_select("language", "Language", chosen, language))
    if row["seats"] > 1:
        against = {player: player for player in opponents} | {"human": "another person, by link"}
        fields.append(_select("against", "Against", against, "house"))
        seats = {str(seat): f"seat {seat}" for seat in range(row["seats"])}
        fields.append(_select("seat", "You sit at", seats | {"any": "any seat"}, "0"))
    else:
        tasks = {"": "the puzzle itself"}
        if row.get("tasks"):
            tasks |= dict(row["tasks"])
            fields.append(_select("task", "Task", tasks, ""))
    fields.append(_own_name())
    if not is_secret:
        fields.append(
            element(
                "label",
                "Seed",
                element(
                    "input",
                    name="seed",
                    inputmode="numeric",
                    pattern="[0-9]{1,18}",
                    placeholder="a new one",
                ),
            )
        )
    return element(
        "form",
        *fields,
        element("button", "Play", type="submit", class_="main"),
        method="post",
        action="/matches",
        class_="start",
    )


def _select(name: str, words: str, choices: Mapping[str, str], usual: str) -> Markup:
    options = [
        element("option", shown, value=value, selected=value == usual)
        for value, shown in choices.items()
    ]
    return element("label", words, element("select", *options, name=name))


def _own_name(language: str = "en", known: str = "") -> Markup:
    say = say_in(__name__, language)
    return element(
        "label",
        say("Your name, if you like"),
        element(
            "input",
            name="own_name",
            value=known,
            maxlength="32",
            title=say("letters, digits, dots, hyphens or underscores"),
            autocomplete="nickname",
        ),
    )


def daily_page(name: str, level: str, date: str, spec: str, played: int) -> str:
    shown = name.replace("_", " ")
    return page(
        "Puzzle of the day",
        element("h1", f"Puzzle of the day: {shown}"),
        element(
            "p",
            f"The same for everyone on {date} (UTC): {level}. " + _played(played),
            class_="lead",
        ),
        element(
            "img",
            src=f"/pictures/{name}.svg?level={level}&daily={date}",
            alt=f"The {shown} of {date}",
            width="320",
            height="240",
        ),
        element(
            "form",
            element("input", type="hidden", name="spec", value=spec),
            _own_name(),
            element("button", "Play", type="submit", class_="main"),
            method="post",
            action="/matches",
            class_="start",
        ),
        element("p", element("a", "Rules and other levels", href=f"/p/{name}")),
    )


def _played(times: int) -> str:
    if times == 0:
        return "Nobody has played it here."
    return "It was played once here." if times == 1 else f"It was played {times:,} times here."


# Matches.


def match_page(
    title: str,
    id: str,
    seat: int | None,
    rules: str,
    open_seats: Iterable[int],
    language: str,
    own_name: str = "",
) -> str:
    """Return the page of a seat, or of those who watch, in the language of the match.

    `own_name` stands in the forms of those who may take a seat.
    """
    say = say_in(__name__, language)
    takes = [
        element(
            "form",
            _own_name(language, own_name),
            element(
                "button", say("Take seat {seat}", seat=open_seat), type="submit", class_="main"
            ),
            method="post",
            action=f"/m/{id}/{open_seat}/take",
            class_="start take",
            data_seat=str(open_seat),
        )
        for open_seat in open_seats
    ]
    return page(
        title,
        # Players know what they play, and need the room for the board.
        element("h1", title, class_=False if seat is None else "hidden"),
        *(takes if seat is None else []),
        element(
            "div",
            element("p", say("The match is being loaded."), class_="note"),
            id="match",
            lang=language,
            data_id=id,
            data_seat="" if seat is None else str(seat),
        ),
        element("noscript", element("p", say("Playing needs JavaScript."), class_="warning")),
        element(
            "details",
            element("summary", say("Rules")),
            element("pre", rules, class_="rules", tabindex="0"),
            lang=language,
        ),
        scripts=("stage.js", "events.js", "words.js", "play.js"),
        is_wide=True,
    )


# Runs.


def runs_page(rows: Sequence[Mapping[str, Any]]) -> str:
    cells = [
        element(
            "tr",
            element("td", element("a", row["name"], href=f"/runs/{quote(row['name'], safe='')}/")),
            element("td", row["title"]),
            element("td", f"{row['matches']:,}", class_="number"),
            element("td", ", ".join(row["players"])),
        )
        for row in rows
    ]
    head = [element("th", words, scope="col") for words in ("run", "what", "matches", "players")]
    rows_of = element("table", element("thead", element("tr", *head)), element("tbody", *cells))
    table = scroll_box("Table of runs", rows_of)
    empty = element(
        "p", "There are no runs yet. Name some with quandary web RUN, or play a match to its end."
    )
    return page("Runs", element("h1", "Runs"), table if rows else empty)


def run_page(name: str, size: int, matches: Markup) -> str:
    """Return the matches of a run, opened in the viewer of the report; `size` tells later
    growth.
    """
    return page(
        name,
        element("h1", f"Run {name}"),
        element("section", matches, id="matches", data_run=name, data_size=str(size)),
        element("dialog", element("div", class_="viewer"), id="viewer", aria_label="Match"),
        scripts=("stage.js", "script.js", "events.js", "growth.js"),
    )


def replay_page(title: str, sources: Sequence[str]) -> str:
    """Return one match, or two side by side; the script loads them."""
    return page(
        title,
        element("h1", title, class_="hidden"),
        element(
            "div",
            element("p", "The match is being loaded.", class_="note"),
            id="replay",
            data_sources=" ".join(sources),
        ),
        element("noscript", element("p", "Replays need JavaScript.", class_="warning")),
        scripts=("stage.js", "words.js", "replay.js"),
        is_wide=True,
    )

"""The section about single matches: three short lists, and the list of all that can be read."""

from __future__ import annotations

from collections.abc import Sequence

from quandary.report.html import Markup, element
from quandary.report.viewer.chosen import Chosen, ChosenList, Selected
from quandary.report.viewer.side_files import key_of

from .layout import Section

FILTERS = {"puzzle": "puzzle", "player": "player", "cause": "ended by"}


def match_section(lists: Sequence[ChosenList], selected: Selected, runs: Sequence[str]) -> Section:
    """Every list leads to the viewer."""
    short = [_short_list(each, runs) for each in lists if each.matches]
    filters = [
        element(
            "label",
            words,
            element("select", element("option", "all", value=""), id=f"filter-{key}"),
        )
        for key, words in FILTERS.items()
    ]
    more = [
        *short,
        element("h3", "All that can be read here"),
        element("p", selected.how, class_="formula"),
        element("div", *filters, class_="filters"),
        element("div", "The list of matches is being loaded.", id="match-list"),
        element(
            "noscript", element("p", "Lists and transcripts need JavaScript.", class_="warning")
        ),
    ]
    lead = (
        "A match opens as a transcript: the position as a picture, what was sent, thinking, reply, "
        "how it was read, the verdict, and what the move was worth."
    )
    return Section("matches", "Matches", lead, more=Markup("".join(more)))


def _short_list(found: ChosenList, runs: Sequence[str]) -> Markup:
    names = ("match", "player", "score", found.usual)
    head = [
        element("th", name, scope="col", class_="number" if at > 1 else "words")
        for at, name in enumerate(names)
    ]
    rows = [_row(one, runs) for one in found.matches]
    table = element("table", element("thead", element("tr", *head)), element("tbody", *rows))
    return element(
        "section",
        element("h3", found.title),
        element("p", found.formula, class_="formula"),
        element("div", table, class_="scroll", tabindex="0", role="region", aria_label=found.title),
        class_="table",
    )


def _row(one: Chosen, runs: Sequence[str]) -> Markup:
    link = element("a", one.spec, href=f"#match-{key_of(runs, one.run, one.match)}")
    return element(
        "tr",
        element("td", link, class_="words"),
        element("td", one.player, class_="words"),
        element("td", f"{one.score:.2f}", class_="number"),
        element("td", f"{one.usual:.2f}", class_="number"),
    )

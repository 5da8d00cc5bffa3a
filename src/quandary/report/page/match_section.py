"""The sections about single matches: moments worth seeing, and the list of all."""

from __future__ import annotations

from collections.abc import Sequence

from quandary.report.html import Markup, element
from quandary.report.viewer.chosen import Selected
from quandary.report.viewer.moments import Moment, Moments
from quandary.report.viewer.side_files import key_of

from .layout import Section
from .text import breakable, with_code

FILTERS = {  # of the list, and what they are called
    "suite": "suite",
    "puzzle": "puzzle",
    "level": "level",
    "player": "player",
    "language": "language",
    "ending": "ending",
    "status": "a reply that was",
}


def moment_section(found: Moments, runs: Sequence[str], pictures: Sequence[str]) -> Section:
    """Return a card per moment, which leads to its match; `pictures` has the file of each,
    or "".
    """
    cards = [_card(*one, runs) for one in zip(found.chosen, pictures, strict=True)]
    judged = (
        f" Blunders are looked for among the {found.judged:,} of {found.moves:,} moves that are "
        f"judged."
        if found.judged
        else ""
    )
    return Section(
        "moments",
        "Moments worth seeing",
        f"A match of each kind, at most two of one puzzle.{judged}",
        more=element("div", *cards, class_="moments") if cards else Markup(""),
        link="Moments",
    )


def match_section(selected: Selected) -> Section:
    """Return the list of all matches that can be read here."""
    lead = (
        "Each match opens move by move: the position, what was sent, the thinking and the reply, "
        "how the reply was read, and its result. Two matches of one instance can be compared side "
        "by side."
    )
    return Section("matches", "Matches", lead, more=match_list(selected.how))


def match_list(how: str) -> Markup:
    """Return the filters and the place of the list, which a script fills; `how` says what
    is in it.
    """
    filters = [
        element(
            "label",
            words,
            element("select", element("option", "all", value=""), id=f"filter-{key}"),
        )
        for key, words in FILTERS.items()
    ]
    bounds = [
        element(
            "label",
            words,
            element(
                "input", id=f"filter-{key}", type="number", min="0", max="1", step="0.05", size="5"
            ),
        )
        for key, words in {"least": "score from", "most": "score to"}.items()
    ]
    search = [
        element(
            "label",
            "Text in replies, prompts and thinking",
            element("input", id="search-text", type="search"),
        ),
        element("button", "Search", type="submit", class_="plain"),
        element("span", id="search-progress", role="status", class_="note"),
    ]
    more = [
        element("p", *with_code(how), class_="formula"),
        element("div", *filters, *bounds, class_="filters"),
        element("form", *search, id="search", class_="filters", role="search"),
        element("div", "The list of matches is being loaded.", id="match-list"),
        element(
            "noscript", element("p", "Lists and transcripts need JavaScript.", class_="warning")
        ),
    ]
    return Markup("".join(more))


def _card(one: Moment, path: str, runs: Sequence[str]) -> Markup:
    picture = [element("img", src=path, alt="", width="112", height="112")] if path else []
    place = f"{one.step}?seat={one.seat}"
    links: list[str | Markup] = [_link("See it", one.run, [one.match], place, runs)]
    if one.other is not None:
        both = [one.match, one.other]
        links += [" · ", _link("both side by side", one.run, both, "1", runs)]
    return element(
        "article",
        *picture,
        element(
            "div",
            element("h3", one.kind.title),
            element("p", *with_code(one.sentence)),
            element("p", *breakable(one.spec), " · ", *links, class_="note"),
        ),
    )


def _link(words: str, run: str, matches: Sequence[int], place: str, runs: Sequence[str]) -> Markup:
    keys = ",".join(key_of(runs, run, match) for match in matches)
    return element("a", words, href=f"#match-{keys}/{place}")

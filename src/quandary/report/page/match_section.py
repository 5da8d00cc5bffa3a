"""The sections about single matches: moments worth seeing, and the list of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quandary.report.html import Markup, element
from quandary.report.viewer.chosen import Selected
from quandary.report.viewer.moments import Moment, Moments
from quandary.report.viewer.side_files import key_of

from .layout import Section
from .text import breakable, with_code

FILTERS = {"puzzle": "puzzle", "player": "player", "outcome": "result"}


def moment_section(found: Moments, runs: Sequence[str], pictures: Mapping[str, str]) -> Section:
    """A card per moment, which leads to its match."""
    cards = [_card(one, runs, pictures) for one in found.chosen]
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


def match_section(selected: Selected, runs: Sequence[str]) -> Section:
    """The list of all matches that can be read here."""
    filters = [
        element(
            "label",
            words,
            element("select", element("option", "all", value=""), id=f"filter-{key}"),
        )
        for key, words in FILTERS.items()
    ]
    more = [
        element("p", *with_code(selected.how), class_="formula"),
        element("div", *filters, class_="filters"),
        element("div", "The list of matches is being loaded.", id="match-list"),
        element(
            "noscript", element("p", "Lists and transcripts need JavaScript.", class_="warning")
        ),
    ]
    lead = (
        "Each match opens reply by reply: the position, what was sent, what was thought and said, "
        "how it was read, and what became of it."
    )
    return Section("matches", "Matches", lead, more=Markup("".join(more)))


def _card(one: Moment, runs: Sequence[str], pictures: Mapping[str, str]) -> Markup:
    picture = (
        [element("img", src=pictures[one.puzzle], alt="", loading="lazy", width="64", height="64")]
        if one.puzzle in pictures
        else []
    )
    links: list[str | Markup] = [_link("See it", one.run, one.match, runs)]
    if one.other is not None:
        links += [" · ", _link("the other", one.run, one.other, runs)]
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


def _link(words: str, run: str, match: int, runs: Sequence[str]) -> Markup:
    return element("a", words, href=f"#match-{key_of(runs, run, match)}")

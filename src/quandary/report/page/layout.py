"""The page as a whole: its head, the bar that stays in view, and its sections."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from quandary.report.figures.figure import Figure
from quandary.report.html import Markup, element, markup
from quandary.scoring.score_table import ScoreTable
from quandary.version import VERSION

from .score_tables import downloads, score_table

ASSETS = Path(__file__).parent / "assets"
PIXELS = 96  # per inch
NOTHING = Markup("")
WIDE = 6.5  # inches from which a figure gets a whole line


@dataclass(frozen=True)
class Section:
    """A part of the page, with a link in its bar."""

    key: str
    title: str
    lead: str  # what a reader finds in it
    figures: Sequence[Figure] = ()
    tables: Sequence[ScoreTable] = ()
    folded: Sequence[ScoreTable] = ()  # tables that a reader opens
    more: Markup = NOTHING

    @property
    def is_empty(self) -> bool:
        return not (self.figures or self.tables or self.folded or self.more)


def page(title: str, lead: str, facts: Mapping[str, str], sections: Iterable[Section]) -> str:
    """The whole page; it names no address outside its folder."""
    parts = [section for section in sections if not section.is_empty]
    bar = element(
        "header",
        element("strong", "quandary"),
        element(
            "nav",
            *(element("a", part.title, href=f"#{part.key}") for part in parts),
            aria_label="Sections",
        ),
        class_="bar",
    )
    main = element(
        "main",
        element("h1", title),
        element("p", lead, class_="lead"),
        element(
            "ul",
            *(
                element("li", element("b", fact), element("span", what))
                for what, fact in facts.items()
            ),
            class_="facts",
        ),
        *map(_section, parts),
        element("dialog", element("div", class_="viewer"), id="viewer", aria_label="Transcript"),
    )
    foot = element("footer", element("p", f"Made by quandary {VERSION}.", class_="note"))
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", http_equiv="Content-Security-Policy", content=POLICY),
        element("title", title),
        element("link", rel="icon", href="data:,"),
        element("link", rel="stylesheet", href="assets/style.css"),
        element("script", src="assets/script.js"),
    )
    return (
        f"<!DOCTYPE html>\n{element('html', head, element('body', bar, main, foot), lang='en')}\n"
    )


# Even if something of a player got into the page as HTML, it could neither run nor call anyone.
# (From a file, 'self' does not stand for the folder in all browsers, so its scheme is named too.)
POLICY = (
    "default-src 'none'; script-src 'self' file:; style-src 'self' file: 'unsafe-inline'; "
    "img-src 'self' file: data:; base-uri 'none'; form-action 'none'"
)


def _section(section: Section) -> Markup:
    figures = NOTHING
    if section.figures:
        figures = element("div", *map(figure_box, section.figures), class_="figures")
    return element(
        "section",
        element("h2", section.title),
        element("p", markup(section.lead), class_="lead"),
        figures,
        *map(score_table, section.tables),
        *(score_table(table, folded=True) for table in section.folded),
        section.more,
        id=section.key,
    )


def figure_box(figure: Figure) -> Markup:
    """A figure with its text alternative, in the colours that the reader prefers."""
    width, height = round(figure.width * PIXELS), round(figure.height * PIXELS)
    path = f"figures/{figure.key}"
    picture = element(
        "picture",
        element("source", srcset=f"{path}-dark.svg", media="(prefers-color-scheme: dark)"),
        element(
            "img",
            src=f"{path}.svg",
            alt=figure.words,
            width=str(width),
            height=str(height),
            style=f"width:min(100%,{width}px);min-width:{round(min(width * 0.7, 1_000))}px",
            loading="lazy",
        ),
    )
    return element(
        "figure",
        element("figcaption", figure.title),
        element(
            "div", picture, class_="frame", tabindex="0", role="group", aria_label=figure.title
        ),
        downloads({"SVG": f"{path}.svg", "PNG": f"{path}.png"}),
        class_="wide" if figure.width >= WIDE else False,
    )

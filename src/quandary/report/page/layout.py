"""The page as a whole: its head, the bar that stays in view, and its sections."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from quandary.report.figures.figure import Figure
from quandary.report.html import Markup, element
from quandary.report.tables import counted
from quandary.scoring.score_table import ScoreTable
from quandary.version import VERSION

from .score_tables import downloads, score_table

REPORT = Path(__file__).parents[1]
ASSETS = (REPORT / "viewer" / "assets", REPORT / "page" / "assets")  # files of the page
PIXELS = 96  # per inch
NOTHING = Markup("")
WIDEST = 1_000  # pixels below which no figure shrinks; the style sheet has a class per hundred
WIDE = 6.5  # inches from which a figure gets a whole line


@dataclass(frozen=True)
class Section:
    """A part of the page, with a link in its bar."""

    key: str
    title: str
    lead: str  # what a reader finds in it
    figures: Sequence[Figure] = ()
    tables: Sequence[ScoreTable] = ()  # beside the figures
    folded: Sequence[ScoreTable] = ()  # tables that a reader opens
    more: Markup = NOTHING  # between the lead and the figures
    link: str = ""  # its name in the bar, if the title is too long
    folded_figures: Sequence[Figure] = ()
    is_stacked: bool = False  # whether tables stand below figures, since they are wide

    @property
    def is_empty(self) -> bool:
        return not (self.figures or self.tables or self.folded_figures or self.folded or self.more)


def page(title: str, first: Markup, sections: Iterable[Section], home: str = "#top") -> str:
    """Return the whole page, which begins with `first`; it names no address outside its folder.

    `home` is where the name in the bar leads.
    """
    parts = [section for section in sections if not section.is_empty]
    bar = element(
        "header",
        element("a", "quandary", href=home, class_="home"),
        element(
            "nav",
            *(element("a", part.link or part.title, href=f"#{part.key}") for part in parts),
            aria_label="Sections",
        ),
        class_="bar",
    )
    main = element(
        "main",
        element("div", first, id="top"),
        *map(_section, parts),
        element("dialog", element("div", class_="viewer"), id="viewer", aria_label="Match"),
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
        element("link", rel="stylesheet", href="assets/stage.css"),
        element("script", src="assets/stage.js"),
        element("script", src="assets/script.js"),
    )
    return (
        f"<!DOCTYPE html>\n{element('html', head, element('body', bar, main, foot), lang='en')}\n"
    )


# Even if something of a player got into the page as HTML, it could neither run nor call anyone.
# (From a file, 'self' does not stand for the folder in all browsers, so its scheme is named too.)
POLICY = (
    "default-src 'none'; script-src 'self' file:; style-src 'self' file:; "
    "img-src 'self' file: data:; base-uri 'none'; form-action 'none'"
)


def _section(section: Section) -> Markup:
    return element(
        "section",
        element("h2", section.title),
        element("p", section.lead, class_="lead"),
        section.more,
        _figures(section.figures, section.tables, is_stacked=section.is_stacked),
        _folded(section),
        id=section.key,
    )


def _figures(
    figures: Sequence[Figure],
    tables: Sequence[ScoreTable] = (),
    *,
    is_stacked: bool = False,
    is_eager: bool = True,
) -> Markup:
    if not figures and not tables:
        return NOTHING
    drawn = [figure_box(figure, is_eager=is_eager) for figure in figures]
    boxes = [*drawn, *map(score_table, tables)]
    is_one = is_stacked or len(boxes) == 1
    return element("div", *boxes, class_="figures one" if is_one else "figures")


def _folded(section: Section) -> Markup:
    """Return what a reader opens: tables, and figures that take much room."""
    if not section.folded and not section.folded_figures:
        return NOTHING
    parts = [counted(len(section.folded), "table")] if section.folded else []
    if section.folded_figures:
        parts.append(counted(len(section.folded_figures), "figure"))
    return element(
        "details",
        element("summary", f"Details: {' and '.join(parts)}"),
        _figures(section.folded_figures, is_eager=False),
        *(score_table(table, folded=True) for table in section.folded),
        class_="more",
    )


def figure_box(figure: Figure, *, is_eager: bool = True) -> Markup:
    """Return a figure with its text alternative, in the colours that the reader prefers.

    An eager one is loaded with the page: there are few, and prints of the whole page have them.
    """
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
            class_=f"least{round(min(width * 0.7, WIDEST) / 100)}",
            loading="eager" if is_eager else "lazy",
        ),
    )
    return element(
        "figure",
        element("figcaption", figure.title),
        element(
            "div", picture, class_="frame", tabindex="0", role="group", aria_label=figure.title
        ),
        *([element("p", figure.note, class_="note")] if figure.note else []),
        downloads({"SVG": f"{path}.svg", "PNG": f"{path}.png"}),
        class_="wide" if figure.width >= WIDE else False,
    )

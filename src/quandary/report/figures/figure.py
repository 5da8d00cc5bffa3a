"""A figure, and its files: SVG for light and dark pages, and PNG."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quandary.core.errors import UserError
from quandary.report.html import printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

INK, QUIET, GRID, PAPER = "#1f2933", "#5f6c7a", "#dfe4ea", "#ffffff"
DARK = {INK: "#e4e9ef", QUIET: "#9aa7b4", GRID: "#38424e", PAPER: "#171c22"}
# Told apart by colour-blind readers, on white and on dark paper; markers differ too.
COLOURS = (
    "#3b76c4", "#d9822b", "#2e9e78", "#b65fa0", "#b8931f", "#5fa8d3", "#c8553d", "#7a6fc0",
)  # fmt: skip
MARKERS = "osD^vPX*"
LINE, LETTER = 0.145, 0.075  # inches
BREAKS = re.compile(r"(?<=[/@ ,])")  # where a name may go on in another line
NARROW_BREAKS = re.compile(r"(?<=[_-])")  # and where, if a part between these is too long
WIDTH = 5.0  # inches: letters stay readable when a phone shows it narrower
STYLE = {
    "svg.hashsalt": "quandary",
    "svg.fonttype": "none",  # text stays text
    "text.parse_math": False,
    "font.family": "sans-serif",
    "font.size": 9.0,
    "axes.edgecolor": GRID,
    "axes.labelcolor": QUIET,
    "axes.labelsize": 9.0,
    "axes.titlesize": 9.5,
    "axes.titlecolor": INK,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "axes.facecolor": "none",
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "text.color": INK,
    "xtick.color": QUIET,
    "ytick.color": INK,
    "xtick.major.size": 0.0,
    "ytick.major.size": 0.0,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "figure.constrained_layout.use": True,
}
NEEDED = "figures need matplotlib: pip install 'quandary[report]'."


@dataclass(frozen=True)
class Figure:
    """What a figure shows, in words and as a drawing."""

    key: str  # names its files
    title: str
    words: str  # the text alternative: what a reader who cannot see it is told
    draw: Callable[[Canvas], None]
    height: float  # inches
    width: float = WIDTH
    note: str = ""  # what is not drawn

    def write(self, folder: Path) -> list[Path]:
        """Its files; equal figures give equal bytes."""
        light, png = self._drawn()
        dark = light
        for colour, instead in DARK.items():
            dark = dark.replace(colour, instead)
        contents = {
            f"{self.key}.svg": light.encode(),
            f"{self.key}-dark.svg": dark.encode(),
            f"{self.key}.png": png,
        }
        for name, content in contents.items():
            (folder / name).write_bytes(content)
        return [folder / name for name in contents]

    def _drawn(self) -> tuple[str, bytes]:
        try:
            import matplotlib
            from matplotlib.figure import Figure as Canvas
        except ImportError:
            raise UserError(NEEDED) from None
        svg, png = BytesIO(), BytesIO()
        style: dict[str, Any] = STYLE
        with matplotlib.rc_context(style), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # letters that its font lacks; browsers have them
            canvas = Canvas(figsize=(self.width, self.height))
            self.draw(canvas)
            nothing = {"Date": None, "Creator": None, "Format": None, "Type": None}
            canvas.savefig(svg, format="svg", transparent=True, metadata=nothing)
            canvas.savefig(png, format="png", dpi=200, facecolor=PAPER, metadata={"Software": None})
        return svg.getvalue().decode(), png.getvalue()


def colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


def marker(number: int) -> str:
    return MARKERS[number % len(MARKERS)]


def wrapped(name: str, most: int = 26) -> str:
    """Return a name in lines that leave room for the drawing; nothing of it is cut, and no word
    broken.

    SVG is XML, in which no control character may stand.
    """
    lines = [""]
    for part in _parts(printable(name).replace("\n", " "), most):
        if lines[-1] and len(lines[-1]) + len(part.rstrip(" ")) > most:
            lines.append("")
        lines[-1] += part
    return "\n".join(line.rstrip(" ") for line in lines)


def _parts(name: str, most: int) -> list[str]:
    parts = BREAKS.split(name)
    return [
        piece
        for part in parts
        for piece in (NARROW_BREAKS.split(part) if len(part) > most else [part])
    ]


def line_width(labels: Iterable[str]) -> float:
    """Inches that the longest line of some labels takes, about."""
    return LETTER * max((len(line) for label in labels for line in label.split("\n")), default=1)


def line_height(labels: Iterable[str]) -> float:
    """Inches that the label with the most lines takes."""
    return LINE * max((label.count("\n") + 1 for label in labels), default=1)


def legend_height(labels: Sequence[str], columns: int) -> float:
    """Inches that a legend takes."""
    return (line_height(labels) + 0.06) * -(-len(labels) // columns)


def first_of(most: int, count: int, what: str) -> str:
    """Return a note where not all is drawn; "" if all is."""
    return f"The first {most} of {count:,} {what}; the tables have all." if count > most else ""

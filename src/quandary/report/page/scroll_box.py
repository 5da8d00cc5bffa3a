"""The box in which what is too wide for the page scrolls, also by the keyboard."""

from __future__ import annotations

from quandary.report.html import Markup, element


def scroll_box(name: str, content: Markup, kind: str = "") -> Markup:
    """Return a table or the like under a name for those who cannot see it; `kind` is a further
    class.
    """
    return element(
        "div",
        content,
        class_=f"scroll {kind}".rstrip(),
        tabindex="0",
        role="region",
        aria_label=name,
    )

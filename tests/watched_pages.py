"""Pages in a real browser that complain of nothing."""

from __future__ import annotations

import shutil
from typing import Any

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
SIZES = {"phone": (390, 844), "desk": (1440, 900)}
LOOKS = [(size, scheme) for size in SIZES for scheme in ("light", "dark")]


class Watched:
    """A page that says nothing on the console, asks nobody else, and never scrolls sideways.

    `base` is what the addresses begin with that it may ask for; `options` are those of playwright.
    """

    def __init__(
        self,
        browser: Any,
        base: str = "file:",
        size: str = "desk",
        scheme: str = "light",
        **options: Any,
    ) -> None:
        self.width, height = SIZES[size]
        self.context = browser.new_context(
            viewport={"width": self.width, "height": height}, color_scheme=scheme, **options
        )
        self.page, self.messages = self.context.new_page(), list[str]()
        self.page.on("console", lambda message: self.messages.append(message.text))
        self.page.on("pageerror", lambda error: self.messages.append(str(error)))
        self.page.on(
            "request",
            lambda request: (
                request.url.startswith((base, "data:", "blob:"))
                or self.messages.append(request.url)
            ),
        )

    def close(self, *allowed: str) -> None:
        """Check the page; `allowed` are answers of the server that browsers tell of themselves."""
        assert [message for message in self.messages if not message.endswith(allowed or "\0")] == []
        assert self.page.evaluate("document.documentElement.scrollWidth") <= self.width
        self.context.close()

"""The published TextGames problems: each is a prompt, and becomes a position of our puzzle."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from quandary.core.errors import UserError
from quandary.papers.imports import Problem

from .archive import files, parsed
from .prompts import READERS

LEVELS = {"1": "easy", "2": "medium", "3": "hard"}


def load(folder: Path) -> Iterator[Problem]:
    """Yield all problems in the `problemsets` of a folder, unpacked or as published."""
    for path, text in files(folder, "problemsets", ".json"):
        title, _, level = Path(path).stem.rpartition("_")
        if title not in READERS or level not in LEVELS:
            raise UserError(
                f"{path} is not a problem set of TextGames; it should be named like Islands_1.json."
            )
        game, read = READERS[title]
        prompts = parsed(text, path)
        if not isinstance(prompts, dict) or not all(
            isinstance(prompt, str) for prompt in prompts.values()
        ):
            raise UserError(
                f"{path} is not a problem set of TextGames; it should have one prompt per session."
            )
        for session, prompt in prompts.items():
            try:
                yield Problem("textgames", game, LEVELS[level], session, read(prompt.strip()))
            except ValueError as reason:
                raise UserError(f"{session} of {path} is not understood: {reason}.") from None

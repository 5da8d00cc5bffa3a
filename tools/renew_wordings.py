"""Renew the digests of the wordings of LogicGame's published prompts.

    python tools/renew_wordings.py DATA

DATA is a folder with `logicgame`, the prompts of the LogicGame release.  All prompts count in which
a reader finds an instance, so run this for the files as published and nothing else, and compare
what is imported before and after.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from quandary.papers.logicgame import wordings
from quandary.papers.logicgame.items import FILES, read_items
from quandary.papers.logicgame.prompts import NotRead
from quandary.papers.logicgame.reading import reader_of

FILE = Path(wordings.__file__).with_name(wordings.FILE)


def main(folder: Path) -> None:
    digests = set(published(folder / "logicgame"))
    FILE.write_text("".join(f"{one}\n" for one in sorted(digests)), "ascii")
    print(f"{FILE.name}: {len(digests):,} digests")


def published(folder: Path) -> Iterator[str]:
    """The digests of all prompts in which something is found."""
    for language, file in FILES.items():
        for item in read_items(folder, file, language):
            with suppress(NotRead):
                yield from reader_of(item.category).digests(item.prompt, item.level)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""Published items that were changed: each is read or left out, and none hangs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from hanging import hangs
from quandary.papers.logicgame.items import FILES, LONGEST, read_items
from quandary.papers.logicgame.reading import _read

NUMBERS = ("0", "-1", "99", "1000000", "9" * 18, "")


def _changed(prompt: str, rng: Random) -> Iterator[str]:
    """Other numbers, lines that are missing, repeated or longer, and long words."""
    numbers, lines = list(re.finditer(r"\d+", prompt)), prompt.split("\n")
    for number in rng.sample(numbers, min(len(numbers), 3)):
        new = rng.choice(NUMBERS)
        yield prompt[: number.start()] + new + prompt[number.end() :]
    for at in rng.sample(range(len(lines)), min(len(lines), 3)):
        for some in ([], [lines[at]] * 2, [lines[at]] * 30, [", ".join([lines[at]] * 9)]):
            yield "\n".join([*lines[:at], *some, *lines[at + 1 :]])
    words = list(re.finditer(r"[A-Za-z]{2,}", prompt))
    for word in rng.sample(words, min(len(words), 2)):
        yield prompt[: word.start()] + word[0] * 50 + prompt[word.end() :]


@pytest.mark.parametrize("language", FILES)
def test_a_changed_item_is_read_or_left_out(data: Path, language: str) -> None:
    kept = 0
    for item in read_items(data / "logicgame", FILES[language], language):
        for prompt in _changed(item.prompt, Random(item.qid)):
            if len(prompt) > LONGEST:  # refused before it is read
                continue
            changed = item._replace(prompt=prompt)
            assert not hangs(_read, changed, 0, ""), changed
            found = _read(changed, 0, "")
            assert (found.question is None) == bool(found.why)
            if found.question is not None:
                kept += 1
                assert found.question.check(found.question.solution()).score == 1.0
    assert kept > 100

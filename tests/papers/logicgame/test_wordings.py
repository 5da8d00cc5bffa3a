"""No text of a published prompt is passed over: what is changed is left out or asks another thing.

A sample of the items is changed here, and all of them in the heavy test.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from pkgutil import iter_modules
from runpy import run_path

import pytest

from quandary.papers.logicgame import readers
from quandary.papers.logicgame.imported import load
from quandary.papers.logicgame.prompts import NotRead
from quandary.papers.logicgame.readers.slide_2048 import read
from quandary.papers.logicgame.reading import ReadItem, reader_of
from quandary.papers.logicgame.wordings import FILE, wordings

from . import changes

TOOL = Path(__file__).parents[3] / "tools" / "renew_wordings.py"


@pytest.fixture(scope="module")
def items(data: Path) -> list[ReadItem]:
    """All items that are read."""
    pairs = load(data / "logicgame").pairs
    return [one for pair in pairs for one in (pair.en, pair.zh) if one.question]


def changed(one: ReadItem) -> Iterator[str]:
    prompt, reader = one.item.prompt, reader_of(one.item.category)
    for sentence in changes.SENTENCES[one.item.language]:
        yield from changes.inserted(prompt, sentence)
        yield from changes.appended(prompt, sentence)
        yield from changes.put_between(prompt, sentence)
    yield from changes.shortened(prompt)
    yield from changes.repeated(prompt)
    yield from changes.swapped(prompt)
    yield from changes.altered(prompt, reader)


def unnoticed(one: ReadItem) -> Iterator[str]:
    """Changed prompts that are read as if nothing had been changed."""
    reader = reader_of(one.item.category)
    for prompt in changed(one):
        try:
            made = reader(prompt, one.item.level)
        except NotRead:
            continue
        if made == one.question:
            yield prompt


def test_no_change_of_a_sample_goes_unnoticed(items: list[ReadItem]) -> None:
    """The first item of each category and language."""
    sample = {(one.item.category, one.item.language): one for one in reversed(items)}

    categories = {module.name for module in iter_modules(readers.__path__)}
    assert set(sample) == {(name, language) for name in categories for language in ("en", "zh")}
    for one in sample.values():
        assert not list(unnoticed(one))


@pytest.mark.heavy
def test_no_change_goes_unnoticed(items: list[ReadItem]) -> None:
    for one in items:
        assert not list(unnoticed(one))


@pytest.mark.parametrize(
    ("place", "sentence"),
    [(0, "Important: do everything twice."), (1, "Skip one."), (-1, "List it in reverse order.")],
)
def test_the_line_is_quoted(items: list[ReadItem], place: int, sentence: str) -> None:
    """Also one in the paragraph about the JSON object."""
    one = next(one for one in items if one.item.category == "slide_2048")
    lines = one.item.prompt.splitlines()
    lines.insert(place, sentence)

    with pytest.raises(NotRead, match=f"^not understood: '{sentence}'$"):
        read("\n".join(lines), one.item.level)


def test_a_prompt_that_ends_too_early_is_left_out(items: list[ReadItem]) -> None:
    one = next(one for one in items if one.item.category == "slide_2048")
    lines = one.item.prompt.splitlines()

    with pytest.raises(NotRead, match="its last lines are missing"):
        read("\n".join(lines[:-1]), one.item.level)


def test_no_mark_of_ours_hides_text(items: list[ReadItem]) -> None:
    one = next(one for one in items if one.item.category == "slide_2048")

    with pytest.raises(NotRead, match=r"not understood: '.x00'"):
        read(f"{one.item.prompt}\n\0", one.item.level)


def test_the_file_has_the_wordings_of_all_published_prompts(data: Path) -> None:
    """What `make wordings` writes."""
    digests = set(run_path(str(TOOL))["published"](data / "logicgame"))
    kept = (Path(read.find.__code__.co_filename).parents[1] / FILE).read_text().split()

    assert kept == sorted(digests)
    assert digests <= wordings()

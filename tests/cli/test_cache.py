"""What is kept between calls."""

from __future__ import annotations

from pathlib import Path

import pytest

from quandary.cli import cache


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of one file, and a place for caches."""
    monkeypatch.setenv("QUANDARY_CACHE", str(tmp_path / "caches"))
    monkeypatch.setattr(cache, "HOME", tmp_path / "package")
    (tmp_path / "package" / "inner").mkdir(parents=True)
    (tmp_path / "package" / "inner" / "one.py").write_text("1")
    return tmp_path / "package"


def test_what_was_found_is_looked_up(package: Path) -> None:
    """As long as no file changes, nothing is found anew."""
    assert [1] == cache.kept("this", lambda: [1])
    assert [1] == cache.kept("this", lambda: [2])
    assert [3] == cache.kept("that", lambda: [3])


def test_a_changed_new_or_missing_file_is_noticed(package: Path) -> None:
    """Whatever changes in the package, what was found before is forgotten."""
    cache.kept("this", lambda: 1)
    (package / "inner" / "one.py").write_text("22")
    assert 2 == cache.kept("this", lambda: 2)
    (package / "two.py").write_text("")
    assert 3 == cache.kept("this", lambda: 3)
    (package / "two.py").unlink()
    assert 4 == cache.kept("this", lambda: 4)


@pytest.mark.parametrize("broken", ["", "{", "[]", "null", '{"state": 1}'])
def test_a_broken_cache_does_no_harm(broken: str, tmp_path: Path) -> None:
    """It is found and written again."""
    cache.kept("this", lambda: 1)
    (tmp_path / "caches" / "this.json").write_text(broken)

    assert 2 == cache.kept("this", lambda: 2)
    assert 2 == cache.kept("this", lambda: 3)


def test_nowhere_to_keep_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then it is found every time."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("QUANDARY_CACHE", str(tmp_path / "file"))

    assert [1, 2] == [cache.kept("this", lambda number=number: number) for number in (1, 2)]  # type: ignore[misc]

"""Patterns that are compiled late match as others do."""

from __future__ import annotations

import re

import pytest

from quandary.core.late_pattern import late_pattern


def test_it_matches_as_a_compiled_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is compiled once it is used, for each of its methods."""
    compiled = list[str]()
    usual = re.compile

    def counting(text: str, flags: int = 0) -> re.Pattern[str]:
        compiled.append(text)
        return usual(text, flags)

    monkeypatch.setattr(re, "compile", counting)
    late = late_pattern("a(b*)", re.IGNORECASE)
    assert not compiled

    for text in ("ab", "xABBy", ""):
        assert late.findall(text) == usual("a(b*)", re.IGNORECASE).findall(text)
        assert bool(late.fullmatch(text)) == bool(usual("a(b*)", re.IGNORECASE).fullmatch(text))
    assert late.sub("-", "xABBy") == "x-y" and len(compiled) == 3

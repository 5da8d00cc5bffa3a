"""Where the starts of a level are a short list."""

from __future__ import annotations

from quandary.catalogue.spec import Spec
from quandary.results.starts import listed_starts


def test_lists_of_starts() -> None:
    """Levels with few starts have lists; their tasks and others have none."""
    specs = {
        "expanding_nim/easy#1": 11,
        "superply/hard#7": 1,
        "share_card_nim/normal#1": 57,
        "card_nim/easy#1": None,
        "expanding_nim/easy,stones=5..8#1": None,
        "sudokill/easy#1": None,
        "check:tidy_tower/easy#1": None,
    }

    assert specs == {name: listed_starts(Spec.parse(name)) for name in specs}

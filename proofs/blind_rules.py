"""Shows that state checks cannot be answered blindly, over 1,000 questions per puzzle and level.

    make prove                          every level that is not measured yet for this version
    python -m proofs.blind_rules NAME   the levels of some puzzles again, as NAME or NAME/LEVEL

For each level the share of labels that the best threshold on one visible thing gets right, which
may be at most 0.57.  The results stand in `proofs/blind_rules.json` after each level.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from time import process_time

from quandary.catalogue import drawing
from quandary.tasks.blind_rules import QUESTIONS, best_shares
from quandary.tasks.state_check import StateCheck

from .resumable import Entry, prove_levels, read, state_levels, version_at

RESULTS = Path(__file__).with_name("blind_rules.json")


def shares(level: str, count: int) -> Mapping[str, float]:
    """The share of the best blind rule on each visible thing, over the first seeds of a level."""
    questions = [drawing.instance(f"check:{level}#{seed}") for seed in range(count)]
    return best_shares([one for one in questions if isinstance(one, StateCheck)])


def prove(level: str, known: Entry) -> Entry:
    begun = process_time()
    found = shares(level, QUESTIONS)
    return {
        "version": version_at(f"check:{level}"),
        "questions": QUESTIONS,
        "shares": {name: round(share, 3) for name, share in found.items()},
        "seconds": round(process_time() - begun),
    }


def left(names: list[str]) -> list[str]:
    known = read(RESULTS)

    def is_wanted(level: str) -> bool:
        if names:
            return level in names or level.split("/")[0] in names
        return known.get(level, {}).get("version") != version_at(f"check:{level}")

    return list(filter(is_wanted, state_levels()))


def main(arguments: list[str]) -> int:
    prove_levels(RESULTS, prove, left(arguments))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

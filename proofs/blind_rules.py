"""Shows that state checks cannot be answered blindly, over 1,000 questions per puzzle and level.

    make prove                          every level that is not measured yet for this version
    python -m proofs.blind_rules NAME   the levels of some puzzles again, as NAME or NAME/LEVEL

For each level the share of labels that the best threshold on one visible feature gets right, which
may be at most 0.57, and the share of a random forest on all features, at most 0.58.  Both are
scored on starts that they were not fitted to.  The results stand in `proofs/blind_rules.json` after
each level.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from time import process_time
from typing import NamedTuple

import numpy as np

from quandary.catalogue import drawing
from quandary.tasks.blind_rules import QUESTIONS
from quandary.tasks.state_check import StateCheck

from .held_out_rules import folds_of, forest_share, numbered, single_share
from .resumable import Entry, prove_levels, read, state_levels, version_at
from .visible_features import distinct_numbers, visible_features

RESULTS = Path(__file__).with_name("blind_rules.json")
ALLOWED_FOREST = 0.58  # the highest share of a forest that is allowed, of QUESTIONS questions
LISTED = 5  # features that the results name, those with the highest shares


class Shares(NamedTuple):
    """The shares of labels that blind rules get right."""

    singles: Mapping[str, float]  # of the best threshold on each feature, the highest first
    forest: float
    forest_unseen: float  # of a forest that was fitted to none of the positions it is asked about
    starts: int  # distinct ones


def shares(level: str, count: int) -> Shares:
    """What blind rules get right over the first seeds of a level."""
    drawn = (drawing.instance(f"check:{level}#{seed}") for seed in range(count))
    questions = [question for question in drawn if isinstance(question, StateCheck)]
    labels = np.array([question.solution() == "unsolvable" for question in questions])
    starts = numbered([question.start.canonical() for question in questions])
    positions = numbered([question.canonical() for question in questions])
    features, folds = visible_features(questions), folds_of(starts)
    alone = features | distinct_numbers(questions)
    singles = {name: single_share(values, labels, folds) for name, values in alone.items()}
    table = np.column_stack(list(features.values()))
    return Shares(
        dict(sorted(singles.items(), key=lambda found: -found[1])),
        forest_share(table, labels, folds),
        forest_share(table, labels, folds, positions),
        int(starts.max()) + 1,
    )


def prove(level: str, known: Entry) -> Entry:
    begun = process_time()
    found = shares(level, QUESTIONS)
    highest = list(found.singles.items())[:LISTED]
    return {
        "version": version_at(f"check:{level}"),
        "questions": QUESTIONS,
        "starts": found.starts,
        "features": len(found.singles),
        "highest": {name: round(share, 3) for name, share in highest},
        "forest": round(found.forest, 3),
        "forest_unseen": round(found.forest_unseen, 3),
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

"""`python -m benchmarks.strict`: every limit, five rounds each; exits with 1 if one is broken.

Words choose sections by their titles, as for `python -m benchmarks`.
"""

from __future__ import annotations

import sys

from .limits import SLACK, STRICT_ROUNDS, Measured, limit_table
from .sections import SECTIONS, chosen


def main(words: list[str]) -> int:
    broken = list[Measured]()
    for title in chosen(words):
        if measure := getattr(SECTIONS[title], "measured", None):
            rows = measure(STRICT_ROUNDS)
            print("\n".join(["", f"## {title}", "", *limit_table(rows)]), flush=True)
            broken += [row for row in rows if row.is_broken]
    for row in broken:
        rounds = ", ".join(map(row.limit.shown, row.figures))
        print(
            f"broken: {row.limit.work}: at most {row.limit.shown(row.limit.most)}, and all rounds "
            f"exceed that by {100 * (SLACK - 1):.0f} %: {rounds}"
        )
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

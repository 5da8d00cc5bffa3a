"""Who met whom in two-player games."""

from __future__ import annotations

from quandary.scoring.score_table import ScoreTable

FEWEST = 3  # players, for one of them to stand between the others


def common_opponent(meetings: ScoreTable) -> str:
    """Return the only opponent that all others met, if nobody else met; "" if there is none.

    So it is where all play against the house.
    """
    met = {
        frozenset((str(row[0]), other))
        for row in meetings.rows
        for other, count in zip(meetings.head[1:], row[1:], strict=True)
        if count
    }
    names = [str(row[0]) for row in meetings.rows]
    hubs = [name for name in names if all(name in pair for pair in met)]
    return hubs[0] if len(hubs) == 1 and len(names) >= FEWEST else ""

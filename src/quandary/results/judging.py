"""The regret of moves, for a bounded and fixed choice of matches.

To judge a move takes far longer than to make a row, so no more than twenty matches are judged per
puzzle, level and player: the first ones by seed, then by repeat, then in the order of the file.
What was judged is kept beside the tables and used again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from hashlib import blake2b
from heapq import heappush, heapreplace
from pathlib import Path
from typing import NamedTuple

import msgspec

from quandary.catalogue import registry
from quandary.catalogue.spec import Spec
from quandary.core.contract import Game, Seat
from quandary.matches.record import Record
from quandary.matches.regret import judged

from .lines import NO_RESULT, Line, MatchKey, line_at, record_in
from .replayed import positions_of

MATCHES = 20  # judged per puzzle, level and player
BLUNDER = 0.5  # regret from which a move is a blunder: it turns a win into a tie, or a tie around


class Choice(NamedTuple):
    """A seat of a match that is judged."""

    match: int
    seat: Seat
    begin: int  # offset of the record in its file


class SeatJudged(msgspec.Struct, frozen=True):
    """How good the moves of one seat of one match were, turn by turn; None if not known."""

    match: int
    seat: Seat
    record: str  # digest of its line, to tell that it is still the same
    turns: list[tuple[float, float] | None]  # worth and regret

    @property
    def regrets(self) -> list[float]:
        return [turn[1] for turn in self.turns if turn is not None]

    @property
    def blunders(self) -> int:
        return sum(regret >= BLUNDER for regret in self.regrets)


class Selection:
    """Chooses the seats that are judged, while it is told of every record of a run."""

    def __init__(self) -> None:
        # The last of the chosen ones comes first, by signs, in each heap.
        self.heaps = defaultdict[tuple[str, str], list[tuple[int, int, int, int, int]]](list)
        self.has_judge = dict[str, bool]()

    def see(self, line: Line, key: MatchKey) -> None:
        level, _, seed = key.name.rpartition("#")
        if key.cause in NO_RESULT or not self._has_judge(level):
            return
        for seat, player in enumerate(key.players):
            heap = self.heaps[level, player]
            entry = (-int(seed), -key.repeat, -line.match, -seat, line.begin)
            if len(heap) < MATCHES:
                heappush(heap, entry)
            elif entry > heap[0]:
                heapreplace(heap, entry)

    def chosen(self) -> list[Choice]:
        """In the order of the file."""
        return sorted(
            Choice(-match, -seat, begin)
            for heap in self.heaps.values()
            for _, _, match, seat, begin in heap
        )

    def _has_judge(self, level: str) -> bool:
        if level not in self.has_judge:
            spec = Spec.parse(f"{level}#0")
            puzzle = registry.load(spec.name)
            own = getattr(puzzle, "judge", Game.judge) is not Game.judge
            self.has_judge[level] = own and not spec.task
        return self.has_judge[level]


def judge_all(path: Path, chosen: Iterable[Choice], kept: Path | None = None) -> list[SeatJudged]:
    """The chosen seats, judged, in the order of the file; `kept` is where results are kept."""
    known = {(one.match, one.seat, one.record): one for one in _kept(kept)}
    found = list[SeatJudged]()
    for match, seat, begin in chosen:
        line = line_at(path, match, begin)
        digest = blake2b(line.text.rstrip(b"\n"), digest_size=8).hexdigest()
        one = known.get((match, seat, digest))
        found.append(one or SeatJudged(match, seat, digest, _turns(record_in(line), seat)))
    if kept is not None and found != list(known.values()):
        _keep(kept, found)
    return found


def _turns(record: Record, seat: Seat) -> list[tuple[float, float] | None]:
    return [
        judged(position, seat, move)
        for position, (who, move) in zip(positions_of(record), record.log, strict=False)
        if who == seat
    ]


def _kept(path: Path | None) -> list[SeatJudged]:
    try:
        return msgspec.json.Decoder(SeatJudged).decode_lines(path.read_bytes()) if path else []
    except (OSError, msgspec.DecodeError, UnicodeError):
        return []


def _keep(path: Path, found: list[SeatJudged]) -> None:
    draft = path.with_suffix(".draft")
    draft.write_bytes(msgspec.json.Encoder().encode_lines(found))
    draft.replace(path)

"""The regret of moves, for a bounded and fixed choice of matches.

Judging a move can take seconds, so at most the first forty moves of twenty matches are judged per
puzzle, level and player: the first ones by seed, then by repeat, then in the order of the file.
Results are cached beside the tables, each with what judged it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from heapq import heappush, heapreplace
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import msgspec

from quandary.arena.headers import Header
from quandary.catalogue import registry
from quandary.catalogue.spec import Spec
from quandary.core.contract import Game, Seat
from quandary.core.errors import UnknownName
from quandary.matches.record import NO_RESULT, Record
from quandary.matches.regret import judged
from quandary.version import VERSION

from .lines import Line, header_of, line_at, positions_of, record_in

KEPT = "judged.jsonl"  # beside the tables of a run
MATCHES = 20  # judged per puzzle, level and player
TURNS = 40  # judged per seat of a match
BLUNDER = 0.5  # regret from which a move is a blunder: it turns a win into a tie, or a tie around


class Choice(NamedTuple):
    """A seat of a match that is judged."""

    match: int
    seat: Seat
    begin: int  # offset of the record in its file


class Judge(NamedTuple):
    """What moves are judged by: another one may judge them differently."""

    version: int  # of the puzzle
    budget: tuple[int, ...]  # the puzzle's `judge_budget`
    source: str = ""  # hash of a puzzle from outside


class SeatJudged(msgspec.Struct, frozen=True):
    """How good the moves of one seat of one match were, turn by turn; None if not known."""

    match: int
    seat: Seat
    record: str  # digest of its line and of quandary's version, to tell that it still holds
    judge: Judge
    turns: list[tuple[float, float] | None]  # worth and regret

    @property
    def regrets(self) -> list[float]:
        return [turn[1] for turn in self.turns if turn is not None]

    @property
    def blunders(self) -> int:
        return sum(regret >= BLUNDER for regret in self.regrets)


class Selection:
    """Chooses the seats to judge; it must see every record of a run."""

    def __init__(self) -> None:
        # The last of the chosen ones comes first, by signs, in each heap.
        self.heaps = defaultdict[tuple[str, str], list[tuple[int, int, int, int, int]]](list)
        self.has_judge = cache(has_judge)

    def see(self, line: Line, header: Header) -> None:
        level, _, seed = header.name.rpartition("#")
        try:
            is_judged = header.cause not in NO_RESULT and self.has_judge(level)
        except UnknownName:
            record_in(line)  # its error says where the missing puzzle was loaded from
            raise
        if not is_judged:
            return
        for seat, player in enumerate(header.players):
            heap = self.heaps[level, player]
            entry = (-int(seed), -header.repeat, -line.match, -seat, line.begin)
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


def has_judge(level: str) -> bool:
    """Whether moves can be judged at a level, which is named as a spec without its seed.

    A problem of an import has no seed, and is a question.
    """
    if not level:
        return False
    spec = Spec.parse(f"{level}#0")
    puzzle = registry.load(spec.name)
    return not spec.task and getattr(puzzle, "judge", Game.judge) is not Game.judge


def judge_all(path: Path, chosen: Iterable[Choice], tables: Path) -> list[SeatJudged]:
    """The chosen seats, judged, in the order of the file.

    Results are cached in the folder of the tables, if there is one.  What another judge said is
    not used again, unless the puzzle is missing.
    """
    kept, judge_here = tables / KEPT, cache(judge_of)
    known = {(one.match, one.seat, one.record): one for one in _kept(kept)}
    found = list[SeatJudged]()
    for match, seat, begin in chosen:
        line = line_at(path, match, begin)
        judge = judge_here(Spec.parse(header_of(line).name).name)
        digest = blake2b(VERSION.encode() + line.text.rstrip(), digest_size=8).hexdigest()
        one = known.get((match, seat, digest))
        if one is None or judge not in (None, one.judge):
            turns = _turns(record_in(line), seat)  # an error if the puzzle is missing
            assert judge is not None
            one = SeatJudged(match, seat, digest, judge, turns)
            _keep(kept, one)  # at once: whoever stops it loses nothing
        found.append(one)
    return found


def judge_of(name: str) -> Judge | None:
    """The judge of a game; None if its puzzle is missing."""
    try:
        puzzle = registry.load(name)
    except UnknownName:
        return None
    assert issubclass(puzzle, Game)
    source = puzzle.loaded_from
    return Judge(puzzle.version, puzzle.judge_budget, source.hash if source else "")


def _turns(record: Record, seat: Seat) -> list[tuple[float, float] | None]:
    moves = zip(positions_of(record), record.log, strict=False)
    own = ((position, move) for position, (who, move) in moves if who == seat)
    return [judged(position, seat, move) for position, move in islice(own, TURNS)]


def _kept(path: Path) -> Iterator[SeatJudged]:
    decoder = msgspec.json.Decoder(SeatJudged)
    for text in path.read_bytes().splitlines() if path.exists() else ():
        with suppress(msgspec.DecodeError, UnicodeError):  # cut off: it is judged again
            yield decoder.decode(text)


def _keep(path: Path, one: SeatJudged) -> None:
    with suppress(OSError), path.open("ab") as file:
        file.write(b"\n" + msgspec.json.encode(one))

"""How models' replies could be read: as asked, only with good will, or not at all; and what the difference is worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import fmean

from quandary.core.record import Record
from quandary.players.models.asking import is_model
from quandary.players.models.door import Choice
from quandary.players.models.prompting import form_of
from quandary.players.models.reading.reply import read


@dataclass
class Readings:
    """The replies of one model player."""

    player: str
    statuses: Counter[str] = field(default_factory=Counter)
    lenient_only: int = 0  # replies whose answer does not stand as it was asked for
    scores: list[float] = field(default_factory=list)
    strict_scores: list[float] = field(default_factory=list)  # a match with any such reply counts as 0

    @property
    def replies(self) -> int:
        return sum(self.statuses.values())

    def gap(self) -> dict[str, float | int | None]:
        return {
            "lenient_only": self.lenient_only,
            "score": fmean(self.scores) if self.scores else None,
            "strict_score": fmean(self.strict_scores) if self.strict_scores else None,
        }

    def told(self) -> str:
        counted = ", ".join(f"{status} {count}" for status, count in self.statuses.most_common())
        gap = ""
        if self.scores:
            strict = f"{fmean(self.strict_scores):.3f} if those count 0"
            gap = f" Mean score of {len(self.scores)} matches: {fmean(self.scores):.3f}; {strict}."
        return f"{self.player}: {self.replies} replies ({counted}); {self.lenient_only} answers were read only leniently.{gap}"


def readings(records: Iterable[Record]) -> list[Readings]:
    """One entry a model player."""
    found: dict[str, Readings] = {}
    for record in records:
        for seat, player in enumerate(record.players):
            if is_model(player):
                _count(record, seat, found.setdefault(player, Readings(player)))
    return [player for player in found.values() if player.replies]


def _count(record: Record, seat: int, found: Readings) -> None:
    loose, form = 0, form_of(record.start)
    for said in record.said:
        if said.seat == seat:
            found.statuses[said.status] += 1
            if said.status in ("answered", "illegal") and read(Choice(said.words), form).strict.status != "answered":
                loose += 1
    found.lenient_only += loose
    if record.scores is not None:
        found.scores.append(record.scores[seat])
        found.strict_scores.append(0.0 if loose else record.scores[seat])

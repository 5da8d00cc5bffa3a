"""How models' replies were read: strictly, only leniently or not; and the difference in score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from quandary.core.contract import Seat
from quandary.matches.record import Record
from quandary.players.model_names import prompt_choices
from quandary.players.prompts.settings import PromptSettings
from quandary.results.level_scores import PlayerScores
from quandary.results.match_facts import MatchFacts, SeatReplies, facts_of


@dataclass
class Readings:
    """The replies of one model player."""

    player: str
    statuses: Counter[str] = field(default_factory=Counter)
    strictly: bool = False  # whether only answers in the requested form were played
    by_trees: bool = False
    no_reply: int = 0  # turns in which no reply came
    lenient_only: int = 0  # replies whose answer is not in the requested form
    scores: PlayerScores = field(default_factory=PlayerScores)
    # The scores, with 0 for each match that has a reply read only leniently.
    strict_scores: PlayerScores = field(default_factory=PlayerScores)

    @property
    def replies(self) -> int:
        return sum(self.statuses.values())

    @property
    def score(self) -> float | None:
        """The score of the player, as in leaderboards."""
        return self.scores.headline()

    @property
    def strict_score(self) -> float | None:
        """The same, if matches with answers that were read only leniently count 0."""
        return self.strict_scores.headline()

    def gap(self) -> dict[str, float | int | None]:
        return {
            "no_reply": self.no_reply,
            "lenient_only": self.lenient_only,
            "score": self.score,
            "strict_score": self.strict_score,
        }


def readings(records: Iterable[Record], defaults: PromptSettings) -> list[Readings]:
    """Return one entry per model player, of records with readings (`arena.earlier_readings`).

    `defaults` are the suite's settings, which names override.
    """
    return readings_in(facts_of(records), defaults)


def readings_in(matches: Iterable[MatchFacts], defaults: PromptSettings) -> list[Readings]:
    """Return the entries of `readings`, from what scores need of each match."""
    found = dict[str, Readings]()
    for match in matches:
        for seat, player in enumerate(match.players):
            if replies := match.replies[seat]:
                own = found.setdefault(player, _of(player, defaults))
                _count(match, seat, replies, own)
    return [player for player in found.values() if player.replies or player.no_reply]


def _of(player: str, defaults: PromptSettings) -> Readings:
    settings = prompt_choices(player, defaults)
    strictly, trees = settings.parsing == "strict", settings.prompting == "tree"
    return Readings(player, strictly=strictly, by_trees=trees)


def _count(match: MatchFacts, seat: Seat, replies: SeatReplies, found: Readings) -> None:
    found.no_reply += replies.no_reply
    for status, count in replies.statuses:
        found.statuses[status] += count
    loose = replies.lenient_unreadable if found.strictly else replies.lenient_moves
    found.lenient_only += loose
    if match.scores is not None:
        score = match.scores[seat]
        found.scores.add(match, score)
        found.strict_scores.add(match, 0.0 if loose and not found.strictly else score)

"""What only a replay of a match can tell."""

from __future__ import annotations

from quandary.core.contract import Game, Seat
from quandary.core.errors import UserError
from quandary.matches.record import Record, Unfaithful, replay


def positions_of(record: Record) -> list[Game]:
    """The positions of a match; UserError if it does not replay."""
    try:
        return replay(record)
    except Unfaithful as reason:
        raise UserError(
            f"the record of {record.name} does not replay: {reason}; see `quandary replay`."
        ) from None


def had_legal_move(record: Record, seat: Seat) -> bool:
    """Whether a seat that lost by an illegal move had a legal one."""
    options = positions_of(record)[-1].options()
    if seat not in options:
        return False
    listed = options[seat]
    return listed is None or len(listed) > 0

"""A record as a transcript for people."""

from __future__ import annotations

from quandary.core.contract import CHANCE, Game, Move, Seat
from quandary.core.control_characters import visible
from quandary.matches.record import Record, allowed, replay
from quandary.matches.regret import judged

LONGEST = 400  # moves listed one by one


def transcript(
    record: Record, *, moves: bool = True, positions: bool = False, judge: bool = False
) -> str:
    """Who played what and how it ended; on request each position, and how good each move was."""
    lines = [f"{record.name}: {seats_line(record)}"]
    if moves:
        lines += _moves(record, positions, judge)
    return visible("\n".join([*lines, result_line(record)]))


def seats_line(record: Record) -> str:
    """Who sat where."""
    if len(record.players) == 1:
        return record.players[0]
    return " against ".join(f"{player} (seat {seat})" for seat, player in enumerate(record.players))


def result_line(record: Record) -> str:
    """How a match ended, in one line; scores and values are in the order of the seats."""
    offender = "" if record.offender is None else f" of seat {record.offender}"
    scores, values = "no scores", ""
    if record.scores is not None:
        scores = f"scores {' '.join(f'{score:g}' for score in record.scores)}"
    if record.values is not None:
        values = f"; values {' '.join(f'{value:g}' for value in record.values)}"
    return f"ended by {record.cause}{offender}; {scores}{values}"


def _moves(record: Record, positions: bool, judge: bool) -> list[str]:
    lines, shown = list[str](), replay(record)
    if positions:
        lines.append("\n" + _seen(shown[0]) + "\n")
    for ply, (seat, move) in enumerate(record.log[:LONGEST]):
        who = "chance" if seat == CHANCE else f"seat {seat} ({record.players[seat]})"
        foul = "" if allowed(shown[ply], seat, move) else "  [against the rules]"
        text = move if len(move) <= 300 and "\n" not in move else "\n" + move[:2000]
        judgement = _judgement(shown[ply], seat, move) if judge else ""
        lines.append(f"{ply + 1:>4}. {who}: {text}{foul}{judgement}")
        if positions and ply + 1 < len(shown):
            lines.append("\n" + _seen(shown[ply + 1]) + "\n")
    if len(record.log) > LONGEST:
        lines.append(f"      ... and {len(record.log) - LONGEST} more moves")
    return lines


def _judgement(position: Game, seat: Seat, move: Move) -> str:
    found = judged(position, seat, move)
    return f"  [worth {found.worth:.3g}, regret {found.regret:.3g}]" if found else ""


def _seen(position: Game) -> str:
    """The position as the seat to move sees it."""
    seat = max(0, min(position.options(), default=0))
    return position.seen_by(seat).text(seat)

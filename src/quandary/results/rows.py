"""The rows of the two tables of a run; docs/records.md explains every column."""

from __future__ import annotations

from msgspec import Struct, field


class SeatRow(Struct, frozen=True, gc=False):
    """One seat of one match."""

    run: str
    match: int
    suite: str
    spec: str
    task: str
    puzzle: str
    level: str
    split: str
    seed: int
    family: str
    instance: str
    listed_starts: int | None
    version: int | None
    language: str
    seat: int
    seats: int
    player: str
    model: str | None
    opponents: str
    repeat: int
    score: float | None
    win: float | None
    value: float | None
    reference: float | None
    reference_is_bound: bool | None
    lower_is_better: bool | None
    cause: str
    lost_by_failure: bool
    legal: bool | None
    illegal_loss: bool | None
    turns: int
    replies: int
    unreadable: int
    illegal: int
    repeated_actions: float | None
    tokens_read: int | None
    tokens_cached: int | None
    tokens_written: int | None
    cost: float | None
    seconds: float
    tries: int | None
    solved_on_turn: int | None
    setting: str
    modality: str | None
    shots: int | None
    history: bool | None
    list_moves: bool | None
    prompting: str | None
    parsing: str | None
    strict_score: float | None
    moves: str
    label: str | None = None
    depth: int | None = None
    gaps: int | None = None
    legal_moves: int | None = None
    dead_tree: int | None = None
    state_length: int | None = None
    tried: str | None = None
    tree: str | None = None
    error: str | None = None
    domain: str | None = None
    answer_right: bool | None = None
    process_share: float | None = None
    lenient_answer_right: bool | None = None
    lenient_right: bool | None = None
    first_wrong_step: int | None = None
    first_wrong_share: float | None = None
    exception: str | None = None
    regret_mean: float | None = None
    blunders: int | None = None
    judged: int = 0


class ReplyRow(Struct, frozen=True, gc=False):
    """One reply of one seat, accepted or refused."""

    run: str
    match: int
    spec: str
    seat: int
    player: str
    turn: int
    try_: int | None = field(name="try")
    attempt: int
    status: str
    strict: str | None
    lenient: str | None
    reader: int | None
    move: str
    tokens_read: int | None
    tokens_cached: int | None
    tokens_written: int | None
    cost: float | None
    seconds: float
    finish: str | None
    worth: float | None = None
    regret: float | None = None

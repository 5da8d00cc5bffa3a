"""Plain means over starts, and that they are those of the tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from weakref import ref

import pytest

from quandary.arena.run import run
from quandary.arena.store import MANIFEST, RECORDS
from quandary.arena.suite import read as read_suite
from quandary.catalogue import drawing
from quandary.matches.record import Record
from quandary.players.prompts.settings import PromptSettings
from quandary.players.registry import PlayerRegistry
from quandary.puzzles.duels.card_nim import CardNim
from quandary.results.level_scores import LevelScore, headline, headlines, level_means
from quandary.results.read_runs import read_run
from quandary.scoring.plain_scores import plain_scores
from quandary.scoring.readings import readings
from quandary.scoring.solve_rates import results_of, solve_rates
from run_folders import answer, run_folder

PILE = CardNim(5, ((1, 2, 3), (1, 2, 3)))


def _record(seed: int, players: tuple[str, str], scores: tuple[float, float] | None) -> Record:
    cause = "infrastructure" if scores is None else "goal"
    start = CardNim(5 + seed, PILE.hands)
    return Record(f"card_nim/easy#{seed}", players, start, (), (), scores, None, cause)  # type: ignore[arg-type]


def test_both_seats_of_an_instance_are_one_observation() -> None:
    """A score is the mean over starts; two matches of one instance are one observation."""
    records = [
        _record(1, ("a", "b"), (1.0, 0.0)),
        _record(1, ("b", "a"), (1.0, 0.0)),
        _record(2, ("a", "b"), (1.0, 0.0)),
    ]
    row = next(row for row in level_means(records) if row.player == "a")

    assert (row.matches, row.instances, row.score) == (3, 2, 0.75)


def test_matches_that_were_cut_off_are_counted_but_not_scored() -> None:
    """Infrastructure is nobody's failure."""
    row = level_means([_record(1, ("a", "b"), None), _record(2, ("a", "b"), (1.0, 0.0))])[0]

    assert (row.matches, row.unscored, row.missing, row.score) == (1, 1, 1, 1.0)


def test_without_a_scored_match_there_is_no_score() -> None:
    """Nothing known is not nought."""
    rows = level_means([_record(1, ("a", "b"), None)])

    assert [(0, 1, None)] * 2 == [(row.matches, row.unscored, row.score) for row in rows]
    assert {"a": None, "b": None} == headlines(rows)


def test_only_the_seed_is_averaged_over() -> None:
    """Another task, size or split of a level is a row of its own."""
    nim = (
        "card_nim/easy#1",
        "card_nim/easy#2",
        "card_nim/easy,stones=5..8#1",
        "card_nim/easy,stones=5..8@train#1",
    )
    records = [
        Record(name, ("a",), PILE, (), (), (1.0,), None, "goal")
        for name in (*nim, "check:sudoku/easy#1")
    ]

    assert [
        ("card_nim", "easy", 2),
        ("card_nim", "easy,stones=5..8", 1),
        ("card_nim", "easy,stones=5..8@train", 1),
        ("check:sudoku", "easy", 1),
    ] == [(row.puzzle, row.level, row.instances) for row in level_means(records)]


def test_the_score_of_a_player_weighs_every_puzzle_once() -> None:
    """nim: levels 0.5 and 1, of which one has no result; sum: 0.  The mean is 3/8."""
    levels = [("nim", 0.5), ("nim", 1.0), ("nim", None), ("sum", 0.0)]

    assert 0.375 == headline(levels)
    assert headline([("nim", None)]) is None


@pytest.mark.parametrize(
    "read",
    [
        level_means,
        lambda records: readings(records, PromptSettings()),
        lambda records: solve_rates(results_of(records)),
    ],
    ids=["scores", "readings", "solve rates"],
)
def test_records_are_not_held(read: Callable[[Iterator[Record]], object]) -> None:
    """Each is let go before the next but one is read, so that memory does not grow with them."""
    made, held = list[ref[Record]](), list[int]()

    def stream() -> Iterator[Record]:
        for seed in range(20):
            record = _record(seed, ("openai/a", "b"), (1.0, 0.0))
            made.append(ref(record))
            yield record
            del record
            held.append(sum(each() is not None for each in made))

    read(stream())
    assert 20 == len(held)
    assert max(held) <= 1


LEVELS = ("card_nim/easy", "card_nim/normal", "expanding_nim/easy", "tidy_tower/easy@dev")
PLAYERS = ("a", "b", "openai/c")


def _random_records(rng: Random) -> list[Record]:
    """Matches on few starts with any result, in any order; some of them are exact repeats."""
    found = dict[tuple[object, ...], Record]()
    for _ in range(rng.randint(20, 80)):
        name = f"{rng.choice(LEVELS)}#{rng.randint(1, 15)}"
        start = drawing.game(name)
        players = tuple(rng.choice(PLAYERS) for _ in range(start.seats))
        record = Record(
            name, players, start,
            log=tuple((at % start.seats, str(rng.randint(1, 2))) for at in range(2)),
            said=(), scores=tuple(rng.choice((0.0, 0.5, 1.0, rng.random())) for _ in players),
            values=None, cause="goal", repeat=rng.randint(0, 2),
        )  # fmt: skip
        found[name, players, record.repeat] = _ended(record, rng)
    return list(found.values())


def _ended(record: Record, rng: Random) -> Record:
    """By the rules, by a failure of one seat or of all, or cut off."""
    seats = range(len(record.players))
    replies = tuple(
        answer(seat, "", status=rng.choice(("answered", "unreadable"))) for seat in seats
    )
    match rng.randint(0, 4):
        case 0:
            return replace(record, scores=None, cause="infrastructure")
        case 1:
            return replace(record, cause="unreadable", offender=rng.choice(seats))
        case 2:
            return replace(record, cause="unreadable", said=replies)
        case 3 if rng.random() < 0.7:
            return replace(record, values=tuple(rng.random() for _ in seats))
    return record


def _without_intervals(rows: list[LevelScore]) -> list[LevelScore]:
    return [replace(row, low=None, high=None) for row in rows]


def _assert_equal(plain: list[LevelScore], tables: list[LevelScore]) -> None:
    """Every number but the intervals, which plain means do not have; roundings may differ."""
    assert {(None, None)} == {(row.low, row.high) for row in plain}
    assert len(plain) == len(tables)
    for one, other in zip(plain, _without_intervals(tables), strict=True):
        for name, value in vars(one).items():
            number = isinstance(value, float)
            assert getattr(other, name) == (pytest.approx(value, abs=1e-12) if number else value)


@pytest.mark.parametrize("seed", range(8))
def test_plain_means_are_those_of_the_table(seed: int, tmp_path: Path) -> None:
    """Of random records: scores by level with all counts, and the scores of players."""
    pytest.importorskip("pyarrow", reason="tables need pyarrow: pip install 'quandary[report]'")
    from quandary.scoring import leaderboard
    from quandary.scoring.level_groups import fixed_rng, groups_of

    folder = run_folder(tmp_path / "run", records := _random_records(Random(seed)))
    groups, plain = groups_of([folder]), plain_scores(read_run(folder))
    _assert_equal(plain, leaderboard.level_scores(groups))
    board = leaderboard.leaderboard(groups.overall, fixed_rng(), "all", "All")
    scores = dict(zip(board.column("player"), board.column("score"), strict=True))
    found = headlines(plain)
    assert set(found) == set(scores)
    for player, score in scores.items():
        expected = score and pytest.approx(score.value, abs=1e-12)
        assert expected == found[player]
        assert leaderboard.player_score(groups, player) == score
    for model in readings(records, PromptSettings()):
        assert model.score == pytest.approx(found[model.player], abs=1e-12)


UNFINISHED = read_suite(
    "unfinished",
    """
repeats = 2
[[puzzles]]
puzzle = "card_nim"
levels = ["easy"]
seeds = "1-3"
[[puzzles]]
puzzle = "tidy_tower"
levels = ["easy"]
seeds = "1-2"
""",
)


def test_what_is_left_to_play_is_missing_as_in_the_table(tmp_path: Path) -> None:
    """Also on a level none of whose matches is played."""
    pytest.importorskip("pyarrow", reason="tables need pyarrow: pip install 'quandary[report]'")
    from quandary.scoring import leaderboard
    from quandary.scoring.level_groups import groups_of

    whole, part = tmp_path / "whole", tmp_path / "part"
    run(UNFINISHED, ["random", "oracle"], whole, PlayerRegistry())
    part.mkdir()
    (part / MANIFEST).write_bytes((whole / MANIFEST).read_bytes())
    lines = (whole / RECORDS).read_bytes().splitlines(keepends=True)
    (part / RECORDS).write_bytes(b"".join(lines[:9]))
    rows = plain_scores(read_run(part))

    _assert_equal(rows, leaderboard.level_scores(groups_of([part])))
    seats = sum(row.matches + row.repeats + row.missing for row in rows)
    assert seats == sum(row.matches + row.repeats for row in plain_scores(read_run(whole)))
    assert {("unplayed", row.missing) for row in rows if row.missing} <= {
        cause for row in rows for cause in row.causes
    }
    assert any(row.score is None for row in rows) and any(row.matches for row in rows)

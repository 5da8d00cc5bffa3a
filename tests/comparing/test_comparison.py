"""Two runs compared on what they share."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from math import comb, sqrt
from pathlib import Path
from statistics import fmean

import pytest

pytest.importorskip("pyarrow", reason="tables need pyarrow: pip install 'quandary[report]'")

from quandary.arena.run import run
from quandary.arena.store import records
from quandary.arena.suite import Suite
from quandary.arena.suite import read as read_suite
from quandary.catalogue import drawing, registry
from quandary.cli.main import main
from quandary.comparing.comparison import compare
from quandary.core.errors import UserError
from quandary.matches.record import Record
from quandary.players.registry import PlayerRegistry
from quandary.scoring.board_tables import leaderboards
from quandary.scoring.level_groups import by_level, groups_of
from quandary.scoring.player_ranks import difference
from quandary.scoring.score_table import Ranged
from run_folders import SUITE, run_folder

SMALL = """
repeats = 2
[[puzzles]]
puzzle = "card_nim"
levels = ["easy", "normal"]
seeds = "1-4"
[[puzzles]]
puzzle = "sudoku"
levels = ["easy"]
seeds = "SEEDS"
[[puzzles]]
puzzle = "tidy_tower"
task = "whole"
levels = ["easy"]
seeds = "1-3"
"""

UNFINISHED = {
    "suite": SUITE | {"repeats": 1},
    "schedule": "house",
    "versions": {"anagram_scribble": registry.load("anagram_scribble").version},
}


def _suite(seeds: str) -> Suite:
    return read_suite("small", SMALL.replace("SEEDS", seeds))


@pytest.fixture(scope="module")
def two_runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two players against the house; one run has more seeds, the other one too."""
    base = tmp_path_factory.mktemp("runs")
    run(_suite("1-5"), ["random"], base / "one", PlayerRegistry())
    run(_suite("2-7"), ["oracle@20"], base / "two", PlayerRegistry())
    return base / "one", base / "two"


def _answered(spec: str, player: str, score: float | None) -> Record:
    """A question that was answered with this score."""
    cause = "infrastructure" if score is None else "goal"
    scores = None if score is None else (score,)
    version = registry.load(spec.partition("/")[0]).version
    start = drawing.game(spec)
    return Record(spec, (player,), start, (), (), scores, None, cause, version=version)


def _by_hand(folder: Path, player: str, scores: Mapping[str, float | None]) -> Path:
    """A run in which a player got these scores."""
    made = [_answered(spec, player, score) for spec, score in scores.items()]
    return run_folder(folder, made, players=[player])


def _anagrams(*scores: float | None) -> dict[str, float | None]:
    return {f"anagram_scribble/easy#{seed}": score for seed, score in enumerate(scores, start=1)}


def test_differences_are_those_that_plain_python_finds_in_the_records(
    two_runs: tuple[Path, Path],
) -> None:
    """Means over starts, then levels, then puzzles, on results that both have."""
    sides = []
    for folder in two_runs:
        player = "random" if folder.name == "one" else "oracle@20"
        found = {}
        for record in records(folder):
            if player not in record.players:  # the house meets nobody else here
                continue
            seat = record.players.index(player)
            others = record.players[:seat] + record.players[seat + 1 :]
            assert record.scores
            found[record.name, seat, others, record.repeat] = record
        sides.append(found)
    shared = set(sides[0]) & set(sides[1])
    by_start = defaultdict[tuple[str, str, object], list[float]](list)
    for key in shared:
        one, other = sides[0][key], sides[1][key]
        assert one.scores and other.scores
        puzzle, level = key[0].partition("#")[0].split("/")
        start = one.start.canonical()
        by_start[puzzle, level, start].append(one.scores[key[1]] - other.scores[key[1]])
    levels = defaultdict[tuple[str, str], list[float]](list)
    for (puzzle, level, _), off in by_start.items():
        levels[puzzle, level].append(fmean(off))
    puzzles = defaultdict[str, list[float]](list)
    for (puzzle, _), off in levels.items():
        puzzles[puzzle].append(fmean(off))

    compared = compare(*two_runs)

    overall, by_puzzle, by_level, _ = compared.tables
    assert overall.rows[0][4:6] == (len(shared), len(by_start))
    assert compared.overall.difference.mean == pytest.approx(fmean(map(fmean, puzzles.values())))
    assert {row[0]: _mean(row[3]) for row in by_puzzle.rows} == pytest.approx(
        {puzzle: fmean(off) for puzzle, off in puzzles.items()}
    )
    assert {row[:2]: _mean(row[4]) for row in by_level.rows} == pytest.approx(
        {level: fmean(off) for level, off in levels.items()}
    )
    ahead = {row[:2]: row[-2:] for row in by_level.rows}
    assert ahead == {
        level: (sum(one > 0 for one in off), sum(one < 0 for one in off))
        for level, off in levels.items()
    }


def _mean(cell: object) -> float:
    assert isinstance(cell, Ranged)
    assert cell.low <= cell.value <= cell.high
    return cell.value


def test_right_or_wrong_answers_are_tested_by_hand_worked_numbers(tmp_path: Path) -> None:
    """12 questions: 10 that A alone solves, 1 that B alone does, 1 that both do."""
    a = _by_hand(tmp_path / "a", "one", _anagrams(*[1.0] * 10, 0.0, 1.0))
    b = _by_hand(tmp_path / "b", "two", _anagrams(*[0.0] * 10, 1.0, 1.0))

    compared = compare(a, b)

    p = 2 * sum(comb(11, k) for k in (0, 1)) / 2**11
    low, high = _tango_by_search(10, 1, 12)
    assert compared.overall.p == pytest.approx(p)
    assert compared.overall.difference.mean == pytest.approx(9 / 12)
    assert compared.verdict == (f"A is better by 0.75, 95 % interval {low:.2f} to {high:.2f}.")
    assert compared.tables[0].rows[0][-2:] == (10, 1)
    [row] = compared.tables[2].rows
    assert row[5:8] == pytest.approx((p, p, p))  # of a single level there is nothing to adjust


def _tango_by_search(ahead: int, behind: int, n: int) -> tuple[float, float]:
    """The differences whose restricted likelihood does not reject the counts, on a fine grid."""
    kept = []
    for step in range(-999, 1000):
        d = step / 1000
        b, c = (2 * n - ahead + behind) * d - ahead - behind, -behind * d * (1 - d)
        q = (sqrt(b * b - 8 * n * c) - b) / (4 * n)
        variance = n * (2 * q + d * (1 - d))
        if variance > 0 and abs(ahead - behind - n * d) <= 1.959964 * sqrt(variance):
            kept.append(d)
    return min(kept), max(kept)


def test_p_values_are_adjusted_for_the_number_of_puzzles(tmp_path: Path) -> None:
    """Holm by hand, for three puzzles of six questions each."""
    names = ("anagram_scribble/easy", "islands/easy", "password_game/hard")
    ours = {f"{name}#{seed}": 1.0 for name in names for seed in range(1, 9)}
    lost = {name: 8 - 2 * place for place, name in enumerate(names)}  # 8, 6 and 4 to A alone
    theirs = {
        f"{name}#{seed}": 0.0 if seed <= lost[name] else 1.0
        for name in names
        for seed in range(1, 9)
    }

    compared = compare(
        _by_hand(tmp_path / "a", "one", ours), _by_hand(tmp_path / "b", "two", theirs)
    )

    rows = {row[0]: row for row in compared.tables[1].rows}
    raw = [2 / 2 ** lost[name] for name in names]
    found = [rows[name.partition("/")[0]] for name in names]
    assert [row[4] for row in found] == pytest.approx(raw)
    assert [row[5] for row in found] == pytest.approx([3 * raw[0], 2 * raw[1], raw[2]])
    assert [row[6] for row in found] == pytest.approx([3 * raw[0], 1.5 * raw[1], raw[2]])
    assert compared.verdict.endswith("; B scores higher on none of 3 puzzles.")


def test_where_the_worse_one_scores_higher_is_told_with_its_significance(tmp_path: Path) -> None:
    """On one puzzle by luck alone, on another surely."""

    def verdict(lost_by_a: int) -> str:
        names = ("sudoku/easy", "takuzu/easy", "k_queens/easy", "tidy_tower/easy")
        ours = {f"{name}#{seed}": 1.0 for name in names for seed in range(1, 13)}
        theirs = dict.fromkeys(ours, 0.0)
        for seed in range(1, 13):
            ours[f"{names[3]}#{seed}"] = 0.0 if seed <= lost_by_a else 1.0
            theirs[f"{names[3]}#{seed}"] = 1.0
        one = _by_hand(tmp_path / f"a{lost_by_a}", "one", ours)
        two = _by_hand(tmp_path / f"b{lost_by_a}", "two", theirs)
        return compare(one, two).verdict

    assert verdict(1).endswith("; B scores higher on 1 of 4 puzzles, but not significantly.")
    assert verdict(12).endswith("; B scores higher on 1 of 4 puzzles, significantly.")


def test_levels_with_one_or_two_seeds_leave_no_wild_interval(tmp_path: Path) -> None:
    """Ahead on 4 of 5 starts and behind on none: a large loss is out of the question."""
    specs = [
        f"game_of_24/{level}" for level in ("easy#1", "easy#2", "medium#1", "hard#1", "hard#2")
    ]
    a = _by_hand(tmp_path / "a", "one", dict.fromkeys(specs, 1.0))
    b = _by_hand(
        tmp_path / "b", "two", {spec: float(spec == "game_of_24/hard#2") for spec in specs}
    )

    found = compare(a, b).overall

    assert found.difference.mean == pytest.approx(5 / 6)
    assert -0.15 < found.difference.low < 0.3 and 0.9 < found.difference.high < 1.0
    assert found.difference.clusters == 5 and found.p == pytest.approx(0.125)


def test_few_starts_are_no_evidence(tmp_path: Path) -> None:
    """Four of four cannot be told from luck, whatever the interval says."""
    a = _by_hand(tmp_path / "a", "one", _anagrams(1.0, 1.0, 1.0, 1.0))
    b = _by_hand(tmp_path / "b", "two", _anagrams(0.0, 0.0, 0.0, 0.0))

    verdict = compare(a, b).verdict

    assert verdict.startswith("A and B cannot be told apart: A minus B is 1.00, 95 % interval")
    assert "p 0.12, on 4 shared starts (only the interval shows a difference" in verdict


def test_playings_count_where_a_short_list_was_played_whole(tmp_path: Path) -> None:
    """Superply has one start: 12 seeds of it are evidence, though one start is none."""
    specs = [f"superply/easy#{seed}" for seed in range(1, 13)]
    a = _by_hand(tmp_path / "a", "one", dict.fromkeys(specs, 1.0))
    b = _by_hand(tmp_path / "b", "two", {spec: float(spec.endswith("#1")) for spec in specs})

    compared = compare(a, b)

    assert compared.overall.p == pytest.approx(2 / 2**11)
    assert compared.overall.difference.clusters == 1
    assert compared.verdict.startswith("A is better by 0.92, 95 % interval")


def test_shared_results_weigh_as_on_leaderboards(tmp_path: Path) -> None:
    """Superply has one start: its three seeds count alike, though one was played more often."""
    played = {"#1": ["x", "y", "z"], "#2": ["x"], "#3": ["x"]}
    folders = []
    for player, scores in (("one", (0.0, 1.0, 1.0)), ("two", (1.0, 0.0, 0.5))):
        made = [
            replace(
                _answered(f"superply/easy{seed}", player, score),
                players=(player, opponent) if seat == 0 else (opponent, player),
                scores=(score, 1 - score) if seat == 0 else (1 - score, score),
            )
            for (seed, opponents), score in zip(played.items(), scores, strict=True)
            for opponent in opponents
            for seat in (0, 1)
        ]
        folders.append(run_folder(tmp_path / player, made, players=[player]))

    compared = compare(*folders)

    assert compared.overall.pairs == 10
    assert compared.overall.a.mean == pytest.approx(2 / 3)  # and not 4 / 10
    assert compared.overall.b.mean == pytest.approx(1.5 / 3)
    assert compared.overall.difference.mean == pytest.approx(0.5 / 3)
    for score, own in zip(compared.scores, (compared.overall.a, compared.overall.b), strict=True):
        assert isinstance(score, Ranged)
        assert tuple(score) == pytest.approx((own.mean, own.low, own.high))


def test_exchanged_runs_give_the_opposite_verdict(two_runs: tuple[Path, Path]) -> None:
    there, back = compare(*two_runs), compare(*reversed(two_runs))

    assert back.overall.difference.mean == pytest.approx(-there.overall.difference.mean)
    assert there.verdict.translate(str.maketrans("AB", "BA")) == back.verdict


def test_equal_input_gives_equal_output(two_runs: tuple[Path, Path]) -> None:
    once, again = compare(*two_runs), compare(*two_runs)

    assert (once.verdict, once.tables, once.notes) == (again.verdict, again.tables, again.notes)


def test_what_is_not_shared_is_said(two_runs: tuple[Path, Path]) -> None:
    """Seed 1 is in one run alone, seeds 6 and 7 in the other, twice each."""
    notes = compare(*two_runs).notes

    assert "Not shared: 2 results are only in A (sudoku/easy 2)." in notes
    assert "Not shared: 4 results are only in B (sudoku/easy 4)." in notes


def test_results_of_other_versions_are_left_out_or_refused(tmp_path: Path) -> None:
    a = [_answered(f"islands/easy#{seed}", "one", 1.0) for seed in range(1, 4)]
    b = [_answered(f"islands/easy#{seed}", "two", 0.0) for seed in range(1, 4)]
    words = _answered("anagram_scribble/easy#1", "one", 1.0)
    old = [replace(record, version=0) for record in b]
    now = registry.load("islands").version
    here = run_folder(tmp_path / "a", [*a, words], players=["one"])
    there = run_folder(tmp_path / "b", [*old, replace(words, players=("two",))], players=["two"])
    alone = run_folder(tmp_path / "c", old, players=["two"])

    compared = compare(here, there)

    sentence = (
        f"3 shared results of islands are left out, because its version is {now} in A and 0 in B."
    )
    assert compared.notes[0] == sentence
    assert [row[0] for row in compared.tables[1].rows] == ["anagram_scribble"]
    with pytest.raises(UserError, match=f"nothing can be compared: {sentence}"):
        compare(here, alone)


def test_missing_results_are_bounded_from_both_sides(tmp_path: Path) -> None:
    """20 clear questions, and 12 without a result that might turn it round."""
    a = _by_hand(tmp_path / "a", "one", _anagrams(*[1.0] * 12, *[0.0] * 8, *[None] * 12))
    b = _by_hand(tmp_path / "b", "two", _anagrams(*[0.0] * 20, *[1.0] * 12))

    compared = compare(a, b)

    assert compared.overall.difference.mean == pytest.approx(12 / 20)
    worst, best = (12 - 12) / 32, 12 / 32
    assert compared.verdict.startswith(
        f"A and B cannot be told apart: 12 of 32 shared matches have no result, and whatever the "
        f"missing results are, A minus B is between {worst:.2f} and {best:.2f}, 95 % interval "
    )
    assert "On results that both have, it is 0.60, 95 % interval" in compared.verdict
    [note] = [note for note in compared.notes if "result" in note]
    assert note.startswith("12 shared matches lack a result of A or B")


def test_few_missing_results_leave_the_verdict_but_not_its_numbers(tmp_path: Path) -> None:
    """18 of 20 questions that A alone solved, and 2 without a result of B."""
    a = _by_hand(tmp_path / "a", "one", _anagrams(*[1.0] * 20))
    b = _by_hand(tmp_path / "b", "two", _anagrams(*[0.0] * 18, None, None))

    there, back = compare(a, b).verdict, compare(b, a).verdict

    assert there.startswith("A is better by 0.90 to 1.00, 95 % interval ")
    assert there.endswith(", whatever the missing results of 2 shared matches are.")
    assert back == "B" + there[1:]


def test_matches_that_are_not_played_yet_are_missing_results(tmp_path: Path) -> None:
    """A was to answer 12 questions and answered the first 8; B answered 10 of its 11."""
    scores = _anagrams(*[1.0] * 12)
    specs = list(scores)
    a = run_folder(
        tmp_path / "a",
        [_answered(spec, "random", 1.0) for spec in specs[:8]],
        players=["random"],
        specs=specs,
        **UNFINISHED,
    )
    b = run_folder(
        tmp_path / "b",
        [_answered(spec, "oracle", 0.0) for spec in specs[:10]],
        players=["oracle"],
        specs=specs[:11],
        **UNFINISHED,
    )

    compared = compare(a, b)

    # Of 11 shared matches A lacks three and B one: B has 0 on two of these, and on one nobody
    # has a result.
    least, most = (8 - 1) / 11, (8 + 3) / 11
    assert compared.verdict.startswith(f"A is better by {least:.2f} to {most:.2f}, 95 % interval ")
    assert compared.verdict.endswith("whatever the missing results of 3 shared matches are.")
    assert compared.notes[0].startswith(
        "PARTIAL RESULTS: of the 11 shared matches, 3 of A and 1 of B are not played yet."
    )
    assert compared.overall.pairs == 8
    assert not any(note.startswith("Not shared") for note in compared.notes)


def test_unplayed_matches_of_another_version_are_left_out(tmp_path: Path) -> None:
    """B would play the rest with other rules, so its results could not be compared."""
    specs = list(_anagrams(*[1.0] * 8))
    now = registry.load("anagram_scribble").version
    a = _by_hand(tmp_path / "a", "random", _anagrams(*[1.0] * 8))
    played = [replace(_answered(spec, "oracle", 0.0), version=now) for spec in specs[:6]]
    unfinished = UNFINISHED | {"versions": {"anagram_scribble": now + 1}}
    b = run_folder(tmp_path / "b", played, players=["oracle"], specs=specs, **unfinished)

    compared = compare(a, b)

    assert compared.notes[0].startswith("2 shared results of anagram_scribble are left out")
    assert compared.overall.pairs == 6


def test_languages_are_compared_without_puzzles_about_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same model in two languages; other models in one language are compared on all of it."""
    names = ("openai/x,language=en", "openai/x,language=zh", "openai/y")
    specs = [f"{puzzle}/easy#{n}" for puzzle in ("islands", "anagram_scribble") for n in range(8)]
    scores = {name: {spec: float(name == names[0]) for spec in specs} for name in names}
    english, chinese, other = (
        _by_hand(tmp_path / str(place), name, scores[name]) for place, name in enumerate(names)
    )
    words = {name: dict(list(scores[name].items())[8:]) for name in names}
    of_words = [_by_hand(tmp_path / f"w{n}", name, words[name]) for n, name in enumerate(names)]

    compared = compare(english, chinese)

    assert [row[0] for row in compared.tables[1].rows] == ["islands"]
    assert compared.overall.pairs == 8
    assert compared.notes[0] == (
        "8 shared results are left out, because A and B were asked in different languages and only "
        "the rules of anagram_scribble are translated."
    )
    assert not any(note.startswith("Not shared") for note in compared.notes)
    assert compare(english, other).overall.pairs == 16
    assert main(["compare", *map(str, of_words[:2])]) == 2
    assert "nothing can be compared: 8 shared results are left out" in capsys.readouterr().err


def test_disagreements_come_with_commands_that_replay_them(
    two_runs: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """The command of each side tells that very instance, played by that player."""
    disagreements = compare(*two_runs, disagreements=3).tables[3]

    assert disagreements.rows
    for row in disagreements.rows[:2]:
        for command, player in zip(row[-2:], ("random", "oracle@20"), strict=True):
            words = str(command).split()
            assert main(words[1:]) == 0
            story = capsys.readouterr().out
            assert str(row[0]) in story
            assert player in story
    solved = re.findall(r"(\d+) where only ([AB]) scores 1", disagreements.notes[0])
    overall = sum(row[6] == "B" for row in compare(*two_runs, disagreements=1_000).tables[3].rows)
    assert {who: int(count) for count, who in solved}["B"] == overall


def test_players_of_one_run_are_compared_on_common_opponents(tmp_path: Path) -> None:
    """Of three players in one run, two are compared by their matches with the third and with each
    other, as at the end of a run.
    """
    suite = read_suite("duel", '[[puzzles]]\npuzzle = "card_nim"\nlevels = ["easy"]\nseeds = "1-3"')
    run(suite, ["random", "oracle", "house"], tmp_path / "run", PlayerRegistry())
    folder = tmp_path / "run"

    compared = compare(folder, folder, player_a="random", player_b="oracle")

    # Three instances, both seats, against the house and against each other.
    assert compared.overall.pairs == 12
    assert {row[2] for row in compared.tables[3].rows} == {"house", "each other"}
    groups = by_level(groups_of([folder]).overall)
    ahead = difference(groups, "random", "oracle").ahead
    assert compared.overall.difference.mean == pytest.approx(ahead.value)
    with pytest.raises(UserError, match="has 3 players; name one with --player-a: random, oracle"):
        compare(folder, folder)
    with pytest.raises(UserError, match=r"unknown player 'oracl' .* did you mean 'oracle'"):
        compare(folder, folder, player_a="oracl", player_b="random")
    with pytest.raises(UserError, match="A and B are both random"):
        compare(folder, folder, player_a="random", player_b="random")


def test_runs_that_share_nothing_are_refused(tmp_path: Path) -> None:
    a = _by_hand(tmp_path / "a", "one", {"islands/easy#1": 1.0})
    b = _by_hand(tmp_path / "b", "two", {"islands/easy#2": 1.0})

    with pytest.raises(UserError, match="share no instance"):
        compare(a, b)
    with pytest.raises(UserError, match="is not the folder of a run"):
        compare(a, tmp_path / "c")


def test_the_command_prints_the_verdict_and_json(
    two_runs: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    names = [str(folder) for folder in two_runs]
    assert main(["compare", *names]) == 0
    shown = capsys.readouterr().out
    assert main(["compare", *names, "--json"]) == 0
    verdict, *tables = map(json.loads, capsys.readouterr().out.splitlines())

    assert verdict["verdict"] in shown
    board, *_ = leaderboards(groups_of([two_runs[1]]))
    score = dict(zip(board.column("player"), board.column("score"), strict=True))["oracle@20"]
    assert isinstance(score, Ranged)
    assert verdict["b"] == {"player": "oracle@20", "run": names[1], "score": list(score)}
    low, high = f"{score.low:.3f}", f"{score.high:.3f}"
    assert f"B: oracle@20 in {names[1]}, score {score.value:.3f} ({low} to {high})\n" in shown
    assert [table["key"] for table in tables] == [
        "comparison", "comparison_puzzles", "comparison_levels", "disagreements",
    ]  # fmt: skip

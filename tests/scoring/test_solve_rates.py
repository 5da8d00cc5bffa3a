"""Solve rates by turn: from records, from journals, and averaged over puzzles."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quandary.arena.run import run
from quandary.arena.store import RECORDS
from quandary.arena.suite import Suite
from quandary.arena.suite import read as read_suite
from quandary.catalogue import drawing
from quandary.cli.main import main
from quandary.core.errors import UserError
from quandary.matches.drivers import play_now
from quandary.matches.player import Forfeit, Scripted, Turn
from quandary.matches.record import Record
from quandary.models.pool import ClientPool
from quandary.models.provider import Completion, Generation, Request
from quandary.players.registry import PlayerRegistry
from quandary.scoring.solve_rates import average_rates, overall_rates, results_of, solve_rates

SUITE = """
tries = 3
[averages]
words = ["anagram_scribble", "password_game"]
maps = ["islands"]
[[puzzles]]
puzzle = "anagram_scribble"
levels = ["easy"]
seeds = "1-4"
[[puzzles]]
puzzle = "password_game"
levels = ["easy"]
seeds = "1-2"
[[puzzles]]
puzzle = "islands"
levels = ["easy"]
seeds = "1"
"""
# Seed -> the turn of the right answer; 0 for none.
SOLVED_IN = {
    "anagram_scribble/easy#1": 1,
    "anagram_scribble/easy#2": 3,
    "anagram_scribble/easy#3": 0,
    "anagram_scribble/easy#4": 3,
    "password_game/easy#1": 2,
    "password_game/easy#2": 2,
    "islands/easy#1": 0,
}
RATES = {
    "anagram_scribble": (4, [0.25, 0.25, 0.75]),
    "password_game": (2, [0.0, 1.0, 1.0]),
    "islands": (1, [0.0, 0.0, 0.0]),
}
AVERAGES = {"words": [0.125, 0.625, 0.875], "maps": [0.0, 0.0, 0.0]}


def _record(spec: str, solved_on_turn: int, *, player: str = "a", tries: int = 3) -> Record:
    """A match in which the right answer, if any, comes in a given turn."""
    game = drawing.game(spec, tries=tries)

    def speak(turn: Turn, rng: object) -> str:
        right = len(turn.position.said) + 1 == solved_on_turn  # type: ignore[attr-defined]
        return turn.position.question.solution() if right else "?"  # type: ignore[attr-defined]

    return play_now(game, [Scripted(player, speak)], spec)


def test_rates_by_turn() -> None:
    """A question counts from the turn in which it is solved."""
    rates = solve_rates(results_of(_record(*match) for match in SOLVED_IN.items()))

    assert [("a", puzzle, "easy", *found) for puzzle, found in RATES.items()] == rates


def test_each_player_has_its_own_rates() -> None:
    """Also where one could give more answers than the other."""
    spec = "anagram_scribble/easy#1"
    records = [_record(spec, 2), _record(spec, 4, player="b", tries=5)]

    assert [[0.0, 1.0, 1.0], [0.0, 0.0, 0.0, 1.0, 1.0]] == [
        rate.solved_within for rate in solve_rates(results_of(records))
    ]


def test_what_has_no_turns_has_no_rates() -> None:
    """Games, questions with a single try, and matches that the infrastructure cut off."""

    def fail(turn: Turn, rng: object) -> str:
        raise Forfeit("infrastructure")

    spec, name = "anagram_scribble/easy#1", "card_nim/easy#1"
    lost = play_now(drawing.game(spec, tries=3), [Scripted("a", fail)], spec)
    first = Scripted("a", lambda turn, rng: next(iter(turn.options or ("?",))))
    duel = play_now(drawing.game(name), [first, first], name)

    assert [] == list(results_of([lost, duel, _record(spec, 1, tries=1)]))


def test_puzzles_weigh_the_same_in_an_average() -> None:
    """However many questions each has; puzzles that were not played are told by their number."""
    rates = solve_rates(results_of(_record(*match) for match in SOLVED_IN.items()))
    sets = {"words": ["anagram_scribble", "password_game"], "maps": ["islands", "text_sudoku"]}
    words, maps = average_rates(rates, {**sets, "none": ["sudoku"]})

    assert ("a", "words", "easy", ("anagram_scribble", "password_game"), 2) == words[:5]
    assert (AVERAGES["words"], AVERAGES["maps"]) == (words.solved_within, maps.solved_within)
    assert (("islands",), 2) == (maps.puzzles, maps.expected)


class Solver:
    """A provider that answers each question right in its turn, and wrongly before."""

    def __init__(self) -> None:
        self.solutions = {
            drawing.game(spec).text(0): (drawing.instance(spec).solution(), solved_on_turn)  # type: ignore[attr-defined]
            for spec, solved_on_turn in SOLVED_IN.items()
        }

    async def ask(self, request: Request) -> Completion:
        asked = "\n".join(str(part) for message in request.messages for part in message.parts)
        [(solution, solved_on_turn)] = [
            found for text, found in self.solutions.items() if text in asked
        ]
        turn = len(request.messages) // 2  # a system message, then questions and replies
        answer = solution if turn == solved_on_turn else "?"
        return Completion((Generation(f"Answer:\n```\n{answer}\n```"),))

    async def close(self) -> None: ...


def _run(folder: Path, suite: Suite) -> None:
    clients = ClientPool(open_provider=lambda *names: Solver())
    run(suite, ["test/any"], folder, PlayerRegistry(suite.prompt_settings, clients=clients))


def _by_turn(lines: str) -> tuple[dict[str, tuple[int, list[float]]], dict[str, list[float]]]:
    """Rates per puzzle, and averages, among printed JSON lines."""
    found = [line for line in map(json.loads, lines.splitlines()) if "solved_within" in line]
    rates = {line["puzzle"]: (line["n"], line["solved_within"]) for line in found if "n" in line}
    return rates, {line["games"]: line["solved_within"] for line in found if "games" in line}


def test_rates_of_a_run_are_recomputed_from_its_journal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`regrade` prints them by turn, and the averages that the suite asks for."""
    _run(tmp_path / "run", read_suite("mine", SUITE))

    assert 0 == main(["regrade", str(tmp_path / "run"), "--json"])
    assert (RATES, AVERAGES) == _by_turn(capsys.readouterr().out)
    assert 0 == main(["regrade", str(tmp_path / "run")])
    assert ["test/any", "words", "easy", "2", "of", "2", "12.5", "62.5", "87.5"] in _rows(capsys)


def _rows(capsys: pytest.CaptureFixture[str]) -> list[list[str]]:
    return [line.split() for line in capsys.readouterr().out.splitlines()]


def test_every_level_has_the_same_weight_overall() -> None:
    """However many of its questions were asked."""
    rates = solve_rates(results_of(_record(spec, turn) for spec, turn in SOLVED_IN.items()))

    [(player, levels, asked, shares)] = overall_rates(rates)

    assert ("a", 3, 7) == (player, levels, asked)
    assert pytest.approx([0.25 / 3, 1.25 / 3, 1.75 / 3]) == shares


def test_run_prints_rates_by_turn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """For every suite with several tries, and only for those."""
    suite, out = tmp_path / "mine.toml", tmp_path / "out"
    suite.write_text(SUITE)
    command = ["run", "--suite", str(suite), "--player", "oracle", "--out", str(out)]
    assert 0 == main(command)
    line = (
        "Percent solved within 1, 2, 3 replies, mean over levels: oracle 100.0, 100.0, 100.0, n = 7"
    )
    assert f"\n{line}\n" in capsys.readouterr().out
    assert 0 == main(["results", str(out), "--by", "turn"])
    row = ["oracle", "anagram_scribble", "easy", "4", "100.0", "100.0", "100.0"]
    assert row in _rows(capsys)
    stored = (out / RECORDS).read_bytes()
    (out / RECORDS).write_bytes(b"".join(stored.splitlines(keepends=True)[:-1]))
    assert 0 == main(["results", str(out), "--by", "turn"])
    assert capsys.readouterr().out.startswith("PARTIAL RESULTS")
    (out / RECORDS).write_bytes(stored)
    assert 0 == main([*command, "--json"])
    rates, averages = _by_turn(capsys.readouterr().out)
    assert (RATES.keys(), AVERAGES.keys()) == (rates.keys(), averages.keys())

    once = tmp_path / "once.toml"
    once.write_text(SUITE.replace("tries = 3", ""))
    arguments = ["--suite", str(once), "--player", "oracle", "--out", str(tmp_path / "once")]
    assert 0 == main(["run", *arguments])
    assert "solved within" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("averages", "advice"),
    [
        ("[averages]\nmaps = ['iland']", "did you mean 'islands'"),
        ("[averages]\nmaps = 'islands'", "must list puzzles"),
        ("[averages]\nmaps = []", "must list puzzles"),
        ("averages = 3", "not of type dict"),
    ],
)
def test_wrong_averages_get_advice(averages: str, advice: str) -> None:
    """A suite averages over puzzles that it has."""
    with pytest.raises(UserError, match=advice):
        read_suite("mine", f"{averages}\n[[puzzles]]\npuzzle = 'islands'\n")


@pytest.mark.parametrize("averages", [3, {"maps": "islands"}, {"maps": [1]}])
def test_a_damaged_manifest_is_refused(tmp_path: Path, averages: object) -> None:
    """What it lists under averages must be puzzles."""
    _run(tmp_path, read_suite("mine", SUITE))
    path = tmp_path / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"averages": averages}))

    assert 2 == main(["regrade", str(tmp_path)])

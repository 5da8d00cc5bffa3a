"""What a run would take in which models write programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("scipy", reason="plans need scipy: pip install 'quandary[report]'")

from quandary.arena.suite import load
from quandary.arena.suite import read as read_suite
from quandary.catalogue import drawing, registry
from quandary.catalogue.spec import Spec
from quandary.cli.main import main
from quandary.matches.codec import record_json
from quandary.matches.drivers import play_now
from quandary.models.prices import read as read_prices
from quandary.planning.game_costs import measured
from quandary.planning.plan import Assumptions, Plan
from quandary.planning.program_plan import MATCH, PLY, START, plan_programs, record_bytes
from quandary.players.strategy import strategy_player
from quandary.programs.prompt import program_prompt

PRICES = read_prices(
    "prices", 'date = 2026-01-01\n[models]\n"openai/a" = { read = 2.0, written = 8.0 }'
)
SUITE = """
attempts = 2
[[puzzles]]
puzzle = "card_nim"
levels = ["easy", "normal"]
seeds = "1-3"
[[puzzles]]
puzzle = "ruby_risks"
levels = ["easy"]
seeds = "1-4"
"""


def _planned(samples: int = 3, *models: str, **options: int) -> Plan:
    suite = read_suite("small", SUITE).only(setting="code")
    return plan_programs(
        suite, models or ("openai/a", "openai/b"), samples, None, PRICES, **options
    )


def test_calls_tokens_and_games_are_those_worked_out_by_hand() -> None:
    found = _planned(repairs=4)
    a, b, house = found.players

    assert ["openai/a", "openai/b", "house"] == [each.player for each in found.players]
    assert 2 * 3 == a.calls == b.calls == pytest.approx(a.most / (2 + 4))
    prompts = [program_prompt(registry.load(name)) for name in ("card_nim", "ruby_risks")]
    assert 3 * sum(map(len, prompts)) / 4 == pytest.approx(a.read)
    assert 6 * 1_500 == pytest.approx(a.written)
    assert (2 * a.read + 8 * a.written) / 1e6 == pytest.approx(a.dollars, rel=1e-4)
    assert b.dollars is None
    # Nine pairs of programs and six with the house, from both seats; seven players alone.
    assert 6 * 2 * (9 + 6) + 4 * 7 == found.matches
    assert 6 * 2 * (9 + 3) + 4 * 3 == a.games
    assert 6 * 2 * 6 + 4 == house.games


def test_the_time_and_the_records_are_those_of_all_matches() -> None:
    found = _planned().programs
    assert found is not None
    costs = measured()
    nim = 3 * 2 * (9 + 6)
    seconds = sum(
        nim * (MATCH + 2 * costs[f"card_nim/{level}"].calls * PLY) for level in ("easy", "normal")
    )
    ruby = costs["ruby_risks/easy"].calls
    seconds += 28 * (MATCH + ruby * PLY) + 6 * 4 * START  # it has secrets
    assert seconds == pytest.approx(found.hours * 3_600)
    assert found.size > 100 * (2 * nim + 28)


def test_only_chosen_pairs_are_counted() -> None:
    assert 6 * 2 * (2 + 6) + 4 * 7 == _planned(programs_per_pair=2).matches


def test_a_record_is_as_long_as_its_turns() -> None:
    spec = Spec.parse("card_nim/easy#1")
    game = drawing.game(spec)
    seated = [strategy_player("random", game, "easy") for _ in range(2)]
    record = play_now(game, seated, str(spec))
    assert len(record_json(record)) == pytest.approx(record_bytes(spec, len(record.said)))
    assert record_bytes(spec, 0) < record_bytes(spec, 10) < record_bytes(spec, 100)


@pytest.mark.heavy
def test_the_paper_plays_so_many_games() -> None:
    """1,126,400 per two-player game without luck, and ten times as many with luck."""
    models = [f"openai/m{number}" for number in range(11)]
    of_paper = {"card_nim": 1_126_400, "larger_target": 11_264_000}
    for puzzle, games in of_paper.items():
        suite = load("puzzleplex").only(setting="code")
        entries = tuple(entry for entry in suite.entries if entry.spec.name == puzzle)
        small = type(suite)("part", "part", entries, attempts=suite.attempts, setting="code")
        found = plan_programs(small, models, 32, None, PRICES)
        with_house = 2 * 11 * 32 * len(entries)
        assert games == found.matches - with_house


def test_more_tokens_are_assumed_where_the_user_says_so() -> None:
    suite = read_suite("small", SUITE).only(setting="code")
    for assumed, tokens in (
        (Assumptions(thought=0, program=250), 250),
        (Assumptions(reply=700.0), 700),
    ):
        found = plan_programs(suite, ["openai/a"], 2, None, PRICES, assumed)
        assert 4 * tokens == found.players[0].written


def test_the_command_states_tokens_games_hours_and_disk_space(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "small.toml"
    path.write_text(SUITE)
    command = ["plan", "--suite", str(path), "--setting", "code", "--samples", "3"]
    command += ["--player", "openai/a", "--player", "openai/b", "--program-tokens", "100"]
    assert 0 == main(command)
    out = capsys.readouterr().out
    for words in (
        "208 matches (schedule pairs), about 12 calls",
        "3 programs per model and puzzle, all pairs: about 1 min of processor time",
        "and 1 MB of records",
        "500 tokens before its answer and 100 of code",
        f"A turn takes 1/{1 / PLY:,.0f} s of processor time, a match {1_000 * MATCH:g} ms",
    ):
        assert words in out
    assert 0 == main([*command, "--json"])
    first = json.loads(capsys.readouterr().out.splitlines()[0])
    assert {"samples": 3, "repairs": 0, "programs_per_pair": 0} == {
        name: first["programs"][name] for name in ("samples", "repairs", "programs_per_pair")
    }


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--setting", "code"], "let models write programs with --samples N"),
        (["--samples", "3"], "it needs --setting code"),
        (["--setting", "code", "--samples", "0"], "--samples must be 1 or more"),
    ],
)
def test_what_a_run_refuses_has_no_plan(
    capsys: pytest.CaptureFixture[str], options: list[str], why: str
) -> None:
    assert 2 == main(["plan", "--puzzle", "card_nim", "--player", "openai/a", *options])
    assert why in capsys.readouterr().err

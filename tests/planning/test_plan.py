"""What a run would cost and could show, before it is played."""

from __future__ import annotations

import json
from itertools import product
from math import ceil, log2, sqrt
from pathlib import Path

import pytest

pytest.importorskip("scipy", reason="plans need scipy: pip install 'quandary[report]'")

from quandary.arena.run import run
from quandary.arena.schedule import KINDS, Schedule
from quandary.arena.store import records
from quandary.arena.suite import Suite
from quandary.arena.suite import read as read_suite
from quandary.catalogue import drawing
from quandary.cli.main import main
from quandary.core.errors import UserError
from quandary.matches.record import LoggedReply, Record
from quandary.models.prices import read as read_prices
from quandary.models.provider import Message, Picture
from quandary.planning.earlier_run import measured_in
from quandary.planning.game_costs import GameCost, letters_of, measured
from quandary.planning.plan import Assumptions, Plan, plan
from quandary.planning.power import power_of
from quandary.players.registry import PlayerRegistry
from run_folders import run_folder

PRICES = read_prices(
    "prices", 'date = 2026-01-01\n[models]\n"openai/any" = { read = 2.0, written = 8.0 }'
)
SUITE = """
tries = 3
repeats = 2
[decoding]
max_tokens = 300
[[puzzles]]
puzzle = "card_nim"
levels = ["easy"]
seeds = "1-4"
[[puzzles]]
puzzle = "sudoku"
levels = ["easy", "normal"]
seeds = "1-10"
[[puzzles]]
puzzle = "islands"
levels = ["easy"]
seeds = "1-3"
"""


def _suite(**settings: object) -> Suite:
    lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in settings.items())
    return read_suite("small", lines + SUITE)


def _planned(player: str = "openai/any", **settings: object) -> Plan:
    return plan(_suite(**settings), [player], None, PRICES)


def test_calls_tokens_and_dollars_are_those_worked_out_by_hand() -> None:
    """One model against the house: two seats of each duel, twice each; 300 tokens of thoughts,
    because replies may have no more.
    """
    known = measured()
    games = {"card_nim/easy": 16, "sudoku/easy": 20, "sudoku/normal": 20, "islands/easy": 6}
    calls = read = written = 0.0
    for name, count in games.items():
        cost: GameCost = known[name]
        calls += count * cost.calls
        read += count * (cost.tokens + 300 * cost.repeated)
        written += count * (cost.written + 300 * cost.calls)

    found = _planned()

    [player] = found.players
    assert found.matches == sum(games.values())
    assert (player.games, player.calls) == pytest.approx((62, calls))
    assert (player.read, player.written) == pytest.approx((read, written))
    assert found.dollars == pytest.approx((2 * read + 8 * written) / 1e6, rel=1e-6)
    seconds = calls * 1.0 + written / 50.0
    assert found.minutes == pytest.approx(max(seconds / 32, player.longest) / 60)


def test_no_game_can_be_shorter_than_its_calls() -> None:
    """However many calls are in flight."""
    found = plan(_suite(), ["openai/any"], None, PRICES, Assumptions(connections=10_000))
    cost = measured()["sudoku/normal"]

    seconds = cost.calls + (cost.written + 300 * cost.calls) / 50
    assert found.minutes == pytest.approx(seconds / 60)


def test_settings_of_a_player_change_its_tokens() -> None:
    """No history, no thoughts, trees, and worked examples."""
    usual = _planned().players[0]
    fresh = _planned("openai/any,history=no").players[0]
    quiet = _planned("openai/any,prompting=none").players[0]
    tree = _planned("openai/any,prompting=tree").players[0]
    shown = _planned("openai/any,shots=1").players[0]
    known = measured()

    games = {"card_nim/easy": 16, "sudoku/easy": 20, "sudoku/normal": 20, "islands/easy": 6}
    alone = sum(count * known[name].without_history for name, count in games.items())
    answers = sum(count * known[name].written for name, count in games.items())
    assert fresh.read == pytest.approx(alone)
    assert quiet.written == pytest.approx(answers)
    assert (tree.calls, tree.written) == pytest.approx((2 * usual.calls, 10 * usual.written))
    assert shown.read > usual.read + 100 * usual.calls
    assert shown.written == usual.written


def test_a_chinese_letter_is_a_whole_token() -> None:
    """And four others are one; pictures are not counted."""
    messages = [Message("user", ("abcd", "石子: 4", Picture(b"")))]

    assert letters_of(messages) == 4 + (2 * 4 + 3)
    one = '[[puzzles]]\npuzzle = "card_nim"\nlevels = ["easy"]\n'
    english, chinese = (
        plan(read_suite("one", f'language = "{code}"\n{one}'), ["openai/any"], None, PRICES)
        for code in ("en", "zh")
    )
    assert english.players[0].calls == chinese.players[0].calls
    assert english.players[0].read != chinese.players[0].read


def test_an_unknown_price_is_not_zero() -> None:
    assert _planned("openai/other").dollars is None
    assert _planned("local/smollm2").dollars == 0.0
    assert _planned("random").dollars == 0.0


@pytest.mark.parametrize(
    ("kind", "count"), [("house", 1), *product(KINDS[1:3], (2, 3)), ("swiss", 5)]
)
def test_the_games_of_all_players_are_those_of_the_schedule(kind: str, count: int) -> None:
    """The seats that named players take in all matches, counted one by one."""
    players = ["random", "oracle", "greedy", "cautious", "dp"][:count]
    suite = read_suite("duel", '[[puzzles]]\npuzzle = "card_nim"\nlevels = ["easy"]\nseeds = "1-3"')
    found = plan(suite, players, kind, PRICES)  # type: ignore[arg-type]
    games = sum(player.games for player in found.players)

    if kind == "swiss":
        assert games == 2 * found.matches == 3 * ceil(log2(5)) * 2 * 2 * 2
        return
    seated = [job.players for job in Schedule(suite, players, kind)]  # type: ignore[arg-type]
    assert found.matches == len(seated)
    for player in found.players:
        assert player.games == sum(table.count(player.player) for table in seated)


def test_the_detectable_difference_counts_puzzles_alike() -> None:
    """Three puzzles; one has two levels of 10 starts, the others 4 and 3 starts, by hand."""
    found = power_of(_planned())

    variance = (1 / 4 + (1 / 10 + 1 / 10) / 4 + 1 / 3) / 9
    assert found.starts == 4 + 10 + 10 + 3
    assert found.effective == round(1 / variance) == 14
    assert found.half == pytest.approx(2.160369 * 0.5 / sqrt(14), rel=1e-5)
    assert found.detectable == pytest.approx((2.160369 + 0.841621) * 0.5 / sqrt(14), rel=1e-5)


def test_a_difference_as_large_as_the_detectable_one_is_found_four_times_in_five() -> None:
    """By simulation of the assumed spread."""
    numpy = pytest.importorskip("numpy")
    found, rng = power_of(_planned()), numpy.random.default_rng(5)
    drawn = rng.normal(found.detectable, found.deviation, (4_000, found.effective))
    errors = drawn.std(axis=1, ddof=1) / sqrt(found.effective)

    share = float((drawn.mean(axis=1) > 2.160369 * errors).mean())

    assert 0.77 < share < 0.83


def test_halving_the_interval_costs_three_times_as_much_again() -> None:
    found = _planned()
    power = power_of(found)

    assert found.dollars is not None
    assert power.halving.cost == pytest.approx(3 * found.dollars)
    wider = read_suite("small", SUITE.replace("1-10", "1-40").replace("1-4\"", "1-16\"").replace("1-3\"", "1-12\""))  # fmt: skip # noqa: E501
    four = plan(wider, ["openai/any"], None, PRICES)
    assert power_of(four).effective == pytest.approx(4 * power.effective, rel=0.05)
    assert 0.45 * power.half < power_of(four).half <= power.half / 2
    assert four.dollars == pytest.approx(4 * found.dollars)


def test_an_earlier_run_tells_how_much_scores_vary(tmp_path: Path) -> None:
    """Against plain Python on its records."""
    suite = read_suite("one", '[[puzzles]]\npuzzle = "sudoku"\nlevels = ["easy"]\nseeds = "1-12"')
    run(suite, ["random"], tmp_path / "run", PlayerRegistry())
    scores = dict[object, list[float]]()
    for record in records(tmp_path / "run"):
        scores.setdefault(record.start.canonical(), []).append((record.scores or (0.0,))[0])
    means = [sum(some) / len(some) for some in scores.values()]
    mean = sum(means) / len(means)
    variance = sum((one - mean) ** 2 for one in means) / (len(means) - 1)

    deviation, reply = measured_in(tmp_path / "run")

    assert deviation == pytest.approx(sqrt(variance))  # the correlation of 0.5 makes them equal
    assert reply is None
    with pytest.raises(UserError, match="is not the folder of a run"):
        measured_in(tmp_path)


def _solved(folder: Path, player: str, *tokens: int) -> Path:
    """A run in which all questions were solved, with so many tokens per reply."""
    made = []
    for seed, written in enumerate(tokens, start=1):
        spec = f"anagram_scribble/easy#{seed}"
        said = LoggedReply(0, "Answer: x", "answered", "x", 0.1, written)
        made.append(Record(spec, (player,), drawing.game(spec), (), (said,), (1.0,), None, "goal"))
    return run_folder(folder, made, players=[player])


def test_an_earlier_run_whose_scores_do_not_vary_tells_the_tokens_of_a_reply(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Replies of 5, 7 and 12 tokens are 8 on average, answers included."""
    like = str(_solved(tmp_path / "run", "openai/any", 5, 7, 12))
    asked = ["plan", "--puzzle", "card_nim", "--level", "easy", "--player", "openai/any", "--json"]

    assert measured_in(Path(like)) == (None, 8.0)
    assert main([*asked, "--from-run", like]) == 0
    whole, by_player, _ = map(json.loads, capsys.readouterr().out.splitlines())
    [row] = by_player["rows"]
    assert row["tokens written"] == pytest.approx(8 * row["games"] * _calls(), abs=1)
    assert whole["assumptions"][0].startswith("The spread of scores is unknown, because those in")
    assert "a standard deviation of 0.50, as for right or wrong answers" in whole["assumptions"][1]
    assert "A model writes 8 tokens per reply, answer and thinking" in whole["assumptions"][2]
    assert main([*asked, "--from-run", like, "--thought-tokens", "100"]) == 0
    assert "A model writes 100 tokens before an answer" in capsys.readouterr().out


def _calls() -> float:
    return measured()["card_nim/easy"].calls


def test_an_earlier_run_that_tells_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no level whose scores vary .* and no model whose"):
        measured_in(_solved(tmp_path / "run", "random", 0, 0))


def test_no_interval_is_halved_where_none_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """Four starts detect nothing; six have an interval, of which half is told."""
    told = {}
    for seeds in ("1-4", "1-6"):
        asked = ["plan", "--puzzle", "sudoku", "--level", "easy", "--seeds", seeds]
        assert main([*asked, "--player", "random", "--json"]) == 0
        told[seeds] = json.loads(capsys.readouterr().out.splitlines()[0])["sentences"]

    assert told["1-4"][1:] == [
        "With 4 starts, no difference between players can be detected; this needs 6 or more."
    ]
    assert "a 95 % interval of the difference" in told["1-6"][1]
    assert told["1-6"][2].startswith("Halving the interval takes four times the starts")


@pytest.mark.parametrize(
    ("puzzles", "languages", "starts", "named"),
    [
        (
            ["sudoku", "anagram_scribble"],
            ["en", "zh"],
            5,
            "(without anagram_scribble, because only",
        ),
        (["anagram_scribble"], ["en", "zh"], 0, "no difference between players can be detected"),
        (["sudoku", "anagram_scribble"], ["zh"], 10, "With 10 starts"),
    ],
)
def test_languages_are_told_apart_only_by_puzzles_that_are_translated(
    capsys: pytest.CaptureFixture[str],
    puzzles: list[str],
    languages: list[str],
    starts: int,
    named: str,
) -> None:
    asked = [f"--puzzle={name}" for name in puzzles] + [f"--language={one}" for one in languages]
    assert main(["plan", *asked, "--level", "easy", "--player", "openai/any", "--json"]) == 0
    whole = json.loads(capsys.readouterr().out.splitlines()[0])

    assert whole["starts"] == starts
    assert named in whole["sentences"][1]
    assert whole["matches"] == 5 * len(puzzles) * len(languages)


def test_the_command_needs_no_key_and_states_what_it_assumes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    asked = ["plan", "--puzzle", "card_nim", "--level", "easy", "--player", "openai/gpt-4.1"]
    assert main(asked) == 0
    shown = capsys.readouterr().out
    assert main([*asked, "--json"]) == 0
    whole, *tables = map(json.loads, capsys.readouterr().out.splitlines())

    assert "10 matches (schedule house), about" in shown
    assert "Assumed:" in shown
    assert whole["matches"] == 10
    assert whole["detectable"] is None  # five starts
    assert whole["sentences"][1] in shown
    assert [table["key"] for table in tables] == ["plan", "plan_levels"]
    assert "dollars" in tables[1]["rows"][0] and "detectable" not in tables[1]["rows"][0]


def test_a_plan_says_what_questions_that_are_asked_again_may_cost(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    entry = '[[puzzles]]\npuzzle = "islands"\nlevels = ["easy"]\nseeds = "1-10"\n'

    def planned(tries: int) -> str:
        suite = tmp_path / "asked.toml"
        suite.write_text(f"tries = {tries}\n{entry}", "utf-8")
        assert main(["plan", "--suite", str(suite), "--player", "openai/x", "--json"]) == 0
        whole = json.loads(capsys.readouterr().out.splitlines()[0])
        return " ".join(whole["sentences"] + whole["assumptions"])

    once, thrice = planned(tries=1), planned(tries=3)
    assert "about 10 calls, " in once
    assert "right at once" not in once
    assert "about 10 calls (at most 30), " in thrice
    assert "Every question is assumed to be answered right at once." in thrice


def test_no_time_is_stated_for_models_that_the_user_runs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless their speed is given; in this process, calls are answered one at a time."""
    asked = ["plan", "--puzzle", "card_nim", "--level", "easy", "--json", "--player"]

    def planned(*more: str) -> tuple[float | None, str]:
        assert main([*asked, *more]) == 0
        whole = json.loads(capsys.readouterr().out.splitlines()[0])
        return whole["minutes"], " ".join(whole["sentences"] + whole["assumptions"])

    for own in (["local/smollm2"], ["ollama/x"], ["openai/x", "--base-url", "http://gpu:8000/v1"]):
        minutes, told = planned(*own)
        assert minutes is None
        assert f"an unknown time: it depends on the machine that runs {own[0]} (give" in told
        assert "--tokens-per-second)" not in told
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    assert planned("openai/x")[0]
    speed = ("--tokens-per-second", "10", "--connections", "4")
    served, local = planned("ollama/x", *speed)[0], planned("local/smollm2", *speed)[0]
    assert local == pytest.approx(4 * (served or 0))


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (["--player", "oracel"], "unknown player 'oracel'; did you mean 'oracle'?"),
        (["--player", "random", "--thought-tokens", "-1"], "--thought-tokens must be 0 or more."),
        (["--player", "opnai/x"], "unknown provider 'opnai'; did you mean 'openai'?"),
        (["--player", "random", "--tokens-per-second", "0"], "must be a number above 0."),
        (["--player", "random", "--connections", "0"], "--connections must be 1 or more."),
    ],
)
def test_what_a_run_would_refuse_is_refused(
    more: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["plan", "--puzzle", "card_nim", "--level", "easy", *more]) == 2
    assert sentence in capsys.readouterr().err

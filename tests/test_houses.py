"""House opponents: the baselines of PuzzlePlex's first paper, and what they can do."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from quandary.arena.suite import load
from quandary.catalogue import drawing
from quandary.core.contract import Game
from quandary.matches.drivers import play_now
from quandary.matches.record import Record, replay
from quandary.players.strategy import strategy_player
from quandary.puzzles.questions.optimal_touring import OptimalTouring

# The first paper's table of baselines, easy and intermediate, in the words used here; exact solvers
# are named "oracle", which is the house of a one-seat puzzle without another one.
BASELINES = {
    "sudoku": ("oracle", "oracle"),
    "sudokill": ("random", "greedy"),
    "tidy_tower": ("dp", "dp"),
    "card_nim": ("random", "dp"),
    "expanding_nim": ("random", "dp"),
    "share_card_nim": ("random", "dp"),
    "optimal_touring": ("simulated_annealing@1380", "simulated_annealing@5000"),
    "count_maximal_cocktails": ("oracle", "oracle"),
    "max_maximal_cocktails": ("random", "brute_force"),
    "exclusivity_particles": ("brute_force", "greedy"),
    "exclusivity_probes": ("no_repeats", "greedy"),
    "ruby_risks": ("scattered", "scattered"),
    "beat_or_bomb_sto": ("random", "greedy"),
    "max_target": ("greedy", "greedy"),
    "larger_target": ("random", "greedy"),
    "takuzu": ("breadth_first", "breadth_first"),
    "k_queens": ("breadth_first", "breadth_first@20000"),
    "bid_that": ("mcts", "mcts"),
    "bid_that_vickrey": ("mcts", "mcts"),
    "superply": ("random", "search"),
}
DEVIATIONS = {"beat_or_bomb_det": ("random", "greedy")}  # its page gives the reason
NIMS = ("card_nim", "expanding_nim", "share_card_nim")


def _played(game: Game, level: str, *players: str, luck: str = "test") -> Record:
    return play_now(game, [strategy_player(name, game, level) for name in players], luck)


@pytest.mark.parametrize("name", sorted({*BASELINES, *DEVIATIONS}))
def test_houses_are_the_baselines_of_the_paper(name: str) -> None:
    """Each level's house plays the moves of the baseline that the paper's table names."""
    for level, baseline in zip(("easy", "normal"), (BASELINES | DEVIATIONS)[name], strict=True):
        game = drawing.game(f"{name}/{level}#3")
        rivals = ["random"] * (game.seats - 1)
        house = _played(game, level, "house", *rivals)

        assert house.log == _played(game, level, baseline, *rivals).log


def test_every_puzzle_of_the_papers_has_its_baseline_listed() -> None:
    """No puzzle of the suite is left out of the table."""
    assert {spec.name for spec in load("puzzleplex").specs} == {*BASELINES, *DEVIATIONS}


@pytest.mark.parametrize("name", NIMS)
def test_dynamic_programming_wins_every_won_position(name: str) -> None:
    """Against any play; both seats have won starts among the instances."""
    winners = set[int]()
    for seed in range(20):
        game = drawing.game(f"{name}/normal#{seed}")
        worth = game.judge(0)
        assert worth is not None
        winner = 0 if max(worth.values()) == 1.0 else 1
        winners.add(winner)
        for rival in ("random", "cautious"):
            players = ("house", rival) if winner == 0 else (rival, "house")
            record = _played(game, "normal", *players, luck=str(seed))

            assert record.scores is not None and record.scores[winner] == 1.0
    assert winners == {0, 1}


def test_brute_force_takes_a_win_within_its_budget() -> None:
    """On boards whose continuations it can search fully, it wins what can be won."""
    won = 0
    for seed in range(60):
        game = drawing.game("exclusivity_particles/easy,dimension=4..4,distance=2..2,given=3#1")
        game = game.sibling(Random(seed), dimension=(4, 4), distance=(2, 2), given=(3, 3))
        worth = game.judge(0)
        assert worth is not None
        if max(worth.values()) == 1.0:
            won += 1
            record = _played(game, "easy", "house", "oracle", luck=str(seed))
            assert record.scores == (1.0, 0.0)
    assert won > 10


@pytest.mark.parametrize("seed", range(1, 9))
def test_the_easy_house_never_probes_a_place_twice(seed: int) -> None:
    """So it always finds all particles, other than a random player."""
    game = drawing.game(f"exclusivity_probes/easy#{seed}")
    record = _played(game, "easy", "house", luck=str(seed))
    places = [move for _, move in record.log]

    assert len(set(places)) == len(places)
    assert record.cause == "goal"


@pytest.mark.parametrize("seed", range(1, 21))
def test_the_house_of_queens_solves_what_breadth_first_search_solves(seed: int) -> None:
    """All of it: the search is exhaustive, and no board takes more moves than are left."""
    assert _played(drawing.game(f"k_queens/normal#{seed}"), "normal", "house").scores == (1.0,)


@pytest.mark.parametrize("spec", ["k_queens/normal#1", "k_queens/easy#2", "tidy_tower/easy#1"])
def test_the_house_of_a_whole_game_is_that_of_the_game(spec: str) -> None:
    """It gives the same moves in one answer."""
    level = spec.partition("/")[2].partition("#")[0]
    moves = _played(drawing.game(spec), level, "house").log
    [(_, answer)] = _played(drawing.game(f"whole:{spec}"), level, "house").log

    assert answer.splitlines() == [move for _, move in moves]


def test_the_house_of_a_state_task_answers_it() -> None:
    """A question about a position is not answered by moves."""
    for task in ("check", "next"):
        record = _played(drawing.game(f"{task}:k_queens/normal#1"), "normal", "house")

        assert record.scores == (1.0,)


def test_a_random_tour_does_not_look_at_values() -> None:
    """With equal luck it is the same tour whatever the sites are worth, and it keeps the rules."""
    for seed in range(10):
        town = OptimalTouring.new(Random(seed), sites=20)
        values = Random(seed).sample(range(1, 201), 20)
        sites = [site._replace(value=v) for site, v in zip(town.sites, values, strict=True)]
        other = replace(town, sites=tuple(sites))

        assert town.sample(Random(seed)) == other.sample(Random(seed))
        assert town.check(town.sample(Random(seed))).value


@pytest.mark.parametrize("level", ["easy", pytest.param("normal", marks=pytest.mark.heavy)])
def test_annealing_is_a_player_and_stronger_than_luck(level: str) -> None:
    """Ten random tours are worth less than ten of its own, which are worth less than the best."""
    values = dict.fromkeys(("random", "simulated_annealing"), 0.0)
    most = 0.0
    for seed in range(10):
        game = drawing.game(f"optimal_touring/{level}#{seed}")
        most += game.reference() or 0.0 if seed < 2 else 0.0
        for name in values:
            record = _played(game, level, name, luck=str(seed))
            assert record.values is not None
            values[name] += record.values[0]
        if seed == 1:
            assert values["simulated_annealing"] < most

    assert 1.1 * values["random"] < values["simulated_annealing"]


def test_superply_counts_as_deterministic_in_the_suite() -> None:
    """As in the papers: five seeds per level."""
    specs = [spec for spec in load("puzzleplex").specs if spec.name == "superply"]

    assert {(spec.level, spec.seed) for spec in specs} == {
        (level, seed) for level in ("easy", "normal") for seed in range(1, 6)
    }


def test_a_house_can_declare_its_budget() -> None:
    """A budget in the player's name takes precedence."""
    game = drawing.game("k_queens/normal#1")

    assert _played(game, "normal", "house").scores == (1.0,)
    assert _played(game, "normal", "house@5").log == _played(game, "normal", "breadth_first@5").log
    assert replay(_played(game, "normal", "house@5"))

"""State tasks: the positions they ask about, their arguments, and what is wrong with a step."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import islice
from random import Random

import pytest
from proofs.blind_rules import shares
from proofs.resumable import state_levels

from quandary import prompt
from quandary.catalogue import drawing, registry
from quandary.core import codec
from quandary.core.contract import Game
from quandary.core.errors import UserError
from quandary.core.wrapper import version_of
from quandary.matches.match import Match
from quandary.matches.origin import check_origin
from quandary.matches.player import Reply
from quandary.matches.record import ReplayMismatch
from quandary.puzzles.solo.graph_coloring import GraphColoring
from quandary.tasks.blind_rules import ALLOWED, best_share, highest_fair_share
from quandary.tasks.delegation import anything
from quandary.tasks.next_state import NextState
from quandary.tasks.search_tree import Pair, pairs
from quandary.tasks.state_check import StateCheck
from quandary.tasks.state_task import STATE_TASK_VERSION

LEVELS = list(state_levels())
GAMES = sorted({level.split("/")[0] for level in LEVELS})


def _check(spec: str) -> StateCheck:
    made = drawing.instance(spec)
    assert isinstance(made, StateCheck)
    return made


def _next(spec: str) -> NextState:
    made = drawing.instance(spec)
    assert isinstance(made, NextState)
    return made


def _moves(position: Game) -> list[str]:
    return list(position.options().get(0) or ())


@cache
def _can_be_won(position: Game) -> bool:
    """By trying every move, without any solver."""
    moves = _moves(position)
    if not moves:
        return position.scores() == (1.0,)
    return any(_can_be_won(position.after(0, move)) for move in moves)


@pytest.mark.parametrize(
    "level",
    ["sudoku/easy", "game_of_24/hard", "tidy_tower/easy", "graph_coloring/easy", "logic_grid/easy"],
)
def test_labels_are_those_that_trying_every_move_finds(level: str) -> None:
    """And the position goes on, whatever its label."""
    for seed in range(6):
        asked = _check(f"check:{level}#{seed}")
        if level == "sudoku/easy" and len(_moves(asked.position)) > 14:
            continue  # too many orders to try them all
        assert asked.solution() == ("solvable" if _can_be_won(asked.position) else "unsolvable")
        assert _moves(asked.position)
        assert asked.tried is None or not _can_be_won(asked.tried)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("task", ["check", "next"])
def test_the_label_can_be_chosen(task: str, name: str) -> None:
    for label in ("solvable", "unsolvable"):
        for seed in range(3):
            asked = drawing.instance(f"{task}:{name}/easy,label={label}#{seed}")
            assert isinstance(asked, StateCheck | NextState)
            assert (label == "solvable") == asked.position.solvable()
            assert _moves(asked.position)


def test_the_depth_can_be_chosen() -> None:
    """It is the number of moves from the start, here the number of cells that were filled."""
    for seed in range(5):
        asked = _check(f"check:sudoku/normal,depth=3..5#{seed}")
        filled = asked.start.state().count(".") - asked.position.state().count(".")
        assert 3 <= filled == asked.difficulty().depth <= 5


def test_whether_a_child_is_shown_can_be_chosen() -> None:
    seeds = range(8)
    assert all(_next(f"next:sudoku/easy,shown=child#{seed}").tried for seed in seeds)
    assert not any(_next(f"next:sudoku/easy,shown=none#{seed}").tried for seed in seeds)


def test_arguments_have_one_spelling() -> None:
    for given, spelt in (
        ("check:sudoku/easy,label=either#1", "check:sudoku/easy#1"),
        ("check:sudoku/easy,depth=3..3#1", "check:sudoku/easy,depth=3#1"),
        ("next:sudoku/easy,shown=either,blanks=9#1", "next:sudoku/easy,blanks=9#1"),
    ):  # fmt: skip
        assert spelt == str(drawing.named(given))


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("check:sudoku/easy,labl=solvable#1", "unknown argument 'labl' of sudoku.*'label'"),
        ("check:sudoku/easy,label=dead#1", "label=dead does not fit check: choose one of solvable"),
        ("check:sudoku/easy,shown=child#1", "unknown argument 'shown' of sudoku"),
        ("next:sudoku/easy,depth=5..3#1", "depth=5..3 does not fit next: the range is empty"),
        ("check:sudoku/easy,depth=-1#1", "depth=-1 is out of bounds; write a range within 1 or"),
        ("next:sudoku/easy,depth=0..3#1", "depth=0..3 is out of bounds"),
        ("check:sudoku/easy,depth=99999999999#1", "write a number of at most 9 digits, or a range"),
        ("check:sudoku/easy,depth=40#1", "no instance is so deep; choose a depth of at most 11"),
        ("next:sudoku/easy@published#3", "sudoku/easy@published#3 has no position.*another publis"),
        ("next:logic_grid/easy@published#3", "choose one of: .*sudoku.*quandary import finereason"),
        ("check:sudoku/hard@published#3", "choose the level easy; .*quandary run --problems"),
        ("sudoku/easy,label=solvable#1", "unknown argument 'label' of sudoku"),
        ("whole:sudoku/easy,label=solvable#1", "unknown argument 'label' of sudoku"),
    ],
)
def test_wrong_arguments_are_refused(spec: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        drawing.instance(spec)


def test_a_level_without_such_positions_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last of four numbers are joined at depth 3: no move is left then."""
    monkeypatch.setattr(drawing, "BASES", 3)
    said = "no position of 3 instances fits; change its arguments, or choose another level"
    with pytest.raises(UserError, match=said):
        drawing.instance("check:game_of_24/hard,depth=3#1")


@pytest.mark.parametrize("task", ["check", "next"])
def test_arguments_are_not_told(task: str) -> None:
    """Neither in a view nor in a prompt; both show the same for either label but the position."""
    spec = f"{task}:sudoku/normal,label=unsolvable,depth=3..5#3"
    asked = drawing.instance(spec)
    sent = " ".join(str(message["content"]) for message in prompt(spec))

    assert "depth" not in codec.view_json(asked, 0)
    assert "depth" not in sent and "label" not in sent


def test_the_puzzle_is_shown_as_it_is_to_players() -> None:
    for task in ("check", "next"):
        for name in GAMES:
            asked = drawing.instance(f"{task}:{name}/easy#1")
            assert isinstance(asked, StateCheck | NextState)
            for language in asked.languages:
                shown = asked.text(0, language)
                assert shown.split("\n", 1)[1].startswith(asked.start.text(0, language))
                assert asked.position.shown_state(language) in shown


def test_how_to_write_a_move_is_not_told() -> None:
    """No move is asked for."""
    for name in GAMES:
        start = drawing.game(f"{name}/easy#1")
        for language in start.languages:
            assert start.how(language) in start.rules(language)
            assert start.how(language) not in _check(f"check:{name}/easy#1").rules(language)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_surrounds_the_position_is_explained(language: str) -> None:
    """Labels are true, going back is no move, and a tried position is one of several."""
    tried = {
        "en": "Positions listed as tried are one move after",
        "zh": "列有已尝试过的局面，它们都是",
    }
    asked = {
        "en": ("in brackets in their titles are correct", "not a move of the game", "move earlier"),
        "zh": ("括号中的“可解”或“不可解”都是正确的", "不是游戏中的走法", "一步之前"),
    }
    for name in GAMES:
        step = _next(f"next:{name}/easy#1")
        if language not in step.languages:
            continue
        said = step.rules(language) + step.text(0, language)
        assert [] == [part for part in (tried[language], *asked[language]) if part not in said]
        assert tried[language] in _check(f"check:{name}/easy#1").rules(language)


def test_why_no_move_leads_to_a_position_is_told_where_it_is_known() -> None:
    """In 4 x 4 sudokus and graphs, which tell it from the cell or vertex that was changed."""
    grid = _next("next:sudoku/easy,label=solvable#2")
    cells = grid.position.state()
    given = next(value for value in cells if value.isdigit())
    other = cells.replace(given, "1" if given != "1" else "2", 1)
    graph = _next("next:graph_coloring/easy,label=solvable#2")
    assert isinstance(graph.position, GraphColoring)
    vertex, colour = next(
        (near, colour) for vertex, colour in enumerate(graph.position.colouring) if colour
        for near in graph.position.neighbours[vertex] if not graph.position.colouring[near]
    )  # fmt: skip
    clash = graph.position.after(0, f"{vertex} {colour}").state()
    told = [
        asked.check(said).feedback.removeprefix("No single legal move leads there. ")
        for asked, said in ((grid, other), (graph, clash), (grid, grid.parent.state()))
    ]

    assert "is already filled." in told[0]
    assert "would share a colour." in told[1]
    assert "The current position is solvable, so do not go back." == told[2]
    assert "当前局面可解，不应后退。" in grid.check(grid.parent.state(), "zh").feedback


def test_difficulty_counts_what_lies_below_a_dead_end() -> None:
    """By hand: 3 and 7 make six expressions, none of them 24."""
    asked = _check("check:game_of_24/hard,depth=2,label=unsolvable#1")
    found = asked.difficulty()

    assert (2, len(_moves(asked.position))) == (found.depth, found.moves)
    assert found.dead_tree == len(
        {asked.position.after(0, move) for move in _moves(asked.position)}
    )
    assert _check("check:game_of_24/hard,label=solvable#1").difficulty().dead_tree is None


def test_each_kind_of_wrong_step_has_its_name() -> None:
    """4 x 4 sudokus, by hand; seeds whose position has what the kind needs."""
    on, back = (
        _next("next:sudoku/easy,label=solvable,shown=child#2"),
        _next("next:sudoku/easy,label=unsolvable#2"),
    )
    assert on.tried is not None
    moves = _moves(on.position)
    dead = next(
        child for move in moves
        if not (child := on.position.after(0, move)).solvable() and child != on.tried
    )  # fmt: skip
    sibling = next(
        child for move in _moves(back.parent)
        if (child := back.parent.after(0, move)) != back.position
    )  # fmt: skip
    clash = on.position.state().replace(".", "9", 1)

    assert "no_move" == on.check(on.position.state()).kind
    assert "known_dead_end" == on.check(on.tried.state()).kind
    assert "dead_end" == on.check(dead.state()).kind
    assert "unreadable" == on.check(clash).kind
    assert "invalid_move" == on.check(on.parent.state()).kind
    assert "" == back.check(back.parent.state()).kind
    assert "sibling" == back.check(sibling.state()).kind
    assert "not_parent" == back.check(back.position.state()).kind
    assert "not_parent" == back.check(back.start.state()).kind or back.parent == back.start


@pytest.mark.heavy
@pytest.mark.parametrize("level", LEVELS)
def test_no_blind_rule_tells_the_label(level: str) -> None:
    """At most 0.57 of 1,000 questions; of 200 as many standard errors above one half."""
    found = shares(level, 200)
    print(level, next(iter(found.singles.items())), found.forest)

    assert max(found.singles.values()) <= highest_fair_share(200), found
    assert found.forest <= highest_fair_share(200)


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_no_sign_tells_the_label_of_game_of_24(level: str) -> None:
    """A quotient rarely leads to 24, so positions with one must not be dead ends more often."""
    asked = [_check(f"check:game_of_24/{level}#{seed}") for seed in range(300)]
    labels = [question.solution() == "solvable" for question in asked]
    found = {
        sign: best_share([question.position.state().count(sign) for question in asked], labels)
        for sign in "+-*/"
    }

    assert max(found.values()) <= ALLOWED, found


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_positions_of_a_pair_of_game_of_24_have_the_same_signs(level: str) -> None:
    for pair in _pairs(f"game_of_24/{level}", 30):
        signs = [
            sorted(sign for sign in position.state() if sign in "+-*/")
            for position in (pair.solvable, pair.dead)
        ]
        assert signs[0] == signs[1]


@pytest.mark.parametrize("level", ["sudoku/easy", "tidy_tower/easy", "tidy_tower/normal"])
def test_positions_of_a_pair_have_the_same_values_or_colours(level: str) -> None:
    """In a small grid, the last value of a kind is rarely misplaced; a tower with many cubes of
    one colour is rarely far from tidy.
    """
    for pair in _pairs(level, 40):
        assert sorted(pair.solvable.state()) == sorted(pair.dead.state())


def test_positions_of_a_pair_of_graph_coloring_use_equally_many_colours() -> None:
    for pair in _pairs("graph_coloring/easy", 40):
        assert len(set(pair.solvable.state())) == len(set(pair.dead.state()))


def _pairs(level: str, count: int) -> list[Pair]:
    starts = [drawing.game(f"{level}#{seed}") for seed in range(count)]
    found = [
        pair
        for seed, start in enumerate(starts)
        for pair in islice(pairs(start, Random(seed), anything), 2)
    ]
    assert len(found) >= count // 2  # some starts have none
    return found


def test_a_split_with_too_few_positions_that_are_alike_has_tasks() -> None:
    """Those of hard games of 24 in dev differ in their signs, so any pair is taken."""
    for seed in range(2):
        asked = _check(f"check:game_of_24/hard@dev#{seed}")
        assert asked.solution() == ("solvable" if _can_be_won(asked.position) else "unsolvable")


def test_records_of_the_sampler_before_are_not_compared_with_their_names() -> None:
    """These stood for other positions; such records have the version of the puzzle alone."""
    other, own = drawing.game("check:sudoku/easy#2"), registry.load("sudoku").version
    match = Match(other, "check:sudoku/easy#1")
    match.receive(0, Reply("solvable"))
    record = match.record(["somebody"])

    assert own + STATE_TASK_VERSION + 2 == record.version == version_of(other)
    with pytest.raises(ReplayMismatch, match="does not start from the instance"):
        check_origin(record)
    for earlier in (own, own + STATE_TASK_VERSION, own + STATE_TASK_VERSION + 1):
        check_origin(replace(record, version=earlier))


@pytest.mark.parametrize(
    ("task", "raised"), [("check", STATE_TASK_VERSION + 1), ("next", STATE_TASK_VERSION)]
)
def test_a_task_has_a_version_of_its_own_where_its_pairs_were_drawn_otherwise(
    task: str, raised: int
) -> None:
    """Those of four puzzles became alike in what is visible; others are as they were, but for the
    labels of `check:`, which are read in more sentences."""
    more = {
        name: version_of(drawing.instance(f"{task}:{name}/easy#1")) - registry.load(name).version
        for name in GAMES
    }

    assert {"sudoku", "game_of_24", "graph_coloring", "tidy_tower"} == {
        name for name, count in more.items() if count == raised + 1
    }
    assert set(more.values()) == {raised, raised + 1}
    assert 2 == version_of(drawing.instance("whole:game_of_24/easy#1"))

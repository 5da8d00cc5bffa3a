"""Facts about graph coloring."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from quandary.catalogue import drawing
from quandary.core.contract import Ending, Question
from quandary.core.errors import Unreadable
from quandary.core.game import refusal
from quandary.puzzles.solo.graph_coloring import GraphColoring
from quandary.puzzles.solo.graph_coloring.solver.coloring import chromatic_number, deepest_dead_end
from quandary.tasks.next_state import NextState
from quandary.tasks.whole import Whole

# Vertices 0, 1, 2 are neighbours of each other; 3 is one of 1 and 2, and 4 of 3 alone.
KITE = ((1, 2), (0, 2, 3), (0, 1, 3), (1, 2, 4), (3,))
PATH = ((1,), (0, 2), (1, 3), (2,))


def kite(*colouring: int) -> GraphColoring:
    return GraphColoring(KITE, 3, colouring or (0,) * 5)


def path(*colouring: int) -> GraphColoring:
    return GraphColoring(PATH, 2, colouring or (0,) * 4)


def test_any_vertex_takes_any_colour_that_no_neighbour_has() -> None:
    """Vertex by vertex, lower colours first."""
    assert list(kite(1, 2, 0, 0, 0).options()[0] or ()) == [
        "2 3", "3 1", "3 3", "4 1", "4 2", "4 3",
    ]  # fmt: skip
    assert len(kite().options()[0] or ()) == 15


def test_a_vertex_without_colours_ends_the_game() -> None:
    """A full colouring is the goal; the triangle's third vertex has none left if 3 has it."""
    won, lost = kite(1, 2, 3, 1, 2), kite(1, 2, 0, 3, 0)

    assert ({}, (1.0,), Ending("goal")) == (won.options(), won.scores(), won.ending())
    assert ({}, (0.0,), Ending("dead_end")) == (lost.options(), lost.scores(), lost.ending())


def test_a_legal_move_can_be_hopeless() -> None:
    """The ends of a path of four alternate, so equal ends leave no way; the game goes on."""
    game = path(1, 0, 0, 0)

    assert game.judge(0) == {"1 2": 1.0, "2 1": 1.0, "2 2": 0.0, "3 1": 0.0, "3 2": 1.0}
    assert not path(1, 0, 0, 1).solvable()
    assert path(1, 0, 0, 1).options()


@pytest.mark.parametrize("level", GraphColoring.levels)
def test_levels_keep_their_promises(level: str) -> None:
    """Sizes, as many colours as are needed, and how far ahead a dead end is."""
    arguments = GraphColoring.levels[level]
    low, high = arguments["lookahead"]
    for seed in range(6):
        game = GraphColoring.new(Random(seed), **arguments)
        graph = game._graph()

        assert arguments["vertices"][0] <= len(graph) <= arguments["vertices"][1]
        assert arguments["colours"][0] <= game.colours <= arguments["colours"][1]
        assert game.colours == chromatic_number(graph)
        assert max(deepest_dead_end(Random(luck), graph, game.colours) for luck in range(9)) >= low
        assert all(one in game.neighbours[two] for one in range(len(graph)) for two in
                   game.neighbours[one])  # fmt: skip
        assert Whole(game).check(Whole(game).solution()).score == 1.0
    assert high >= low


def test_impossible_wishes_are_refused() -> None:
    """With a sentence that names what cannot be."""
    for wish in (
        {"vertices": (3, 3)},
        {"vertices": (4, 5), "colours": (3, 4)},
        {"colours": (1, 1)},
        {"vertices": (5, 5), "lookahead": (9, 9)},
    ):
        with pytest.raises(ValueError):
            GraphColoring.new(Random(0), **wish)


@pytest.mark.parametrize(
    "said",
    ["3 2", "vertex 3 colour 2", "vertex 3, color 2", "Vertex: 3, Colour: 2", "(3, 2)", "[3, 2]",
     "顶点 3 颜色 2", "３ ２"],
)  # fmt: skip
def test_moves_are_read(said: str) -> None:
    """Players' spellings come out in the one notation."""
    assert kite().read(0, said) == "3 2"


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("9 1", "The vertex must be from 0 to 4, not 9."),
        ("4 7", "The colour must be from 1 to 3, not 7."),
        ("0 2", "Vertex 0 already has a colour."),
        ("2 1", "The neighbours 2 and 0 would share a colour."),
    ],
)
def test_why_a_move_is_illegal(move: str, reason: str) -> None:
    """Out of bounds, taken, or in conflict."""
    game = kite(1, 2, 0, 0, 0)

    assert move not in (game.options()[0] or ())
    assert game.why_illegal(0, move) == reason
    assert game.why_illegal(0, move, "zh") != reason


@pytest.mark.parametrize(
    "answer",
    ["[1, 2, 3, 1, 2]", "1 2 3 1 2", "1, 2, 3, 1, 2", "[1,2,3,1,2]", "1\n2\n3\n1\n2",
     "［1，2，3，1，2］", "0 1\n1 2\n2 3\n3 1\n4 2", "[[0, 1], [1, 2], [2, 3], [3, 1], [4, 2]]",
     "(4, 2), (3, 1), (2, 3), (1, 2), (0, 1)", "vertex 4 colour 2\n3 1\n0 1\n1 2\n2 3"],
)  # fmt: skip
def test_whole_answers_are_read(answer: str) -> None:
    """A list of colours, or moves in any order."""
    assert Whole(kite()).check(answer).score == 1.0


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("[1, 2, 3, 1, 1]", "illegal"),
        ("[1, 2, 3, 1, 4]", "illegal"),
        ("[1, 2, 3, 1, 0]", "unfinished"),
        ("[0, 0, 0, 0, 0]", "unfinished"),
        ("[1, 2, 3, 1]", "unreadable"),
        ("[1, 2, 3, 1, 2, 1]", "unreadable"),
        ("[1, 2, 3, 1, -2]", "unreadable"),
        ("0 1\n1 2\n3 3", "unfinished"),
        ("0 1\n1 2\n3 3\n4 1", "too_long"),
        ("red, green, blue", "unreadable"),
        ("", "unfinished"),
    ],
)
def test_wrong_whole_answers_are_told_apart(answer: str, kind: str) -> None:
    """A conflict, a colour that does not exist, gaps, other lengths, and a game that was lost."""
    assert (0.0, kind) == (Whole(kite()).check(answer).score, Whole(kite()).check(answer).kind)


def test_a_wrong_colouring_is_told_by_its_vertices() -> None:
    """The player wrote no moves, so none is numbered."""
    graph = kite()
    first = graph.neighbours[0][0]
    told = Whole(graph).check(str([1] * 5)).feedback
    assert (
        f"What you wrote is not right. The neighbours {first} and 0 would share a colour." == told
    )


def test_a_whole_answer_keeps_the_colours_that_are_there() -> None:
    """Nothing is taken back or changed."""
    game = Whole(kite(1, 0, 0, 0, 0))

    assert game.check("[1, 2, 3, 1, 2]").score == 1.0
    assert game.check("[0, 2, 3, 1, 2]").kind == "unreadable"
    assert game.check("[2, 1, 3, 2, 1]").kind == "illegal"


def test_pairs_in_lines_are_moves() -> None:
    """Ten numbers in five lines are no list of ten colours."""
    game = GraphColoring.new(Random(1), vertices=(10, 10), colours=(3, 3))
    moves = Whole(game).solution().splitlines()[:5]

    assert list(game.moves("\n".join(moves))) == moves


def test_positions_are_lists() -> None:
    """As FineReason writes them; other brackets and commas are read too."""
    game = kite(1, 2, 0, 0, 3)

    assert game.state() == "[1, 2, 0, 0, 3]"
    assert game.gaps() == 2
    for said in ("[1, 2, 0, 0, 3]", "1 2 0 0 3", "[1,2,0,0,3]", "`[1, 2, 0, 0, 3]`"):
        assert kite().restate(said) == game
    for said in ("", "[]", "[1, 2, 0, 0]", "[1, 2, 0, 0, x]", "[[1, 2, 0, 0, 3]]", "[" * 9_999):
        with pytest.raises(Unreadable) as refused:
            game.restate(said)
        assert "a list of 5 numbers" in refusal(game, refused.value)


def test_leads_to_agrees_with_playing() -> None:
    """For every position of the kite and every colouring, legal or not."""
    ahead: dict[GraphColoring, set[GraphColoring]] = {}

    def reached(game: GraphColoring) -> set[GraphColoring]:
        if game not in ahead:
            children = [game.after(0, move) for move in game.options().get(0) or ()]
            ahead[game] = {*children}.union(*map(reached, children))
        return ahead[game]

    reached(kite())
    wanted = [kite(*colours) for colours in product(range(5), repeat=5)]
    for game in Random(1).sample(sorted(ahead, key=str), 15):
        assert {other for other in wanted if game.leads_to(other)} == ahead[game]


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("[1, 2, 0, 0]", ""),
        ("[1, 0, 1, 0]", ""),
        ("[1, 0, 2, 0]", "dead_end"),
        ("[1, 0, 0, 1]", "known_dead_end"),
        ("[1, 2, 1, 0]", "several_moves"),
        ("[1, 2, 1, 2]", "several_moves"),
        ("[1, 1, 0, 0]", "invalid_move"),
        ("[1, 99, 0, 0]", "invalid_move"),
        ("[1, 999999999, 0, 0]", "invalid_move"),
        ("[2, 0, 0, 0]", "invalid_move"),
        ("[0, 0, 0, 0]", "invalid_move"),
        ("[1, 0, 0, 0]", "no_move"),
        ("[1, 2, 0]", "unreadable"),
    ],
)
def test_next_states_are_judged(answer: str, kind: str) -> None:
    """Every kind of a step ahead, made on purpose."""
    here = path(1, 0, 0, 0)
    question = NextState(path(), None, path(), here, here.after(0, "3 1"), True, 1)

    assert question.check(answer).kind == kind


def test_names_do_not_matter() -> None:
    """What is left is compared: vertices and colours are names, and what is past does not count."""
    assert kite(1, 2, 0, 0, 0).canonical() == kite(3, 1, 0, 0, 0).canonical()
    assert kite(1, 2, 0, 0, 0).canonical() == kite(2, 0, 1, 0, 0).canonical()
    assert kite(1, 2, 0, 0, 0).canonical() != kite(0, 2, 0, 1, 0).canonical()
    assert kite(1, 2, 3, 1, 2).canonical() == kite(2, 1, 3, 2, 3).canonical()
    assert kite().canonical() != GraphColoring(KITE, 4, (0,) * 5).canonical()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_state_tasks_explain_how_positions_are_written(language: str) -> None:
    """The graph and the meaning of 0 are shown; how a move is written is not."""
    for task in ("check", "next"):
        question = drawing.instance(f"{task}:graph_coloring/easy#1")
        assert isinstance(question, Question)
        shown = question.rules(language) + question.text(0, language)

        assert question.position.state_form(language) in shown  # type: ignore[attr-defined]
        assert question.position.state() in shown  # type: ignore[attr-defined]
        assert "\n0: " in shown and "`3 2`" not in shown

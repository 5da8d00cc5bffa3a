"""Max maximal cocktails: the papers' example, best play, both meanings, and who beats whom."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from quandary.core.contract import Ending
from quandary.core.errors import Unreadable
from quandary.core.game import refusal
from quandary.core.mixins.turns import after_foul
from quandary.puzzles.duels.max_maximal_cocktails import MaxMaximalCocktails

Edges = tuple[tuple[int, int], ...]


def _cocktails(drugs: int, edges: Edges) -> list[set[int]]:
    """The maximal cocktails, by trying every set of drugs."""

    def fits(mixture: set[int]) -> bool:
        return not any(one in mixture and other in mixture for one, other in edges)

    mixtures = [
        {drug for drug in range(1, drugs + 1) if number >> drug & 1}
        for number in range(0, 2 << drugs, 2)
    ]
    return [
        m
        for m in mixtures
        if fits(m) and not any(fits(m | {drug}) for drug in range(1, drugs + 1) if drug not in m)
    ]


def _allowed(drugs: int, edges: Edges) -> list[Edges]:
    """The clashes after every allowed move, by counting again."""
    before = len(_cocktails(drugs, edges))
    after = [
        tuple(sorted((*edges, pair)))
        for pair in combinations(range(1, drugs + 1), 2)
        if pair not in edges
    ]
    return [more for more in after if len(_cocktails(drugs, more)) >= before]


def _wins(drugs: int, edges: Edges, known: dict[Edges, bool]) -> bool:
    if edges not in known:
        known[edges] = not all(_wins(drugs, more, known) for more in _allowed(drugs, edges))
    return known[edges]


def _played(position: MaxMaximalCocktails, *moves: str) -> MaxMaximalCocktails:
    for move in moves:
        assert move in (position.options()[position.turn] or ())
        position = position.play(position.turn, move)
    return position


def _match(start: MaxMaximalCocktails, players: tuple[str, str], name: str, budget: int) -> float:
    """The score of seat 0."""
    position, luck = start, Random(name)
    while options := position.options():
        seat, moves = position.turn, list(options[position.turn] or ())
        who = players[seat]
        move = (
            luck.choice(moves)
            if who == "random"
            else position.strategies[who](position, seat, luck, budget)
        )
        position = position.play(seat, move)
    return position.scores()[0]


def _won(stronger: str, weaker: str, level: str, pairs: int, budget: int) -> float:
    """The share of points over pairs of matches from one start with seats exchanged."""
    points = 0.0
    for number in range(pairs):
        start = MaxMaximalCocktails.new(
            Random(f"{level}{number}"), **MaxMaximalCocktails.levels[level]
        )
        points += _match(start, (stronger, weaker), f"forth{number}", budget)
        points += 1 - _match(start, (weaker, stronger), f"back{number}", budget)
    return points / (2 * pairs)


def test_the_papers_example() -> None:
    """Of three drugs, 2 and 3 may clash after 1 and 2.

    That leaves two cocktails, not the three that PuzzlePlex claims.  It does not win either: 1 and
    3 may clash then, which makes three, and the player who has nothing left to add loses.
    """
    position = _played(MaxMaximalCocktails(3), "1 2")
    assert "Maximal cocktails: 2" in position.text(1)

    position = _played(position, "2 3")
    assert "Maximal cocktails: 2" in position.text(0)

    position = _played(position, "1 3")
    assert "Maximal cocktails: 3" in position.text(1)
    assert {} == position.options()
    assert ((1.0, 0.0), Ending("no_move")) == (position.scores(), position.ending())


def test_the_papers_example_with_the_largest_only() -> None:
    """2 and 3 must not clash then, because only one of {1, 3} and {2, 3} would be left.

    So the first player has won after one move.
    """
    position = _played(MaxMaximalCocktails(3, counted="maximum"), "1 2")

    assert "Largest cocktails: 2" in position.text(1)
    assert {} == position.options()
    assert (1.0, 0.0) == position.scores()


def test_a_player_can_be_stuck_long_before_all_drugs_clash() -> None:
    """Two pairs of four drugs have four cocktails; whatever clashes next, there are three."""
    stuck = _played(MaxMaximalCocktails(4), "1 2", "3 4")

    assert {} == stuck.options()
    assert ((0.0, 1.0), Ending("no_move")) == (stuck.scores(), stuck.ending())


def test_options_are_those_of_counting_again() -> None:
    """At every position of random matches; the count shown is the true one."""
    rng = Random("options")
    for drugs in (2, 3, 5, 6, 7):
        position = MaxMaximalCocktails(drugs)
        while options := position.options():
            allowed = [
                set(more).difference(position.edges) for more in _allowed(drugs, position.edges)
            ]

            assert [f"{one} {other}" for [(one, other)] in allowed] == list(
                options[position.turn] or ()
            )
            assert f"Maximal cocktails: {len(_cocktails(drugs, position.edges))}" in position.text(
                0
            )
            position = position.play(position.turn, rng.choice(list(options[position.turn] or ())))


@pytest.mark.parametrize("move", ["1 1", "1 2", "0 3", "3 6", "-1 3"])
def test_what_is_no_new_clash_is_not_allowed(move: str) -> None:
    """A drug with itself, two that clash already, and drugs that do not exist."""
    position = _played(MaxMaximalCocktails(5), "1 2")

    assert move not in (position.options()[1] or ())
    assert after_foul(position, 1, move) is None


@pytest.mark.parametrize(("drugs", "longest"), [(3, 3), (4, 6), (5, 10), (6, 15)])
def test_all_drugs_can_come_to_clash(drugs: int, longest: int) -> None:
    """The longest match has as many moves as there are pairs."""
    reached = {MaxMaximalCocktails(drugs).canonical(): MaxMaximalCocktails(drugs)}
    for _ in range(longest):
        after = [
            p.play(p.turn, move) for p in reached.values() for move in p.options().get(p.turn) or ()
        ]
        reached = {position.canonical(): position for position in after}

    [last] = reached.values()
    assert tuple(combinations(range(1, drugs + 1), 2)) == last.edges
    assert {} == last.options()


@pytest.mark.parametrize(
    ("drugs", "first_wins"),
    [(2, True), (3, True), (4, False), (5, False), (6, True), (7, True), (8, False)],
)
def test_who_wins_from_the_start(drugs: int, first_wins: bool) -> None:
    """Known for three to six drugs; for seven and eight from a search of all labelled graphs."""
    worth = MaxMaximalCocktails(drugs).judge(0)

    assert worth is not None
    assert {float(first_wins)} == set(worth.values())  # all first moves are alike


@pytest.mark.parametrize(("drugs", "moves"), [(3, 1), (4, 2), (5, 2), (6, 3), (7, 3), (12, 6)])
def test_counting_the_largest_leaves_no_choice(drugs: int, moves: int) -> None:
    """Only drugs without a clash may clash, so all matches are equally long and moves equal."""
    position, rng = (
        MaxMaximalCocktails.new(Random(0), drugs=(drugs, drugs), counted="maximum"),
        Random(drugs),
    )
    while options := position.options():
        used = {drug for edge in position.edges for drug in edge}
        free = [drug for drug in range(1, drugs + 1) if drug not in used]
        listed = list(options[position.turn] or ())
        wins = float((moves - len(position.edges)) % 2)

        assert [f"{one} {other}" for one, other in combinations(free, 2)] == listed
        assert dict.fromkeys(listed, wins) == position.judge(position.turn)
        position = position.play(position.turn, rng.choice(listed))

    assert moves == len(position.edges)


def test_verdicts_and_the_oracle_agree_with_brute_force() -> None:
    """From every position of five drugs that play can reach, values of moves are exact.

    The oracle wins what can be won.
    """
    known: dict[Edges, bool] = {}
    waiting, seen, lost = [MaxMaximalCocktails(5)], set(), 0
    while waiting:
        position = waiting.pop()
        for move in position.options().get(position.turn) or ():
            after = position.play(position.turn, move)
            if after.edges not in seen:
                seen.add(after.edges)
                waiting.append(after)
        if not position.options() or len(seen) % 5:
            continue
        expected = {
            f"{one} {other}": float(not _wins(5, more, known))
            for more in _allowed(5, position.edges)
            for one, other in set(more).difference(position.edges)
        }
        move = position.strategies["oracle"](position, position.turn, Random(1), 1)

        assert expected == position.judge(position.turn)
        assert max(expected.values()) == expected[move]
        lost += max(expected.values()) == 0.0

    assert lost > 5


def test_verdicts_on_many_drugs_are_given_near_the_end_only() -> None:
    """There is no verdict on an open position, nor for the player who waits.

    Three moves before the end of a match the verdict is right.
    """
    assert MaxMaximalCocktails(10).judge(0) is None
    assert MaxMaximalCocktails(8).judge(1) is None
    rng, known, judged = Random("late"), dict[Edges, bool](), 0
    for _ in range(6):
        line = [MaxMaximalCocktails(9)]
        while options := line[-1].options():
            line.append(
                line[-1].play(line[-1].turn, rng.choice(list(options[line[-1].turn] or ())))
            )
        position = line[-4]
        worth = position.judge(position.turn)
        if worth is not None and len(worth) <= 5:
            assert _wins(9, position.edges, known) == (max(worth.values()) == 1.0)
            judged += 1

    assert judged


def test_starts() -> None:
    """The papers' levels begin without clashes; hard ones have some clashes and a move left.

    Names of drugs do not matter.
    """
    for level in MaxMaximalCocktails.levels:
        for seed in range(40):
            start = MaxMaximalCocktails.new(Random(seed), **MaxMaximalCocktails.levels[level])

            assert (0, None) == (start.turn, start.last)
            assert start.options()
            assert bool(start.edges) == (level == "hard")
    assert (
        MaxMaximalCocktails(6, ((1, 2), (2, 3))).canonical()
        == MaxMaximalCocktails(6, ((1, 6), (4, 6))).canonical()
    )
    assert (
        MaxMaximalCocktails(6, ((1, 2), (2, 3))).canonical()
        != MaxMaximalCocktails(6, ((1, 2), (3, 4))).canonical()
    )


@pytest.mark.parametrize(
    ("sizes", "words"),
    [
        ({"drugs": (1, 4)}, "drugs=1..4 is out of bounds; write a range within 2 to 20"),
        ({"drugs": (4, 31)}, "drugs=4..31 is out of bounds; write a range within 2 to 20"),
        ({"begun": (-1, 3)}, "begun=-1..3 is out of bounds; write a range within 0 or more"),
    ],
)
def test_sizes_that_cannot_be_made(sizes: dict[str, tuple[int, int]], words: str) -> None:
    """One drug cannot clash, and the cocktails of very many drugs cannot be listed."""
    with pytest.raises(ValueError, match=words):
        MaxMaximalCocktails.new(Random(0), **sizes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("said", "move"),
    [
        ("1 2", "1 2"),
        ("2 1", "1 2"),
        ("edge = (1, 2)", "1 2"),
        ("Operation: edge = (12,3)", "3 12"),
        ("[1, 2]", "1 2"),
        ("{2, 1}", "1 2"),
        ("1-2", "1 2"),
        ("1, 2.", "1 2"),
        ("Drugs 1 and 2 shall clash.", "1 2"),
        ("(3, 3)", "3 3"),
        ("99 1", "1 99"),
        ("-1 2", "-1 2"),
    ],
)
def test_notations_are_read(said: str, move: str) -> None:
    """The papers' form, plain pairs and sentences, allowed or not."""
    assert move == MaxMaximalCocktails(5).read(0, said)


@pytest.mark.parametrize(
    "said",
    ["（1，2）", "１　２", "1、2", "1和2", "药物 1 与药物 2 相克。", "2号药和1号药", "1号和2号",
     "药物：1，另一种药物：2"],
)  # fmt: skip
def test_notations_are_read_in_chinese(said: str) -> None:
    """In full width, with names before and after the numbers."""
    assert "1 2" == MaxMaximalCocktails(5).read(0, said)


@pytest.mark.parametrize(
    "said",
    ["", "1", "1 2 3", "not (1, 2) but (3, 4)", "(1, 2, 3)", "one two", "1.5 2", "1234567890 1"],
)
def test_other_words_are_refused(said: str) -> None:
    """What names no two drugs is no move, and the refusal shows how to write one."""
    game = MaxMaximalCocktails(5)
    with pytest.raises(Unreadable) as refused:
        game.read(0, said)
    assert "for example: 1 2" in refusal(game, refused.value)


def test_a_drug_is_one_click_of_the_player_to_move() -> None:
    """A click fills in one drug of a pair, and nothing can be clicked by the player who waits."""
    game = MaxMaximalCocktails(4)
    clicks = [
        [getattr(shape, "click", None) for shape in game.scene(seat).shapes] for seat in (0, 1)
    ]

    assert [{"drug": str(drug)} for drug in range(1, 5)] == [click for click in clicks[0] if click]
    assert not any(clicks[1])
    assert "2 3" == game.notation().write({"drug": 3, "other_drug": 2})


def test_the_first_edge_is_the_released_baseline() -> None:
    """The lowest pair that is allowed, whatever the luck."""
    position = _played(MaxMaximalCocktails(5), "1 2", "3 4")

    assert next(iter(position.options()[0] or ())) == position.strategies["first"](
        position, 0, Random(9), 1
    )


@pytest.mark.heavy
@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
@pytest.mark.parametrize("weaker", ["random", "first", "brute_force"])
def test_the_oracle_is_the_strongest(level: str, weaker: str) -> None:
    """It scores more than half of 60 matches with seats exchanged, by more than luck (0.13)."""
    assert _won("oracle", weaker, level, 30, 60) > 0.63


@pytest.mark.heavy
def test_the_house_beats_luck() -> None:
    """Brute force, the house of the normal level, in 200 matches with seats exchanged."""
    assert _won("brute_force", "random", "normal", 100, 60) > 0.57

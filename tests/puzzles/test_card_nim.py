"""Card nim: known winners, and exact play against plain search."""

from __future__ import annotations

from random import Random

import pytest

from quandary.core.contract import Ending
from quandary.core.errors import Unreadable
from quandary.core.game import refusal
from quandary.core.scene import Box
from quandary.puzzles.duels.card_nim import CardNim


def _pile(stones: int, top: int) -> CardNim:
    hand = tuple(range(1, top + 1))
    return CardNim(stones, (hand, hand))


def _wins_by_force(position: CardNim) -> bool:
    """Whether the player to move wins: every line of play, no memory, no shortcut."""
    moves = position.options().get(position.turn) or ()
    return any(not _wins_by_force(position.play(position.turn, move)) for move in moves)


@pytest.mark.parametrize(
    ("stones", "top", "winner"),
    [
        (5, 3, 1),
        (24, 18, 1), (21, 11, 0), (27, 18, 1), (27, 9, 1), (39, 16, 1),
        (48, 36, 1), (43, 23, 0), (55, 37, 1), (55, 19, 1), (79, 32, 0),
    ],
)  # fmt: skip
def test_the_published_instances_have_the_known_winner(stones: int, top: int, winner: int) -> None:
    """PuzzlePlex, easy and normal seeds 1 to 5, and the paper's example of five stones."""
    worth = _pile(stones, top).judge(0)
    assert worth is not None

    assert (1.0 if winner == 0 else 0.0) == max(worth.values())


def test_exact_play_agrees_with_plain_search() -> None:
    """The judge's worths are those of brute force on small random positions."""
    rng = Random(7)
    for _ in range(150):
        hands = tuple(tuple(sorted(rng.sample(range(1, 9), rng.randint(1, 4)))) for _ in range(2))
        position = CardNim(rng.randint(1, 18), hands, rng.randrange(2))  # type: ignore[arg-type]
        if not position.options():
            continue
        expected = {
            move: float(not _wins_by_force(position.play(position.turn, move)))
            for move in position.options()[position.turn] or ()
        }

        assert expected == position.judge(position.turn)


def test_the_last_stone_wins() -> None:
    """Taking the last stone reaches the goal."""
    over = CardNim(3, ((3,), (1, 2))).play(0, "3")

    assert ((1.0, 0.0), Ending("goal"), {}) == (over.scores(), over.ending(), over.options())


def test_no_card_that_fits_loses() -> None:
    """A stuck player loses at once and nobody is to blame."""
    stuck = CardNim(3, ((2,), (5,))).play(0, "2")

    assert ((1.0, 0.0), Ending("no_move"), {}) == (stuck.scores(), stuck.ending(), stuck.options())


def test_cards_above_the_pile_are_no_options() -> None:
    """Overshooting is not allowed."""
    assert CardNim(2, ((1, 2, 3), (1,))).options() == {0: ["1", "2"]}


@pytest.mark.parametrize(
    "said",
    [
        "7",
        " 7 ",
        "[7]",
        "Operation: [7]",
        "**Operation:** [7]",
        "Operation: List[int] = [7]",
        "`7`",
    ],
)
def test_the_papers_notations_are_read(said: str) -> None:
    """One number, however it is dressed."""
    assert _pile(9, 9).read(0, said) == "7"


@pytest.mark.parametrize("said", ["", "seven", "3 or 4", "2.5", "-", "1 2"])
def test_what_is_no_single_number_is_unreadable(said: str) -> None:
    """Two numbers or none are not a move."""
    game = _pile(9, 9)
    with pytest.raises(Unreadable) as refused:
        game.read(0, said)

    assert "as one number, for example: 7" in refusal(game, refused.value)
    assert "例如：7" in refusal(game, refused.value, "zh")


@pytest.mark.parametrize(
    ("said", "move"),
    [("我打出 7", "7"), ("打出７", "7"), ("牌：7", "7"), ("-7", "-7"), ("99999", "99999")],
)
def test_moves_are_read_in_chinese_and_out_of_bounds(said: str, move: str) -> None:
    """Chinese replies name the same moves, and a card that nobody holds is a readable move."""
    assert _pile(9, 9).read(0, said) == move


@pytest.mark.parametrize("level", CardNim.levels)
def test_levels_number_every_card_that_is_dealt(level: str) -> None:
    """The bounds of a level hold for all its instances."""
    sizes = CardNim.levels[level]
    [card] = CardNim.level_notation(**sizes).form()
    starts = [CardNim.new(Random(seed), **sizes) for seed in range(50)]

    assert max(max(hand) for start in starts for hand in start.hands) <= card.high


def test_both_hands_are_shown_in_both_languages() -> None:
    """A player reads what the opponent played, the pile and both hands; an empty hand is named."""
    position = CardNim(8, ((2, 5), (3,))).play(0, "2").play(1, "3")

    assert position.text(0).splitlines() == [
        "Your opponent played 3.",
        "Stones: 3",
        "Your cards: 5",
        "Opponent's cards: none",
    ]
    assert position.text(1).splitlines() == ["Stones: 3", "Your cards: none", "Opponent's cards: 5"]
    assert position.text(0, "zh").splitlines() == [
        "对手打出了 3。",
        "石子：3",
        "你的牌：5",
        "对手的牌：无",
    ]


def test_clicks_on_the_picture_are_the_legal_moves() -> None:
    """Playable cards can be clicked by the player to move, and nothing else can."""
    position = CardNim(4, ((2, 4, 5), (1, 9)))

    def clicks(seat: int) -> list[object]:
        scene = position.scene(seat)
        return [shape.click for shape in scene.shapes if isinstance(shape, Box) and shape.click]

    assert clicks(0) == [{"card": "2"}, {"card": "4"}]
    assert clicks(1) == []


def test_cautious_takes_a_win_and_gives_none_away() -> None:
    """The house of the normal level looks one round ahead."""
    winning = CardNim(4, ((2, 4), (1, 3)))
    threatened = CardNim(6, ((1, 2, 3), (3, 5)))

    assert {"4"} == {winning.cautious(0, Random(seed), 1) for seed in range(20)}
    assert {"2"} == {threatened.cautious(0, Random(seed), 1) for seed in range(20)}


@pytest.mark.parametrize("level", CardNim.levels)
def test_no_first_card_wins_at_once(level: str) -> None:
    """Neither by taking all stones nor by leaving the opponent without a playable card."""
    for seed in range(500):
        start = CardNim.new(Random(seed), **CardNim.levels[level])

        assert start.options()
        assert all(start.play(0, card).options() for card in start.legal(0))


def test_starts_that_are_always_won_by_the_first_card_are_refused() -> None:
    """With one stone, the card 1 wins."""
    with pytest.raises(ValueError, match="won by the first card"):
        CardNim.new(Random(1), stones=(1, 1))


def test_starts_that_one_card_wins() -> None:
    """The highest playable card decides, against every card tried; hands with gaps too."""
    rng, found = Random(3), {True: 0, False: 0}
    for _ in range(2_000):
        hands = tuple(tuple(sorted(rng.sample(range(1, 9), rng.randint(0, 4)))) for _ in range(2))
        start = CardNim(rng.randint(0, 12), hands)  # type: ignore[arg-type]
        cards = start.options().get(0) or ()
        won = not cards or any(not start.after(0, card).options() for card in cards)
        assert start.is_won_at_once() == won, start
        found[won] += 1
    assert min(found.values()) > 100

"""What the games of drawing coins from bags share: random bags, words and the picture."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from quandary.core.contract import Seat
from quandary.core.scene import Box, Disc, Label, Scene, Shape
from quandary.solvers.coin_bags import Coins, Draw, Seen

MOST_BAGS = 14  # what can be counted over sets of bags
MOST_WORTH = 10_000  # of a coin; means of larger ones could not be told from ties
HOW_TO_WRITE = "Write the number of the bag you draw from, for example: 2"
WHAT_IS_KNOWN = (
    "What the bags hold is made known at the start, but not which bag holds what: the contents "
    "are listed in sorted order. In which order a bag gives its coins is luck, settled before the "
    "first draw."
)


def random_bags(
    rng: Random, bags: tuple[int, int], length: tuple[int, int], coin: tuple[int, int]
) -> tuple[Coins, ...]:
    """Bags of `length` coins of value `coin`, all by luck, in the order their coins come out."""
    if (
        not 2 <= bags[0] <= bags[1] <= MOST_BAGS
        or length[0] < 1
        or not 0 <= coin[0] <= coin[1] <= MOST_WORTH
    ):
        raise ValueError(
            f"there are 2 to {MOST_BAGS} bags, each with at least 1 coin, and coins are worth 0 to {MOST_WORTH}"
        )
    return tuple(
        tuple(rng.randint(*coin) for _ in range(rng.randint(*length)))
        for _ in range(rng.randint(*bags))
    )


def told(seen: Seen, name: Callable[[Draw], str]) -> list[str]:
    """All that was seen, in lines, with words for each draw."""
    lines = ["What the bags held at the start, in sorted order:"]
    lines += [f"- {' '.join(map(str, coins))}" for coins in seen.shown]
    lines.append("What was drawn from each bag:")
    for number, empty in enumerate(seen.empty):
        draws = ", ".join(map(name, seen.drawn(number)))
        lines.append(f"- bag {number}: {draws or 'nothing yet'}{'; it is empty' if empty else ''}")
    return lines


def picture(seen: Seen, seat: Seat, title: str, legend: str, moving: bool) -> Scene:
    """One row per bag; coins of `seat` are round, and bags can be clicked while it is moving."""
    deepest, wide = max(map(len, seen.shown)), max(len(str(coins[-1])) for coins in seen.shown)
    middle, pitch = max(7.0, 2.2 + 0.85 * deepest), 0.34 * (wide + 1)
    shapes: list[Shape] = [
        Label(0, 0.4, title, 0.5, anchor="start"),
        Label(0, 1.3, legend, anchor="start", colour="quiet"),
        Label(middle, 1.02, "contents at the start,", anchor="start", colour="quiet"),
        Label(middle, 1.48, "in no order of bags", anchor="start", colour="quiet"),
    ]
    for number, (empty, coins) in enumerate(zip(seen.empty, seen.shown, strict=True)):
        y = 1.8 + number
        click = str(number) if moving and not empty else ""
        shapes.append(
            Box(0, y, 1.2, 0.9, fill="shade" if empty else "yellow", text=str(number), click=click)
        )
        for i, draw in enumerate(seen.drawn(number)):
            x, coin = 1.7 + 0.85 * i, str(draw.coin)
            shapes.append(
                Disc(x + 0.05, y + 0.45, 0.38, "blue", coin)
                if draw.seat == seat
                else Box(x - 0.3, y + 0.1, 0.7, 0.7, "orange", coin)
            )
        shapes += [
            Label(middle + pitch * (i + 0.5), y + 0.45, str(coin)) for i, coin in enumerate(coins)
        ]
    return Scene(middle + max(pitch * deepest, 5.4), 2.0 + len(seen.shown), tuple(shapes))

"""Mahjong: what an added tile makes of a hand, and hands whose rounds end as wanted.

A tile is a letter ("F"), or a suit and a number ("B3"); its last character is its rank.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from random import Random
from typing import NamedTuple, TypeAlias

LETTERS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
SUITS = "ABC"
NUMBERS = "123456789"
NUMBERED = tuple(suit + number for suit in SUITS for number in NUMBERS)
COPIES = 4  # at most, of a tile
DISCARDS = 8  # tiles whose removal is tried before planting gives up

Fits: TypeAlias = Callable[[list[str], str], bool]


class Rounds(NamedTuple):
    hand: tuple[str, ...]  # before the first round
    added: tuple[str, ...]  # one tile per round
    removed: tuple[str, ...]  # one per round except the last


def rank(tile: str) -> int:
    return ord(tile[-1])


def is_peng(hand: Sequence[str], tile: str) -> bool:
    return sum(rank(other) == rank(tile) for other in hand) >= 2


def is_pure_peng(hand: Sequence[str], tile: str) -> bool:
    return sum(other == tile for other in hand) >= 2


def is_chi(hand: Sequence[str], tile: str) -> bool:
    ranks, own = set(map(rank, hand)), rank(tile)
    return any({own + low, own + high} <= ranks for low, high in ((-2, -1), (-1, 1), (1, 2)))


def is_hu(hand: Sequence[str], tile: str) -> bool:
    """Return whether all tiles make groups of three and a pair of equal tiles."""
    tiles = [*hand, tile]
    if len(tiles) % 3 != 2:
        return False
    ranks = Counter(map(rank, tiles))
    pairs = {rank(one) for one, number in Counter(tiles).items() if number >= 2}
    return any(_makes_groups(ranks - Counter({pair: 2})) for pair in pairs)


def _makes_groups(ranks: Counter[int]) -> bool:
    """Return whether ranks make groups of three equal or three consecutive ones.

    What the lowest rank has beyond triples starts runs; three equal runs are three triples as well.
    """
    left = dict(ranks)
    for lowest in sorted(left):
        runs = left[lowest] % 3
        for following in (lowest + 1, lowest + 2) if runs else ():
            left[following] = left.get(following, 0) - runs
            if left[following] < 0:
                return False
    return True


# The first of them that an added tile makes is the call.
PRECEDENCE = {"hu": is_hu, "pure_peng": is_pure_peng, "peng": is_peng, "chi": is_chi}


def call_of(hand: Sequence[str], tile: str, known: Collection[str]) -> str:
    """Return which of the known calls a tile that is added to a hand makes; "" for none."""
    makes = (name for name, test in PRECEDENCE.items() if name in known and test(hand, tile))
    return next(makes, "")


def planted(
    rng: Random, tiles: Sequence[str], groups: int, known: Collection[str], wanted: Sequence[str]
) -> Rounds | None:
    """Try to find rounds with the wanted calls.

    A win is rare, so it is laid first; the rounds before and behind it are found from there.
    """

    plain = [name for name in known if name != "hu"]  # which are decided more quickly

    def making(call: str) -> Fits:
        if call == "hu":
            return is_hu
        return lambda hand, tile: (
            call_of(hand, tile, plain) == call and not ("hu" in known and is_hu(hand, tile))
        )

    middle = wanted.index("hu") if "hu" in wanted else 0
    held = _winning(rng, tiles, groups, "pure_peng" in wanted[:middle])
    if "hu" not in wanted:
        some = rng.choices(tiles, k=3 * groups + 2)
        if (found := _following(rng, some, tiles, making(wanted[0]))) is None:
            return None
        held, _ = found
    hand, added, removed = held[:-1], held[-1:], list[str]()
    for call in wanted[middle + 1 :]:
        if (found := _following(rng, held, tiles, making(call))) is None:
            return None
        held, gone = found
        added, removed = [*added, held[-1]], [*removed, gone]
    for call in reversed(wanted[:middle]):
        if (found := _preceding(rng, hand, tiles, making(call))) is None:
            return None
        (*hand, tile), gone = found
        added, removed = [tile, *added], [gone, *removed]
    if max(Counter([*hand, *added]).values()) > COPIES:
        return None
    return Rounds(tuple(sorted(hand)), tuple(added), tuple(removed))


def _winning(rng: Random, tiles: Sequence[str], groups: int, is_pure: bool) -> list[str]:
    """Groups of tiles and a pair, shuffled; perhaps with three of a tile."""
    ranks = sorted({tile[-1] for tile in tiles})
    found = [rng.choice(tiles)] * 2 + [rng.choice(tiles)] * 3 * is_pure
    for _ in range(groups - is_pure):
        if rng.random() < 0.5:
            start = rng.randrange(len(ranks) - 2)
            found += [_tile(rng, tiles, one) for one in ranks[start : start + 3]]
        elif rng.random() < 0.5:
            found += [rng.choice(tiles)] * 3
        else:
            one = rng.choice(ranks)
            found += [_tile(rng, tiles, one) for _ in range(3)]
    rng.shuffle(found)
    return found


def _tile(rng: Random, tiles: Sequence[str], one: str) -> str:
    return rng.choice([tile for tile in tiles if tile[-1] == one])


def _following(
    rng: Random, held: list[str], tiles: Sequence[str], fits: Fits
) -> tuple[list[str], str] | None:
    """Return a next round: the tiles then held, the added one last, and the tile removed
    before it.
    """
    for gone in rng.sample(held, min(DISCARDS, len(held))):
        hand = _without(held, gone)
        for tile in rng.sample(tiles, len(tiles)):
            if tile != gone and fits(hand, tile):
                return [*hand, tile], gone
    return None


def _preceding(
    rng: Random, after: list[str], tiles: Sequence[str], fits: Fits
) -> tuple[list[str], str] | None:
    """Return a round before: the tiles then held, the added one last, and the tile removed after
    it.
    """
    for gone in rng.sample(tiles, DISCARDS):
        for tile in rng.sample(after, len(after)):
            hand = _without([*after, gone], tile)
            if tile != gone and fits(hand, tile):
                return [*hand, tile], gone
    return None


def _without(tiles: Sequence[str], one: str) -> list[str]:
    left = list(tiles)
    left.remove(one)
    return left

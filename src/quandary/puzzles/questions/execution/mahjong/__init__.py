"""Mahjong: tiles are added to a hand round by round, and each added tile makes a call or none.

From LogicGame, with its sizes: family a has letters and 13 tiles, family b numbers in three suits
and 7 tiles.  Calls come one by one with the levels.  The published level 3 of family b announces 8
tiles, gives 7 and wants four groups of three; here the number of groups fits the hand.  At levels 2
and 3 every call is made at least once: rounds are planted around a winning hand.  So at level 2,
with as many rounds as calls, no round passes.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, zip_longest
from random import Random
from typing import Annotated, Self

from quandary.core.boards import Cell, board, cards, stack
from quandary.core.bounds import Between
from quandary.core.contract import Doc, Language, Seat
from quandary.core.json_answers import written
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.core.worked import Words, Work, Worked, grown

from .solver import (
    LETTERS,
    NUMBERED,
    NUMBERS,
    PRECEDENCE,
    SUITS,
    call_of,
    planted,
)

# A call's code is its place, from 1; 0 is a pass.  They come with the levels in this order.
CALLS = {"a": ("peng", "chi", "hu"), "b": ("peng", "pure_peng", "chi", "hu")}
TRIES = 50  # for drawn calls, so that rare ones are not drawn less often


@dataclass(frozen=True)
class Mahjong(Worked):
    calls: Annotated[int, Doc("how many of the calls exist, counted from 0")]
    hand: Annotated[tuple[str, ...], Doc("the tiles before the first round")]
    added: Annotated[tuple[str, ...], Doc("the tile added in each round")]
    removed: Annotated[tuple[str, ...], Doc("the tile removed after each round except the last")]

    families = {
        "a": "tiles have letters",
        "b": "tiles have numbers and suits",
    }
    sizes = {
        "a": grown(calls=(1, 2, 3, 3), groups=(4, 4, 4, 4), rounds=(1, 2, 3, 4)),
        "b": grown(calls=(1, 2, 3, 4), groups=(2, 2, 2, 2), rounds=(1, 2, 3, 4)),
    }

    @classmethod
    def draw(
        cls,
        rng: Random,
        family: str,
        level: int,
        *,
        calls: Annotated[int, Between(1, 4)],
        groups: Annotated[int, Between(1, 5)],
        rounds: Annotated[int, Between(1, 8)],
    ) -> Self | None:
        known = CALLS[family][:calls]
        if len(known) < calls:
            raise ValueError(f"family {family} has {len(known)} calls: take calls={len(known)}")
        if level >= 2 and rounds < calls:
            raise ValueError(f"at level {level}, {calls} calls need {calls} rounds or more")
        every = known if level >= 2 else ()
        wanted = [*every, *rng.choices(("", *known), k=rounds - len(every))]
        rng.shuffle(wanted)
        tiles = LETTERS if family == "a" else NUMBERED
        for _ in range(TRIES):
            if made := planted(rng, tiles, groups, known, wanted):
                return cls(family, level, calls, *made)
        return None

    def rules_in_play(self) -> Sequence[Hashable]:
        return CALLS[self.family][: self.calls]

    def work(self, without: Hashable = None) -> Work:
        known = {name for name in CALLS[self.family][: self.calls] if name != without}
        hand, made = list(self.hand), list[str]()
        for tile, gone in zip_longest(self.added, self.removed):
            call = call_of(hand, tile, known)
            made.append(str(CALLS[self.family].index(call) + 1 if call else 0))
            hand.append(tile)
            if gone:
                hand.remove(gone)
        return Work.of_steps(made)

    def sample(self, rng: Random) -> str:
        """Return a code for each round."""
        guess = Work.of_steps(str(rng.randint(0, self.calls)) for _ in self.added)
        return written(guess.answer, guess.process)

    def explain(self, say: Say) -> str:
        lines = self._letter_calls(say) if self.family == "a" else self._number_calls(say)
        known = CALLS[self.family][: self.calls]
        return say.lines(
            say("You hold {n} tiles, each with a letter from A to Z.", n=len(self.hand))
            if self.family == "a"
            else say(
                "You hold {n} tiles, each with a suit, A, B or C, and a number from 1 to 9: B3 is "
                "the 3 of suit B.",
                n=len(self.hand),
            ),
            say(
                "There can be several equal tiles. In each round a tile is added to the hand, and "
                "the round gets a code. Go through these lines from top to bottom; the first one "
                "that is true gives the code:"
            ),
            *(lines[name] for name in PRECEDENCE if name in known),
            say("0 (Pass): none of the above is true."),
            "chi" in known and lines["no_turn"],
            len(self.added) > 1
            and say(
                "The tile is added, the code is decided, and only then is the tile that the round "
                "names removed; in the last round no tile is removed. Whatever the code, no other "
                "tile leaves the hand."
            ),
        )

    def _letter_calls(self, say: Say) -> dict[str, str]:
        return {
            "hu": say(
                "3 (Hu): all {n} tiles, the added one included, can be divided into {groups} "
                "{groups:group|groups} of three tiles and a pair, with no tile left over. A group "
                "is three equal letters, or three letters that follow one another in the alphabet; "
                "a pair is two equal letters.",
                n=len(self.hand) + 1,
                groups=(len(self.hand) - 1) // 3,
            ),
            "peng": say(
                "1 (Peng): at least two of the tiles held before the round have the same letter as "
                "the added tile."
            ),
            "chi": say(
                "2 (Chi): the added tile and two of the tiles held before the round have three "
                "letters that follow one another in the alphabet, such as O, P and Q; the added "
                "tile can be any of the three."
            ),
            "no_turn": say("In all these lines, A does not follow Z."),
        }

    def _number_calls(self, say: Say) -> dict[str, str]:
        return {
            "hu": say(
                "4 (Hu): all {n} tiles, the added one included, can be divided into {groups} "
                "{groups:group|groups} of three tiles and a pair, with no tile left over. A group "
                "is three tiles of any suits whose numbers are all equal or are consecutive; a "
                "pair is two tiles of the same number and the same suit.",
                n=len(self.hand) + 1,
                groups=(len(self.hand) - 1) // 3,
            ),
            "pure_peng": say(
                "2 (Pure Peng): at least two of the tiles held before the round have the same "
                "number and the same suit as the added tile."
            ),
            "peng": say(
                "1 (Peng): at least two of the tiles held before the round have the same number as "
                "the added tile, whatever their suits."
            ),
            "chi": say(
                "3 (Chi): the added tile and two of the tiles held before the round have three "
                "consecutive numbers, such as 4, 5 and 6, whatever their suits; the added tile can "
                "be any of the three."
            ),
            "no_turn": say("In all these lines, 1 does not follow 9."),
        }

    def words(self, say: Say) -> Words:
        return Words(
            say("a list with one string, the code of the last round."),
            say("the list of the codes of all rounds, in order, as strings: one per round."),
            Work.of_steps(["0", "1"]),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        pairs = enumerate(zip_longest(self.added, self.removed), start=1)
        return say.lines(
            say("The hand: {tiles}", tiles=" ".join(self.hand)),
            *(
                say("Round {n}: {added} is added, {removed} is removed.", n=n, added=one, removed=x)
                if x
                else say("Round {n}: {added} is added.", n=n, added=one)
                for n, (one, x) in pairs
            ),
        )

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Return the hand, and below it a row for each round."""
        say = self.say(language)
        rounds = [
            [Cell(added, "good"), Cell(removed, "bad") if removed else None]
            for added, removed in zip_longest(self.added, self.removed)
        ]
        return stack(
            cards(self.hand, columns=len(self.hand), title=say("The hand")),
            board(
                rounds,
                row_names=[say("Round {n}", n=n) for n in range(1, len(rounds) + 1)],
                column_names=[say("added"), say("removed")],
                size=(2.0, 1.0),
            ),
        )

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        return {"good": say("tiles that are added"), "bad": say("tiles that are removed")}

    def equivalent(self, rng: Random) -> Self:
        return rng.choice(list(self._images()))

    def canonical(self) -> Hashable:
        images = self._images()
        return self.family, self.calls, min((one.hand, one.added, one.removed) for one in images)

    def _images(self) -> Iterator[Self]:
        """With the suits renamed, and with the order of letters or numbers turned around."""
        ranks = "".join(LETTERS) if self.family == "a" else NUMBERS
        for order in (ranks, ranks[::-1]):
            for suits in permutations(SUITS) if self.family == "b" else [SUITS]:
                rank_of = dict(zip(ranks, order, strict=True))
                suit_of = dict(zip(SUITS, suits, strict=True))
                yield replace(
                    self,
                    hand=tuple(sorted(_renamed(self.hand, suit_of, rank_of))),
                    added=_renamed(self.added, suit_of, rank_of),
                    removed=_renamed(self.removed, suit_of, rank_of),
                )


def _renamed(
    tiles: Sequence[str], suit_of: dict[str, str], rank_of: dict[str, str]
) -> tuple[str, ...]:
    return tuple(suit_of.get(tile[:-1], "") + rank_of[tile[-1]] for tile in tiles)

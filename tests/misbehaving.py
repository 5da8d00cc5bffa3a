"""A player that mostly plays at random and now and then does what no player should."""

from __future__ import annotations

import asyncio

from quandary.core.luck import Luck
from quandary.matches.player import Forfeit, Reply, Turn
from quandary.players.strategy import random_move

WORDS = ("", "hm", "\ud800", "word " * 50)
MOVES = ("999 999 9", "999", "1 1 hold 1", "K compete", "9 9", "0 0 0", "1 + 1", "00000", "2 reset")


class Misbehaving:
    """Forfeits, raises, says nothing, says nonsense or cheats, as often as `mischief` says."""

    def __init__(self, name: str, mischief: float, instant: bool = True) -> None:
        self.name, self.mischief, self.instant = name, mischief, instant

    def take_seat(self, seat: int, luck: str) -> MisbehavingSeatedPlayer | SlowSeatedPlayer:
        seated = MisbehavingSeatedPlayer(self, luck)
        return seated if self.instant else SlowSeatedPlayer(seated)


class MisbehavingSeatedPlayer:
    def __init__(self, player: Misbehaving, luck: str) -> None:
        self.player, self.luck = player, luck

    def answer(self, turn: Turn) -> Reply:
        rng = Luck(self.luck).turn(turn.number)
        words = random_move(turn, rng)
        if rng.random() >= self.player.mischief:
            return Reply(
                words,
                rng.choice(["", f"I say {words}"]),
                seconds=rng.random(),
                tokens=rng.randrange(9),
            )
        kind = rng.randrange(9)
        if kind == 0:
            raise Forfeit(
                rng.choice(["timeout", "infrastructure", "resigned", "goal"]), "what", 1.5, 3
            )
        if kind == 1:
            raise rng.choice([KeyError("x"), SystemExit(3), ValueError("ü")])
        if kind == 2:
            return Reply("", "cut off", rng.choice(["truncated", "empty", "refused", "malformed"]))
        return Reply(rng.choice(WORDS if kind in (3, 4) else MOVES))


class SlowSeatedPlayer:
    """Lets others go first."""

    def __init__(self, seated: MisbehavingSeatedPlayer) -> None:
        self.seated = seated

    async def act(self, turn: Turn) -> Reply:
        await asyncio.sleep(0)
        return self.seated.answer(turn)

    async def leave(self) -> None:
        pass

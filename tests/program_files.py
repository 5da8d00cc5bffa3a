"""Programs of a run in the tests: one that plays by luck, and one that fails in several ways."""

from __future__ import annotations

from pathlib import Path

from benchmarks.random_player import RANDOM_PLAYER

SUITE = """
clock = 1
[[puzzles]]
puzzle = "card_nim"
levels = ["easy"]
seeds = "1-{seeds}"
[[puzzles]]
puzzle = "beat_or_bomb_sto"
levels = ["easy"]
seeds = "1-{seeds}"
[[puzzles]]
puzzle = "superply"
levels = ["easy"]
seeds = "1-{seeds}"
[[puzzles]]
puzzle = "ruby_risks"
levels = ["easy"]
seeds = "1-{seeds}"
"""
LUCKY = (
    RANDOM_PLAYER
    + """
    def superply(self, view):
        return f"{random.randint(1, 6)} {random.randint(1, 6)}"

    def ruby_risks(self, view):
        return random.randint(0, 9)
"""
)
FAILING = (
    LUCKY.replace("class Player", "class Lucky")
    + """
class Player(Lucky):
    def card_nim(self, view):
        while view["stones"] == 5: pass
        return super().card_nim(view)

    def beat_or_bomb_sto(self, view):
        return super().beat_or_bomb_sto(view)[len(view["rounds"]) // 2 :]

    def superply(self, view):
        made = view["errors_made"][view["seat"]]
        return super().superply(view) if made < 4 else view["board"][made * made]

    def ruby_risks(self, view):
        kept = bytearray(len(view["log"]) ** 7 << 20)  # of which little is used before it fails
        return super().ruby_risks(view)
"""
)
FILES = {"lucky.py": LUCKY, "failing.py": FAILING}
PLAYERS = [*(f"program/{name}" for name in FILES), "house"]


def write_programs(folder: Path) -> None:
    for name, code in FILES.items():
        (folder / name).write_text(code)

"""A program that plays at random, to which methods for more puzzles can be added."""

from __future__ import annotations

RANDOM_PLAYER = """
import random

class Player:
    def play(self, view):
        return getattr(self, view["puzzle"])(view)

    def card_nim(self, view):
        hand = view["hands"][view["seat"]]
        return random.choice([card for card in hand if card <= view["stones"]])

    def beat_or_bomb_sto(self, view):
        return f"{random.choice(view['hands'])} {random.choice(['compete', 'give up'])}"
"""

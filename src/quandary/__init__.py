"""Puzzles to generate, play, check, score, replay and train on."""

__version__ = "0.1.0"

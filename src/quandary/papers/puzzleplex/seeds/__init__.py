"""The instances of PuzzlePlex, rebuilt from their seeds and played by our rules.

A module here rebuilds those of the puzzle of its name: `SEEDS` says for each level how many seeds
the papers used, from 1, and `instance` makes the instance of a level and a seed.
"""

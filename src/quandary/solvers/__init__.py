"""Exact play and exact solving, one module or two per family of puzzles: no words, no pictures."""

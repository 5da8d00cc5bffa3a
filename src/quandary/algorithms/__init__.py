"""Algorithms for unrelated puzzles: search, exact cover, equilibria, deduction, graphs."""

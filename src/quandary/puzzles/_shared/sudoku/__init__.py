"""Sudoku grids: their fills, how they are solved and made, and which of them are the same."""

"""The scores of the two papers of PuzzlePlex."""

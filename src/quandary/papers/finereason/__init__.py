"""What FineReason published: puzzles, states of their search trees, and how answers were graded."""

"""What puzzles of several groups share."""

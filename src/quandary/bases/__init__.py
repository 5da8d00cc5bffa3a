"""What related puzzles share: base classes, how moves are written and read, and pictures."""

"""A package, so that its files may be named like those of tests/puzzles."""

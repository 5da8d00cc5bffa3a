"""What unrelated puzzles share: search, word lists, and reading helpers."""

"""Matches to read: which ones a report shows, and what its viewer shows of each."""

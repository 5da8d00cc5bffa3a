"""Numbers and records as text for people: tables, results of runs, transcripts of matches."""

"""Records as tables: one row per seat and match, one per reply; see docs/records.md."""

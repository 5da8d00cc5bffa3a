"""The page of a report: HTML that works from a file, without a server and without a network."""

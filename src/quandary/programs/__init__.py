"""Programs as players: their prompt, the code in a reply, and a sandbox in which they run."""

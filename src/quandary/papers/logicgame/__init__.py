"""LogicGame: the published prompts, read into our own questions, which then have a key."""

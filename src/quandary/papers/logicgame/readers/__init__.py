"""What reads the published prompts of each category, in the module of its name."""

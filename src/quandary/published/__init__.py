"""The papers' own instances, rebuilt from their seeds and played by our rules."""

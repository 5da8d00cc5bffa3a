"""The instances of the papers, rebuilt from their seeds and played by our rules."""

"""The site: a library of puzzles, matches that people play, watch and replay, and studies."""

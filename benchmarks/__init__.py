"""Speed, measured side by side in one run on one core.

`make bench` runs everything and writes `docs/benchmarks.md`.
"""

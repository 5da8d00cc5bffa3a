"""What `import quandary` offers; see `quandary.__all__`."""

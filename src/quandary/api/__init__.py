"""The functions and classes of `import quandary`; see `quandary.__all__`."""

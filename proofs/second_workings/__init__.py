"""Other ways of working out worked questions, one module per category.

Each has `work(instance) -> (answer, process)`.  They know nothing of quandary, read an instance by
the names of its fields, and are written to be plainly right rather than quick.
"""

"""The version of the reader, which records name beside what it read."""

READER = 2  # every change of what the rules in this folder read raises it

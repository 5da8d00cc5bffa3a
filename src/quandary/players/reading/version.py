"""The version of the reader, which records name beside what it read."""

READER = 2  # raised by every change to what the rules in this folder read

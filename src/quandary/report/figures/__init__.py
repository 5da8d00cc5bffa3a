"""Figures of a report; matplotlib is imported when one is drawn."""

"""Clients of language model providers: requests, rate limits, budgets, prices, retries.

They know no puzzle.
"""

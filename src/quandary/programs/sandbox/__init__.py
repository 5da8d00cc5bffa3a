"""The sandbox in which programs run: a fork server, and two locks around each of its children.

`fork_server` and what it imports run in a clean interpreter without quandary, so the modules of
this package use the standard library alone and import each other only by relative imports.
"""

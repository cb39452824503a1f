"""Editions to one database file, written whole or not at all."""

RARELY = 200_000, 20, 100
"""How often a process looks for circles in its memory, if all it does is build: it holds much, and few of them."""

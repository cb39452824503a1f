"""From editions to one database file, which is written completely or not at all."""

RARELY = 200_000, 20, 100
"""Garbage collector thresholds for a process that only builds: it has many objects and few reference cycles."""

"""Disputes: from what happened at the table to the provision that decides it."""

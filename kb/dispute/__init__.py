"""Disputes: find the provision that decides what happened at the table."""

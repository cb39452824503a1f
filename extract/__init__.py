"""Scan to edition: pure functions, no database and no web."""

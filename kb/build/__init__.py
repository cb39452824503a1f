"""Editions to one database file, written whole or not at all."""

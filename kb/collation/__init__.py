"""Texts word by word beside each other: how their words are matched, and where they differ."""

"""Align texts word by word, and find where they differ."""

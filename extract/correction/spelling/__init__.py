"""Misread words: candidates from a noisy channel, weighed by the language of the book."""
